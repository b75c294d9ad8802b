import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { vendorInvoiceLines } from '../../../db/schema'

/** SQL fragments for invoices, aliased `i`, and their lines, aliased `l`. */

/**
 * True if a line bills our records and is not disputed.
 * An accepted line will be paid, so it counts even if its status is `not_ours`.
 */
export const isBilled = sql.raw(
  "(l.amount is not null and l.decision is distinct from 'disputed' and (l.status <> 'not_ours' or l.decision = 'accepted'))",
)

/** Label of an invoice in messages about earlier billing. */
export const invoiceLabel = sql.raw(
  "'invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to ' || to_char(i.end_date, 'MM/DD/YYYY')",
)

export const isInvoiced = (transport: { id: AnyPgColumn }): SQL =>
  sql`exists (select 1 from ${vendorInvoiceLines} l where l.transport_id = ${transport.id} and ${isBilled})`
