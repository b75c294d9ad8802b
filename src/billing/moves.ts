import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../db/client'
import { transportCompanies, transports, vehicles, vendorInvoiceLines, vendorInvoices } from '../../db/schema'
import { type Calendar, daysBetween } from '../clock'
import { Refused } from '../refusals'
import { isDelivered } from '../transports/sql'
import { checkMoves, type Move } from './check-moves'
import type { CheckedLine } from './checked-line'
import type { MoveLine } from './rules'
import { isBilled, saidOfInvoice } from './sql'
import type { Period } from './statement'

const t = alias(transports, 't')
/** Everything that they moved in the period stands on the invoice, billed or not. */
const LONGEST_DAYS = 366

/** What a company delivered for us, by the day of the move. */
const movesOf = (db: Db, company: number, { start_date, end_date }: Period) =>
  rows<Move>(
    db,
    sql`select t.id as transport_id, t.unit_number, to_char(t.move_date, 'YYYY-MM-DD') as move_date,
        coalesce(t.final_cost, t.estimated_cost)::float8 as cost, t.final_cost is null as "isEstimate"
      from ${transports} t where t.transport_company_id = ${company} and ${isDelivered(t)}
        and t.move_date between ${start_date}::date and ${end_date}::date order by t.move_date, t.id`,
  )

/** Which of these transports another invoice billed, unless that was disputed. */
async function billedBefore(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await rows<{ transport_id: number; said: string }>(
    db,
    sql`select l.transport_id, min(${saidOfInvoice}) as said
      from ${vendorInvoiceLines} l join ${vendorInvoices} i on i.id = l.invoice_id
      where l.transport_id = any(${`{${ids.join(',')}}`}::text::int[]) and ${isBilled} group by l.transport_id`,
  )
  return new Map(found.map(({ transport_id, said }) => [transport_id, said]))
}

/** What is known of units that this company has no claim for: their latest move, theirs first. */
async function knownElsewhere(db: Db, company: number, units: string[]): Promise<Map<string, string>> {
  if (units.length === 0) return new Map()
  const found = await rows<{ unit_number: string; said: string }>(
    db,
    sql`select v.unit_number, coalesce((select 'Unit ' || v.unit_number
          || case when ${isDelivered(t)} then ' was moved by ' else ' is not delivered by ' end || c.company_name
          || case when ${isDelivered(t)} then ' on ' else ', moved ' end || to_char(t.move_date, 'MM/DD/YYYY')
        from ${transports} t join ${transportCompanies} c on c.id = t.transport_company_id
        where t.unit_number = v.unit_number
        order by t.transport_company_id = ${company} desc, t.move_date desc, t.id desc limit 1),
        'Unit ' || v.unit_number || ' was never moved') as said
      from ${vehicles} v where v.unit_number in ${units}`,
  )
  return new Map(found.map(({ unit_number, said }) => [unit_number, said]))
}

/** Sets every line of a transport company's invoice against our transports. @throws Refused for more than a year */
export async function movesChecked(
  db: Db,
  _clock: Calendar,
  company: number,
  period: Period,
  lines: MoveLine[],
): Promise<CheckedLine[]> {
  if (daysBetween(period.start_date, period.end_date) > LONGEST_DAYS)
    throw Refused.field('end_date', 'An invoice covers at most a year')
  const ours = await movesOf(db, company, period)
  const known = new Set(ours.map(({ unit_number }) => unit_number))
  const strange = lines.map(({ unit_number }) => unit_number).filter((unit) => !known.has(unit))
  return checkMoves(lines, {
    ours,
    billedBefore: await billedBefore(
      db,
      ours.map(({ transport_id }) => transport_id),
    ),
    elsewhere: await knownElsewhere(db, company, strange),
  })
}
