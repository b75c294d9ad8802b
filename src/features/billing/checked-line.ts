import type { InvoiceLineStatus } from '../../../db/vocabulary'

/** An invoice line checked against our records. Amounts are in dollars and compared in cents. */
export type CheckedLine = {
  unit_number: string
  osl_id: number | null
  transport_id: number | null
  /** Billed amount; null if one of our records is missing from the invoice. */
  amount: number | null
  expected: number
  status: InvoiceLineStatus
  reason: string | null
}

export type Billed = { unit_number: string; amount: number }

export const cents = (amount: number) => Math.round(amount * 100)
const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
export const dollars = (amount: number) => MONEY.format(amount)

export const moreOrLess = (amount: number, expected: number) =>
  `${dollars(Math.abs(cents(amount) - cents(expected)) / 100)} ${amount > expected ? 'more' : 'less'} than our amount`
