import { NONE, showCount, showDate, showMoney } from '../format'

export type Kind = 'text' | 'date' | 'count' | 'money' | 'decimal' | 'percent'
export type Column = { key: string; label: string; kind: Kind; sum?: boolean }
export type Value = string | number | null

export function show(kind: Kind, value: Value): string {
  if (value === null) return NONE
  if (kind === 'money') return showMoney(Number(value))
  if (kind === 'date') return showDate(String(value))
  if (kind === 'percent') return `${value}%`
  return typeof value === 'number' ? showCount(value) : String(value)
}
