import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { transports, vendorInvoiceLines } from '../../../db/schema'
import type { Actor } from '../../platform/records/actor'
import type { Write } from '../../platform/records/transactions'
import { changeRecord } from '../../platform/records/write'
import { Conflict } from '../../platform/refusals'
import type { InvoiceLine } from './queries'

/**
 * Updates a transport's final cost after a decision on its invoice line.
 * - If the line is accepted and the transport has no final cost, the billed amount becomes the final cost.
 * - If this decision is withdrawn, the final cost is cleared. If a line of another invoice is accepted for the
 *   transport, the amount of that line becomes the final cost instead.
 * - If a user has changed the final cost after the decision, withdrawing the decision does not change it.
 */
export async function followDecision(write: Write, line: InvoiceLine): Promise<InvoiceLine> {
  const { transport_id, amount, sets_final_cost } = line
  const isAccepted = line.decision === 'accepted'
  if (transport_id === null || amount === null || isAccepted === sets_final_cost) return line
  const other = isAccepted ? undefined : await findOtherAccepted(write.db, line)
  const { before, after } = await changeRecord(write, transports, {
    id: transport_id,
    what: 'Transport',
    values: ({ final_cost }) => {
      if (isAccepted) return final_cost === null ? { final_cost: amount } : {}
      return final_cost === amount ? { final_cost: other?.amount ?? null } : {}
    },
  })
  const setsFinalCost = isAccepted && before.final_cost !== after.final_cost
  await markLine(write.db, line, setsFinalCost)
  if (other && before.final_cost === amount) await markLine(write.db, other, true)
  return { ...line, sets_final_cost: setsFinalCost }
}

async function markLine(db: Db, { id, sets_final_cost }: InvoiceLine, setsFinalCost: boolean) {
  if (setsFinalCost !== sets_final_cost)
    await db.update(vendorInvoiceLines).set({ sets_final_cost: setsFinalCost }).where(eq(vendorInvoiceLines.id, id))
}

async function findOtherAccepted(db: Db, { transport_id, invoice_id }: InvoiceLine): Promise<InvoiceLine | undefined> {
  const [other] = await db
    .select()
    .from(vendorInvoiceLines)
    .where(
      and(
        eq(vendorInvoiceLines.transport_id, transport_id as number),
        ne(vendorInvoiceLines.invoice_id, invoice_id),
        eq(vendorInvoiceLines.decision, 'accepted'),
        isNotNull(vendorInvoiceLines.amount),
      ),
    )
    .orderBy(vendorInvoiceLines.id)
    .limit(1)
  return other
}

/**
 * SQL condition: an accepted invoice line forbids restoring a final cost.
 * True in two cases:
 * - The old final cost is empty, and an accepted line has an amount above zero.
 * - The current final cost is the amount of an accepted line, and the old final cost is not the amount of any accepted
 *   line. This case is skipped for users who cannot see costs, because the refusal would reveal the amount.
 * @param transport SQL of the transport's id
 * @param oldCost SQL of the final cost that the undo restores
 */
export function isCostKept(transport: string, oldCost: string, { hides_costs }: Pick<Actor, 'hides_costs'>): string {
  const line = `from vendor_invoice_lines l where l.transport_id = ${transport} and l.decision = 'accepted'`
  const isCleared = `(${oldCost} is null and exists (select ${line} and l.amount > 0))`
  if (hides_costs) return isCleared
  const isReplaced = `(exists (select ${line}
    and l.amount = (select c.final_cost from transports c where c.id = ${transport}))
    and not exists (select ${line} and l.amount = ${oldCost}))`
  return `(${isCleared} or ${isReplaced})`
}

/** @throws Conflict when an accepted invoice line prevents the undo, see `isCostKept` */
export async function refuseAcceptedCost({ db, actor }: Write, id: number, oldCost: number | null): Promise<void> {
  const [transport] = await rows<{ is_kept: boolean }>(
    db,
    sql`select ${sql.raw(isCostKept('t.id', 't.cost', actor))} as is_kept
      from (select ${id}::int as id, ${oldCost}::numeric as cost) t`,
  )
  if (transport?.is_kept)
    throw new Conflict('An invoice line for this transport has been accepted. Undo the acceptance first.')
}

/**
 * Updates the final cost of a restored transport. While the transport was deleted, users may have accepted or disputed
 * its invoice lines or deleted the invoice.
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
  if (!deleted) return
  await changeRecord(write, transports, {
    id,
    what: 'Transport',
    values: ({ final_cost }) => (final_cost === deleted.amount ? { final_cost: null } : {}),
  })
  for (const line of lines) await followDecision(write, line)
}
