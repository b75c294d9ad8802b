import type { DataType } from '../../../../db/vocabulary'
import { addDays } from '../../clock'
import { type DateOrder, possibleOrders, readDate, shortNumbers } from '../../reading/dates'
import { endOfMonth, expiryYear, isMonthAndYear } from '../../reading/months'
import { NUMBER_LENGTH, readNumber, readUnitDigits } from '../../reading/numbers'
import { nameKey } from '../../reading/text'
import type { ColumnKind, ImportColumn } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import { cellReader } from './read-field'
import { MONTH_AND_SPACED_YEAR, type Reading } from './reading'
import { DOTTED, withoutYear } from './understand-date'

/**
 * Kinds of columns that can be recognized by their values. Columns of notes or plates, for example, cannot be
 * recognized in this way, because almost any text is a valid note or plate.
 */
const RECOGNIZABLE: ColumnKind[] = ['unit', 'date', 'word', 'location', 'company']

/** Matches a ten-digit phone number with separators, such as `(602) 555-0101`. Does not match `6025550101`. */
const PHONE = /^\s*(?:\+?1[-. ])?(?:\(\d{3}\)\s?|\d{3}[-. ])\d{3}[-. ]\d{4}\b/

const isRecognizable = ({ kind, identifier }: ImportColumn) => RECOGNIZABLE.includes(kind) || identifier === 'phone'

/**
 * Returns the optional fields for which `guessByValues` may suggest a column. Other fields are left out, because their
 * values fit too many columns of an office sheet. The returned fields are:
 * - fields with a list of values
 * - phone numbers
 * - the first date field, if no date is required
 */
export function optionalByValues(dataType: DataType): string[] {
  const { columns } = importKind(dataType)
  const dates = columns.filter(({ kind }) => kind === 'date')
  return columns.flatMap((column) => {
    const isFirstDate = column === dates[0] && !dates.some(({ isRequired }) => isRequired)
    const isTelling = (column.kind === 'word' && column.words) || column.identifier === 'phone' || isFirstDate
    return isTelling && !column.isRequired ? [column.name] : []
  })
}

/** Matches an order of day and month. Examples: `dd/mm/yyyy`, `DDMMYYYY`, `DMY` and `day/month`. */
const ORDER = /\b(?:(d)(?:d|ay)?[-/. ]?m(?:m|onth)?|(m)(?:m|onth)?[-/. ]?d(?:d|ay)?)(?:[-/. ]?y(?:y|yyy)?)?\b/i

export function orderInHeading(heading: string): DateOrder | null {
  const [, day, month] = ORDER.exec(heading.slice(0, 200)) ?? []
  if (day || /\(\s*(?:european|day first)\s*\)/i.test(heading.slice(0, 200))) return 'day'
  return month ? 'month' : null
}

/** Returns true for a heading of months and years. Examples: `Exp (MM/YY)` and `Exp Mo/Yr`. */
export const hasMonthsAndYears = (heading: string): boolean =>
  /\b(?:(?:mm?|mo|month)\s?[-/. ]\s?(?:yy(?:yy)?|yr|year)|mmyy(?:yy)?)\b/i.test(heading.slice(0, 200))

function areMostly(cells: Cell[], isMet: (cell: Cell) => boolean): boolean {
  const filled = cells.filter((cell) => cellText(cell).trim() !== '')
  return filled.filter(isMet).length > filled.length / 2
}

export const hasDates = (cells: Cell[], today: string): boolean =>
  areMostly(cells, (cell) => isDate(cell) || (typeof cell === 'string' && readDate(cell, { today }) !== null))

/**
 * Returns the column that most often has a row's earliest date. Returns -1 on a tie.
 * Blank cells count as later than dates. A row in which several columns have the earliest date is ignored.
 */
export function earliestColumn(positions: number[], rows: Cell[][], today: string): number {
  const dayOf = (cell: Cell) =>
    isDate(cell) ? cell.date : typeof cell === 'string' ? readDate(cell, { today })?.date : undefined
  const wins = positions.map(() => 0)
  for (const cells of rows) {
    const days = positions.map((at) => dayOf(cells[at] ?? null) ?? '9999')
    const first = days.toSorted()[0] as string
    if (days.filter((day) => day === first).length === 1) wins[days.indexOf(first)]!++
  }
  const most = Math.max(...wins)
  return wins.filter((count) => count === most).length === 1 ? (positions[wins.indexOf(most)] as number) : -1
}

export const hasUnits = (cells: Cell[]): boolean =>
  areMostly(cells, (cell) => /^\d{6}$/.test(readUnitDigits(cellText(cell))))

