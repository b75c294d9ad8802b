import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Db, violatedUnique } from '../../../db/client'
import { vendorInvoiceLines, vendorInvoices } from '../../../db/schema'
import { restoreOwnReferences } from '../../platform/records/references'
import { restoreRecord } from '../../platform/records/restore'
import { inTransaction, type Write } from '../../platform/records/transactions'
import { changeRecord, createRecord, removeRecord, withoutMissing } from '../../platform/records/write'
import { Conflict, Missing } from '../../platform/refusals'
import { nameOtherInvoices, refuseAcceptedTwice, refuseBilledTwice } from './billed-twice'
import type { Biller } from './billers'
import { followDecision } from './final-costs'
import { lockBiller, lockInvoice, lockInvoiceLine, lockLineRecords } from './invoice-locks'
import {
  type BilledBy,
  type Decision,
  findInvoice,
  type Invoice,
  type InvoiceLine,
  type StoredInvoice,
} from './queries'
import { checkLineCounts, checkPeriod, type NewInvoice } from './rules'

const ROWS_AT_ONCE = 500

async function insertLines(tx: Db, lines: (typeof vendorInvoiceLines.$inferInsert)[]) {
  for (let at = 0; at < lines.length; at += ROWS_AT_ONCE)
    await tx.insert(vendorInvoiceLines).values(lines.slice(at, at + ROWS_AT_ONCE))
}

/**
 * Converts the database error for a duplicate invoice number. Throws other errors unchanged.
 * @throws Conflict when the vendor or transport company already has an invoice with this number
 */
const refuseSameNumber =
  (number = 'with this number') =>
  (error: unknown): never => {
    const constraint = violatedUnique(error)
    if (constraint === null) throw error
    throw hasSameNumber(constraint.includes('company') ? 'transport_company_id' : 'vendor_id', number)
  }

function hasSameNumber(column: BilledBy['column'], number: string): Conflict {
  const noun = column === 'vendor_id' ? 'vendor' : 'transport company'
  const message = `This ${noun} already has an invoice ${number}`
  return new Conflict(message, [{ field: 'number', message }])
}

/** @throws Conflict when the vendor or transport company already has an invoice with this number */
async function checkNumber(db: Db, { column, id }: BilledBy, number: string) {
  const isSame = and(eq(vendorInvoices[column], id), sql`lower(${vendorInvoices.number}) = lower(${number})`)
  if (await db.$count(vendorInvoices, isSame)) throw hasSameNumber(column, number)
}

/**
 * Compares an invoice with our records and stores it.
 * `notes` are messages that are shown with the invoice, for example about file rows that were left out.
 * @throws Missing when the vendor or transport company does not exist
 * @throws Refused when the invoice period is invalid
 * @throws Conflict when the vendor or transport company already has an invoice with this number
 */
export const createInvoice = <Line extends { unit_number: string }>(
  write: Write,
  { biller, id: by }: { biller: Biller<Line>; id: number },
  { lines, ...values }: NewInvoice<Line>,
  notes: string[] = [],
) =>
  inTransaction(write, async (write) => {
    await biller.nameOf(write.db, by)
    await lockBiller(write.db, { column: biller.column, id: by })
    checkPeriod(values)
    checkLineCounts(lines)
    // Before the comparison, which takes seconds for long invoices.
    await checkNumber(write.db, { column: biller.column, id: by }, values.number)
    const check = () => biller.check(write.db, write.clock, by, values, lines)
    let recorded = await check()
    // Check the lines again if a transport or an OSL entry was deleted before it was locked.
    while (!(await lockLineRecords(write.db, recorded))) recorded = await check()
    const checked = await nameOtherInvoices(write, { column: biller.column, id: by }, values, recorded)
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
 * Refuses a decision on a matched line whose record was deleted. The record is a transport or an OSL entry
 * (out-of-service period). The decision could not update the costs of a deleted record.
 */
function checkRecord({ unit_number, status, transport_id, osl_id }: InvoiceLine) {
  if (status === 'matched' && transport_id === null && osl_id === null)
    throw new Conflict(`The record of unit ${unit_number} was deleted. Restore it before you decide on its line.`)
}

/** The caller must have locked the invoice. */
async function decide(
  write: Write,
  { invoice, line }: { invoice: number; line: number },
  { version, ...values }: Decision,
): Promise<InvoiceLine> {
  const { before, after } = await changeRecord(write, vendorInvoiceLines, {
    id: line,
    version,
    what: 'Invoice line',
    values(stored) {
      if (stored.invoice_id !== invoice) throw new Missing('Invoice line')
      checkRecord(stored)
      return withoutMissing(values)
    },
  })
  return before.decision === after.decision ? after : followDecision(write, after)
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
    await lockInvoiceLine(write.db, { invoice, line }, by)
    if (decision.decision === 'accepted')
      await refuseAcceptedTwice(write, sql`own.id = ${line} and own.decision is distinct from 'accepted'`)
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
    await refuseAcceptedTwice(write, isOpen)
    for (const { id: line, status, decision } of lines)
      if (status === 'matched' && decision === null)
        await decide(write, { invoice: id, line }, { decision: 'accepted' })
    return findInvoice(write.db, id)
  })

/** The lines that `acceptMatched` accepted at this time, except those that were changed after it. */
export const acceptedAt = ({ lines }: { lines: InvoiceLine[] }, at: Date) =>
  lines.filter((line) => line.decision === 'accepted' && +line.updated_at === +at)

/**
 * Undoes `acceptMatched`. Lines that were changed after it keep their decision.
 * @param at the time of the acceptance
 * @returns the number of reopened lines
 * @throws Missing when the invoice does not exist
 */
export const reopenAccepted = (write: Write, id: number, at: Date): Promise<number> =>
  inTransaction(write, async (write) => {
    const accepted = acceptedAt(await lockInvoice(write.db, id), at)
    for (const line of accepted) await decide(write, { invoice: id, line: line.id }, { decision: null })
    return accepted.length
  })

/**
 * Deletes an invoice, and clears the final costs that it set. Another invoice can then use the same number.
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
            // If the invoice was deleted by an earlier version of this program, its stored lines have no `osl_ids`.
            osl_ids: line.osl_ids ?? (line.osl_id === null ? [] : [line.osl_id]),
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
    await refuseBilledTwice(write, id)
    // The deletion of the invoice cleared the final costs that its lines had set, so reset `sets_final_cost`. A line
    // whose transport was deleted keeps `sets_final_cost`, because the final cost of a deleted transport is not
    // cleared.
    await write.db
      .update(vendorInvoiceLines)
      .set({ sets_final_cost: false })
      .where(and(eq(vendorInvoiceLines.invoice_id, id), isNotNull(vendorInvoiceLines.transport_id)))
    const { lines } = await findInvoice(write.db, id)
    for (const line of lines) await followDecision(write, line)
    return findInvoice(write.db, id)
  }).catch(refuseSameNumber())
