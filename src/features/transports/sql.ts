import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { companySettings } from '../../../db/schema'

/** What is true of a transport, as SQL; the one definition for lists, counts, reports and exports. */

type Transport = { status: AnyPgColumn }
type Columns<Name extends string> = Record<Name, AnyPgColumn>

// Written out, not as parameters: the planner takes the partial indexes only when it can read the status.
export const isUnderWay = (transport: Transport): SQL => sql`${transport.status} <> 'Delivered'`
export const isDelivered = (transport: Transport): SQL => sql`${transport.status} = 'Delivered'`

/** Past its estimated arrival and not delivered. */
export const isLate = (transport: Transport & Columns<'estimated_arrival_date'>, today: string): SQL =>
  sql`(${isUnderWay(transport)} and ${transport.estimated_arrival_date} < ${today}::date)`

/** Not delivered, and to arrive within `days` from today, today included. */
export const arrivesWithin = (
  transport: Transport & Columns<'estimated_arrival_date'>,
  today: string,
  days: number,
): SQL =>
  sql`(${isUnderWay(transport)} and ${transport.estimated_arrival_date} between ${today}::date and ${today}::date + ${days}::int)`

/** Did it arrive by its estimate? Null without one of the two days: then it is neither on time nor late. */
export const arrivedOnTime = (transport: Columns<'actual_arrival_date' | 'estimated_arrival_date'>): SQL =>
  sql`(${transport.actual_arrival_date} <= ${transport.estimated_arrival_date})`

/** Delivered `days` ago, or longer, without a final cost. */
export const lacksCost = (
  transport: Transport & Columns<'actual_arrival_date' | 'final_cost'>,
  today: string,
  days: number,
): SQL =>
  sql`(${isDelivered(transport)} and ${transport.final_cost} is null and ${transport.actual_arrival_date} <= ${today}::date - ${days}::int)`

/** A PO is to be issued and has no number. */
export const lacksPo = (transport: Columns<'issue_po' | 'po_number'>): SQL =>
  sql`(${transport.issue_po} and ${transport.po_number} is null)`

/** A sale that was delivered. */
export const isSale = (transport: Transport & Columns<'move_type'>): SQL =>
  sql`(${transport.move_type} = 'Sales' and ${isDelivered(transport)})`

/**
 * Cost more than the estimate and the share above it that the settings allow; null without both costs. The first half
 * names those that an index holds.
 */
export const isOverEstimate = (transport: Columns<'final_cost' | 'estimated_cost'>): SQL =>
  sql`(${transport.final_cost} > ${transport.estimated_cost} and ${transport.final_cost} > ${transport.estimated_cost}
    * (100 + (select over_estimate_percent from ${companySettings})) / 100)`
