import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { barePlate, registrations } from '../../../db/schema'
import { beginningWith } from '../../platform/records/search'

/** What is true of a registration, as SQL; the one definition for lists, counts, reports and exports. */

type Registration = { unit_number: AnyPgColumn; date_expires: AnyPgColumn }

/** Calendar days from `today` to the last day; negative once it has passed. */
export const daysUntilExpiry = (registration: Pick<Registration, 'date_expires'>, today: string): SQL<number> =>
  sql<number>`${registration.date_expires} - ${today}::date`.mapWith(Number)

/** Does a plate begin with what was typed, whatever the blanks and dashes? */
export function plateBegins(plate: AnyPgColumn | SQL, typed: string): SQL {
  const bare = typed.toLowerCase().replace(/[\s.-]+/g, '')
  return bare ? sql`${barePlate(plate)} like ${beginningWith(bare)}` : sql`false`
}

/** No registration of the vehicle lasts longer. */
export const isLatest = (registration: Registration): SQL =>
  sql`not exists (select 1 from ${registrations} later where later.unit_number = ${registration.unit_number} and later.date_expires > ${registration.date_expires})`

/** Its last day lies from `start` to `end`, both included, and the vehicle has no later registration. */
export const isExpiring = (registration: Registration, { start, end }: { start: string; end: string }): SQL =>
  sql`(${registration.date_expires} between ${start}::date and ${end}::date and ${isLatest(registration)})`
