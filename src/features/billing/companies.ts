import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { transports } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { transportCompanyQueries } from '../places'
import { arrivedOnTime, isDelivered } from '../transports'
import { lastMonths } from './months'
import { isInvoiced } from './sql'
import type { Period } from './statement'

const t = alias(transports, 't')

/**
 * Deliveries of a transport company in one month, by move date.
 * `with_estimate` counts the deliveries that have both an actual and an estimated arrival date. `on_time` counts how
 * many of these arrived by the estimated date. Costs are in dollars and include all deliveries of the month.
 */
export type CompanyMonth = Period & {
  delivered: number
  on_time: number
  with_estimate: number
  estimated_cost: number
  final_cost: number
}

/** @throws Missing when the company does not exist */
export async function companyMonths(db: Db, clock: Calendar, company: number): Promise<CompanyMonth[]> {
  await transportCompanyQueries.find(db, company)
  return rows<CompanyMonth>(
    db,
    sql`with moved as (
        select date_trunc('month', t.move_date)::date as first, count(*) as delivered,
          count(*) filter (where ${arrivedOnTime(t)}) as on_time, count(${arrivedOnTime(t)}) as with_estimate,
          sum(t.estimated_cost) as estimated_cost, sum(t.final_cost) as final_cost
        from ${transports} t where t.transport_company_id = ${company} and ${isDelivered(t)}
          and t.move_date >= (select min(first) from ${lastMonths(clock)} m)
        group by 1)
      select m.start_date, m.end_date, coalesce(c.delivered, 0)::int as delivered, coalesce(c.on_time, 0)::int as
      on_time,
        coalesce(c.with_estimate, 0)::int as with_estimate, coalesce(c.estimated_cost, 0)::float8 as estimated_cost,
        coalesce(c.final_cost, 0)::float8 as final_cost
      from ${lastMonths(clock)} m left join moved c on c.first = m.first order by m.first desc`,
  )
}

/**
 * Number and cost of the deliveries that no invoice bills. Disputed invoice lines do not count.
 * `cost` is the sum of the final costs in dollars. For a delivery without a final cost, the estimated cost counts.
 */
export type NotInvoiced = { count: number; cost: number }

/**
 * Counts the deliveries that no invoice bills, and adds up their costs.
 * The count must equal the number of rows of the completed transports report with the filter `invoiced=false`.
 */
export async function notInvoiced(db: Db, company: number, { start_date, end_date }: Period): Promise<NotInvoiced> {
  const [summary] = await rows<NotInvoiced>(
    db,
    sql`select count(*)::int as count, coalesce(sum(coalesce(t.final_cost, t.estimated_cost)), 0)::float8 as cost
      from ${transports} t where t.transport_company_id = ${company} and ${isDelivered(t)}
        and t.move_date between ${start_date}::date and ${end_date}::date and not ${isInvoiced(t)}`,
  )
  return summary as NotInvoiced
}
