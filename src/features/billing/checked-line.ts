import type { InvoiceLineStatus } from '../../../db/vocabulary'

/** An invoice line that was compared with our records. Amounts are in dollars and are compared in whole cents. */
export type CheckedLine = {
  unit_number: string
  osl_id: number | null
  osl_ids: number[]
  transport_id: number | null
  /** Billed amount. Null for a delivery or storage charge that is missing from the invoice. */
  amount: number | null
  expected: number
  status: InvoiceLineStatus
  reason: string | null
  /**
   * Ids of earlier invoices that already bill the line's record. These invoices bill the line's transport, or some days
   * of its OSL entry.
   */
  billed_on: number[]
  /** Days that this line bills, as Postgres text. Null if the line bills the whole invoice period. */
  billed_days: string | null
}

export type Billed = { unit_number: string; amount: number }

export const cents = (amount: number) => Math.round(amount * 100)
const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
export const dollars = (amount: number) => MONEY.format(amount)

export const moreOrLess = (amount: number, expected: number) =>
  `${dollars(Math.abs(cents(amount) - cents(expected)) / 100)} ${amount > expected ? 'more' : 'less'} than our amount`
