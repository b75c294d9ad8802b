import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Db, rows, violatedUnique } from '../../../db/client'
import { transportCompanies, transports, vendorInvoiceLines, vendorInvoices, vendors } from '../../../db/schema'
import { restoreOwnReferences } from '../../platform/records/references'
import { restoreRecord } from '../../platform/records/restore'
import {
  changeRecord,
  createRecord,
  inTransaction,
  lockRecords,
  removeRecord,
  type Write,
  withoutMissing,
} from '../../platform/records/write'
import { Conflict, Missing } from '../../platform/refusals'
import type { Biller } from './billers'
import {
  type BilledBy,
  type Decision,
  findInvoice,
  type Invoice,
  type InvoiceLine,
  type StoredInvoice,
} from './queries'
import { checkPeriod, type NewInvoice } from './rules'
import { invoiceLabel } from './sql'

/**
 * Locks a vendor or transport company. Its invoices then change one after another, so that none of them bills what
 * another one bills at the same time.
 */
const lockBiller = (tx: Db, { column, id }: BilledBy) =>
  lockRecords(tx, column === 'vendor_id' ? vendors : transportCompanies, [id])

/**
 * Reads an invoice and locks its biller and the transports of its lines. A deletion of a transport also locks the
 * transport before its line.
 * @throws Missing when the invoice does not exist
 */
async function lockInvoice(tx: Db, id: number, by?: BilledBy): Promise<Invoice> {
  const { vendor_id, transport_company_id } = await findInvoice(tx, id, by)
  if (vendor_id !== null) await lockBiller(tx, { column: 'vendor_id', id: vendor_id })
  if (transport_company_id !== null) await lockBiller(tx, { column: 'transport_company_id', id: transport_company_id })
  const { lines } = await findInvoice(tx, id, by)
  const ids = lines.flatMap(({ transport_id }) => transport_id ?? [])
  await lockRecords(tx, transports, ids)
  return findInvoice(tx, id, by)
}

const ROWS_AT_ONCE = 500

async function insertLines(tx: Db, lines: (typeof vendorInvoiceLines.$inferInsert)[]) {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE)
    await tx.insert(vendorInvoiceLines).values(lines.slice(at, at + ROWS_AT_ONCE))
}

/**
 * Converts the database error for a duplicate invoice number to a message for the user. Throws other errors unchanged.
 * @throws Conflict when the vendor or transport company already has an invoice with this number
 */
const refuseSameNumber =
  (number = 'with this number') =>
  (error: unknown): never => {
    const constraint = violatedUnique(error)
    if (constraint === null) throw error
    const noun = constraint.includes('company') ? 'transport company' : 'vendor'
    const message = `This ${noun} already has an invoice ${number}`
    throw new Conflict(message, [{ field: 'number', message }])
  }

/**
 * Compares an invoice with our records and stores it.
 * `notes` are messages that are shown with the invoice, for example about file rows that were left out.
 * @throws Missing when the vendor or transport company does not exist
 * @throws Refused when the invoice period is invalid
 * @throws Conflict when the vendor or transport company already has an invoice with this number
 */
export const createInvoice = <Line>(
  write: Write,
  { biller, id: by }: { biller: Biller<Line>; id: number },
  { lines, ...values }: NewInvoice<Line>,
  notes: string[] = [],
) =>
  inTransaction(write, async (write) => {
    await biller.nameOf(write.db, by)
    await lockBiller(write.db, { column: biller.column, id: by })
    checkPeriod(values)
    const checked = await biller.check(write.db, write.clock, by, values, lines)
    const { id } = await createRecord(write, vendorInvoices, { ...values, notes, [biller.column]: by })
    const stamps = {
      created_at: write.actor.now,
      created_by: write.actor.username,
      updated_at: write.actor.now,
      updated_by: write.actor.username,
    }
    await insertLines(
      write.db,
      checked.map((line) => ({ ...line, invoice_id: id, ...stamps })),
    )
    return findInvoice(write.db, id)
  }).catch(refuseSameNumber(values.number))

/**
 * Updates the final cost of a transport after a user has accepted or disputed its invoice line.
 * If the transport has no final cost, accepting the line sets it to the billed amount. Withdrawing the acceptance
 * clears it again, unless a user has changed it in the meantime.
 */
