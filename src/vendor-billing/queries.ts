import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { vendorInvoiceLines, vendorInvoices, vendors } from '../../db/schema'
import { vendorQueries } from '../admin/vendors/queries'
import { Missing } from '../refusals'
import { inDollars } from './statement'

export type StoredInvoice = typeof vendorInvoices.$inferSelect
export type InvoiceLine = typeof vendorInvoiceLines.$inferSelect
/** Sums in dollars; `open` is what was billed and not decided on. */
export type InvoiceTotals = { billed: number; expected: number; accepted: number; disputed: number; open: number }
export type Invoice = StoredInvoice & { vendor_name: string; totals: InvoiceTotals; lines: InvoiceLine[] }

function totalsOf(lines: InvoiceLine[]): InvoiceTotals {
  const billed = (wanted: (line: InvoiceLine) => boolean) =>
    inDollars(lines.filter(wanted).map(({ amount }) => amount ?? 0))
  return {
    billed: billed(() => true),
    expected: inDollars(lines.map(({ expected }) => expected)),
    accepted: billed(({ decision }) => decision === 'accepted'),
    disputed: billed(({ decision }) => decision === 'disputed'),
    open: billed(({ decision }) => decision === null),
  }
}

/** @param vendor when given, it must be an invoice of this vendor @throws Missing */
export async function findInvoice(db: Db, id: number, vendor?: number): Promise<Invoice> {
  const [found] = await db
    .select({ invoice: vendorInvoices, vendor_name: vendors.vendor_name })
    .from(vendorInvoices)
    .innerJoin(vendors, eq(vendors.id, vendorInvoices.vendor_id))
    .where(and(eq(vendorInvoices.id, id), vendor === undefined ? undefined : eq(vendorInvoices.vendor_id, vendor)))
  if (!found) throw new Missing('Invoice')
  const lines = await db
    .select()
    .from(vendorInvoiceLines)
    .where(eq(vendorInvoiceLines.invoice_id, id))
    .orderBy(asc(vendorInvoiceLines.id))
  return { ...found.invoice, vendor_name: found.vendor_name, totals: totalsOf(lines), lines }
}

export type InvoiceSummary = StoredInvoice & { billed: number; differing: number; open: number }

/** A vendor's invoices, the newest first, with what is billed, how many lines are not as ours, and how many are open. */
export async function listInvoices(db: Db, vendor: number): Promise<InvoiceSummary[]> {
  await vendorQueries.find(db, vendor)
  const line = vendorInvoiceLines
  return db
    .select({
      id: vendorInvoices.id,
      vendor_id: vendorInvoices.vendor_id,
      number: vendorInvoices.number,
      start_date: vendorInvoices.start_date,
      end_date: vendorInvoices.end_date,
      version: vendorInvoices.version,
      created_at: vendorInvoices.created_at,
      created_by: vendorInvoices.created_by,
      updated_at: vendorInvoices.updated_at,
      updated_by: vendorInvoices.updated_by,
      billed: sql<number>`coalesce(sum(${line.amount}), 0)`.mapWith(Number),
      differing: sql<number>`count(*) filter (where ${line.status} <> 'matched')`.mapWith(Number),
      open: sql<number>`count(*) filter (where ${line.decision} is null)`.mapWith(Number),
    })
    .from(vendorInvoices)
    .innerJoin(line, eq(line.invoice_id, vendorInvoices.id))
    .where(eq(vendorInvoices.vendor_id, vendor))
    .groupBy(vendorInvoices.id)
    .orderBy(desc(vendorInvoices.start_date), desc(vendorInvoices.id))
}

export type Decision = {
  decision: InvoiceLine['decision']
  note?: string | null | undefined
  version?: number | undefined
}

/** The invoice that a line stands on. @throws Missing */
export async function findInvoiceOfLine(db: Db, line: number): Promise<StoredInvoice> {
  const [found] = await db
    .select({ invoice: vendorInvoices })
    .from(vendorInvoiceLines)
    .innerJoin(vendorInvoices, eq(vendorInvoices.id, vendorInvoiceLines.invoice_id))
    .where(eq(vendorInvoiceLines.id, line))
  if (!found) throw new Missing('Invoice line')
  return found.invoice
}
