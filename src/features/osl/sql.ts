import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { auditEntries, merges, oslNotes, oslRates } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'

/**
 * SQL expressions on OSL entries (out-of-service periods). Lists, counts, reports and exports share them, so that
 * their figures agree.
 */

type OslColumns = {
  id: AnyPgColumn
  status: AnyPgColumn
  osl_date: AnyPgColumn
  completed_at: AnyPgColumn
  storage_fees_applicable: AnyPgColumn
  storage_fee_daily_rate: AnyPgColumn
  storage_grace_days: AnyPgColumn
  storage_fee_waived: AnyPgColumn
}

// Write the status into the SQL text instead of using a parameter, so that Postgres can use a partial index.
export const isActive = (entry: Pick<OslColumns, 'status'>): SQL => sql`${entry.status} <> 'Completed'`
export const isCompleted = (entry: Pick<OslColumns, 'status'>): SQL => sql`${entry.status} = 'Completed'`

export const completedOn = (entry: Pick<OslColumns, 'completed_at'>, { timeZone }: Pick<Calendar, 'timeZone'>): SQL =>
  sql`(${entry.completed_at} at time zone ${timeZone})::date`

/** Last day out of service. Today for an open OSL entry. */
export const countsUntil = (entry: OslColumns, clock: Calendar): SQL =>
  sql`coalesce(${completedOn(entry, clock)}, ${clock.today()}::date)`

/** Number of days out of service. The OSL date is day 0, so an entry of today has 0 days. */
export const daysOutOfService = (entry: OslColumns, clock: Calendar): SQL<number> =>
  sql<number>`greatest(${countsUntil(entry, clock)} - ${entry.osl_date}, 0)`.mapWith(Number)

/** True if the vehicle was out of service during the period. One day is enough. Days after today do not count. */
export const stoodWithin = (
  entry: OslColumns,
  clock: Calendar,
  { start_date, end_date }: { start_date: string; end_date: string },
): SQL =>
  sql`${entry.osl_date} <= least(${end_date}::date, ${countsUntil(entry, clock)})
    and ${countsUntil(entry, clock)} >= ${start_date}::date`

/** A day as an SQL expression or as Postgres date text. Date text can also be `infinity`. */
type DaySql = SQL | string

const asDay = (day: DaySql): SQL => sql`(${day})::date`

/** Last day of the grace period. */
const freeUntil = (entry: OslColumns): SQL => sql`(${entry.osl_date} + ${entry.storage_grace_days})`

const endsOn = (entry: OslColumns, clock: Calendar, last: DaySql): SQL =>
  sql`least(${countsUntil(entry, clock)}, ${asDay(last)})`

/**
 * Number of days with storage fees from `first` to `last`, including both. If a period is split in two, the days of
 * both parts add up to the days of the whole period.
 */
export const chargedDays = (entry: OslColumns, clock: Calendar, first: DaySql, last: DaySql): SQL<number> =>
  sql<number>`greatest(${endsOn(entry, clock, last)} - greatest(${freeUntil(entry)}, ${asDay(first)} - 1), 0)`.mapWith(
    Number,
  )

/**
 * Storage fees up to and including a day, before the waiver. Charges all days at the first rate. For the days from each
 * later rate on, adds the difference to the rate before. For example, 10 days at $20 a day, and $25 from the 8th day
 * on, cost 10 × $20 + 3 × $5. Few entries have later rates, so `exists` checks for them before the slower sum. This
 * makes long lists faster. The outer query must select from the table or alias that `entry` refers to.
 */