async function followDecision(write: Write, line: InvoiceLine): Promise<InvoiceLine> {
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
 * Updates the final cost of a restored transport. While it was deleted, its invoice lines may have been decided, or
 * deleted with their invoice.
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

/**
 * A matched line has a transport or an OSL entry, unless that was deleted. A decision could then not update its costs.
 * @throws Conflict when the record of the line was deleted
 */
function checkRecord({ status, transport_id, osl_id }: InvoiceLine) {
  if (status === 'matched' && transport_id === null && osl_id === null)
    throw new Conflict('The record of this line was deleted. Restore it before you decide on the line.')
}

/** Decides on a line of a locked invoice. */
async function decide(
  write: Write,
  { invoice, line }: { invoice: number; line: number },
  { version, ...values }: Decision,
): Promise<InvoiceLine> {
  const { after } = await changeRecord(write, vendorInvoiceLines, {
    id: line,
    version,
    what: 'Invoice line',
    values(stored) {
      if (stored.invoice_id !== invoice) throw new Missing('Invoice line')
      checkRecord(stored)
      return withoutMissing(values)
    },
  })
  return followDecision(write, after)
}

/**
 * Accepts or disputes one invoice line, or clears the decision. The decision can also set or clear the final cost of
 * the transport.
 * @param by the vendor or transport company that the invoice must belong to, if given
 * @throws Missing when the invoice or line does not exist
 * @throws Stale when another user has changed the line
 * @throws Conflict when a line of another invoice was accepted for the same transport or stay
 */
export const decideLine = (
  write: Write,
  { by, invoice, line }: { by?: BilledBy; invoice: number; line: number },
  decision: Decision,
): Promise<InvoiceLine> =>
  inTransaction(write, async (write) => {
    await lockInvoice(write.db, invoice, by)
    if (decision.decision === 'accepted') await refuseAcceptedTwice(write.db, sql`own.id = ${line}`)
    return decide(write, { invoice, line }, decision)
  })

/**
 * Accepts every matched line of an invoice that has no decision yet.
 * @param by the vendor or transport company that the invoice must belong to, if given
 * @throws Missing when the invoice does not exist
 * @throws Conflict when a line of another invoice was accepted for the same transport or stay
 */
export const acceptMatched = (write: Write, id: number, by?: BilledBy): Promise<Invoice> =>
  inTransaction(write, async (write) => {
    const { lines } = await lockInvoice(write.db, id, by)
    const isOpen = sql`own.invoice_id = ${id} and own.status = 'matched' and own.decision is null`
    await refuseAcceptedTwice(write.db, isOpen)
    for (const { id: line, status, decision } of lines)
      if (status === 'matched' && decision === null)
        await decide(write, { invoice: id, line }, { decision: 'accepted' })
    return findInvoice(write.db, id)
  })

/**
 * Deletes an invoice with its lines and clears the final costs that the invoice set. Another invoice can then use the
 * same number.
 * @throws Missing when the invoice does not exist
 */
export const removeInvoice = (write: Write, id: number, by?: BilledBy): Promise<StoredInvoice> =>
  inTransaction(write, async (write) => {
    await lockInvoice(write.db, id, by)
    return removeRecord(write, vendorInvoices, id, 'Invoice', async (tx, id) => {
      const { lines } = await findInvoice(tx, id)
      for (const line of lines) await followDecision(write, { ...line, decision: null })
      return { lines }
    })
  })

/**
 * Restores a deleted invoice with the decisions on its lines.
 * @throws Missing when no deleted invoice of this vendor or transport company has this id
 * @throws Conflict when another invoice now has the same number, or bills the same transport or stay
 */
export const restoreInvoice = (write: Write, id: number, by?: BilledBy): Promise<Invoice> =>
  inTransaction(write, async (write) => {
    await restoreRecord(write, vendorInvoices, id, 'Invoice', {
      async restoreRelated(tx, invoice_id, deletion) {
        const lines = (deletion.lines?.old ?? []) as InvoiceLine[]
        await insertLines(
          tx,
          lines.map((line) => ({
            ...line,
            invoice_id,
            created_at: new Date(line.created_at),
            updated_at: new Date(line.updated_at),
          })),
        )
      },
    })
    const restored = await lockInvoice(write.db, id, by)
    await restoreOwnReferences(
      write.db,
      vendorInvoiceLines,
      restored.lines.map((line) => line.id),
    )
    await refuseBilledTwice(write.db, id)
    // The deletion has cleared these costs. A line of a deleted transport keeps the fact that it set the cost.
    await write.db
      .update(vendorInvoiceLines)
      .set({ sets_final_cost: false })
      .where(and(eq(vendorInvoiceLines.invoice_id, id), isNotNull(vendorInvoiceLines.transport_id)))
    const { lines } = await findInvoice(write.db, id)
    for (const line of lines) await followDecision(write, line)
    return findInvoice(write.db, id)
  }).catch(refuseSameNumber())

/** SQL condition: a line is accepted, or will probably be, because it matches our records. */
const isPaid = (line: 'own' | 'l') =>
  sql.raw(`(${line}.decision = 'accepted' or (${line}.status = 'matched' and ${line}.decision is null))`)

/**
 * Refuses a change if another invoice bills the same transport, or the same stay in a common period.
 * @param own SQL condition for the lines `own` of the changed invoice
 * @param other SQL condition for the lines `l` of other invoices
 * @throws Conflict that names the other invoice
 */
async function refuseBilled(db: Db, own: SQL, other: SQL, remedy: string) {
  const [found] = await rows<{ unit_number: string; said: string }>(
    db,
    sql`select l.unit_number, ${invoiceLabel} as said
      from ${vendorInvoiceLines} own join ${vendorInvoices} mine on mine.id = own.invoice_id
      join ${vendorInvoiceLines} l on l.invoice_id <> own.invoice_id and ${other}
      join ${vendorInvoices} i on i.id = l.invoice_id
      where ${own} and (l.transport_id = own.transport_id
        or (l.osl_id = own.osl_id and i.start_date <= mine.end_date and i.end_date >= mine.start_date))
      order by l.id limit 1`,
  )
  if (found) throw new Conflict(`Unit ${found.unit_number} is also billed on ${found.said}. ${remedy}`)
}

/** Refuses to restore an invoice if another one bills one of its transports or stays. */
const refuseBilledTwice = (db: Db, id: number) =>
  refuseBilled(db, sql`own.invoice_id = ${id} and ${isPaid('own')}`, isPaid('l'), 'Delete that invoice first.')

/** Refuses to accept lines if others are accepted already, unless the lines themselves say so. */
const refuseAcceptedTwice = (db: Db, own: SQL) =>
  refuseBilled(
    db,
    sql`${own} and coalesce(own.reason, '') !~ 'billed (already )?on '`,
    sql`l.decision = 'accepted'`,
    'Dispute one of the two lines.',
  )
