import type { ReportPeriod } from '../../../db/vocabulary'

/** When a scheduled report runs. `weekday` is 1 (Monday) to 7 (Sunday). `hour` is an hour in the business time zone. */
export type Rhythm = {
  frequency: 'weekly' | 'monthly'
  weekday: number | null
  day_of_month: number | null
  hour: number
}

/**
 * Returns the first due time of a scheduled report after `now`. The local hour stays the same when daylight saving
 * time starts or ends.
 */
export function nextRun({ frequency, weekday, day_of_month, hour }: Rhythm, now: Date, timeZone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
  const atHour = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone, plainTime: { hour } })
  const today = local.toPlainDate()
  const first =
    frequency === 'weekly'
      ? today.add({ days: ((weekday ?? 1) - today.dayOfWeek + 7) % 7 })
      : today.with({ day: day_of_month ?? 1 })
  const step = frequency === 'weekly' ? { weeks: 1 } : { months: 1 }
  let due = first
  while (Temporal.ZonedDateTime.compare(atHour(due), local) <= 0) due = due.add(step)
  return new Date(atHour(due).epochMilliseconds)
}

export function periodOf(period: ReportPeriod, today: string): { start_date: string; end_date: string } {
  const day = Temporal.PlainDate.from(today)
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({
    start_date: from.toString(),
    end_date: to.toString(),
  })
  const firstOfMonth = day.with({ day: 1 })
  const monday = day.subtract({ days: day.dayOfWeek - 1 })
  switch (period) {
    case 'last week':
      return span(monday.subtract({ weeks: 1 }), monday.subtract({ days: 1 }))
    case 'last month':
      return span(firstOfMonth.subtract({ months: 1 }), firstOfMonth.subtract({ days: 1 }))
    case 'last 30 days':
      return span(day.subtract({ days: 30 }), day)
    case 'this month':
      return span(firstOfMonth, day)
  }
}

export const PRESET_PERIODS = [
  'this month',
  'last month',
  'this quarter',
  'this year',
  'last 12 months',
  'next 30 days',
] as const
export type PresetPeriod = (typeof PRESET_PERIODS)[number]

export function presetPeriod(preset: PresetPeriod, today: string): { start_date: string; end_date: string } {
  const day = Temporal.PlainDate.from(today)
  const firstOfMonth = day.with({ day: 1 })
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({
    start_date: from.toString(),
    end_date: to.toString(),
  })
  switch (preset) {
    case 'this month':
    case 'last month':
      return periodOf(preset, today)
    case 'this quarter':
      return span(firstOfMonth.subtract({ months: (day.month - 1) % 3 }), day)
    case 'this year':
      return span(day.with({ month: 1, day: 1 }), day)
    case 'last 12 months':
      return span(firstOfMonth.subtract({ months: 12 }), firstOfMonth.subtract({ days: 1 }))
    case 'next 30 days':
      return span(day, day.add({ days: 30 }))
  }
}

/**
 * Returns the earlier period with which a report is compared. Both dates are included.
 * - Whole months are compared with as many whole months before: March with February, and a quarter with the one before.
 * - A month, quarter or year without its last days is compared with the same days of the previous one: March 1–10
 *   with February 1–10.
 * - Any other period that starts on the 1st is moved back by its number of months. A part of a month counts as one.
 * - All other periods are compared with the same number of days before them.
 */
export function periodBefore({ start_date, end_date }: { start_date: string; end_date: string }): {
  start_date: string
  end_date: string
} {
  const [start, end] = [Temporal.PlainDate.from(start_date), Temporal.PlainDate.from(end_date)]
  const span = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({
    start_date: from.toString(),
    end_date: to.toString(),
  })
  if (start.day !== 1) return span(start.subtract({ days: start.until(end).days + 1 }), start.subtract({ days: 1 }))
  const months = (end.year - start.year) * 12 + end.month - start.month + 1
  if (end.day === end.daysInMonth) return span(start.subtract({ months }), start.subtract({ days: 1 }))
  const step = unfinished(start.month, months)
  return span(start.subtract({ months: step }), end.subtract({ months: step }))
}

/**
 * Returns how many months earlier the comparison period is. The period must start on the 1st and end before the last
 * day of a month. The result is 1 for March 1 to 10, which is a part of a month. For April 1 to May 10, a part of a
 * quarter, the result is 3. For January 1 to May 10, a part of a year, the result is 12. For any other period, the
 * result is `months`.
 * @param month the first month of the period, 1 to 12
 * @param months the number of months that the period touches
 */
function unfinished(month: number, months: number): number {
  if (months === 1) return 1
  if (months <= 3 && month % 3 === 1) return 3
  return month === 1 && months <= 12 ? 12 : months
}
