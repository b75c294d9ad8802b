/**
 * Days on which a run can start. From each one, a month leads over the end of a month, and over the end of a year, a
 * leap day or a change between standard and daylight saving time in some of the zones. None is before the day on which
 * the tests create their accounts.
 */
export const STARTS = ['2026-03-14', '2026-03-22', '2026-09-28', '2026-10-20', '2026-12-18', '2027-03-02', '2028-02-20']

/** Zones with and without clock changes: at midnight in Havana, of half an hour on Lord Howe Island. */
export const ZONES = [
  'America/Phoenix',
  'America/New_York',
  'Europe/Berlin',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
]

/** Times of day in their order. Most are close to midnight or to a clock change. */
export const TIMES = [
  '00:00',
  '00:00:01',
  '00:30',
  '01:30',
  '02:15',
  '03:00',
  '12:00',
  '18:00',
  '23:30',
  '23:59:59.999',
]

/**
 * Returns a time on a day in a zone. A time that a clock change skips is moved ahead. Of a time that occurs twice, the
 * first one is returned.
 */
export const instantOf = (day: string, time: string, timeZone: string) =>
  new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) })
      .epochMilliseconds,
  )
