import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { oslNotes, oslRates } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'

/** What is true of an OSL entry, as SQL; the one definition for lists, counts, reports and exports. */

type Entry = {
  id: AnyPgColumn
  status: AnyPgColumn
  osl_date: AnyPgColumn
  completed_at: AnyPgColumn
  storage_fees_applicable: AnyPgColumn
  storage_fee_daily_rate: AnyPgColumn
  storage_grace_days: AnyPgColumn
  storage_fee_waived: AnyPgColumn
}

// Written out, not as parameters: the planner takes the partial indexes only when it can read the status.
export const isActive = (entry: Pick<Entry, 'status'>): SQL => sql`${entry.status} <> 'Completed'`
export const isCompleted = (entry: Pick<Entry, 'status'>): SQL => sql`${entry.status} = 'Completed'`

/** The business date of the completion; null while the entry is active. */
export const completedOn = (entry: Pick<Entry, 'completed_at'>, { timeZone }: Pick<Calendar, 'timeZone'>): SQL =>
  sql`(${entry.completed_at} at time zone ${timeZone})::date`

/** The day up to which an entry counts: that of its completion, else today. */
export const countsUntil = (entry: Entry, clock: Calendar): SQL =>
  sql`coalesce(${completedOn(entry, clock)}, ${clock.today()}::date)`

/** Calendar days out of service; the first day counts 0. */
export const daysOutOfService = (entry: Entry, clock: Calendar): SQL<number> =>
  sql<number>`greatest(${countsUntil(entry, clock)} - ${entry.osl_date}, 0)`.mapWith(Number)

/** Did it stand out of service on any day of a period? Not one whose OSL date is still ahead. */
export const stoodWithin = (
  entry: Entry,
  clock: Calendar,
  { start_date, end_date }: { start_date: string; end_date: string },
): SQL =>
  sql`${entry.osl_date} <= least(${end_date}::date, ${countsUntil(entry, clock)}) and ${countsUntil(entry, clock)} >= ${start_date}::date`

/** A day as SQL, or as text. */
type DaySql = SQL | string

const asDay = (day: DaySql): SQL => sql`(${day})::date`

/** The last day that is free: that of the entry and its grace days. */
const freeUntil = (entry: Entry): SQL => sql`(${entry.osl_date} + ${entry.storage_grace_days})`

const endsOn = (entry: Entry, clock: Calendar, last: DaySql): SQL =>
  sql`least(${countsUntil(entry, clock)}, ${asDay(last)})`

/** The days that are charged for between two days, both included; adjoining periods add up to the whole. */
export const chargedDays = (entry: Entry, clock: Calendar, first: DaySql, last: DaySql): SQL<number> =>
  sql<number>`greatest(${endsOn(entry, clock, last)} - greatest(${freeUntil(entry)}, ${asDay(first)} - 1), 0)`.mapWith(
    Number,
  )

/**
 * What storage costs up to and including a day, before anything is waived: every day at the first rate, and each later
 * rate adds its difference to the one before for the days from its own on. Most entries have none, which is cheaper to
 * ask first: of many entries at once. The entry's table must be joined or aliased.
 */
const grossUntil = (entry: Entry, clock: Calendar, last: DaySql): SQL => {
  const [end, free, first] = [
    endsOn(entry, clock, last),
    freeUntil(entry),
    sql`coalesce(${entry.storage_fee_daily_rate}, 0)`,
  ]
  return sql`case when ${entry.storage_fees_applicable} then greatest(${end} - ${free}, 0) * ${first}
    + case when exists (select 1 from ${oslRates} o where o.osl_id = ${entry.id}) then coalesce(
        (select sum(greatest(${end} - greatest(${free}, s."from" - 1), 0) * s.step) from (
          select r."from", r.daily_rate - lag(r.daily_rate, 1, ${first}) over (order by r."from") as step
          from ${oslRates} r where r.osl_id = ${entry.id}) s), 0) else 0 end
    else 0 end`
}

