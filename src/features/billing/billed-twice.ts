import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import {
  oslEntries,
  transportCompanies,
  transports,
  vendorInvoiceLines,
  vendorInvoices,
  vendors,
} from '../../../db/schema'
import { lockRecords } from '../../platform/records/write'
import { Conflict } from '../../platform/refusals'
import { type BilledBy, findInvoice, type Invoice } from './queries'
import { invoiceLabel } from './sql'

/** Locks and checks that keep two invoices from billing the same transport or stay. */

/**
 * Locks a vendor or transport company. Its invoices then change one after another, so that two concurrent changes
 * cannot bill the same transport or stay.
 */
export const lockBiller = (tx: Db, { column, id }: BilledBy) =>
  lockRecords(tx, column === 'vendor_id' ? vendors : transportCompanies, [id])

/**
 * Reads an invoice. Locks its vendor or transport company, and the transports and OSL entries of its lines. These
 * records are locked before invoice lines, as in the deletion of a transport or entry.
 * @throws Missing when the invoice does not exist
 */
export async function lockInvoice(tx: Db, id: number, by?: BilledBy): Promise<Invoice> {
  const { vendor_id, transport_company_id } = await findInvoice(tx, id, by)
  if (vendor_id !== null) await lockBiller(tx, { column: 'vendor_id', id: vendor_id })
  if (transport_company_id !== null) await lockBiller(tx, { column: 'transport_company_id', id: transport_company_id })
  const { lines } = await findInvoice(tx, id, by)
  const transportIds = lines.flatMap(({ transport_id }) => transport_id ?? [])
  const entryIds = lines.flatMap(({ osl_ids }) => osl_ids)
  await lockRecords(tx, transports, transportIds)
  await lockRecords(tx, oslEntries, entryIds)
  return findInvoice(tx, id, by)
}

/** SQL condition: the invoice line is accepted, or it matches our records and has no decision yet. */
const isPaid = (line: 'own' | 'l') =>
  sql.raw(`(${line}.decision = 'accepted' or (${line}.status = 'matched' and ${line}.decision is null))`)

/**
 * Refuses a change of an invoice if another invoice bills the same transport, or the same OSL entry for overlapping
 * periods. Lines without an amount bill nothing.
 * @param own SQL condition that selects the lines of the changed invoice (table aliases `own` and `mine`)
 * @param other SQL condition that selects the lines of other invoices (table aliases `l` and `i`)
 * @throws Conflict that names the other invoice
 */
async function refuseBilled(db: Db, own: SQL, other: SQL, remedy: string) {
  const [found] = await rows<{ unit_number: string; said: string }>(
    db,
    sql`select l.unit_number, ${invoiceLabel} as said
      from ${vendorInvoiceLines} own join ${vendorInvoices} mine on mine.id = own.invoice_id
      join ${vendorInvoiceLines} l on l.invoice_id <> own.invoice_id and l.amount is not null
        and (l.transport_id = own.transport_id or l.osl_ids && own.osl_ids)
      join ${vendorInvoices} i on i.id = l.invoice_id
      where ${own} and own.amount is not null and ${other}
        and (l.transport_id = own.transport_id or (i.start_date <= mine.end_date and i.end_date >= mine.start_date))
      order by l.id limit 1`,
  )
  if (found) throw new Conflict(`Unit ${found.unit_number} is also billed on ${found.said}. ${remedy}`)
}

/** Refuses to restore an invoice if another invoice already bills one of its transports or storage periods. */
export const refuseBilledTwice = (db: Db, id: number) =>
  refuseBilled(db, sql`own.invoice_id = ${id} and ${isPaid('own')}`, isPaid('l'), 'Delete that invoice first.')

/**
 * Refuses to accept invoice lines if another invoice has an accepted line for the same transport or stay. Both lines
 * can be accepted if one of them was checked when the other invoice existed, because its expected amount leaves out
 * what the other invoice bills.
 */
export const refuseAcceptedTwice = (db: Db, own: SQL) =>
  refuseBilled(
    db,
    own,
    sql`l.decision = 'accepted' and not (i.id = any(own.billed_on) or mine.id = any(l.billed_on))`,
    'Dispute one of the two lines.',
  )
