/** Source of the current time. `today` returns the date in the business time zone, as YYYY-MM-DD. */
export type Clock = { now(): Date; today(): string; timeZone: string }

export type Calendar = Pick<Clock, 'today' | 'timeZone'>

/**
 * All date rules use this clock. Tests can therefore set the time.
 * @param timeZone an IANA name, such as `America/Phoenix`
 */
export function businessClock(timeZone: string, now: () => Date = () => new Date()): Clock {
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return { now, timeZone, today: () => calendar.format(now()) }
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Adds months to a date, without skipping a month. January 31 plus one month is February 28 or 29. */
export const addMonths = (date: string, months: number): string =>
  Temporal.PlainDate.from(date).add({ months }).toString()

export function daysBetween(start: string, end: string): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000)
}

/**
 * Returns noon of a date in a time zone. Unlike midnight, noon exists on every day and is far from a change to or from
 * daylight saving time.
 */
export const noonOf = (date: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: { hour: 12 } }).epochMilliseconds)

export const dateIn = (instant: Date, timeZone: string): string => businessClock(timeZone, () => instant).today()

export const hourIn = (instant: Date, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).hour
