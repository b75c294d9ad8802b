import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { vendorInvoiceLines } from '../../../db/schema'

/** SQL fragments about invoices. Queries must use the aliases `i` for invoices and `l` for invoice lines. */

/**
 * SQL condition: an invoice line bills one of our records. Disputed lines do not count. Lines with the status
 * `not_ours` count only if they are accepted, because accepted lines are paid.
 */
export const isBilled = sql.raw(
  "(l.amount > 0 and l.decision is distinct from 'disputed' and (l.status <> 'not_ours' or l.decision = 'accepted'))",
)

/** SQL expression for the days that a line bills. If these days are unknown, the days of the invoice period count. */
export const billedDays = (line: 'l' | 'own', invoice: 'i' | 'mine') =>
  sql.raw(`coalesce(${line}.billed_days::datemultirange,
    datemultirange(daterange(${invoice}.start_date, ${invoice}.end_date, '[]')))`)

/**
 * SQL expression for the number and period of an invoice, for messages.
 * For example: `invoice 4711, 02/01/2026 to 02/28/2026`.
 */
export const invoiceLabel = sql.raw(
  "'invoice ' || i.number || ', ' || to_char(i.start_date, 'MM/DD/YYYY') || ' to ' || to_char(i.end_date, " +
    "'MM/DD/YYYY')",
)

/** Maximum number of invoices that a message names. */
const NAMED = sql.raw('5')

/**
 * SQL aggregate: the labels of several invoices, for messages. Names five invoices, and then gives the number of the
 * others. For example: `invoice A, 02/01/2026 to 02/28/2026; invoice B, 03/01/2026 to 03/31/2026; and 3 more`.
 */
export const invoiceLabels = sql`array_to_string((array_agg(distinct ${invoiceLabel}))[:${NAMED}], '; ')
  || coalesce('; and ' || nullif(greatest(count(distinct ${invoiceLabel}) - ${NAMED}, 0), 0) || ' more', '')`

export const isInvoiced = (transport: { id: AnyPgColumn }): SQL =>
  sql`exists (select 1 from ${vendorInvoiceLines} l where l.transport_id = ${transport.id} and ${isBilled})`