/** Returns true if two columns differ in one of the first rows. Blank cells are not compared. */
export function differ(cells: Cell[], others: Cell[]): boolean {
  const textOf = (cell: Cell | undefined) => nameKey(cellText(cell ?? null))
  return cells.some((cell, at) => textOf(cell) && textOf(others[at]) && textOf(cell) !== textOf(others[at]))
}

export const areAmounts = (cells: Cell[]): boolean =>
  areMostly(cells, (cell) => /^\s*(?:\$\s*\d[\d,]*(?:\.\d{1,2})?|\d[\d,]*\.\d{2})\s*$/.test(cellText(cell)))

/** Longest usual distance of a trip, in miles. */
const LONGEST_TRIP = 2000

export function areTrips(cells: Cell[]): boolean {
  const filled = cells.filter((cell) => cellText(cell).trim() !== '')
  return filled.length > 0 && filled.every((cell) => (readNumber(cellText(cell)) ?? LONGEST_TRIP) < LONGEST_TRIP)
}

const DIRECTIONS = [
  /\b(?:from|old|prev|previous|orig\w*|pick\w*|out|leav\w*|start|depart\w*)\b/i,
  /\b(?:to|new|dest\w*|drop\w*|deliver\w*|in|into|arriv\w*|end)\b/i,
]

/** Matches headings of dates that no field stores, such as `Emissions due`. */
const OTHER_DATES =
  /\b(?:emissions?|smog|inspect\w*|insur\w*|warranty|birth|dob|lease|purchas\w*|acquir\w*|in.?service|oil)\b/i

/** Maximum number of words in a listed value. Example: `Waiting on parts`. */
const LONGEST_WORD = 3

type UnusedColumn = { at: number; heading: string; samples: string[] }

/**
 * Suggests a column for each field in `missingFields`. More than half of the column's first values must be valid for
 * the field. If several columns fit, none is suggested. Exception: if several columns fit a location of a transport, a
 * heading such as `Drop lot` can decide.
 * @param missingFields fields without a column
 * @param unused the columns without a field, and their first values
 * @returns the suggested fields. The keys are column positions.
 */
export function guessByValues(
  dataType: DataType,
  missingFields: string[],
  unused: UnusedColumn[],
  reading: Reading,
): Map<number, string> {
  const guesses = new Map<number, string>()
  const { columns, split } = importKind(dataType)
  for (const column of columns) {
    if (!missingFields.includes(column.name) || !isRecognizable(column)) continue
    const read = cellReader(column, reading)
    const isDateColumn = column.kind === 'date'
    const isValid = (sample: string) => {
      if (column.identifier === 'phone') return PHONE.test(sample)
      // Do not take a comment, such as `parts ETA 12/4`, for a status.
      if (column.kind === 'word' && sample.trim().split(/\s+/).length > LONGEST_WORD) return false
      const { value, error } = read(sample)
      return value !== null && !error && !(column.year === 'past' && value > reading.today)
    }
    const fits = ({ samples }: UnusedColumn) => samples.filter(isValid).length > samples.length / 2
    const direction = column.kind === 'location' ? (split?.into.indexOf(column.name) ?? -1) : -1
    const isOpposite = ({ heading }: UnusedColumn) =>
      direction >= 0 && DIRECTIONS[1 - direction]?.test(heading) && !DIRECTIONS[direction]?.test(heading)
    const matches = unused.filter(
      (candidate) =>
        !guesses.has(candidate.at) &&
        fits(candidate) &&
        !isOpposite(candidate) &&
        !(isDateColumn && OTHER_DATES.test(candidate.heading)),
    )
    const directed = matches.filter(({ heading }) => DIRECTIONS[direction]?.test(heading))
    const [match] = matches.length === 1 ? matches : directed.length === 1 ? directed : []
    if (match) guesses.set(match.at, column.name)
  }
  return guesses
}

/** Minimum number of days for which a registration is valid. */
export const SHORTEST_VALIDITY = 60

/**
 * Usual maximum validity of a registration, in years. In `11/27`, the 27 is probably a year if 2027 is at most this
 * many years ahead.
 */
const USUAL_YEARS_AHEAD = 3

/**
 * Minimum number of different dates such as `11/27` in a column. With at least this many, all are read as months and
 * years if that is possible. In fewer dates, the days could look like years by chance.
 */
const CERTAIN_PAIRS = 4

/**
 * Returns true if an expiry such as `11/27` cannot be a day.
 * Such text can mean November 27 or November 2027. It cannot mean November 27 if the record would then expire less than
 * 60 days after its start.
 */
function endsTooEarly(expiry: Cell, began: Cell, today: string): boolean {
  if (typeof expiry !== 'string' || !shortNumbers(expiry)) return false
  const day = isDate(began) ? began.date : typeof began === 'string' ? readDate(began, { today })?.date : undefined
  const end = day && readDate(expiry, { today: day < today ? today : addDays(day, 1), year: 'ahead' })?.date
  return Boolean(end && end < addDays(day, SHORTEST_VALIDITY))
}

