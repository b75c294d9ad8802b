import { expect } from 'bun:test'
import type { Cast } from './cast'

/** Invoices of vendors and transport companies, as users store and decide on them by API. */

export type InvoiceLine = {
  id: number
  unit_number: string
  status: string
  reason: string | null
  decision: string | null
}
export type Invoice<Line extends InvoiceLine = InvoiceLine> = {
  id: number
  /** Path of the invoice under `/api`. */
  path: string
  lines: Line[]
  totals: Record<string, number>
}

export const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' }

/** Stores an invoice of February 2026. `biller` is the path of its vendor or transport company. */
export async function storeInvoice<Line extends InvoiceLine>(
  { ben }: Cast,
  biller: string,
  values: object,
): Promise<Invoice<Line>> {
  const { status, body } = await ben.post(`${biller}/invoices`, { ...FEBRUARY, ...values })
  expect([status, body.message]).toEqual([201, undefined])
  const invoice = body.data as unknown as Invoice<Line>
  return { ...invoice, path: `${biller}/invoices/${invoice.id}` }
}

export const decideLine = ({ ada }: Cast, { path, lines }: Invoice, decision: string | null, at = 0) =>
  ada.patch(`${path}/lines/${lines[at]?.id}`, { decision })

export const acceptMatchedLines = ({ ada }: Cast, { path }: Invoice) => ada.post(`${path}/accept-matched`)

export const restoreInvoice = ({ ada }: Cast, { path }: Invoice) => ada.post(`${path}/restore`)

/** Checks that accepting all matched lines leaves the first line open, because its reason names the invoice A. */
export async function expectInvoiceNamed(cast: Cast, invoice: Invoice) {
  expect(invoice.lines[0]?.reason).toContain('Already billed on invoice A')
  const { body } = await acceptMatchedLines(cast, invoice)
  expect((body.data as unknown as Invoice).lines[0]?.decision).toBeNull()
}
