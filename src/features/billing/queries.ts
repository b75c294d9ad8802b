import { and, asc, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { transportCompanies, vendorInvoiceLines, vendorInvoices, vendors } from '../../../db/schema'
import { Missing } from '../../platform/refusals'
import type { Biller } from './billers'
import { inDollars } from './statement'

export type StoredInvoice = typeof vendorInvoices.$inferSelect
export type InvoiceLine = typeof vendorInvoiceLines.$inferSelect
/**
 * Totals of an invoice in dollars. `open` is the sum of the billed amounts that a user has not accepted or disputed
 * yet.
 */
export type InvoiceTotals = { billed: number; expected: number; accepted: number; disputed: number; open: number }
/** The sender is a vendor or a transport company. Either `vendor_name` or `company_name` is null. */
export type Invoice = StoredInvoice & {
  vendor_name: string | null
  company_name: string | null
  totals: InvoiceTotals
  lines: InvoiceLine[]
}

export type BilledBy = { column: Biller<unknown>['column']; id: number }

function totalsOf(lines: InvoiceLine[]): InvoiceTotals {
  const billed = (isIncluded: (line: InvoiceLine) => boolean) =>
    inDollars(lines.filter(isIncluded).map(({ amount }) => amount ?? 0))
  return {
    billed: billed(() => true),
    expected: inDollars(lines.map(({ expected }) => expected)),
    accepted: billed(({ decision }) => decision === 'accepted'),
    disputed: billed(({ decision }) => decision === 'disputed'),
    open: billed(({ decision }) => decision === null),
  }
}

/**
 * @param by if given, the vendor or transport company that must have sent the invoice
 * @throws Missing when the invoice does not exist, or when `by` did not send it
 */
export async function findInvoice(db: Db, id: number, by?: BilledBy): Promise<Invoice> {
  const [record] = await db
    .select({
      invoice: vendorInvoices,
      vendor_name: vendors.vendor_name,
      company_name: transportCompanies.company_name,
    })
    .from(vendorInvoices)
    .leftJoin(vendors, eq(vendors.id, vendorInvoices.vendor_id))
    .leftJoin(transportCompanies, eq(transportCompanies.id, vendorInvoices.transport_company_id))
    .where(and(eq(vendorInvoices.id, id), by && eq(vendorInvoices[by.column], by.id)))
  if (!record) throw new Missing('Invoice')
  const lines = await db
    .select()
    .from(vendorInvoiceLines)
    .where(eq(vendorInvoiceLines.invoice_id, id))
    .orderBy(asc(vendorInvoiceLines.id))
  const { invoice, ...names } = record
  return { ...invoice, ...names, totals: totalsOf(lines), lines }
}

/**
 * Reads an invoice without its lines.
 * @throws Missing when the invoice does not exist
 */
export async function findStoredInvoice(db: Db, id: number, by?: BilledBy): Promise<StoredInvoice> {
  const [invoice] = await db
    .select()
    .from(vendorInvoices)
    .where(and(eq(vendorInvoices.id, id), by && eq(vendorInvoices[by.column], by.id)))
  if (!invoice) throw new Missing('Invoice')
  return invoice
}

export type InvoiceSummary = StoredInvoice & { billed: number; expected: number; differing: number; open: number }

/**
 * Lists the invoices of a vendor or transport company, newest first.
 * `billed` and `expected` are amounts in dollars. `differing` is the number of lines that do not match our records.
 * `open` is the number of billed lines without a decision.
 * @throws Missing when the vendor or transport company does not exist
 */
export async function listInvoices(
  db: Db,
  { nameOf, column }: Pick<Biller<unknown>, 'nameOf' | 'column'>,
  id: number,
): Promise<InvoiceSummary[]> {
  await nameOf(db, id)
  const line = vendorInvoiceLines
  return db
    .select({
      ...getTableColumns(vendorInvoices),
      billed: sql<number>`coalesce(sum(${line.amount}), 0)`.mapWith(Number),
      expected: sql<number>`coalesce(sum(${line.expected}), 0)`.mapWith(Number),
      differing: sql<number>`count(*) filter (where ${line.status} <> 'matched')`.mapWith(Number),
      open: sql<number>`count(*) filter (where ${line.decision} is null and ${line.amount} is not null)`.mapWith(
        Number,
      ),
    })
    .from(vendorInvoices)
    .innerJoin(line, eq(line.invoice_id, vendorInvoices.id))
    .where(eq(vendorInvoices[column], id))
    .groupBy(vendorInvoices.id)
    .orderBy(desc(vendorInvoices.start_date), desc(vendorInvoices.id))
}

export type Decision = {
  decision: InvoiceLine['decision']
  note?: string | null | undefined
  version?: number | undefined
}

/** @throws Missing when the line does not exist */
export async function findInvoiceLine(db: Db, id: number): Promise<InvoiceLine> {
  const [line] = await db.select().from(vendorInvoiceLines).where(eq(vendorInvoiceLines.id, id))
  if (!line) throw new Missing('Invoice line')
  return line
}
