import type { InvoiceLineStatus } from '../../../db/vocabulary'

/** A line of an invoice set against our own records; amounts in dollars, compared by the cent. */
export type CheckedLine = {
  unit_number: string
  /** What of ours it is about: an OSL entry or a transport. */
  osl_id: number | null
  transport_id: number | null
  /** What was billed; null for what is ours to pay for and was not billed. */
  amount: number | null
  expected: number
  status: InvoiceLineStatus
  /** In what they differ. */
  reason: string | null
}

/** What is billed, by whatever rules it was read. */
export type Billed = { unit_number: string; amount: number }

export const cents = (amount: number) => Math.round(amount * 100)
const MONEY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
export const dollars = (amount: number) => MONEY.format(amount)

/** How far an amount is from ours, in words. */
export const moreOrLess = (amount: number, expected: number) =>
  `${dollars(Math.abs(cents(amount) - cents(expected)) / 100)} ${amount > expected ? 'more' : 'less'} than ours`
