import { NONE, showCount, showMoney } from './format'

const MONEY = /(^|[ _])(cost|vlt|rate|waived|amount)$/
const COUNT = /(^|[ _])(mileage|hours)$/
const NUMBER = /^\d+(\.\d+)?$/

export function changedValue(field: string, value: string | null): string {
  if (value === null) return NONE
  if (!NUMBER.test(value)) return value
  if (MONEY.test(field)) return showMoney(Number(value))
  return COUNT.test(field) ? showCount(Number(value)) : value
}
