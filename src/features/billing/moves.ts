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
import { invoiceLabel, isBilled } from './sql'
import type { Period } from './statement'

const t = alias(transports, 't')
/**
 * Maximum length of an invoice period, in days.
 * The result of a check includes every transport of the period that the company did not bill. A longer period would
 * make the result too large.
 */
const LONGEST_DAYS = 366

const movesOf = (db: Db, company: number, { start_date, end_date }: Period) =>
  rows<Move>(
    db,
    sql`select t.id as transport_id, t.unit_number, to_char(t.move_date, 'YYYY-MM-DD') as move_date,
        coalesce(t.final_cost, t.estimated_cost)::float8 as cost, t.final_cost is null as "isEstimate"
      from ${transports} t where t.transport_company_id = ${company} and ${isDelivered(t)}
        and t.move_date between ${start_date}::date and ${end_date}::date order by t.move_date, t.id`,
  )

async function billedBefore(db: Db, ids: number[]): Promise<Map<number, EarlierInvoices>> {
  if (ids.length === 0) return new Map()
  const earlier = await rows<EarlierInvoices & { transport_id: number }>(
    db,
    sql`select l.transport_id, min(${invoiceLabel}) as label, array_agg(distinct i.id) as ids
      from ${vendorInvoiceLines} l join ${vendorInvoices} i on i.id = l.invoice_id
      where l.transport_id = any(${`{${ids.join(',')}}`}::text::int[]) and ${isBilled} group by l.transport_id`,
  )
  return new Map(earlier.map(({ transport_id, ...invoices }) => [transport_id, invoices]))
}

/**
 * Explains why a transport company cannot bill units that it did not deliver within the period.
 * For each unit, the explanation describes one transport. The order of preference is: transports within the period,
 * transports by this company, later transports. `transport_id` is set only if this company delivered the transport.
 */
async function explainOtherUnits(
  db: Db,
  company: number,
  { start_date, end_date }: Period,
  units: string[],
): Promise<Map<string, Elsewhere>> {
  if (units.length === 0) return new Map()
  const isWithin = sql`t.move_date between ${start_date}::date and ${end_date}::date`
  const isTheirs = sql`t.transport_company_id = ${company}`
  const explanations = await rows<Omit<Elsewhere, 'earlier'> & { unit_number: string }>(
    db,
    sql`select v.unit_number, m.transport_id, coalesce(m.said, 'Unit ' || v.unit_number || ' was never moved') as reason
      from ${vehicles} v left join lateral (
        select case when ${isTheirs} and ${isDelivered(t)} then t.id end as transport_id,
          'Unit ' || v.unit_number
          || case when ${isDelivered(t)} then ' was moved by ' else ' has not been delivered by ' end || c.company_name
          || case when ${isDelivered(t)} then ' on ' else ', move date ' end || to_char(t.move_date, 'MM/DD/YYYY')
          || case when ${isWithin} then '' else ', outside the invoice period' end as said
        from ${transports} t join ${transportCompanies} c on c.id = t.transport_company_id
        where t.unit_number = v.unit_number
        order by ${isWithin} desc, ${isTheirs} desc, t.move_date desc, t.id desc limit 1) m on true
      where v.unit_number in ${units}`,
  )
  const earlier = await billedBefore(
    db,
    explanations.flatMap(({ transport_id }) => transport_id ?? []),
  )
  return new Map(
    explanations.map(({ unit_number, reason, transport_id }) => [
      unit_number,
      { reason, transport_id, earlier: transport_id === null ? undefined : earlier.get(transport_id) },
    ]),
  )
}

/**
 * Compares the invoice lines of a transport company with our transports.
 * @throws Refused when the invoice period is longer than one year
 */
export async function movesChecked(
  db: Db,
  _clock: Calendar,
  company: number,
  period: Period,
  lines: MoveLine[],
): Promise<CheckedLine[]> {
  if (daysBetween(period.start_date, period.end_date) > LONGEST_DAYS)
    throw Refused.field('end_date', 'An invoice can cover at most one year. Choose a shorter period.')
  const moves = await movesOf(db, company, period)
  const knownUnits = new Set(moves.map(({ unit_number }) => unit_number))
  const unknownUnits = lines.map(({ unit_number }) => unit_number).filter((unit) => !knownUnits.has(unit))
  return checkMoves(lines, {
    moves: moves,
    billedBefore: await billedBefore(
      db,
      moves.map(({ transport_id }) => transport_id),
    ),
    elsewhere: await explainOtherUnits(db, company, period, unknownUnits),
  })
}
