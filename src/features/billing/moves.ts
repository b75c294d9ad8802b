import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { transportCompanies, transports, vehicles, vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import { type Calendar, daysBetween } from '../../platform/clock'
import { Refused } from '../../platform/refusals'
import { isDelivered } from '../transports'
import { checkMoves, type EarlierInvoices, type Elsewhere, type Move } from './check-moves'
import type { CheckedLine } from './checked-line'
import type { MoveLine } from './rules'
import { invoiceLabels, isBilled } from './sql'
import type { Period } from './statement'

const t = alias(transports, 't')
/**
 * Maximum number of days in an invoice period, the first and last day included.
 * The result of a check lists every unbilled transport of the period. For a longer period, it would be too large.
 */
const LONGEST_DAYS = 366
/** Maximum number of transports of a company in an invoice period. The unbilled ones are stored with the invoice. */
const MOVES_LIMIT = 3000
/** Number of transports of a unit, from the latest one, with which a line is explained. */
const EXPLAINING = 50

/** @throws Refused when the company has too many transports in the period */
async function movesOf(db: Db, company: number, { start_date, end_date }: Period): Promise<Move[]> {
  const moves = await rows<Move>(
    db,
    sql`select t.id as transport_id, t.unit_number, to_char(t.move_date, 'YYYY-MM-DD') as move_date,
        coalesce(t.final_cost, t.estimated_cost)::float8 as cost, t.final_cost is null as "isEstimate",
        concat_ws(' ', t.unit_number, t.move_date, t.location_out_id, t.location_in_id) as route
      from ${transports} t where t.transport_company_id = ${company} and ${isDelivered(t)}
        and t.move_date between ${start_date}::date and ${end_date}::date order by t.move_date, t.id
      limit ${MOVES_LIMIT + 1}`,
  )
  if (moves.length > MOVES_LIMIT)
    throw Refused.field(
      'end_date',
      `More than ${MOVES_LIMIT} transports of this company in this period. Choose a shorter period.`,
    )
  return moves
}

async function billedBefore(db: Db, ids: number[]): Promise<Map<number, EarlierInvoices>> {
  if (ids.length === 0) return new Map()
  const earlier = await rows<EarlierInvoices & { transport_id: number }>(
    db,
    sql`select l.transport_id, ${invoiceLabels} as label, array_agg(distinct i.id) as ids
      from ${vendorInvoiceLines} l join ${vendorInvoices} i on i.id = l.invoice_id
      where l.transport_id = any(${`{${ids.join(',')}}`}::text::int[]) and ${isBilled} group by l.transport_id`,
  )
  return new Map(earlier.map(({ transport_id, ...invoices }) => [transport_id, invoices]))
}

/**
 * Explains why a company cannot bill certain units. The company did not deliver these units within the period.
 * The explanation of a line describes one transport of its unit, chosen by these criteria in this order:
 * 1. It is a transport of this company on the move date of the line.
 * 2. It is within the invoice period.
 * 3. It belongs to this company.
 * 4. Its final cost is the billed amount.
 * 5. It is the latest transport.
 * If the unit has many transports, only the latest ones and those on the move date of the line are considered.
 * `transport_id` is set only if this transport belongs to this company. If the line has a move date, the transport must
 * also have this date or be within the period.
 * @returns an explanation for each line whose unit is in the vehicle list
 */
async function explainOtherLines(
  db: Db,
  company: number,
  { start_date, end_date }: Period,
  lines: MoveLine[],
): Promise<Map<MoveLine, Elsewhere>> {
  if (lines.length === 0) return new Map()
  const numbered = lines.map(({ unit_number, move_date, amount }, at) => ({ at, unit_number, move_date, amount }))
  const isWithin = sql`t.move_date between ${start_date}::date and ${end_date}::date`
  const isTheirs = sql`t.transport_company_id = ${company}`
  // Link a line to a transport only if the move date of the transport is the date on the line or within the invoice
  // period. A line without a date can be linked to any transport of the company.
  const isLinked = sql`${isTheirs} and (a.move_date is null or a.move_date = t.move_date or ${isWithin})`
  const explanations = await rows<Elsewhere & { at: number }>(
    db,
    // Find the latest transports once per unit, because a unit can have many lines and many transports.
    sql`with a as materialized (select * from jsonb_to_recordset(${JSON.stringify(numbered)}::text::jsonb)
          a (at int, unit_number text, move_date date, amount numeric)),
        v as materialized (select u.unit_number, array(select n.id from ${transports} n
            where n.unit_number = u.unit_number order by n.move_date desc, n.id desc limit ${EXPLAINING}) as latest
          from ${vehicles} u where u.unit_number in (select unit_number from a))
      select a.at, m.transport_id, m.move_date,
        coalesce(m.text, 'Unit ' || v.unit_number || ' was never moved') as reason
      from a join v on v.unit_number = a.unit_number left join lateral (
        select case when ${isLinked} then t.id end as transport_id,
          case when ${isTheirs} then to_char(t.move_date, 'YYYY-MM-DD') end as move_date,
          'Unit ' || v.unit_number
          || case when ${isDelivered(t)} then ' was moved by ' else ' has not been delivered by ' end || c.company_name
          || case when ${isDelivered(t)} then ' on ' else ', move date ' end || to_char(t.move_date, 'MM/DD/YYYY')
          || case when ${isWithin} then '' else ', outside the invoice period' end as text
        from (
          (select * from ${transports} n where n.id = any(v.latest))
          union (select * from ${transports} n where n.unit_number = v.unit_number and n.move_date = a.move_date
            limit ${EXPLAINING})) t
        join ${transportCompanies} c on c.id = t.transport_company_id
        order by (t.move_date = a.move_date and ${isTheirs}) is true desc, ${isWithin} desc, ${isTheirs} desc,
          (t.final_cost = a.amount) is true desc, t.move_date desc, t.id desc limit 1) m on true`,
  )
  const earlier = await billedBefore(
    db,
    explanations.flatMap(({ transport_id }) => transport_id ?? []),
  )
  return new Map(
    explanations.map(({ at, reason, transport_id, move_date }) => [
      lines[at] as MoveLine,
      { reason, transport_id, move_date, earlier: transport_id === null ? undefined : earlier.get(transport_id) },
    ]),
  )
}

/** @throws Refused when the invoice period is longer than one year */
export async function movesChecked(
  db: Db,
  _clock: Calendar,
  company: number,
  period: Period,
  lines: MoveLine[],
): Promise<CheckedLine[]> {
  if (daysBetween(period.start_date, period.end_date) >= LONGEST_DAYS)
    throw Refused.field('end_date', 'An invoice can cover at most one year. Choose a shorter period.')
  const moves = await movesOf(db, company, period)
  const knownUnits = new Set(moves.map(({ unit_number }) => unit_number))
  const otherLines = lines.filter(({ unit_number }) => !knownUnits.has(unit_number))
  return checkMoves(lines, {
    moves: moves,
    billedBefore: await billedBefore(
      db,
      moves.map(({ transport_id }) => transport_id),
    ),
    elsewhere: await explainOtherLines(db, company, period, otherLines),
  })
}
