import { MAX_DATE_LENGTH, monthNamed, type ReadDate, readDate } from './dates'

/** Matches text such as `Nov-27` or `Nov '27`. It can mean November 27 or November 2027. */
const MONTH_WITH_NUMBER = /^([a-z]{3,9}\.?)\s?[-/'’]\s?(\d{2})$/i
const monthWithNumber = (text: string) => {
  const match = MONTH_WITH_NUMBER.exec(text.slice(0, MAX_DATE_LENGTH).trim())
  return match && monthNamed(match[1] as string) > 0 ? { month: match[1] as string, number: Number(match[2]) } : null
}
export const isMonthWithNumber = (text: string): boolean => monthWithNumber(text) !== null

/**
 * Splits text such as `27-Nov` into the month and the number. Spreadsheet programs change `Nov-27` (November 2027) to
 * `27-Nov`, so the number can be a day or a year.
 */
export function numberWithMonth(text: string): { month: number; number: number } | null {
  const match = /^(\d{1,2})[-\s]([a-z]{3,9})$/i.exec(text.slice(0, MAX_DATE_LENGTH).trim())
  const month = match ? monthNamed(match[2] as string) : 0
  return match && month > 0 ? { month, number: Number(match[1]) } : null
}

/** Returns true for text such as `12-May` or `May-12`. Excel shows such text after it has converted input to a date. */
export function isShortExcelDate(text: string): boolean {
  const [, ...months] = /^(?:\d{1,2}-([a-z]{3})|([a-z]{3})-\d{2})$/i.exec(text) ?? []
  return months.some((month) => month !== undefined && monthNamed(month) > 0)
}

/** Matches a year and a month, such as `2027-11`. */
const YEAR_FIRST = /^((?:19|20|21)\d{2})[-/.](\d{1,2})$/

/** True for a month and a year. Examples are `Nov 2027`, `11/2027` and `2027-11`. */
export const isMonthAndYear = (text: string) => {
  const bare = text.slice(0, MAX_DATE_LENGTH).trim()
  return /^(?:[a-z]{3,9}\.?[-\s/,]*|\d{1,2}[-/.])\d{4}$/i.test(bare) || YEAR_FIRST.test(bare)
}

/** Maximum number of years ahead for a year in `Nov-27`. Registrations are valid for up to ten years. */
const YEARS_AHEAD = 10

/**
 * Converts the two-digit year of an expiry date to a full year. Returns null if the full year is in the past or more
 * than ten years ahead.
 */
export function expiryYear(short: number, today: string): number | null {
  const thisYear = Number(today.slice(0, 4))
  const year = thisYear - (thisYear % 100) + short
  return year >= thisYear && year <= thisYear + YEARS_AHEAD ? year : null
}

/**
 * Reads a month and a year as the month's last day. Registrations expire at the end of a month. In `Nov-27`, the number
 * is read as a year if the result is the current year or one of the next ten.
 */
export function readMonthEnd(text: string, today: string): ReadDate | null {
  const short = monthWithNumber(text)
  if (short) {
    const shortYear = expiryYear(short.number, today)
    return shortYear ? readMonthEnd(`${short.month} ${shortYear}`, today) : null
  }
  if (!isMonthAndYear(text)) return null
  const monthFirst = text.trim().replace(YEAR_FIRST, '$2/$1')
  const first = readDate(monthFirst.replace(/^([a-z]+\.?|\d{1,2})[-.\s/,]*(\d{4})$/i, '1-$1-$2'), { order: 'day' })
  if (!first) return null
  return { date: endOfMonth(first.date), isGuessed: true }
}

export function endOfMonth(date: string): string {
  const [year, month] = date.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10)
}
