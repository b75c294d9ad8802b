import type { Choices } from '../choices'
import { same } from '../compare'
import type { Driver } from '../driver'
import { dollars } from '../model/fleet'
import { addDays } from '../model/records'
import type { Step } from './step'

type Line = { id: number; unit_number: string; amount: number | null; expected: number; status: string }

const UNKNOWN_UNIT = '999999'
const STATUSES = ['matched', 'differs', 'not_billed'] as const

/**
 * Checks an invoice of a vendor with right, wrong and missing lines, and one for an unknown unit. Invoices of a vendor
 * do not overlap, because the program counts days that an earlier invoice bills as paid.
 */
async function checkInvoice(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const vendor = choices.of(fleet.vendors)
  if (!vendor) return
  const start_date = [addDays(fleet.today, -20), addDays(vendor.invoiced_to || '2026-01-01', 1)].sort()[1] as string
  const end_date = addDays(start_date, choices.number(12))
  if (end_date > fleet.today) return
  const expected: Omit<Line, 'id'>[] = [...fleet.charges(vendor.id, start_date, end_date)].map(
    ([unit_number, cents]) => {
      const status = choices.of(STATUSES) as string
      const billed = status === 'differs' ? cents + 1 + choices.number(5000) : cents
      return { unit_number, status, expected: dollars(cents), amount: status === 'not_billed' ? null : dollars(billed) }
    },
  )
  expected.push({ unit_number: UNKNOWN_UNIT, amount: 10, expected: 0, status: 'not_ours' })
  const lines = expected.flatMap(({ unit_number, amount }) => (amount === null ? [] : [{ unit_number, amount }]))
  const invoice = { number: `INV-${driver.log.length}`, start_date, end_date, lines }
  const path = `/vendors/${vendor.id}/invoices`
  const { data } = await driver.call('POST', path, invoice)
  vendor.invoiced_to = end_date
  if (data.id === undefined) return
  const stored = data.lines as Line[]
  const isContested = (unit: string) => fleet.isContested(unit, start_date, end_date)
  const values = ({ unit_number, amount, expected, status }: Omit<Line, 'id'>) =>
    JSON.stringify([unit_number, amount, ...(isContested(unit_number) ? [] : [expected, status])])
  same('Lines of an invoice', stored.map(values).sort(), expected.map(values).sort())
  for (const { unit_number } of expected) fleet.bill(vendor.id, unit_number, end_date)
  await driver.call('POST', path, invoice, { expected: 409 })
  const line = choices.of(stored) as Line
  const decision = choices.isTrue(50) ? 'accepted' : 'disputed'
  // Another invoice can already have an accepted line for a contested unit.
  if (isContested(line.unit_number)) return
  await driver.call('PATCH', `${path}/${data.id}/lines/${line.id}`, { decision })
  const read = (await driver.get(`${path}/${data.id}`)).data as unknown as { lines: (Line & { decision: string })[] }
  same('The decision on a line', read.lines.find(({ id }) => id === line.id)?.decision, decision)
}

export const INVOICE_STEPS: [number, Step][] = [[2, checkInvoice]]
