import * as XLSX from 'xlsx'
import type { DateCell } from './cells'

/** Matches literal text and conditions in a number format. */
const LITERALS = /"[^"]*"|\[[^\]]*\]|\\./g

/**
 * Returns which kind of incomplete date a number format shows. This is `month` for a month with a year but without a
 * day, such as `mmm-yy`. It is `day` for a day with the name of a month but without a year, such as `d-mmm`. Returns
 * undefined for other formats.
 */
export function shownPart(format: string): DateCell['shows'] {
  const code = format.replace(LITERALS, '')
  if (/[hs]/i.test(code)) return undefined
  if (/d/i.test(code)) return /mmm/i.test(code) && !/y/i.test(code) ? 'day' : undefined
  return /m/i.test(code) && /y/i.test(code) ? 'month' : undefined
}

/**
 * Converts the number of a date cell without a valid date. A fraction of a day becomes a time, such as `12:00` for 0.5.
 * Other numbers stay unchanged.
 */
export const timeOf = (serial: number): string | number =>
  serial > 0 && serial < 1 ? XLSX.SSF.format('h:mm', serial) : serial

export function dateOf(serial: number, date1904: boolean, shows?: DateCell['shows']): DateCell | null {
  const day = XLSX.SSF.parse_date_code(serial, { date1904 })
  // Excel stores a time of day as a date with day 0. Such a cell is not a date.
  if (!day || day.d < 1) return null
  const date = `${day.y}-${String(day.m).padStart(2, '0')}-${String(day.d).padStart(2, '0')}`
  return shows === 'day' || (shows === 'month' && day.d === 1) ? { date, shows } : { date }
}
