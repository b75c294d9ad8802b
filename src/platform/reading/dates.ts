import { cleanText, DASHES } from './text'

/** Meaning of a date such as 3/4/2026. It is March 4 with `month`, and April 3 with `day`. */
export type DateOrder = 'month' | 'day'

/**
 * Rule that chooses the year of a date without a year. `nearest` chooses the date closest to today, `ahead` the first
 * date from today on, and `past` the last date until today.
 */
export type YearRule = 'nearest' | 'ahead' | 'past'

export type DateReading = {
  order?: DateOrder | undefined
  /**
   * The current day, as YYYY-MM-DD, used to complete missing and two-digit years.
   * Without `today`, a date must contain a year.
   */
  today?: string | undefined
  year?: YearRule | undefined
}

/**
 * A parsed date, as YYYY-MM-DD.
 * `isGuessed` is true if the input was relative, had no year, or had a two-digit year whose century is uncertain.
 */
export type ReadDate = { date: string; isGuessed: boolean }

/** Maximum length of a date, in characters. In longer text, matching the regular expressions would take seconds. */
export const MAX_DATE_LENGTH = 80

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
/** Returns the number of a month by name or abbreviation, or 0. */
export function monthNamed(text: string): number {
  const name = text.toLowerCase().replace(/\.$/, '')
  if (name.length < 3) return 0
  return MONTHS.findIndex((month) => month.startsWith(name === 'sept' ? 'sep' : name)) + 1
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY = /^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?\.?,?\s+/i
const TIME =
  /(?:\s+at\s+|\s*@\s*|[T,\s]+)\d\d?(?::\d\d){1,2}(?:\.\d+)?\s*(?:[ap]\.?m\.?)?\s*(?:z|[+-]\d\d:?\d\d|[a-z]{2,5})?$/i
/** Matches a time without a colon, as in `11/20/2026 0800`. The time must follow a date with a four-digit year. */
const MILITARY_TIME = /(?<=\b(?:19|20|21)\d{2}\b\S{0,6})\s+(?:[01]\d|2[0-3])[0-5]\d(?:\s?h(?:rs?)?)?$/i
const HOUR_ALONE = /(?:\s*@\s*|[,\s]+)\d{1,2}\s*[ap]\.?m\.?$/i

/** Matches text to ignore after a date, such as `Fri` or `*`. Other examples are `pm` and `(late)`. */
const AFTER_DATE = new RegExp(
  `(?<=\\d)\\s*(?:${[
    '[,\\s]\\s*(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?',
    '\\s(?:am|pm|noon|eod|morning|afternoon)|\\([^()]*\\)|[.*]',
  ].join('|')})$`,
  'i',
)

const bareDate = (text: string) =>
  cleanText(text)
    .replace(DASHES, '-')
    .trim()
    .replace(/(?<=\d)\s+(?=[-/.]\s?\d)/g, '')
    .replace(WEEKDAY, '')
    .replace(TIME, '')
    .replace(HOUR_ALONE, '')
    .replace(MILITARY_TIME, '')
    .replace(AFTER_DATE, '')
    .replace(/(\d)(?:st|nd|rd|th)\b/i, '$1')
    .trim()

type Parts = { year: string | null; month: number; day: number }

const NUMERIC = /^(\d{1,2})([-/.\s])\s?(\d{1,2})\2\s?'?(\d{4}|\d{2})$/
/** Matches a date without separators, such as `11032026`. */
const COMPACT = /^(\d{2})(\d{2})((?:19|20|21)\d{2})$/
const NUMERIC_NEAR = /^(\d{1,2})([-/.])(\d{1,2})$/

function numericParts(first: string, second: string, year: string | null, order: DateOrder): Parts {
  const [a, b] = [Number(first), Number(second)]
  return order === 'month' ? { year, month: a, day: b } : { year, month: b, day: a }
}

function partsOf(bare: string, order: DateOrder): Parts | null {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(bare)
  if (iso) return { year: iso[1] as string, month: Number(iso[3]), day: Number(iso[4]) }
  const compact = /^((?:19|20|21)\d{2})(\d{2})(\d{2})$/.exec(bare)
  if (compact) return { year: compact[1] as string, month: Number(compact[2]), day: Number(compact[3]) }
  const digits = COMPACT.exec(bare)
  if (digits) return numericParts(digits[1] as string, digits[2] as string, digits[3] as string, order)
  const numeric = NUMERIC.exec(bare)
  if (numeric) return numericParts(numeric[1] as string, numeric[3] as string, numeric[4] as string, order)
  const near = NUMERIC_NEAR.exec(bare)
  if (near) return numericParts(near[1] as string, near[3] as string, null, order)
  const dayFirst = /^(\d{1,2})[-\s./]*([a-z]{3,9}\.?)(?:[-\s,./]*'?(\d{4}|\d{2}))?$/i.exec(bare)
  if (dayFirst) return { year: dayFirst[3] ?? null, month: monthNamed(dayFirst[2] as string), day: Number(dayFirst[1]) }
  const monthFirst = /^([a-z]{3,9}\.?)[-\s./]*(\d{1,2})(?:(?:,\s*|[-\s./]+)'?(\d{4}|\d{2}))?$/i.exec(bare)
  if (monthFirst)
    return { year: monthFirst[3] ?? null, month: monthNamed(monthFirst[1] as string), day: Number(monthFirst[2]) }
  return null
}

/**
 * True if a date such as `26-11-23` probably begins with the year. This is the case if 2026 is closer to the current
 * year than 2023.
 */
export function mayBeginWithYear(text: string, today: string): boolean {
  const [, first, , middle, last] = (text.length <= MAX_DATE_LENGTH && NUMERIC.exec(bareDate(text))) || []
  if (!first || !middle || last?.length !== 2 || Number(first) <= 12) return false
  const yearsAway = (short: string) => Math.abs(Number(short) - Number(today.slice(2, 4)))
  return yearsAway(first) < yearsAway(last) && calendarDate(2000 + Number(first), Number(middle), Number(last)) !== null
}

export const lacksYear = (text: string): boolean =>
  text.length <= MAX_DATE_LENGTH && partsOf(bareDate(text), 'month')?.year === null

/** Returns the two numbers of text such as `11/27` or `11-27`. */
export function shortNumbers(text: string): { first: number; second: number } | null {
  const match = text.length <= MAX_DATE_LENGTH ? NUMERIC_NEAR.exec(bareDate(text)) : null
  return match && { first: Number(match[1]), second: Number(match[3]) }
}

/**
 * Returns the weekday of `date` if the text names another weekday. An example of a text is `Fri, Jun 2`. Otherwise,
 * returns null.
 */
export function otherWeekday(text: string, date: string): string | null {
  const [named] = WEEKDAY.exec(cleanText(text.slice(0, MAX_DATE_LENGTH)).trim()) ?? []
  const day = new Date(`${date}T00:00:00Z`)
  if (!named || named.toLowerCase().startsWith(WEEKDAYS[day.getUTCDay()] as string)) return null
  return day.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
}

/** True for a date with a time zone, such as `2026-11-09T03:15:00Z`. A date at midnight does not count. */
export const hasZone = (text: string): boolean =>
  text.length <= MAX_DATE_LENGTH &&
  /\d[T\s]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s?(?:z|utc|gmt|[+-]\d{2}:?\d{2})\s*$/i.test(text) &&
  !/[T\s]0?0:00(?::00(?:\.0+)?)?\s?\S+\s*$/i.test(text)

/** True for a real date from 1900 to 2199, as YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const match = /^(19\d\d|2[01]\d\d)-(\d\d)-(\d\d)$/.exec(text)
  if (!match) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const two = (value: number) => String(value).padStart(2, '0')
function calendarDate(year: number, month: number, day: number): string | null {
  const date = `${year}-${two(month)}-${two(day)}`
  return isCalendarDate(date) ? date : null
}

const yearOf = (date: string) => Number(date.slice(0, 4))
const daysApart = (first: string, other: string) => Math.abs(Date.parse(first) - Date.parse(other)) / 86_400_000

/** Maximum number of years ahead for a two-digit year. A later year is moved back by a century. */
const AHEAD: Record<YearRule, number> = { nearest: 10, ahead: 30, past: 5 }
/**
 * Maximum distance, in years, at which the century is certain. If a two-digit year is farther from the current year,
 * the date counts as guessed.
 */
const FAR_YEARS = 10

function withCentury(short: number, today: string, rule: YearRule): number {
  const latest = yearOf(today) + AHEAD[rule]
  const year = Math.floor(latest / 100) * 100 + short
  return year > latest ? year - 100 : year
}

function withoutYear({ month, day }: Parts, today: string, rule: YearRule): string | null {
  const year = yearOf(today)
  // Try the four years before and after this year, because February 29 exists only in leap years.
  const dates = [-4, -3, -2, -1, 0, 1, 2, 3, 4].flatMap((years) => calendarDate(year + years, month, day) ?? [])
  if (rule === 'ahead') return dates.find((date) => date >= today) ?? null
  if (rule === 'past') return dates.findLast((date) => date <= today) ?? null
  return dates.toSorted((a, b) => daysApart(a, today) - daysApart(b, today))[0] ?? null
}

/** Reads a date relative to today, such as `t`, `today` or `+3`. Date fields in forms accept the same text. */
function dayFromToday(text: string, today: string): string | null {
  const bare = text.trim().toLowerCase()
  if (bare === 't' || bare === 'today') return today
  if (!/^[+-]\d{1,3}$/.test(bare)) return null
  return new Date(Date.parse(today) + Number(bare) * 86_400_000).toISOString().slice(0, 10)
}

/**
 * Parses a date as people write it. Returns null for other text.
 * Accepts ISO dates, numeric dates, dates with a month name and, with `today`, relative dates such as `+3`. By default,
 * numeric dates start with the month.
 */
export function readDate(
  text: string,
  { order = 'month', today, year: rule = 'nearest' }: DateReading = {},
): ReadDate | null {
  if (text.length > MAX_DATE_LENGTH) return null
  const near = today ? dayFromToday(text, today) : null
  if (near) return { date: near, isGuessed: true }
  const parts = partsOf(bareDate(text), order)
  if (!parts || parts.month < 1) return null
  if (parts.year === null) {
    const date = today ? withoutYear(parts, today, rule) : null
    return date ? { date, isGuessed: true } : null
  }
  const isShort = parts.year.length === 2
  const year = !isShort
    ? Number(parts.year)
    : today
      ? withCentury(Number(parts.year), today, rule)
      : 2000 + Number(parts.year)
  const date = calendarDate(year, parts.month, parts.day)
  if (!date) return null
  return { date, isGuessed: isShort && today !== undefined && Math.abs(year - yearOf(today)) > FAR_YEARS }
}

/**
 * Returns the possible orders of a numeric date. Returns an empty array for other text, and for dates such as 3/3/2026
 * that mean the same in both orders.
 */
export function possibleOrders(text: string): DateOrder[] {
  if (text.length > MAX_DATE_LENGTH) return []
  const bare = bareDate(text)
  const separated = NUMERIC.exec(bare) ?? NUMERIC_NEAR.exec(bare)
  const digits = COMPACT.exec(bare)
  const [first, second] = [Number(separated?.[1] ?? digits?.[1]), Number(separated?.[3] ?? digits?.[2])]
  if (Number.isNaN(first) || first === second) return []
  return [
    ...(canBeDay(first, second) ? (['month'] as const) : []),
    ...(canBeDay(second, first) ? (['day'] as const) : []),
  ]
}

/** Returns true if the day exists in the month. February has 29 days here, as in a leap year. */
const canBeDay = (month: number, day: number) => day >= 1 && day <= (MONTH_LENGTHS[month - 1] ?? 0)
const MONTH_LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Maximum number of days between today and a near date. Most dates of current records are that close. */
const NEAR_DAYS = 60

/**
 * Returns the order in which an ambiguous date is near today. An example of such a date is 11/3/2026. Returns null if
 * the date is near today in both orders or in neither.
 */
export function nearOrder(text: string, today: string): DateOrder | null {
  const isNear = (order: DateOrder) => {
    const read = readDate(text, { order, today })
    return read !== null && daysApart(read.date, today) <= NEAR_DAYS
  }
  const [month, day] = [isNear('month'), isNear('day')]
  if (month === day) return null
  return month ? 'month' : 'day'
}

const FIRST_SERIAL = 10_000
const LAST_SERIAL = 109_574

/**
 * Converts a spreadsheet's serial number to a date, as YYYY-MM-DD.
 * Workbooks with the `date1904` setting count from 1904 instead of 1900. Returns null for numbers outside the years
 * 1927 to 2199, because such numbers are probably not dates.
 */
export function readDateSerial(serial: number, date1904: boolean): string | null {
  const days = Math.floor(serial) + (date1904 ? 1462 : 0)
  if (days < FIRST_SERIAL || days > LAST_SERIAL) return null
  return new Date(Date.UTC(1899, 11, 30) + days * 86_400_000).toISOString().slice(0, 10)
}
