import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { oslEntries, transportCompanies, transports, vendorInvoiceLines, vendors } from '../../../db/schema'
import { lockRecords } from '../../platform/records/locks'
import { Missing } from '../../platform/refusals'
import { type BilledBy, findInvoice, findStoredInvoice, type Invoice } from './queries'

const INVOICES_LOCK = 8_405_114

/**
 * Prevents two concurrent requests from billing the same transport or stay.
 * Takes a lock that is the same for all invoices, and then locks the vendor or transport company. A lock on the company
 * alone is not enough, because the same move can be entered for two companies.
 */
export async function lockBiller(tx: Db, { column, id }: BilledBy) {
  await tx.execute(sql`select pg_advisory_xact_lock(${INVOICES_LOCK})`)
  await lockRecords(tx, column === 'vendor_id' ? vendors : transportCompanies, [id])
}

/**
 * Locks an invoice for a change and reads it.
 * Also locks the vendor or transport company of the invoice, and the transports and OSL entries of its lines. Call this
 * function before you change invoice lines. The deletion of a transport or an OSL entry locks in the same order, first
 * the record and then its invoice lines. Therefore, no deadlock can occur.
 * @throws Missing when the invoice does not exist
 */
export async function lockInvoice(tx: Db, id: number, by?: BilledBy): Promise<Invoice> {
  await lockBillerOf(tx, id, by)
  await lockLineRecords(tx, (await findInvoice(tx, id, by)).lines)
  return findInvoice(tx, id, by)
}

/**
 * Locks one line of an invoice for a change.
 * Locks the vendor or transport company of the invoice, and the transport and OSL entries of this line. Does not read
 * the whole invoice, because an invoice can have thousands of lines.
 * @throws Missing when the invoice or the line does not exist
 */
export async function lockInvoiceLine(tx: Db, { invoice, line }: { invoice: number; line: number }, by?: BilledBy) {
  await lockBillerOf(tx, invoice, by)
  const stored = await tx
    .select()
    .from(vendorInvoiceLines)
    .where(and(eq(vendorInvoiceLines.id, line), eq(vendorInvoiceLines.invoice_id, invoice)))
  if (stored.length === 0) throw new Missing('Invoice line')
  await lockLineRecords(tx, stored)
}

async function lockBillerOf(tx: Db, id: number, by?: BilledBy) {
  const { vendor_id, transport_company_id } = await findStoredInvoice(tx, id, by)
  if (vendor_id !== null) await lockBiller(tx, { column: 'vendor_id', id: vendor_id })
  if (transport_company_id !== null) await lockBiller(tx, { column: 'transport_company_id', id: transport_company_id })
}

/** @returns whether all transports and OSL entries of the lines still exist */
export async function lockLineRecords(
  tx: Db,
  lines: { transport_id: number | null; osl_ids: number[] }[],
): Promise<boolean> {
  const transportIds = new Set(lines.flatMap(({ transport_id }) => transport_id ?? []))
  const entryIds = new Set(lines.flatMap(({ osl_ids }) => osl_ids))
  const lockedTransports = await lockRecords(tx, transports, [...transportIds])
  const lockedEntries = await lockRecords(tx, oslEntries, [...entryIds])
  return lockedTransports.length === transportIds.size && lockedEntries.length === entryIds.size
}
