/** Tells the time; `today` is the calendar date in the business time zone. */
export type Clock = { now(): Date; today(): string; timeZone: string }

/** What a rule about days asks of the clock. */
export type Calendar = Pick<Clock, 'today' | 'timeZone'>

/**
 * The one clock of the program. Every date rule asks it, so tests can set it.
 * @param timeZone an IANA name, such as `America/Phoenix`
 */
export function businessClock(timeZone: string, now: () => Date = () => new Date()): Clock {
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return { now, timeZone, today: () => calendar.format(now()) }
}

/** The date `days` after `date`; both `YYYY-MM-DD`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The same day `months` away, or that month's last day where it has no such day. */
export const addMonths = (date: string, months: number): string =>
  Temporal.PlainDate.from(date).add({ months }).toString()

/** Calendar days from `start` to `end`; the first day counts 0. */
export function daysBetween(start: string, end: string): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000)
}

/** The instant at noon of a day in a time zone; it stays on that day whatever its clocks do. */
export const noonOf = (date: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: { hour: 12 } }).epochMilliseconds)

/** The calendar date of an instant in a time zone. */
export const dateIn = (instant: Date, timeZone: string): string => businessClock(timeZone, () => instant).today()

/** The hour of the day, 0 to 23, at an instant in a time zone. */
export const hourIn = (instant: Date, timeZone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).hour
