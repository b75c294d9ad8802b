import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { oslEntries, oslRates, vendorInvoiceLines, vendorInvoices, vendors } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import type { TableColumn } from '../../platform/lists/tables/table'
import { Refused } from '../../platform/refusals'
import {
  chargedRuns,
  chargesIn,
  completedOn,
  countsUntil,
  feeWithin,
  isActive,
  rateOn,
  stoodWithin,
  waivedWithin,
} from '../osl'
import { vendorQueries } from '../places'
import { lastMonths } from './months'
import { billedDays, invoiceLabels, isBilled } from './sql'

const e = alias(oslEntries, 'e')
const o = alias(oslEntries, 'o')
export type Period = { start_date: string; end_date: string }

/**
 * Storage days of a unit at one rate. The amount is in dollars. A waiver is a separate line with 0 days and a negative
 * amount.
 */
export type StatementLine = {
  osl_id: number
  unit_number: string
  from: string
  to: string
  days: number
  daily_rate: number
  amount: number
  waived_reason: string | null
}
export type Statement = Period & { vendor_id: number; vendor_name: string; lines: StatementLine[]; total: number }

const iso = (day: string) => sql.raw(`to_char(${day}, 'YYYY-MM-DD')`)

export const daysOf = ({ start_date, end_date }: Period) =>
  sql`datemultirange(daterange(${start_date}::date, ${end_date}::date, '[]'))`

/**
 * SQL multirange with the days out of service of an OSL entry. The range starts on the day after the OSL date and
 * includes `day`. If `day` is null, the range has no end.
 */
export const daysOutUntil = (day: SQL, entry: { osl_date: AnyPgColumn } = e) =>
  sql`datemultirange(daterange(${entry.osl_date}, greatest(${entry.osl_date}, coalesce(${day}, 'infinity')), '(]'))`

const isCharged = (clock: Calendar, vendor: number, period: Period) =>
  sql`e.vendor_id = ${vendor} and e.storage_fees_applicable and ${stoodWithin(e, clock, period)}`

/**
 * Loads the storage fees that a vendor can charge for a period. If a period is split in two, the totals of both parts
 * add up to the total of the whole period.
 * @throws Missing when the vendor does not exist
 */
export async function vendorStatement(db: Db, clock: Calendar, vendor: number, period: Period): Promise<Statement> {
  const { start_date: first, end_date: last } = period
  const { vendor_name } = await vendorQueries.find(db, vendor)
  const waived = waivedWithin(e, clock, first, last)
  const lines = await rows<StatementLine>(
    db,
    sql`select s.osl_id, s.unit_number, ${iso('s.first')} as "from", ${iso('s.last')} as "to", s.days::int,
        s.daily_rate::float8, s.amount::float8, s.waived_reason from (
      select e.id as osl_id, e.unit_number, u.first, u.last, u.days, u.daily_rate, u.days * u.daily_rate as amount,
          null as waived_reason
        from ${oslEntries} e cross join lateral ${chargedRuns(e, clock, first, last)} u
        where ${isCharged(clock, vendor, period)}
      union all
      select e.id, e.unit_number, greatest(e.osl_date + 1, ${first}::date),
      least(${countsUntil(e, clock)}, ${last}::date), 0, 0, -${waived},
          e.storage_fee_waived_reason
        from ${oslEntries} e where ${isCharged(clock, vendor, period)} and e.storage_fee_waived > 0 and ${waived} > 0) s
      order by s.unit_number, s.osl_id, s.days = 0, s.first`,
  )
  return { vendor_id: vendor, vendor_name, ...period, lines, total: inDollars(lines.map(({ amount }) => amount)) }
}

/** Sums dollar amounts in whole cents, to avoid floating-point errors. */
export const inDollars = (amounts: number[]) => amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100

export const STATEMENT_COLUMNS: TableColumn[] = [
  { key: 'unit_number', label: 'Unit #', kind: 'text' },
  { key: 'from', label: 'From', kind: 'date' },
  { key: 'to', label: 'To', kind: 'date' },
  { key: 'days', label: 'Days', kind: 'count' },
  { key: 'daily_rate', label: 'Daily rate', kind: 'money' },
  { key: 'amount', label: 'Amount', kind: 'money', sum: true },
  { key: 'waived_reason', label: 'Waived', kind: 'text' },
]

