import { beforeEach, describe, expect, test } from 'bun:test'
import { NOON, testContext } from '../support/context'
import { makeTransport } from '../support/entries'
import {
  acceptMatchedLines,
  decideLine,
  expectInvoiceNamed,
  type Invoice,
  restoreInvoice,
  storeInvoice,
} from '../support/invoices'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const DESERT = 1

/** Delivers a unit of the company Desert Auto Haul on 3 February 2026. */
const move = (unit_number: string, more: object = {}) => {
  const delivery = { status: 'Delivered', move_date: '2026-02-03', actual_arrival_date: '2026-02-03' }
  return makeTransport(h.cast, { unit_number, ...delivery, ...more })
}
const costOf = async (id: number) =>
  ((await h.cast.ada.get(`/transports/${id}`)).body.data as unknown as { final_cost: number | null }).final_cost

/** Stores an invoice for February 2026. `biller` is the path of a transport company or vendor. */
const bill = (number: string, lines: object[], more: object = {}, biller = `/transport-companies/${DESERT}`) =>
  storeInvoice(h.cast, biller, { number, lines, ...more })
const decide = (invoice: Invoice, decision: string | null, at = 0) => decideLine(h.cast, invoice, decision, at)
const acceptMatched = (invoice: Invoice) => acceptMatchedLines(h.cast, invoice)
const expectNamed = (invoice: Invoice) => expectInvoiceNamed(h.cast, invoice)
const restore = (invoice: Invoice) => restoreInvoice(h.cast, invoice)

