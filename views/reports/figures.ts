import { NONE, showCount, showDate, showMoney } from '../format'
import { showMonth } from '../ui/today'

export type Kind = 'text' | 'date' | 'count' | 'money' | 'decimal' | 'percent'
export type Column = { key: string; label: string; kind: Kind; sum?: boolean }
export type Value = string | number | null

/** Formats a text of a report. A month, such as `2026-03`, becomes `Mar 2026`. */
export const showText = (key: string, text: string): string =>
  key === 'month' && /^\d{4}-\d\d$/.test(text) ? showMonth(text) : text

export function show(kind: Kind, value: Value): string {
  if (value === null) return NONE
  if (kind === 'money') return showMoney(Number(value))
  if (kind === 'date') return showDate(String(value))
  if (kind === 'percent') return `${Number(value).toFixed(1)}%`
  return typeof value === 'number' ? showCount(value) : String(value)
}