/** What is waived is taken off the first fees, so that what was charged for a period that is over stays. */
const feeUntil = (entry: Entry, clock: Calendar, last: DaySql): SQL =>
  sql`greatest(${grossUntil(entry, clock, last)} - coalesce(${entry.storage_fee_waived}, 0), 0)`

/** The storage fees of an entry as of today, each day at its own rate, less what is waived; never below 0. */
export const feeOf = (entry: Entry, clock: Calendar): SQL<number> =>
  sql<number>`${feeUntil(entry, clock, 'infinity')}`.mapWith(Number)

/**
 * The part of the fees that falls between two days, both included; adjoining periods add up to the whole, to the
 * cent.
 */
export const feeWithin = (entry: Entry, clock: Calendar, first: DaySql, last: DaySql): SQL<number> =>
  sql<number>`(${feeUntil(entry, clock, last)} - ${feeUntil(entry, clock, sql`${asDay(first)} - 1`)})`.mapWith(Number)

/** What is waived of the fees up to a day. */
const waivedUntil = (entry: Entry, clock: Calendar, last: DaySql): SQL =>
  sql`least(${grossUntil(entry, clock, last)}, coalesce(${entry.storage_fee_waived}, 0))`

/** What is waived of the fees as of today. */
export const waivedOf = (entry: Entry, clock: Calendar): SQL => waivedUntil(entry, clock, 'infinity')

/** The part of it that falls between two days. */
export const waivedWithin = (entry: Entry, clock: Calendar, first: DaySql, last: DaySql): SQL =>
  sql`(${waivedUntil(entry, clock, last)} - ${waivedUntil(entry, clock, sql`${asDay(first)} - 1`)})`

/** The rate of a day: the latest that holds from that day or before, else the entry's own. */
export const rateOn = (entry: Entry, day: DaySql): SQL<number> =>
  sql<number>`coalesce((select r.daily_rate from ${oslRates} r where r.osl_id = ${entry.id} and r."from" <= ${asDay(day)}
    order by r."from" desc limit 1), ${entry.storage_fee_daily_rate})`.mapWith(Number)

/**
 * For `cross join lateral`: the runs of charged days at one rate between two days, as
 * `(first, last, days, daily_rate)`.
 */
export const chargedRuns = (entry: Entry, clock: Calendar, first: DaySql, last: DaySql): SQL => sql`(
  select u.first, u.last, u.last - u.first + 1 as days, u.daily_rate from (
    select greatest(r."from", ${freeUntil(entry)} + 1, ${asDay(first)}) as first,
      least(lead(r."from") over (order by r."from") - 1, ${endsOn(entry, clock, last)}) as last, r.daily_rate
    from (select '-infinity'::date as "from", coalesce(${entry.storage_fee_daily_rate}, 0) as daily_rate
      union all select o."from", o.daily_rate from ${oslRates} o where o.osl_id = ${entry.id}) r) u
  where u.last >= u.first and ${entry.storage_fees_applicable})`

/** The business date on which an entry was changed or noted last. */
export const touchedOn = (
  entry: Pick<Entry, 'id'> & { updated_at: AnyPgColumn },
  { timeZone }: Pick<Calendar, 'timeZone'>,
): SQL =>
  sql`(greatest(${entry.updated_at}, (select max(n.created_at) from ${oslNotes} n where n.osl_id = ${entry.id})) at time zone ${timeZone})::date`

/**
 * The business date on which an active entry is to be looked at: that of its next action, else when nobody changed or
 * noted it for `days`.
 */
export const followUpOn = (
  entry: Parameters<typeof touchedOn>[0] & { next_action_on: AnyPgColumn },
  clock: Pick<Calendar, 'timeZone'>,
  days: number,
): SQL => sql`coalesce(${entry.next_action_on}, ${touchedOn(entry, clock)} + ${days}::int)`