/** Returns the last day of a month. For February, this is always 29. */
const lastDay = (month: number, today: string) =>
  month === 2 ? 29 : Number(endOfMonth(`${today.slice(0, 4)}-${String(month).padStart(2, '0')}-01`).slice(8))

/**
 * Decides whether short expiry dates, such as `11/27`, are months and years.
 *
 * The first rule that applies decides:
 * 1. The column has text such as `NOV 28`, and also a cell with a full year, such as `11/2027`: true.
 * 2. It has no short dates, or one of them cannot be a month of the next ten years: false.
 * 3. It has a short date that cannot be a day, such as `02/30`, or a cell with a full year: true.
 * 4. All its short dates are last days of a month, such as `11/30`: false.
 * 5. It has at least four different short dates, and no year in them is more than three years ahead: true.
 * 6. No year is more than three years ahead, and an expiry read as a day is less than 60 days after the record began:
 *    true.
 * 7. None of these: `unclear`.
 * @param earlier columns of dates before the expiry, such as the issue date
 */
export function areMonthsAndYears(cells: Cell[], earlier: Cell[][], today: string): boolean | 'unclear' {
  const pairs = cells.flatMap((cell) => (typeof cell === 'string' ? (shortNumbers(cell) ?? []) : []))
  const thisYear = Number(today.slice(2, 4))
  const isAhead = ({ first, second }: { first: number; second: number }) =>
    first >= 1 && first <= 12 && expiryYear(second, today) !== null
  const hasSpaced = cells.some((cell) => typeof cell === 'string' && MONTH_AND_SPACED_YEAR.test(cell))
  if (hasSpaced && cells.some((cell) => typeof cell === 'string' && isMonthAndYear(cell))) return true
  if (pairs.length === 0 || !pairs.every(isAhead)) return false
  if (pairs.some(({ first, second }) => second > lastDay(first, today))) return true
  if (cells.some((cell) => typeof cell === 'string' && isMonthAndYear(cell))) return true
  const isEnd = (pair: { first: number; second: number }) =>
    pair.second === lastDay(pair.first, today) || (pair.first === 2 && pair.second === 28)
  if (pairs.every(isEnd)) return false
  // If the second numbers of several different dates all look like years in the near future, they are years. Days would
  // rarely all look like that.
  const distinct = new Set(pairs.map(({ first, second }) => `${first}/${second}`))
  const areUsual = pairs.every(({ second }) => second <= thisYear + USUAL_YEARS_AHEAD)
  if (distinct.size >= CERTAIN_PAIRS && areUsual) return true
  return (
    (areUsual && earlier.some((days) => cells.some((cell, at) => endsTooEarly(cell, days[at] ?? null, today)))) ||
    'unclear'
  )
}

/**
 * Returns true if a column's expiries can all be months and years.
 * The expiries are cells such as `27-Nov`. A spreadsheet program changes the input `Nov-27`, meant as November 2027, to
 * `27-Nov`. Returns false if every expiry is the last day of a month, such as `30-Nov`, because such expiries are
 * probably days.
 */
export function areDaysOrYears(cells: Cell[], today: string): boolean {
  const shown = cells.flatMap((cell) => withoutYear(cell) ?? [])
  return (
    shown.some(({ month, number }) => number < lastDay(month, today)) &&
    shown.every(({ number }) => expiryYear(number, today) !== null)
  )
}

/**
 * Returns the first date with dots in a column, such as `05.11.2026`. Returns null if there is none, or if one of the
 * dates can only have the month first. Called for files with semicolons or decimal commas, which come from countries
 * that write the day first.
 */
export function dottedDate(cells: Cell[]): string | null {
  const dotted = cells.filter((cell): cell is string => typeof cell === 'string' && DOTTED.test(cell))
  const isMonthFirst = dotted.some((cell) => possibleOrders(cell).join() === 'month')
  return isMonthFirst ? null : (dotted[0]?.trim() ?? null)
}

/**
 * Returns true for an amount with a decimal point, such as `1,250.00`. Such an amount suggests that the file has no
 * decimal commas.
 */
export const isPointAmount = (cell: Cell): boolean =>
  typeof cell === 'string' && cell.length <= NUMBER_LENGTH && /^\$?\s*\d[\d,]*\.\d{2}$/.test(cell.trim())

/** Returns true for an amount with a decimal comma, such as `1.250,00`. */
export const isEuropeanAmount = (cell: Cell): boolean =>
  typeof cell === 'string' && cell.length <= NUMBER_LENGTH && /^€?\s*\d[\d.]*,\d{2}\s*€?$/.test(cell.trim())