/**
 * Storage fees that a vendor can still charge for one unit. Amounts are in dollars. Excludes days that an invoice
 * already bills. `billedBefore` contains the labels of the invoices that bill these days, separated by `; `, or null.
 */
export type ExpectedCharge = {
  unit_number: string
  osl_id: number
  osl_ids: number[]
  days: number
  daily_rate: number
  expected: number
  billedBefore: string | null
  /** Ids of the invoices that bill days of the unit. Only days within the period count. */
  billed_on: number[]
  /** Unbilled days out of service within the period. The value is a Postgres multirange. */
  open_days: string
  /**
   * Vendor and dates of a second OSL entry of the unit. Set only if the second entry covers some of `open_days` and has
   * storage fees in the period.
   */
  overlap: string | null
}

/**
 * Maximum number of OSL entries of a unit in an invoice period. Each line of the unit stores the ids of them all, and
 * they are compared with each other. Units with more entries cannot be billed, and their `overlap` is null.
 */
export const STAYS_LIMIT = 20

/** Query for those of the units that have more OSL entries in the period than `STAYS_LIMIT`. */
export const crowdedUnits = (clock: Calendar, period: Period, units: SQL) =>
  sql`select o.unit_number from ${oslEntries} o where o.unit_number in ${units} and ${stoodWithin(o, clock, period)}
    group by o.unit_number having count(*) > ${STAYS_LIMIT}`

/**
 * Query for the days of each unit that invoices of the vendor already bill in the period. Materialize it. Otherwise,
 * the planner computes it for each OSL entry if the statistics of the tables are out of date.
 */
function billedUnits(vendor: number, period: Period): SQL {
  const days = billedDays('l', 'i')
  return sql`select l.unit_number, range_agg(${days}) as days, ${invoiceLabels} as label,
      array_agg(distinct i.id) as ids
    from ${vendorInvoices} i join ${vendorInvoiceLines} l on l.invoice_id = i.id
    where i.vendor_id = ${vendor} and ${days} && ${daysOf(period)} and ${isBilled}
    group by l.unit_number`
}

/**
 * Maximum number of pairs of a daily rate and a range of unbilled days, over all OSL entries of a vendor. 200,000 pairs
 * take about a second.
 */
const CHARGES_LIMIT = 200_000

/** @throws Refused when the vendor has too many OSL entries, daily rates and earlier invoices in the period */
async function checkCharges(db: Db, clock: Calendar, vendor: number, period: Period) {
  const [charges] = await rows<{ count: number }>(
    db,
    sql`with billed as materialized (
        select unit_number, (select count(*) from unnest(days)) as ranges from (${billedUnits(vendor, period)}) u)
      select sum((1 + coalesce(b.ranges, 0))
        * (1 + (select count(*) from ${oslRates} r where r.osl_id = e.id)))::float8 as count
      from ${oslEntries} e left join billed b on b.unit_number = e.unit_number
      where ${isCharged(clock, vendor, period)}`,
  )
  if ((charges?.count ?? 0) > CHARGES_LIMIT)
    throw Refused.field(
      'end_date',
      'This vendor has too many OSL entries and invoices in this period. Choose a shorter period.',
    )
}

/**
 * Loads the storage fees that a vendor can still charge per unit. If a unit has several OSL entries (out-of-service
 * periods), its row has the sum of their fees and the daily rate of the latest entry.
 * @throws Refused when the vendor has too many OSL entries, daily rates and earlier invoices in the period
 */
