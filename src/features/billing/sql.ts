import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { vendorInvoiceLines } from '../../../db/schema'

/** What is true of invoices `i` and their lines `l`, as SQL. */

/** Was something of ours billed by it, and not disputed? What is accepted is paid, also where it seemed not ours. */
export const isBilled = sql.raw(
  "(l.amount is not null and l.decision is distinct from 'disputed' and (l.status <> 'not_ours' or l.decision = 'accepted'))",
)

/** How an invoice is called where another one bills the same. */
export const saidOfInvoice = sql.raw(
  "'invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to ' || to_char(i.end_date, 'MM/DD/YYYY')",
)

/** Does an invoice bill a transport, undisputed? */
export const isInvoiced = (transport: { id: AnyPgColumn }): SQL =>
  sql`exists (select 1 from ${vendorInvoiceLines} l where l.transport_id = ${transport.id} and ${isBilled})`
