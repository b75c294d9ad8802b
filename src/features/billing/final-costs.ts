import { eq, sql } from 'drizzle-orm'
import { rows } from '../../../db/client'
import { transports, vendorInvoiceLines } from '../../../db/schema'
import { changeRecord, type Write } from '../../platform/records/write'
import type { InvoiceLine } from './queries'

/** Updates the final costs of transports when users accept or dispute invoice lines. */

/**
 * Updates the final cost of a transport after a user has accepted or disputed its invoice line.
 * If the transport has no final cost, accepting the line sets it to the billed amount. Withdrawing the acceptance
 * clears the final cost, unless a user has changed this cost in the meantime.
 */
export async function followDecision(write: Write, line: InvoiceLine): Promise<InvoiceLine> {
  const { id, transport_id, amount, sets_final_cost } = line
  const isAccepted = line.decision === 'accepted'
  if (transport_id === null || amount === null || isAccepted === sets_final_cost) return line
  const { before, after } = await changeRecord(write, transports, {
    id: transport_id,
    what: 'Transport',
    values: ({ final_cost }) => {
      if (isAccepted) return final_cost === null ? { final_cost: amount } : {}
      return final_cost === amount ? { final_cost: null } : {}
    },
  })
  const setsFinalCost = isAccepted && before.final_cost !== after.final_cost
  if (setsFinalCost !== sets_final_cost)
    await write.db
      .update(vendorInvoiceLines)
      .set({ sets_final_cost: setsFinalCost })
      .where(eq(vendorInvoiceLines.id, id))
  return { ...line, sets_final_cost: setsFinalCost }
}

/**
 * Updates the final cost of a restored transport. While the transport was deleted, users may have decided on its
 * invoice lines or deleted the invoice.
 */
export async function settleRestoredTransport(write: Write, id: number): Promise<void> {
  const lines = await write.db.select().from(vendorInvoiceLines).where(eq(vendorInvoiceLines.transport_id, id))
  for (const line of lines) await followDecision(write, line)
  const [deleted] = await rows<{ amount: number }>(
    write.db,
    sql`select (line ->> 'amount')::float8 as amount
      from audit_entries t
      join audit_entries i on i.entity = 'vendor_invoices' and i.action = 'delete'
      cross join jsonb_array_elements(i.changes -> 'lines' -> 'old') line
      where t.entity = 'transports' and t.entity_id = ${id} and t.action = 'delete' and t.id < i.id
        and t.changes -> 'vendor_invoice_lines' -> 'old' @> (line -> 'id') and (line ->> 'sets_final_cost')::boolean
        and not exists (select from ${vendorInvoiceLines} l where l.id = (line ->> 'id')::int)
      limit 1`,
  )
  if (deleted)
    await changeRecord(write, transports, {
      id,
      what: 'Transport',
      values: ({ final_cost }) => (final_cost === deleted.amount ? { final_cost: null } : {}),
    })
}
