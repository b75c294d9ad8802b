import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { transportCompanies, transports, vendorInvoiceLines, vendorInvoices, vendors } from '../../../db/schema'
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
 * Reads an invoice. Locks its vendor or transport company, and the transports of its lines. Transports are locked
 * before invoice lines, as in the deletion of a transport.
 * @throws Missing when the invoice does not exist
 */
export async function lockInvoice(tx: Db, id: number, by?: BilledBy): Promise<Invoice> {
  const { vendor_id, transport_company_id } = await findInvoice(tx, id, by)
  if (vendor_id !== null) await lockBiller(tx, { column: 'vendor_id', id: vendor_id })
  if (transport_company_id !== null) await lockBiller(tx, { column: 'transport_company_id', id: transport_company_id })
  const { lines } = await findInvoice(tx, id, by)
  const ids = lines.flatMap(({ transport_id }) => transport_id ?? [])
  await lockRecords(tx, transports, ids)
  return findInvoice(tx, id, by)
}

/** SQL condition: the invoice line is accepted, or it matches our records and has no decision yet. */
const isPaid = (line: 'own' | 'l') =>
  sql.raw(`(${line}.decision = 'accepted' or (${line}.status = 'matched' and ${line}.decision is null))`)

/**
 * Refuses a change of an invoice if another invoice bills the same transport, or the same stay for overlapping periods.
 * @param own SQL condition that selects the lines of the changed invoice (table alias `own`)
 * @param other SQL condition that selects the lines of other invoices (table alias `l`)
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

/** Refuses to restore an invoice if another invoice already bills one of its transports or storage periods. */
export const refuseBilledTwice = (db: Db, id: number) =>
  refuseBilled(db, sql`own.invoice_id = ${id} and ${isPaid('own')}`, isPaid('l'), 'Delete that invoice first.')

/** SQL condition: the `reason` of the line does not mention another invoice that bills the same transport or days. */
const isUnaware = (line: 'own' | 'l') => sql.raw(`coalesce(${line}.reason, '') !~ 'billed (already )?on '`)

/**
 * Refuses to accept invoice lines if another invoice has an accepted line for the same transport or stay. Lines whose
 * reason already names the other invoice are allowed.
 */
export const refuseAcceptedTwice = (db: Db, own: SQL) =>
  refuseBilled(
    db,
    sql`${own} and ${isUnaware('own')}`,
    sql`l.decision = 'accepted' and ${isUnaware('l')}`,
    'Dispute one of the two lines.',
  )
