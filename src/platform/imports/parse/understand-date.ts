import {
  type DateOrder,
  hasZone,
  isCalendarDate,
  lacksYear,
  mayBeginWithYear,
  otherWeekday,
  possibleOrders,
  readDate,
  readDateSerial,
  shortNumbers,
} from '../../reading/dates'
import {
  endOfMonth,
  expiryYear,
  isMonthAndYear,
  isMonthWithNumber,
  numberWithMonth,
  readMonthEnd,
} from '../../reading/months'
import { inWords } from '../../records/warnings'
import type { ImportColumn } from '../kind'
import { type Cell, cellText, type DateCell, isDate } from '../spreadsheet/cells'
import { MAX_SHOWN_LENGTH, MONTH_AND_SPACED_YEAR, type ParsedCell, type Reading, readAs, shownText } from './reading'

/** Matches a numeric date with dots, such as `05.11.2026`. */
export const DOTTED = /^\s*\d{1,2}\.\d{1,2}(?:\.\d{2,4})?\b/

const orderOf = (field: string, text: string, { dateOrders, dottedDays }: Reading): DateOrder | undefined =>
  dateOrders[field] ?? (dottedDays?.has(field) && DOTTED.test(text) ? 'day' : undefined)

/** Returns the month and the number of a cell such as `27-Nov`. The number is a day or a year. */
export const withoutYear = (cell: Cell): { month: number; number: number } | null =>
  isDate(cell)
    ? cell.shows === 'day'
      ? { month: Number(cell.date.slice(5, 7)), number: Number(cell.date.slice(8)) }
      : null
    : typeof cell === 'string'
      ? numberWithMonth(cell)
      : null

const monthName = (month: number) =>
  new Date(Date.UTC(2000, month - 1)).toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' })

const dayOrYear = (shown: string) => `${shown} could be a day without a year or a month of a year; write the full date`

const yearsFrom = (date: string, today: string) => Math.abs(Number(date.slice(0, 4)) - Number(today.slice(0, 4)))

/**
 * Reads a number such as 43026 as a date without slashes (4/30/26). Returns null if the number is not such a date, or
 * if its year is more than one year away from the current year.
 */
function typedDate(number: number, today: string): string | null {
  const [, month, day, year] = /^(\d{1,2})(\d\d)(\d\d)$/.exec(String(number)) ?? []
  const date = month && readDate(`${month}/${day}/${year}`, { today })?.date
  return date && yearsFrom(date, today) <= 1 ? date : null
}

/**
 * Matches a month and a year without a separator. Examples are `1127` and `112027`. A month can have one digit, as in
 * `127`, because a number has no leading zero.
 */
const MONTH_AND_YEAR_DIGITS = /^\s*(0?[1-9]|1[0-2])(\d{2}|20\d{2})\s*$/

/**
 * Reads a month and a year as the month's last day.
 * @param areMonthsAndYears true if the short dates of the column, such as `11/27` and `1127`, are a month and a year
 */
function readExpiryMonth(cell: Cell, areMonthsAndYears: boolean, today: string) {
  const text = cellText(cell).slice(0, MAX_SHOWN_LENGTH)
  const [, name, spacedYear] = (areMonthsAndYears && MONTH_AND_SPACED_YEAR.exec(text)) || []
  if (name && spacedYear) return readMonthEnd(`${name}-${spacedYear}`, today)
  const short = areMonthsAndYears ? shortNumbers(text) : null
  const [, month, year] = (areMonthsAndYears && MONTH_AND_YEAR_DIGITS.exec(text)) || []
  const [first, second] = short ? [short.first, String(short.second).padStart(2, '0')] : [month, year]
  return readMonthEnd(first && second ? `${first}/${`${today.slice(0, 2)}${second}`.slice(-4)}` : text, today)
}

function understandDateCell({ date, shows }: DateCell, { year }: ImportColumn): ParsedCell {
  if (shows !== 'month') return { raw: date }
  const read = year === 'ahead' ? endOfMonth(date) : date
  return { raw: read, note: `the cell shows only a month; it was read as ${inWords(read)}` }
}

/**
 * Reads a number as the date number of a spreadsheet. Returns null for other whole numbers, such as 20261103, because
 * the caller reads their digits as year, month and day.
 */
function understandDateNumber(number: number, { today, date1904 }: Reading): ParsedCell | null {
  const serial = readDateSerial(number, date1904)
  const typed = serial && yearsFrom(serial, today) > 0 ? typedDate(number, today) : null
  if (typed)
    return {
      raw: null,
      error: `The cell holds the number ${number}, which may be ${inWords(typed)}; type the date with slashes`,
    }
  if (serial) return { raw: serial }
  if (number < 0) return { raw: null, error: 'The cell holds a negative number instead of a date; enter the date' }
  if (Number.isInteger(number)) return null
  return {
    raw: null,
    error:
      `The cell holds the number ${number}, which may have lost a zero; ` +
      `type the date with slashes, as in ${inWords(today)}`,
  }
}

