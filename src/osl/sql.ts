import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Clock } from '../clock'

/** What is true of an OSL entry, as SQL; the one definition for lists, counts, reports and exports. */

type Day = Pick<Clock, 'today' | 'timeZone'>
type Entry = {
  status: AnyPgColumn
  osl_date: AnyPgColumn
  completed_at: AnyPgColumn
  storage_fees_applicable: AnyPgColumn
  storage_fee_daily_rate: AnyPgColumn
}

// Written out, not as parameters: the planner takes the partial indexes only when it can read the status.
export const isActive = (entry: Pick<Entry, 'status'>): SQL => sql`${entry.status} <> 'Completed'`
export const isCompleted = (entry: Pick<Entry, 'status'>): SQL => sql`${entry.status} = 'Completed'`

/** The business date of the completion; null while the entry is active. */
export const completedOn = (entry: Pick<Entry, 'completed_at'>, { timeZone }: Pick<Day, 'timeZone'>): SQL =>
  sql`(${entry.completed_at} at time zone ${timeZone})::date`

/** The day up to which an entry counts: that of its completion, else today. */
export const countsUntil = (entry: Entry, clock: Day): SQL =>
  sql`coalesce(${completedOn(entry, clock)}, ${clock.today()}::date)`

/** Calendar days out of service; the first day counts 0. */
export const daysOutOfService = (entry: Entry, clock: Day): SQL<number> =>
  sql<number>`greatest(${countsUntil(entry, clock)} - ${entry.osl_date}, 0)`.mapWith(Number)

/**
 * The days out of service that fall into a period, both of its ends included; adjoining periods add up to the
 * whole.
 */
export const daysWithin = (
  entry: Entry,
  clock: Day,
  { start_date, end_date }: { start_date: string; end_date: string },
): SQL<number> =>
  sql<number>`greatest(least(${countsUntil(entry, clock)}, ${end_date}::date) - greatest(${entry.osl_date}, ${start_date}::date - 1), 0)`.mapWith(
    Number,
  )

/** Did it stand out of service on any day of a period? */
export const stoodWithin = (
  entry: Entry,
  clock: Day,
  { start_date, end_date }: { start_date: string; end_date: string },
): SQL => sql`${entry.osl_date} <= ${end_date}::date and ${countsUntil(entry, clock)} >= ${start_date}::date`

/** Days × daily rate, to the cent; 0 when fees do not apply. */
export const feeFor = (entry: Entry, days: SQL): SQL<number> =>
  sql<number>`case when ${entry.storage_fees_applicable} then ${days} * coalesce(${entry.storage_fee_daily_rate}, 0) else 0 end`.mapWith(
    Number,
  )
