import { isCalendarDate } from '../../fields'

/** A formula whose result the program that wrote the file did not store. */
type Uncomputed = { formula: true }
/** A cell that shows an error such as #REF! or #VALUE!. */
type Faulty = { error: string }

/**
 * A cell as a file holds it: text, a number, a yes or no, a date that the spreadsheet itself knew, a bare formula
 * or an error.
 */
export type Cell = string | number | boolean | { date: string } | Uncomputed | Faulty | null

export const isUncomputed = (cell: Cell): cell is Uncomputed =>
  typeof cell === 'object' && cell !== null && 'formula' in cell
export const isFaulty = (cell: Cell): cell is Faulty => typeof cell === 'object' && cell !== null && 'error' in cell
const isDate = (cell: Cell): cell is { date: string } => typeof cell === 'object' && cell !== null && 'date' in cell

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const two = (value: number) => String(value).padStart(2, '0')

function calendarDate(year: number, month: number, day: number): string | null {
  const fullYear = year < 100 ? 2000 + year : year
  const date = `${fullYear}-${two(month)}-${two(day)}`
  return isCalendarDate(date) ? date : null
}

/** In characters; reading longer text by these expressions takes seconds. */
const LONGEST_DATE = 200
const TIME = /[T\s]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*([ap]m|z)?$/i

/** How a date such as 3/4/2026 is meant: 4 March, or 3 April. */
export type DateOrder = 'month' | 'day'

const NUMERIC_DATE = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4}|\d{2})$/

/** Which orders a numeric date can be read in; none for any other text. */
export function possibleOrders(text: string): DateOrder[] {
  if (text.length > LONGEST_DATE) return []
  const match = NUMERIC_DATE.exec(text.trim().replace(TIME, ''))
  if (!match || match[1] === match[2]) return []
  const [first, second] = [Number(match[1]), Number(match[2])]
  return [...(first <= 12 ? (['month'] as const) : []), ...(second <= 12 ? (['day'] as const) : [])]
}

/**
 * Reads a date as people write it: ISO, numbers (month first unless told), or with the month's name. Null when it
 * is none.
 */
export function readDateText(text: string, order: DateOrder = 'month'): string | null {
  if (text.length > LONGEST_DATE) return null
  const bare = text.trim().replace(TIME, '')
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(bare)
  if (iso) return calendarDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numeric = NUMERIC_DATE.exec(bare)
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])]
    return order === 'month'
      ? calendarDate(Number(numeric[3]), first, second)
      : calendarDate(Number(numeric[3]), second, first)
  }
  const dayFirst = /^(\d{1,2})[-\s]([a-z]{3})[a-z]*\.?[-\s,]+(\d{4}|\d{2})$/i.exec(bare)
  const monthFirst = /^([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})$/i.exec(bare)
  const [month, day, year] = dayFirst
    ? [dayFirst[2], dayFirst[1], dayFirst[3]]
    : monthFirst
      ? [monthFirst[1], monthFirst[2], monthFirst[3]]
      : []
  return month ? calendarDate(Number(year), MONTHS.indexOf(month.toLowerCase()) + 1, Number(day)) : null
}

const FIRST_SERIAL = 10_000
const LAST_SERIAL = 109_574

/** The day that a spreadsheet's serial number stands for; `date1904` workbooks count from another day. */
export function readDateSerial(serial: number, date1904: boolean): string | null {
  const days = Math.floor(serial) + (date1904 ? 1462 : 0)
  if (days < FIRST_SERIAL || days > LAST_SERIAL) return null
  return new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10)
}

const MONTH_AND_DAY = /^\s*(\d{1,2})[-/](\d{1,2})\s*$/

/** A month and a day, in the year in which they are nearest to `today`. */
function readNearDate(text: string, order: DateOrder | undefined, today: string): string | null {
  if (!MONTH_AND_DAY.test(text)) return null
  const year = Number(today.slice(0, 4))
  const days = [year - 1, year, year + 1].flatMap(
    (near) => readDateText(`${text.trim()}/${near}`.replaceAll('-', '/'), order) ?? [],
  )
  const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(today))
  return days.sort((a, b) => away(a) - away(b))[0] ?? null
}

type DateReading = {
  date1904?: boolean
  order?: DateOrder | undefined
  /** The business day, where the year may be left out. */
  near?: string | undefined
}

/** A date cell as `YYYY-MM-DD`; what cannot be read stays as it was, for the rules to refuse. */
export function readDate(cell: Cell, { date1904 = false, order, near }: DateReading = {}): unknown {
  if (isDate(cell)) return cell.date
  if (typeof cell === 'number') return readDateSerial(cell, date1904) ?? String(cell)
  if (typeof cell !== 'string' || !cell.trim()) return cell
  return readDateText(cell, order) ?? (near ? readNearDate(cell, order, near) : null) ?? cell
}

/** Any other cell as the text or number that a form would have sent. */
export function readPlain(cell: Cell): unknown {
  return isDate(cell) ? cell.date : cell
}

/** Numbers in a text column, such as an RA number, as they were typed. */
export function readText(cell: Cell): unknown {
  const plain = readPlain(cell)
  return typeof plain === 'number' || typeof plain === 'boolean' ? String(plain) : plain
}

/**
 * A unit number; a numeric cell has lost its leading zeros and gets them back. So does text, such as a CSV that a
 * spreadsheet program saved, where somebody sees that before it is written.
 */
export function readUnit(cell: Cell, isPreviewed = false): unknown {
  const isNumber = typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < 1_000_000
  const isShort = isPreviewed && typeof cell === 'string' && /^\s*\d{1,5}\s*$/.test(cell)
  return isNumber || isShort ? String(cell).trim().padStart(6, '0') : readText(cell)
}

/** A cell as the file shows it. */
export function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (isUncomputed(cell)) return '(formula without a result)'
  if (isFaulty(cell)) return cell.error
  return isDate(cell) ? cell.date : String(cell)
}
