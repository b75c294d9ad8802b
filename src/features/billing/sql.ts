import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { vendorInvoiceLines } from '../../../db/schema'

/** SQL fragments for invoices, aliased `i`, and their lines, aliased `l`. */

/**
 * True if a line bills one of our records and is not disputed. Accepted lines also count if their status is `not_ours`,
 * because they will be paid.
 */
export const isBilled = sql.raw(
  "(l.amount is not null and l.decision is distinct from 'disputed' and (l.status <> 'not_ours' or l.decision = 'accepted'))",
)

/** Text that identifies an invoice in messages about records that it already bills. */
export const invoiceLabel = sql.raw(
  "'invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to ' || to_char(i.end_date, 'MM/DD/YYYY')",
)

export const isInvoiced = (transport: { id: AnyPgColumn }): SQL =>
  sql`exists (select 1 from ${vendorInvoiceLines} l where l.transport_id = ${transport.id} and ${isBilled})`