function ambiguityOf(text: string, { name, year }: ImportColumn, reading: Reading): string | null {
  const shown = shownText(text)
  if (!reading.dateOrders[name] && mayBeginWithYear(text, reading.today))
    return `${shown} could begin with the day or the year; write the year with four digits`
  if ((reading.lackDays?.has(name) && shortNumbers(text)) || (year === 'past' && isMonthWithNumber(text)))
    return `${shown} could be a month and a year; write the day and the year`
  return year === 'ahead' && isMonthWithNumber(text) ? dayOrYear(shown) : null
}

/** Moves a date to another year. A date that does not exist in that year, such as February 29, stays unchanged. */
function inYear<Found extends { date: string }>(found: Found, year: number | undefined): Found {
  const moved = year === undefined ? found.date : `${year}${found.date.slice(4)}`
  return isCalendarDate(moved) ? { ...found, date: moved } : found
}

/** Matches a date after the word Yes, such as `yes 11/22`. */
const CONFIRMED_DATE = /^\s*(?:yes|y)[\s,:-]+(\d.*)$/i

/** Matches a date with the part of the day after it, such as `Nov 24 pm`. */
const DATE_AND_PART = /^(.*\d)\s*,?\s+(?:a\.?m\.?|p\.?m\.?|morning|noon|afternoon|evening|night)$/i

/** Matches a range of two dates, such as `6/1/26 - 5/31/27`. */
const DATE_RANGE =
  /^\s*(\d{1,2}\/\d{1,2}\/\d{2,4})\s*(?:[-–—]|to|thru|through|until)\s*(\d{1,2}\/\d{1,2}\/\d{2,4})\s*$/i

/** Reads the last day of a range of expiry dates. */
function readEndOfRange(cell: string, column: ImportColumn, reading: Reading): ParsedCell | null {
  const [, first, last] = DATE_RANGE.exec(cell.slice(0, MAX_SHOWN_LENGTH)) ?? []
  if (!first || !last || column.year !== 'ahead') return null
  const [begin, end] = [first, last].map((text) => understandDate(text, column, reading).raw)
  return typeof begin === 'string' && typeof end === 'string' && begin < end
    ? { raw: end, note: readAs(cell, inWords(end)) }
    : null
}

export function understandDate(cell: Cell, column: ImportColumn, reading: Reading): ParsedCell {
  const { name, year } = column
  const { today } = reading
  if (cell === null) return { raw: null }
  const confirmed = typeof cell === 'string' ? CONFIRMED_DATE.exec(cell.slice(0, MAX_SHOWN_LENGTH))?.[1] : undefined
  if (confirmed) {
    const result = understandDate(confirmed, column, reading)
    return typeof result.raw === 'string' ? { note: readAs(cell, inWords(result.raw)), ...result } : result
  }
  const beforePart =
    typeof cell === 'string' ? DATE_AND_PART.exec(cell.trim().slice(0, MAX_SHOWN_LENGTH))?.[1] : undefined
  if (beforePart && !beforePart.includes(':') && readDate(beforePart, { today })) {
    const result = understandDate(beforePart, column, reading)
    return typeof result.raw === 'string' ? { note: readAs(cell, inWords(result.raw)), ...result } : result
  }
  const range = typeof cell === 'string' ? readEndOfRange(cell, column, reading) : null
  if (range) return range
  const shown = withoutYear(cell)
  const shownYear = shown && year === 'ahead' ? expiryYear(shown.number, today) : null
  if (shown && shownYear && reading.monthYears?.has(name)) {
    const end = endOfMonth(`${shownYear}-${String(shown.month).padStart(2, '0')}-01`)
    return { raw: end, note: `${shown.number}-${monthName(shown.month)} was read as ${inWords(end)}` }
  }
  if (shown && shownYear && reading.dayOrYear?.has(name))
    return { raw: null, error: dayOrYear(`${shown.number}-${monthName(shown.month)}`) }
  if (isDate(cell)) return understandDateCell(cell, column)
  const monthEnd = year === 'ahead' ? readExpiryMonth(cell, reading.monthYears?.has(name) === true, today) : null
  const number = typeof cell === 'number' && !monthEnd ? understandDateNumber(cell, reading) : null
  if (number) return number
  const text = cellText(cell)
  if (!text.trim()) return { raw: null }
  const ambiguity = monthEnd ? null : ambiguityOf(text, column, reading)
  if (ambiguity) return { raw: null, error: ambiguity }
  const order = orderOf(name, text, reading)
  const read = monthEnd ?? readDate(text, { order, today, year })
  const date = read && year !== 'ahead' && lacksYear(text) ? inYear(read, reading.sheetYear) : read
  if (!date) {
    const hasOtherOrder = order === 'day' && possibleOrders(text).length > 0
    const example = hasOtherOrder ? today.replace(/^(\d+)-(\d+)-(\d+)$/, '$3/$2/$1') : inWords(today)
    const missing = isMonthAndYear(text) ? ' with a day' : hasOtherOrder ? ' with the day first' : ''
    return { raw: null, error: `Must be a date${missing}, for example ${example}` }
  }
  const weekday = otherWeekday(text, date.date)
  const remark = weekday
    ? `, which is a ${weekday}`
    : hasZone(text)
      ? '; the time and its time zone were ignored, so check the day'
      : ''
  return {
    raw: date.date,
    ...(date.isGuessed || remark ? { note: `${readAs(cell, inWords(date.date))}${remark}` } : {}),
  }
}