export async function expectedByUnit(
  db: Db,
  clock: Calendar,
  vendor: number,
  period: Period,
): Promise<ExpectedCharge[]> {
  await checkCharges(db, clock, vendor, period)
  const { end_date: last } = period
  return rows<ExpectedCharge>(
    db,
    sql`with billed as materialized (${billedUnits(vendor, period)}),
      stays as materialized (
        select e.*, (${daysOf(period)} - coalesce(b.days, '{}')) * ${daysOutUntil(countsUntil(e, clock))} as open_days,
          b.label, coalesce(b.ids, '{}') as invoice_ids
        from ${oslEntries} e left join billed b on b.unit_number = e.unit_number
        where ${isCharged(clock, vendor, period)}),
      crowded as materialized (${crowdedUnits(clock, period, sql`(select unit_number from stays)`)})
      select e.unit_number, max(e.id) as osl_id, array_agg(e.id order by e.id) as osl_ids,
        coalesce(sum(c.days), 0)::int as days,
        (array_agg(${rateOn(e, last)} order by e.osl_date desc, e.id desc))[1]::float8 as daily_rate,
        coalesce(sum(c.fee), 0)::float8 as expected, min(e.label) as "billedBefore",
        min(e.invoice_ids) as billed_on,
        range_agg(e.open_days)::text as open_days, min(x.text) as overlap
      from stays e
        left join lateral (
          select sum(i.count) as days, sum(i.fee) as fee
          from ${chargesIn(e, clock, sql`unnest(e.open_days)`)} i) c on true
        left join lateral (
          select d.vendor_name || ' from ' || to_char(o.osl_date, 'MM/DD/YYYY')
            || coalesce(' to ' || to_char(${completedOn(o, clock)}, 'MM/DD/YYYY'), '') as text
          from ${oslEntries} o join ${vendors} d on d.id = o.vendor_id
          where o.unit_number = e.unit_number and o.id <> e.id and o.storage_fees_applicable
            and ${stoodWithin(o, clock, period)}
            and e.unit_number not in (select unit_number from crowded)
            and e.open_days && ${daysOutUntil(countsUntil(o, clock), o)}
            and ${feeWithin(o, clock, period.start_date, last)} > 0
          order by o.id limit 1) x on true
      group by e.unit_number order by e.unit_number`,
  )
}

/** Storage fees of a vendor in one month, in dollars. The current month counts only up to today. */
export type VendorMonth = Period & { units: number; amount: number }

/** @throws Missing when the vendor does not exist */
export async function vendorMonths(db: Db, clock: Calendar, vendor: number): Promise<VendorMonth[]> {
  await vendorQueries.find(db, vendor)
  const months = sql`(select daterange(first, last, '[]') from m)`
  return rows<VendorMonth>(
    db,
    sql`with m as materialized (select * from ${lastMonths(clock)} m),
      fees as materialized (
        select c.days, e.unit_number, sum(c.fee) as fee
        from ${oslEntries} e cross join lateral ${chargesIn(e, clock, months)} c
        where e.vendor_id = ${vendor} and e.storage_fees_applicable
          and ${countsUntil(e, clock)} >= (select min(first) from m)
        group by c.days, e.unit_number)
      select m.start_date, m.end_date, (count(*) filter (where f.fee > 0))::int as units,
        coalesce(sum(f.fee), 0)::float8 as amount
      from m left join fees f on f.days = daterange(m.first, m.last, '[]')
      group by m.start_date, m.end_date order by m.start_date desc`,
  )
}

/**
 * Units stored at a vendor today, and their storage fees in dollars.
 * `units` counts the active OSL entries (out-of-service periods). `per_day` is the sum of their daily rates today, and
 * `so_far` the sum of their fees up to today.
 */
export type CurrentStorage = { units: number; per_day: number; so_far: number }

export async function loadCurrentStorage(db: Db, clock: Calendar, vendor: number): Promise<CurrentStorage> {
  const today = clock.today()
  const [totals] = await rows<CurrentStorage>(
    db,
    sql`select count(*)::int as units,
        coalesce(sum(${rateOn(e, today)}) filter (where e.storage_fees_applicable), 0)::float8 as per_day,
        coalesce(sum(${feeWithin(e, clock, sql`e.osl_date`, today)}), 0)::float8 as so_far
      from ${oslEntries} e where e.vendor_id = ${vendor} and ${isActive(e)}`,
  )
  return totals as CurrentStorage
}