describe('a transport that is billed on two invoices', () => {
  test('is accepted once, even if the first line was disputed', async () => {
    await move('100001', { final_cost: 100 })
    const first = await bill('A', [{ unit_number: '100001', amount: 100 }])
    await decide(first, 'disputed')
    const second = await bill('B', [{ unit_number: '100001', amount: 100 }])
    await decide(second, 'accepted')
    const { status, body } = await decide(first, 'accepted')
    expect([status, body.message]).toEqual([
      409,
      'Unit 100001 is also billed on invoice B, 02/01/2026 to 02/28/2026. Dispute one of the two lines, ' +
        'or delete this invoice and enter it again. ' +
        'Yardmaster then compares the new lines with the lines of the other invoice.',
    ])
    await decide(second, 'disputed')
    expect((await decide(first, 'accepted')).status).toBe(200)
    expect((await acceptMatched(second)).status).toBe(200)
  })

  test('is accepted once, even if the first invoice was deleted and restored', async () => {
    await move('100001', { final_cost: 100 })
    const first = await bill('A', [{ unit_number: '100001', amount: 150 }])
    await h.cast.ada.delete(first.path)
    const second = await bill('B', [{ unit_number: '100001', amount: 100 }])
    await decide(second, 'accepted')
    expect((await restore(first)).status).toBe(200)
    expect((await decide(first, 'accepted')).status).toBe(409)
  })

  test('can be accepted again if the line says that it is already billed', async () => {
    await move('100001', { final_cost: 100 })
    const first = await bill('A', [{ unit_number: '100001', amount: 100 }])
    const second = await bill('B', [{ unit_number: '100001', amount: 100 }])
    expect(second.lines[0]?.reason).toStartWith('Already billed on invoice A')
    expect((await decide(first, 'accepted')).status).toBe(200)
    expect((await decide(second, 'accepted')).status).toBe(200)
  })

  test('is not accepted again by a line that does not name the other invoice', async () => {
    await move('100001', { final_cost: 100 })
    const first = await bill('A', [{ unit_number: '100001', amount: 100 }])
    const second = await bill('B', [{ unit_number: '100001', amount: 100 }])
    await decide(second, 'accepted')
    expect((await acceptMatched(first)).status).toBe(409)
  })

  test('is accepted once if the transport is deleted and entered again', async () => {
    const id = await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    await acceptMatched(await bill('A', line))
    await h.cast.ada.delete(`/transports/${id}`)
    await move('100001', { final_cost: 100 })
    await expectNamed(await bill('B', line))
  })

  test('is accepted once if it was delivered after the first invoice', async () => {
    const line = [{ unit_number: '100001', amount: 100 }]
    const early = await bill('A', line)
    expect(early.lines[0]?.status).toBe('not_ours')
    await move('100001', { final_cost: 100 })
    await acceptMatched(await bill('B', line))
    expect((await decide(early, 'accepted')).status).toBe(409)
  })

  test('is billed only by a line with an amount', async () => {
    await move('100001', { final_cost: 100 })
    const free = await bill('A', [{ unit_number: '100001', amount: 0 }])
    const billed = await bill('B', [{ unit_number: '100001', amount: 100 }])
    expect(billed.lines[0]?.status).toBe('matched')
    await decide(free, 'accepted')
    expect((await acceptMatched(billed)).status).toBe(200)
  })

  test('keeps the final cost of the other line when the transport is restored', async () => {
    const id = await move('100001')
    const [first, second] = [
      await bill('A', [{ unit_number: '100001', amount: 300 }]),
      await bill('B', [{ unit_number: '100001', amount: 200 }]),
    ]
    await decide(first, 'accepted')
    await decide(second, 'accepted')
    await h.cast.ada.delete(`/transports/${id}`)
    await h.cast.ada.delete(first.path)
    await h.cast.ada.post(`/transports/${id}/restore`)
    expect(await costOf(id)).toBe(200)
  })

  test('is on an invoice that can be restored only under its own company', async () => {
    const invoice = await bill('A', [{ unit_number: '100001', amount: 100 }])
    const { id } = invoice
    await h.cast.ada.delete(invoice.path)
    const { copper } = h.cast
    expect((await h.cast.ada.post(`/transport-companies/${copper}/invoices/${id}/restore`)).status).toBe(404)
    expect((await h.cast.ada.post(`/vendors/99999/invoices/${id}/restore`)).status).toBe(404)
    expect((await restore(invoice)).status).toBe(200)
  })

  test('cannot be accepted again because of a third invoice that was deleted', async () => {
    await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    const first = await bill('A', line)
    const second = await bill('B', line)
    await h.cast.ada.delete(first.path)
    await decide(second, 'disputed')
    const third = await bill('C', line)
    expect(third.lines[0]?.status).toBe('matched')
    await decide(third, 'accepted')
    expect((await decide(second, 'accepted')).status).toBe(409)
  })

  test('is accepted once, whatever the name of the company is', async () => {
    await h.cast.ada.put(`/transport-companies/${DESERT}`, { company_name: 'Rebilled on Time LLC' })
    await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    const outside = await bill('A', line, { start_date: '2026-03-01', end_date: '2026-03-13' })
    expect(outside.lines[0]?.reason).toContain('Rebilled on Time LLC')
    await decide(await bill('B', line), 'accepted')
    expect((await decide(outside, 'accepted')).status).toBe(409)
  })

  test('can be accepted although another invoice says that the transport is not billed', async () => {
    await move('100001', { final_cost: 100 })
    const without = await bill('A', [{ unit_number: '100009', amount: 1 }])
    expect(without.lines[1]?.status).toBe('not_billed')
    await decide(without, 'accepted', 1)
    expect((await decide(await bill('B', [{ unit_number: '100001', amount: 100 }]), 'accepted')).status).toBe(200)
  })

  const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31' }

  test('is accepted once if the second invoice is for another month', async () => {
    const id = await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    const first = await bill('A', line)
    const later = await bill('B', line, MARCH)
    expect(later.lines[0]?.reason).toEndWith('Already billed on invoice A, 02/01/2026 to 02/28/2026')
    expect((await decide(later, 'accepted')).status).toBe(200)
    expect((await acceptMatched(first)).status).toBe(409)
    await h.cast.ada.delete(first.path)
    const again = await bill('A', line)
    expect(again.lines[0]).toMatchObject({ status: 'differs', transport_id: id } as object)
    expect((await acceptMatched(again)).status).toBe(200)
    expect(((await h.cast.ada.get(again.path)).body.data as unknown as Invoice).lines[0]?.decision).toBeNull()
  })

  test('is accepted once if it was still in transit, and its move date changes to another month', async () => {
    const id = await move('100001', { status: 'In Transit', actual_arrival_date: null, move_date: '2026-02-26' })
    const line = [{ unit_number: '100001', amount: 100 }]
    const early = await bill('A', line)
    expect(early.lines[0]).toMatchObject({ status: 'not_ours', transport_id: id } as object)
    await decide(early, 'accepted')
    const delivered = { status: 'Delivered', move_date: '2026-03-02', actual_arrival_date: '2026-03-02' }
    await h.cast.ben.put(`/transports/${id}`, delivered)
    const late = await bill('B', line, MARCH)
    expect(late.lines[0]?.reason).toStartWith('Already billed on invoice A')
  })

  test('is found by the move date of the line if the unit was moved twice', async () => {
    const [first, second] = [
      await move('100001', { move_date: '2026-01-10', actual_arrival_date: '2026-01-10', final_cost: 100 }),
      await move('100001', { move_date: '2026-01-20', actual_arrival_date: '2026-01-20', final_cost: 100 }),
    ]
    const line = (move_date: string) => ({ unit_number: '100001', amount: 100, move_date })
    const { lines } = await bill('A', [line('2026-01-10'), line('2026-01-20'), line('2026-01-20')])
    expect(lines.map((line) => (line as unknown as { transport_id: number }).transport_id)).toEqual([
      first,
      second,
      null,
    ] as never)
  })

  test('is accepted once if the deleted transport is restored beside the new one', async () => {
    const id = await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    await acceptMatched(await bill('A', line))
    await h.cast.ada.delete(`/transports/${id}`)
    await move('100001', { final_cost: 100 })
    const second = await bill('B', line)
    await h.cast.ada.post(`/transports/${id}/restore`)
    await expectNamed(second)
  })

  test('keeps a cost that a user has cleared when a note is saved', async () => {
    const id = await move('100001', { final_cost: 90 })
    const invoice = await bill('A', [{ unit_number: '100001', amount: 100 }])
    await decide(invoice, 'accepted')
    await h.cast.ben.put(`/transports/${id}`, { final_cost: null })
    await h.cast.ada.patch(`${invoice.path}/lines/${invoice.lines[0]?.id}`, { decision: 'accepted', note: 'Checked' })
    expect(await costOf(id)).toBeNull()
  })

  test('is accepted once if it is entered again, and the second invoice is for another month', async () => {
    const id = await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    await acceptMatched(await bill('A', line))
    await h.cast.ada.delete(`/transports/${id}`)
    await move('100001', { final_cost: 100 })
    await expectNamed(await bill('B', line, MARCH))
  })

  test('is accepted once if it is entered again after an acceptance for another month', async () => {
    const id = await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    await decide(await bill('A', line, MARCH), 'accepted')
    await h.cast.ada.delete(`/transports/${id}`)
    await move('100001', { final_cost: 100 })
    await expectNamed(await bill('B', line))
  })

  test('is restored with an invoice that was accepted although it names another one', async () => {
    await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    await acceptMatched(await bill('A', line))
    const second = await bill('B', line)
    await decide(second, 'accepted')
    await h.cast.ada.delete(second.path)
    expect((await restore(second)).status).toBe(200)
  })

  test.each([
    ['2026-02-05', '2026-02-05'],
    [undefined, '2026-02-04'],
  ])(
    'is accepted once if the invoice says %s and the transport is entered again for %s',
    async (move_date, newDate) => {
      const line = [{ unit_number: '100001', amount: 100, move_date }]
      const id = await move('100001', { final_cost: 100 })
      await decide(await bill('A', line), 'accepted')
      await h.cast.ada.delete(`/transports/${id}`)
      await move('100001', { final_cost: 100, move_date: newDate, actual_arrival_date: newDate })
      await expectNamed(await bill('B', line))
    },
  )

  test('is accepted once if it was moved at the end of the month and recorded in the next one', async () => {
    await move('100001', { final_cost: 100, move_date: '2026-03-01', actual_arrival_date: '2026-03-01' })
    await decide(await bill('A', [{ unit_number: '100001', amount: 100, move_date: '2026-02-28' }]), 'accepted')
    await expectNamed(await bill('B', [{ unit_number: '100001', amount: 100, move_date: '2026-03-01' }], MARCH))
  })

  test('is accepted once if it is entered after the first invoice, with another date', async () => {
    await decide(await bill('A', [{ unit_number: '100001', amount: 100, move_date: '2026-02-05' }]), 'accepted')
    await move('100001', { final_cost: 100 })
    await expectNamed(await bill('B', [{ unit_number: '100001', amount: 100 }]))
  })

  test('is matched beside a fee with the date of another transport', async () => {
    const line = (amount: number, move_date: string) => ({ unit_number: '100001', amount, move_date })
    await move('100001', { final_cost: 100 })
    const first = await bill('A', [line(100, '2026-02-03'), line(25, '2026-02-03')])
    await decide(first, 'accepted')
    await decide(first, 'accepted', 1)
    await move('100001', { final_cost: 120, move_date: '2026-02-20', actual_arrival_date: '2026-02-20' })
    expect((await bill('B', [line(120, '2026-02-20')])).lines[0]?.status).toBe('matched')
  })

  test('that two invoices bill is billed on a third one, whose line names both', async () => {
    await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    await bill('A', line)
    await bill('B', line)
    const period = '02/01/2026 to 02/28/2026'
    const third = await bill('C', line)
    expect(third.lines[0]?.reason).toBe(`Already billed on invoice A, ${period}; invoice B, ${period}`)
  })

  test('is not billed twice by restoring an invoice after the other one was accepted', async () => {
    await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    const [first, second] = [await bill('A', line), await bill('B', line)]
    await decide(first, 'accepted')
    await h.cast.ada.delete(first.path)
    h.clock.set(new Date(NOON.getTime() + 1000))
    await decide(second, 'accepted')
    expect((await restore(first)).status).toBe(409)
  })

  test('of another month is not linked to a line with a date of its own', async () => {
    const january = { move_date: '2026-01-10', actual_arrival_date: '2026-01-10' }
    await move('100001', january)
    const line = [{ unit_number: '100001', amount: 100, move_date: '2026-02-05' }]
    await decide(await bill('A', line), 'accepted')
    await move('100001', { final_cost: 100, move_date: '2026-02-05', actual_arrival_date: '2026-02-05' })
    await expectNamed(await bill('B', line))
  })

  test('can be accepted after a fee without a transport, because the line names the other invoice', async () => {
    await move('100001', { final_cost: 100 })
    const first = await bill(
      'A',
      [100, 25].map((amount) => ({ unit_number: '100001', amount })),
    )
    await decide(first, 'accepted')
    await decide(first, 'accepted', 1)
    const day = { move_date: '2026-02-20' }
    await move('100001', { final_cost: 120, actual_arrival_date: '2026-02-20', ...day })
    const second = await bill('B', [{ unit_number: '100001', amount: 120, ...day }])
    await expectNamed(second)
    expect((await decide(second, 'accepted')).status).toBe(200)
  })

  test('can be saved again when it is accepted', async () => {
    await move('100001', { final_cost: 100 })
    const line = [{ unit_number: '100001', amount: 100 }]
    const [first, second] = [await bill('A', line), await bill('B', line)]
    await decide(first, 'accepted')
    await decide(second, 'accepted')
    const noted = await h.cast.ada.patch(`${first.path}/lines/${first.lines[0]?.id}`, {
      decision: 'accepted',
      note: 'Paid twice by agreement',
    })
    expect([noted.status, noted.body.message]).toEqual([200, undefined])
  })

  test('keeps the final cost of the accepted line when the other line is disputed', async () => {
    const id = await move('100001')
    const line = [{ unit_number: '100001', amount: 300 }]
    const [first, second] = [await bill('A', line), await bill('B', line)]
    await decide(first, 'accepted')
    await decide(second, 'accepted')
    await decide(first, 'disputed')
    expect(await costOf(id)).toBe(300)
    await decide(second, null)
    expect(await costOf(id)).toBeNull()
  })

  test('is accepted once if the transport was entered after the first invoice', async () => {
    const first = await bill('A', [{ unit_number: '100001', move_date: '2026-02-05', amount: 100 }])
    await move('100001', { final_cost: 100 })
    const second = await bill('B', [{ unit_number: '100001', amount: 100 }])
    expect((await acceptMatched(second)).status).toBe(200)
    expect((await decide(first, 'accepted')).status).toBe(409)
    await h.cast.ada.delete(first.path)
    const again = await bill('A', [{ unit_number: '100001', move_date: '2026-02-05', amount: 100 }])
    expect(again.lines[0]?.reason).toContain('Already billed on invoice B')
  })

  test('is disputed with its whole amount', async () => {
    const id = await move('100001', { final_cost: 100 })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 100 }]))
    await h.cast.ada.delete(`/transports/${id}`)
    await move('100001', { final_cost: 100 })
    const second = await bill('B', [{ unit_number: '100001', amount: 100 }])
    expect(second.lines[0]).toMatchObject({ status: 'differs', expected: 0 })
    await decide(second, 'disputed')
    const letter = (await h.cast.ada.open(`/invoices/${second.id}/dispute`)).text.replace(/<[^>]+>/g, '')
    expect(letter).toContain('Of $100.00 billed, we dispute $100.00 in the lines below.')
    expect(letter).not.toContain('We accept')
  })
})
