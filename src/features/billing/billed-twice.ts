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
import type { CheckedLine } from './checked-line'
import { type BilledBy, findInvoice, type Invoice } from './queries'
import { billedDays, invoiceLabel, isBilled } from './sql'
import type { Period } from './statement'

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
  await lockLineRecords(tx, (await findInvoice(tx, id, by)).lines)
  return findInvoice(tx, id, by)
}

/** Locks the transports and OSL entries of invoice lines. */
export async function lockLineRecords(tx: Db, lines: { transport_id: number | null; osl_ids: number[] }[]) {
  const transportIds = lines.flatMap(({ transport_id }) => transport_id ?? [])
  const entryIds = lines.flatMap(({ osl_ids }) => osl_ids)
  await lockRecords(tx, transports, transportIds)
  await lockRecords(tx, oslEntries, entryIds)
}

/** SQL condition: the invoice line is accepted, or it matches our records and has no decision yet. */
const isPaid = (line: 'own' | 'l') =>
  sql.raw(`(${line}.decision = 'accepted' or (${line}.status = 'matched' and ${line}.decision is null))`)

/** SQL condition: the transports of the two lines are duplicates. One of them can have been entered again. */
const isSameMove = sql.raw(`exists (select 1 from transports a join transports b on b.id = l.transport_id
  where a.id = own.transport_id and a.move_date = b.move_date
    and a.location_out_id = b.location_out_id and a.location_in_id = b.location_in_id)`)

/**
 * SQL condition: the lines bill the same unit for the same vendor or transport company. A record can have been deleted
 * and entered again, and a stay can have been split, so the records of the lines can differ. A company can move a unit
 * several times on one day, but then each line has a transport of its own.
 */
const isSameUnit = sql`(l.unit_number = own.unit_number and (i.vendor_id = mine.vendor_id
  or i.transport_company_id = mine.transport_company_id
    and (own.transport_id is null or l.transport_id is null or ${isSameMove})))`

/** SQL condition: the lines bill the same transport, or the same OSL entry or unit on the same day. */
const isSame = sql`(l.transport_id = own.transport_id
  or ${billedDays('l', 'i')} && ${billedDays('own', 'mine')} and (l.osl_ids && own.osl_ids or ${isSameUnit}))`

/** SQL condition that implies `isSame` and for which Postgres can use indexes. */
const canBeSame = sql.raw(
  '(l.transport_id = own.transport_id or l.osl_ids && own.osl_ids or l.unit_number = own.unit_number)',
)

/** SQL condition: the record of a line was deleted. It can have been entered again with another day. */
const isDeleted = sql.raw(`(l.transport_id is null and l.osl_id is null and l.status <> 'not_ours'
  and i.start_date <= mine.end_date and i.end_date >= mine.start_date)`)

/**
 * Names the invoices that bill the same as new invoice lines, in the reasons of these lines. The user can then accept
 * or dispute each line. Invoices that a line already names are left out.
 */
export async function nameOtherInvoices(
  db: Db,
  { column, id }: BilledBy,
  { start_date, end_date }: Period,
  lines: CheckedLine[],
): Promise<CheckedLine[]> {
  const numbered = JSON.stringify(lines.map((line, at) => ({ ...line, at })))
  const found = await rows<{ at: number; label: string; ids: number[] }>(
    db,
    sql`select own.at, min(${invoiceLabel}) as label, array_agg(distinct i.id) as ids
      from jsonb_to_recordset(${numbered}::text::jsonb) own (at int, unit_number text, transport_id int, osl_ids int[],
          amount numeric, billed_on int[], billed_days text)
        cross join (select ${column === 'vendor_id' ? id : null}::int as vendor_id,
          ${column === 'vendor_id' ? null : id}::int as transport_company_id,
          ${start_date}::date as start_date, ${end_date}::date as end_date) mine
        join ${vendorInvoiceLines} l on ${canBeSame} and ${isBilled}
        join ${vendorInvoices} i on i.id = l.invoice_id
      where own.amount > 0 and not i.id = any(own.billed_on) and (${isSame} or ${isSameUnit} and ${isDeleted})
      group by own.at`,
  )
  const named = new Map(found.map(({ at, ...other }) => [at, other]))
  return lines.map((line, at) => {
    const other = named.get(at)
    if (!other) return line
    const reason = `${line.reason ? `${line.reason}. ` : ''}Already billed on ${other.label}`
    const status = line.status === 'matched' ? 'differs' : line.status
    return { ...line, status, reason, billed_on: [...line.billed_on, ...other.ids] }
  })
}

type BilledTwice = {
  /** SQL condition that selects the lines of the changed invoice (table alias `own`). */
  own: SQL
  /** SQL condition that selects the lines of other invoices (table alias `l`). */
  other: SQL
  /** Sentence that tells the user what to do. */
  remedy: string
}

/**
 * Refuses a change of an invoice if another invoice bills the same transport, or the same OSL entry or unit on the same
 * day. Lines without an amount, or with an amount of 0, bill nothing. A line whose reason names the other invoice is
 * not refused, because the user has read the reason.
 * @throws Conflict that names the other invoice
 */
async function refuseBilled(db: Db, { own, other, remedy }: BilledTwice) {
  const [found] = await rows<{ unit_number: string; invoice: string }>(
    db,
    sql`select l.unit_number, ${invoiceLabel} as invoice
      from ${vendorInvoiceLines} own join ${vendorInvoices} mine on mine.id = own.invoice_id
      join ${vendorInvoiceLines} l on l.invoice_id <> own.invoice_id and l.amount > 0 and ${canBeSame}
      join ${vendorInvoices} i on i.id = l.invoice_id
      where ${own} and own.amount > 0 and ${other} and not (i.id = any(own.billed_on) and own.reason is not null)
        and ${isSame}
      order by l.id limit 1`,
  )
  if (found) throw new Conflict(`Unit ${found.unit_number} is also billed on ${found.invoice}. ${remedy}`)
}

/** Refuses to restore an invoice if another invoice already bills one of its transports or storage periods. */
export const refuseBilledTwice = (db: Db, id: number) =>
  refuseBilled(db, {
    own: sql`own.invoice_id = ${id} and ${isPaid('own')}`,
    // The other line can have been accepted with a reason that names the restored invoice.
    other: sql`${isPaid('l')} and not (own.invoice_id = any(l.billed_on) and l.reason is not null)`,
    remedy: 'Delete the other invoice first.',
  })

/**
 * Refuses to accept invoice lines if another invoice has an accepted line for the same transport, stay or unit.
 * @param own SQL condition that selects the lines (table alias `own`)
 */
export const refuseAcceptedTwice = (db: Db, own: SQL) =>
  refuseBilled(db, {
    own,
    other: sql`l.decision = 'accepted'`,
    remedy: 'Dispute one of the two lines, or delete this invoice and enter it again to compare it with the other one.',
  })
