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
import { lockRecords } from '../../platform/records/locks'
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

/** SQL condition: the line bills none of our records, or its record was deleted. */
const hasNoRecord = (line: 'own' | 'l') => sql.raw(`(${line}.transport_id is null and ${line}.osl_id is null)`)

/**
 * Refuses a change of an invoice if another invoice bills the same transport, or the same OSL entry for overlapping
 * periods. A line without a record is compared by unit number, because its record may have been entered again. Lines
 * without an amount, or with an amount of 0, bill nothing.
 * @param own SQL condition that selects the lines of the changed invoice (table aliases `own` and `mine`)
 * @param other SQL condition that selects the lines of other invoices (table aliases `l` and `i`)
 * @param isAccepted SQL condition: both lines are paid, so that lines without a record are compared too
 * @throws Conflict that names the other invoice
 */
async function refuseBilled(db: Db, own: SQL, other: SQL, remedy: string, isAccepted: SQL = sql`true`) {
  const [found] = await rows<{ unit_number: string; said: string }>(
    db,
    sql`select l.unit_number, ${invoiceLabel} as said
      from ${vendorInvoiceLines} own join ${vendorInvoices} mine on mine.id = own.invoice_id
      join ${vendorInvoiceLines} l on l.invoice_id <> own.invoice_id and l.amount > 0
        and (l.transport_id = own.transport_id or l.osl_ids && own.osl_ids or l.unit_number = own.unit_number)
      join ${vendorInvoices} i on i.id = l.invoice_id
      where ${own} and own.amount > 0 and ${other}
        and (l.transport_id = own.transport_id or (i.start_date <= mine.end_date and i.end_date >= mine.start_date
          and (l.osl_ids && own.osl_ids or (${isAccepted} and (${hasNoRecord('own')} or ${hasNoRecord('l')})
          and l.unit_number = own.unit_number
            and (i.vendor_id = mine.vendor_id or i.transport_company_id = mine.transport_company_id)))))
      order by l.id limit 1`,
  )
  if (found) throw new Conflict(`Unit ${found.unit_number} is also billed on ${found.said}. ${remedy}`)
}

/** SQL condition: the line was checked when the other invoice existed, and bills only what that invoice does not. */
const billsTheRest = (line: 'own' | 'l', otherInvoice: 'mine' | 'i') =>
  sql.raw(`(${otherInvoice}.id = any(${line}.billed_on) and ${line}.amount <= ${line}.expected)`)
const isShared = sql`(${billsTheRest('own', 'i')} or ${billsTheRest('l', 'mine')})`

/** Refuses to restore an invoice if another invoice already bills one of its transports or storage periods. */
export const refuseBilledTwice = (db: Db, id: number) =>
  refuseBilled(
    db,
    sql`own.invoice_id = ${id} and ${isPaid('own')}`,
    sql`${isPaid('l')} and not ${isShared}`,
    'Delete the other invoice first.',
    sql`(own.decision = 'accepted' and l.decision = 'accepted')`,
  )

/**
 * Refuses to accept invoice lines if another invoice has an accepted line for the same transport or stay. A line whose
 * reason names the other invoice can be accepted, because the user has read the reason.
 */
export const refuseAcceptedTwice = (db: Db, own: SQL) =>
  refuseBilled(
    db,
    own,
    sql`l.decision = 'accepted' and not (${isShared} or i.id = any(own.billed_on))`,
    'Dispute one of the two invoice lines.',
  )
