import type { Database } from '../../db/client'

/** Days before and after today in the time zone comparison. */
const COMPARED_DAYS = { before: 730, after: 400 }

/**
 * Compares the time zone data of this program and the database. The program and the database both convert times to
 * days. With different data, a record can get the wrong business day.
 * @returns the first day (YYYY-MM-DD) on which the two give different local times for noon UTC, or null
 */
export async function timeZoneDifference(database: Pick<Database, 'raw'>, timeZone: string): Promise<string | null> {
  const noons = await database.raw(
    `select to_char(noon, 'YYYY-MM-DD"T"HH24:MI') as utc,
      to_char(noon at time zone 'UTC' at time zone $1, 'YYYY-MM-DD"T"HH24:MI') as local
      from generate_series(current_date - ${COMPARED_DAYS.before} + time '12:00', current_date + ${COMPARED_DAYS.after}
      + time '12:00', '1 day') noon`,
    [timeZone],
  )
  const localTime = (utc: unknown) =>
    Temporal.Instant.from(`${utc}Z`).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' })
  const different = noons.find(({ utc, local }) => localTime(utc) !== local)
  return different ? String(different.utc).slice(0, 10) : null
}

export const differenceText = (timeZone: string, day: string) =>
  `the program and the database have different time zone data for ${timeZone}, first on ${day}`
