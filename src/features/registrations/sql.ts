import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { barePlate, registrations, vehicles } from '../../../db/schema'
import { beginningWith } from '../../platform/records/search'

/** SQL expressions on registrations. Lists, counts, reports and exports share them, so that their figures agree. */

type RegistrationColumns = { unit_number: AnyPgColumn; date_expires: AnyPgColumn }

export const daysUntilExpiry = (registration: Pick<RegistrationColumns, 'date_expires'>, today: string): SQL<number> =>
  sql<number>`${registration.date_expires} - ${today}::date`.mapWith(Number)

const bareText = (input: string) => input.toLowerCase().replace(/[\s.-]+/g, '')

/** True if a licence plate is the input. Ignores case, spaces, dots and dashes. */
export const isPlate = (plate: AnyPgColumn | SQL, input: string): SQL => sql`${barePlate(plate)} = ${bareText(input)}`

/** True if a licence plate starts with the input. Ignores case, spaces, dots and dashes. */
export function plateStartsWith(plate: AnyPgColumn | SQL, input: string): SQL {
  const bare = bareText(input)
  return bare ? sql`${barePlate(plate)} like ${beginningWith(bare)}` : sql`false`
}

/**
 * True if the vehicle has no registration that expires later. Reads the vehicle, because comparing the registrations of
 * a vehicle with each other takes seconds if it has thousands. With `=` instead of `>=`, Postgres expects few rows and
 * sorts all of them before it returns the first page.
 */
export const isLatest = (registration: RegistrationColumns): SQL =>
  sql`${registration.date_expires} >= (select latest.registered_until from ${vehicles} latest
    where latest.unit_number = ${registration.unit_number})`

export const isExpiring = (registration: RegistrationColumns, { start, end }: { start: string; end: string }): SQL =>
  sql`(${registration.date_expires} between ${start}::date and ${end}::date and ${isLatest(registration)})`

/**
 * SQL `from` and `where` clauses for expired registrations without a renewal. The alias is `g`. Starts from the
 * vehicles, because the latest registration of most vehicles is still valid. Starting from the registrations would read
 * far more rows, because most registrations have expired.
 */
export const overdueFrom = (today: string): SQL =>
  sql`${vehicles} v cross join lateral (select * from ${registrations} r where r.unit_number = v.unit_number
    and r.date_expires = v.registered_until order by r.id desc limit 1) g where v.registered_until < ${today}::date`
