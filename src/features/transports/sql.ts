import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { companySettings } from '../../../db/schema'

/** SQL conditions on transports. Lists, counts, reports and exports share them, so that their figures agree. */

type TransportColumns = { status: AnyPgColumn }
type Columns<Name extends string> = Record<Name, AnyPgColumn>

// The status is a literal and not a parameter, so that the planner can use a partial index.
export const isUnderWay = (transport: TransportColumns): SQL => sql`(${transport.status} <> 'Delivered')`
export const isDelivered = (transport: TransportColumns): SQL => sql`(${transport.status} = 'Delivered')`

export const isLate = (transport: TransportColumns & Columns<'estimated_arrival_date'>, today: string): SQL =>
  sql`(${isUnderWay(transport)} and ${transport.estimated_arrival_date} < ${today}::date)`

export const arrivesWithin = (
  transport: TransportColumns & Columns<'estimated_arrival_date'>,
  today: string,
  days: number,
): SQL =>
  sql`(${isUnderWay(transport)} and ${transport.estimated_arrival_date} between ${today}::date
    and ${today}::date + ${days}::int)`

/** True if a transport arrived by its estimated arrival date. Null if the actual or estimated date is missing. */
export const arrivedOnTime = (transport: Columns<'actual_arrival_date' | 'estimated_arrival_date'>): SQL =>
  sql`(${transport.actual_arrival_date} <= ${transport.estimated_arrival_date})`

export const lacksCost = (
  transport: TransportColumns & Columns<'actual_arrival_date' | 'final_cost'>,
  today: string,
  days: number,
): SQL =>
  sql`(${isDelivered(transport)} and ${transport.final_cost} is null
    and ${transport.actual_arrival_date} <= ${today}::date - ${days}::int)`

export const lacksPo = (transport: Columns<'issue_po' | 'po_number'>): SQL =>
  sql`(${transport.issue_po} and ${transport.po_number} is null)`

export const isSale = (transport: TransportColumns & Columns<'move_type'>): SQL =>
  sql`(${transport.move_type} = 'Sales' and ${isDelivered(transport)})`

/**
 * True if the final cost is too far over the estimate. The settings contain the allowed percentage. The result is null
 * if a cost is missing.
 * The condition `final_cost > estimated_cost` seems redundant. It is needed, because Postgres uses the index
 * `transports_over_estimate_idx` only for a query that contains this condition.
 */
export const isOverEstimate = (transport: Columns<'final_cost' | 'estimated_cost'>): SQL =>
  sql`(${transport.final_cost} > ${transport.estimated_cost}
    and ${transport.final_cost} * 100 > ${transport.estimated_cost}
    * (100 + (select over_estimate_percent from ${companySettings})))`