const grossUntil = (entry: OslColumns, clock: Calendar, last: DaySql): SQL => {
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

/**
 * Storage fees up to and including a day, minus the waiver. The waiver reduces the earliest fees first, so that new
 * fees do not change the charges of past periods.
 */
const feeUntil = (entry: OslColumns, clock: Calendar, last: DaySql): SQL =>
  sql`greatest(${grossUntil(entry, clock, last)} - coalesce(${entry.storage_fee_waived}, 0), 0)`

export const feeOf = (entry: OslColumns, clock: Calendar): SQL<number> =>
  sql<number>`${feeUntil(entry, clock, 'infinity')}`.mapWith(Number)

/**
 * Storage fees from the first to the last day, including both. If a period is split into two, the fees of both parts
 * add up to those of the whole period, to the cent.
 */
export const feeWithin = (entry: OslColumns, clock: Calendar, first: DaySql, last: DaySql): SQL<number> =>
  sql<number>`(${feeUntil(entry, clock, last)} - ${feeUntil(entry, clock, sql`${asDay(first)} - 1`)})`.mapWith(Number)

const waivedUntil = (entry: OslColumns, clock: Calendar, last: DaySql): SQL =>
  sql`least(${grossUntil(entry, clock, last)}, coalesce(${entry.storage_fee_waived}, 0))`

export const waivedOf = (entry: OslColumns, clock: Calendar): SQL => waivedUntil(entry, clock, 'infinity')

export const waivedWithin = (entry: OslColumns, clock: Calendar, first: DaySql, last: DaySql): SQL =>
  sql`(${waivedUntil(entry, clock, last)} - ${waivedUntil(entry, clock, sql`${asDay(first)} - 1`)})`

export const rateOn = (entry: OslColumns, day: DaySql): SQL<number> =>
  sql<number>`coalesce((select r.daily_rate from ${oslRates} r where r.osl_id = ${entry.id}
    and r."from" <= ${asDay(day)}
    order by r."from" desc limit 1), ${entry.storage_fee_daily_rate})`.mapWith(Number)

/**
 * Subquery with one row per daily rate charged in the period. Use it with `cross join lateral`. The columns are the
 * first and last day with this rate (`first`, `last`), the number of days (`days`) and `daily_rate`.
 */
export const chargedRuns = (entry: OslColumns, clock: Calendar, first: DaySql, last: DaySql): SQL => sql`(
  select u.first, u.last, u.last - u.first + 1 as days, u.daily_rate from (
    select greatest(r."from", ${freeUntil(entry)} + 1, ${asDay(first)}) as first,
      least(lead(r."from") over (order by r."from") - 1, ${endsOn(entry, clock, last)}) as last, r.daily_rate
    from (select '-infinity'::date as "from", coalesce(${entry.storage_fee_daily_rate}, 0) as daily_rate
      union all select o."from", o.daily_rate from ${oslRates} o where o.osl_id = ${entry.id}) r) u
  where u.last >= u.first and ${entry.storage_fees_applicable})`

/**
 * Subquery with the charged days of an OSL entry in several periods. Its rows have a period (`days`), the number of
 * charged days (`count`) and the storage fee (`fee`) at one daily rate. Adding them up gives the same as `chargedDays`
 * and `feeWithin`, but reads the daily rates only once.
 * @param periods SQL of a `from` item with one date range in each row
 */
export const chargesIn = (entry: OslColumns, clock: Calendar, periods: SQL): SQL => {
  const feeAfter = (day: string) => sql.raw(`greatest(p.before + (${day} - p.first) * p.daily_rate - p.waived, 0)`)
  return sql`(
    select p.days, p.until - p."from" as count, ${feeAfter('p.until')} - ${feeAfter('p."from"')} as fee from (
      select d.days, r.first, r.daily_rate, r.before, coalesce(${entry.storage_fee_waived}, 0) as waived,
        greatest(r.first, lower(d.days)) as "from", least(r.last + 1, upper(d.days)) as until
      from (select u.*, sum(u.days * u.daily_rate) over (order by u.first) - u.days * u.daily_rate as before
        from ${chargedRuns(entry, clock, '-infinity', 'infinity')} u) r, ${periods} d (days)) p
    where p.until > p."from")`
}

/**
 * Times at which locations, vendors or companies were merged, or a merge was undone. A merge also sets `updated_at` of
 * the records that refer to the merged one. For due items, it does not count as a change of these records.
 */
const MERGE_TIMES = sql`(select merged_at from ${merges} union all select undone_at from ${merges}
  where undone_at is not null)`

/** Date of an OSL entry's last change or note, except by a merge. The date is in the business time zone. */
export const touchedOn = (
  entry: Pick<OslColumns, 'id'> & { updated_at: AnyPgColumn },
  { timeZone }: Pick<Calendar, 'timeZone'>,
): SQL =>
  sql`(greatest(coalesce(case when ${entry.updated_at} in ${MERGE_TIMES} then (
      select a.at from ${auditEntries} a where a.entity = 'osl_entries' and a.entity_id = ${entry.id}
      order by a.id desc limit 1) end, ${entry.updated_at}), (select max(n.created_at) from ${oslNotes} n
    where n.osl_id = ${entry.id})) at time zone ${timeZone})::date`

export const followUpOn = (
  entry: Parameters<typeof touchedOn>[0] & { next_action_on: AnyPgColumn },
  clock: Pick<Calendar, 'timeZone'>,
  days: number,
): SQL => sql`coalesce(${entry.next_action_on}, ${touchedOn(entry, clock)} + ${days}::int)`
