import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeTransport } from '../support/entries'
import { decideLine, expectInvoiceNamed, type Invoice, restoreInvoice, storeInvoice } from '../support/invoices'

/** Invoices of transports whose records or lines changed after the first invoice was accepted. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const LINE = [{ unit_number: '100001', amount: 100 }]
const delivery = { unit_number: '100001', status: 'Delivered', move_date: '2026-02-03', final_cost: 100 }
const move = (more: object = {}) => makeTransport(h.cast, { ...delivery, actual_arrival_date: '2026-02-03', ...more })
const bill = (number: string, company = h.cast.desert) =>
  storeInvoice(h.cast, `/transport-companies/${company}`, { number, lines: LINE })
const accept = (invoice: Invoice) => decideLine(h.cast, invoice, 'accepted')

test('an invoice can be restored after a note on the other line, which was accepted before the deletion', async () => {
  await move()
  const [first, second] = [await bill('A'), await bill('B')]
  await accept(first)
  await accept(second)
  await h.cast.ada.delete(first.path)
  await h.cast.ada.patch(`${second.path}/lines/${second.lines[0]?.id}`, { note: 'Asked the hauler' })
  expect((await restoreInvoice(h.cast, first)).status).toBe(200)
})

test('an invoice is named if its transport was entered again for another company', async () => {
  await move()
  await accept(await bill('A'))
  await move({ transport_company_id: h.cast.copper })
  await expectInvoiceNamed(h.cast, await bill('B', h.cast.copper))
})

test('an invoice is named if its transport was deleted and entered again for another company', async () => {
  const id = await move()
  await accept(await bill('A'))
  await h.cast.ada.delete(`/transports/${id}`)
  await move({ transport_company_id: h.cast.copper })
  await expectInvoiceNamed(h.cast, await bill('B', h.cast.copper))
})
