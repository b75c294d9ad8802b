/** The current time. `today` is the calendar date in the business time zone. */
export type Clock = { now(): Date; today(): string; timeZone: string }

/** The clock functions that date rules need. */
export type Calendar = Pick<Clock, 'today' | 'timeZone'>

/**
 * The program's clock. All date rules use it, so that tests can set the time.
 * @param timeZone an IANA name, such as `America/Phoenix`
 */
export function businessClock(timeZone: string, now: () => Date = () => new Date()): Clock {
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return { now, timeZone, today: () => calendar.format(now()) }
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Adds months to a date. If the target month is too short, returns its last day. */
export const addMonths = (date: string, months: number): string =>
  Temporal.PlainDate.from(date).add({ months }).toString()

/** Returns the number of calendar days from `start` to `end`. The result is 0 for the same day. */
export function daysBetween(start: string, end: string): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000)
}

/**
 * Returns noon of a date in a time zone. Noon is used because a daylight saving shift cannot move it to another day.
 */
export const noonOf = (date: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: { hour: 12 } }).epochMilliseconds)

export const dateIn = (instant: Date, timeZone: string): string => businessClock(timeZone, () => instant).today()

/** Returns the hour in a time zone, 0 to 23. */
export const hourIn = (instant: Date, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).hour
