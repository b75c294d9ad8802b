import { beforeEach, describe, expect, test } from 'bun:test'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Line = { id: number; status: string; reason: string | null; decision: string | null }
type Invoice = { id: number; path: string; lines: Line[] }
const DESERT = 1
/** Number of times that two users press the same buttons. */
const ROUNDS = 4
const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' }

/** Delivers a unit of the company Desert Auto Haul on 3 February 2026. */
const move = async (unit_number: string, more: object = {}) => {
  const { body } = await h.cast.ben.post('/transports', {
    unit_number,
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: DESERT,
    status: 'Delivered',
    move_date: '2026-02-03',
    actual_arrival_date: '2026-02-03',
    ...more,
  })
  return (body.data as { id: number }).id
}
const costOf = async (id: number) =>
  ((await h.cast.ada.get(`/transports/${id}`)).body.data as unknown as { final_cost: number | null }).final_cost

/** Stores an invoice of February. Its lines are for a transport company or, with another path, for a vendor. */
const bill = async (
  number: string,
  lines: object[],
  more: object = {},
  biller = `/transport-companies/${DESERT}`,
): Promise<Invoice> => {
  const { status, body } = await h.cast.ben.post(`${biller}/invoices`, { number, ...FEBRUARY, lines, ...more })
  expect([status, body.message]).toEqual([201, undefined])
  const invoice = body.data as unknown as Invoice
  return { ...invoice, path: `${biller}/invoices/${invoice.id}` }
}
const decide = ({ path, lines }: Invoice, decision: string | null, at = 0) =>
  h.cast.ada.patch(`${path}/lines/${lines[at]?.id}`, { decision })
const acceptMatched = ({ path }: Invoice) => h.cast.ada.post(`${path}/accept-matched`)
/** Checks that accept-matched leaves a line open, because its reason names the invoice A. */
const expectNamed = async (invoice: Invoice) => {
  expect(invoice.lines[0]?.reason).toContain('Already billed on invoice A')
  const { body } = await acceptMatched(invoice)
  expect((body.data as unknown as Invoice).lines[0]?.decision).toBeNull()
}
const restore = ({ path }: Invoice) => h.cast.ada.post(`${path}/restore`)

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
        'or delete this invoice and enter it again to compare it with the other one.',
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

  test('is on an invoice that is restored only at the address of its company', async () => {
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

describe('storage that is billed on two invoices', () => {
  const vendor = async (vendor_name: string) => {
    const { body } = await h.cast.ada.post('/vendors', { vendor_name })
    return `/vendors/${(body.data as { id: number }).id}`
  }
  const idOf = (biller: string) => Number(biller.split('/').at(-1))
  const stay = async (biller: string, osl_date: string, completed_on: string, unit_number = '100001') => {
    const { body } = await h.cast.ben.post('/osl', {
      unit_number,
      osl_date,
      location_id: h.cast.phoenix,
      problem: 'Transmission slips in third gear',
      vendor_id: idOf(biller),
      storage_fees_applicable: true,
      storage_fee_daily_rate: 10,
      status: 'Completed',
      completed_on,
    })
    return (body.data as { id: number }).id
  }
  const amountOf = async (biller: string) => {
    const query = new URLSearchParams(FEBRUARY)
    const { body } = await h.cast.ada.get(`${biller}/statement?${query}`)
    return (body.data as unknown as { total: number }).total
  }

  test('is accepted once if one of several stays moves to another vendor', async () => {
    const [one, two] = [await vendor('Yard One'), await vendor('Yard Two')]
    const first = await stay(one, '2026-02-01', '2026-02-10')
    await stay(one, '2026-02-15', '2026-02-20')
    const both = await bill('A', [{ unit_number: '100001', amount: await amountOf(one) }], {}, one)
    expect(both.lines[0]?.status).toBe('matched')
    await acceptMatched(both)
    await h.cast.ada.put(`/osl/${first}`, { vendor_id: idOf(two) })
    const again = await bill('B', [{ unit_number: '100001', amount: await amountOf(two) }], {}, two)
    await expectNamed(again)
  })

  test('is accepted once for an earlier stay of the same unit', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-02-01', '2026-02-10')
    await stay(yard, '2026-02-15', '2026-02-20')
    const lines = (amount: number) => [{ unit_number: '100001', amount }]
    const whole = await bill('A', lines(await amountOf(yard)), {}, yard)
    await decide(whole, 'disputed')
    const part = await bill('B', lines(90), { end_date: '2026-02-12' }, yard)
    await decide(part, 'accepted')
    expect((await decide(whole, 'accepted')).status).toBe(409)
    await h.cast.ada.delete(whole.path)
    expect((await restore(whole)).status).toBe(200)
    expect((await decide(whole, 'accepted')).status).toBe(409)
  })

  test('is accepted once if the stay was split between two checks', async () => {
    const yard = await vendor('Yard One')
    const id = await stay(yard, '2026-01-31', '2026-02-28')
    const lines = (amount: number) => [{ unit_number: '100001', amount }]
    const split = async () => {
      await h.cast.ada.put(`/osl/${id}`, { completed_on: '2026-02-10' })
      return stay(yard, '2026-02-10', '2026-02-28')
    }
    const whole = await bill('A', lines(280), {}, yard)
    const other = await split()
    const part = await bill('B', lines(180), { start_date: '2026-02-11' }, yard)
    expect(part.lines[0]?.reason).toStartWith('Already billed on invoice A')
    await decide(part, 'accepted')
    expect((await acceptMatched(whole)).status).toBe(409)
    // The same with an invoice that was disputed or deleted while the second one was checked.
    await h.cast.ada.delete(part.path)
    await decide(whole, 'disputed')
    const second = await bill('C', lines(180), { start_date: '2026-02-11' }, yard)
    expect((await acceptMatched(second)).status).toBe(200)
    expect((await decide(whole, 'accepted')).status).toBe(409)
    await h.cast.ada.delete(second.path)
    expect((await decide(whole, 'accepted')).status).toBe(200)
    await h.cast.ada.delete(whole.path)
    await acceptMatched(await bill('D', lines(180), { start_date: '2026-02-11' }, yard))
    expect((await restore(whole)).status).toBe(409)
    expect(other).toBeGreaterThan(id)
  })

  test.each(['first', 'second'])('is accepted once if the %s invoice is for a later month', async (which) => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-01-31', '2026-02-28')
    const lines = [{ unit_number: '100001', amount: 280 }]
    const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
    if (which === 'first') {
      await decide(await bill('A', lines, march, yard), 'accepted')
      expect((await bill('B', lines, {}, yard)).lines[0]?.reason).toStartWith('Already billed on invoice A')
    } else {
      await acceptMatched(await bill('A', lines, {}, yard))
      const later = await bill('B', [...lines, ...lines], march, yard)
      expect(later.lines.map(({ reason }) => reason)).toEqual([
        'Unit 100001 was with Yard One from 01/31/2026 to 02/28/2026. Already billed on invoice A, ' +
          '02/01/2026 to 02/28/2026',
        'Unit 100001 appears on this invoice more than once',
      ])
    }
  })

  test('is accepted once if one of several stays is deleted and entered again', async () => {
    const yard = await vendor('Yard One')
    const first = await stay(yard, '2026-01-31', '2026-02-10')
    await stay(yard, '2026-02-15', '2026-02-20')
    const both = await bill('A', [{ unit_number: '100001', amount: 150 }], {}, yard)
    await decide(both, 'disputed')
    await h.cast.ada.delete(`/osl/${first}`)
    await stay(yard, '2026-01-31', '2026-02-10')
    const again = await bill('B', [{ unit_number: '100001', amount: 100 }], { end_date: '2026-02-10' }, yard)
    expect((await decide(again, 'accepted')).status).toBe(200)
    expect((await decide(both, 'accepted')).status).toBe(409)
  })

  test('is accepted for the remaining days of a stay', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-01-20', '2026-02-20')
    const total = await amountOf(yard)
    const week = await bill('A', [{ unit_number: '100001', amount: 70 }], { end_date: '2026-02-07' }, yard)
    const month = await bill('B', [{ unit_number: '100001', amount: total - 70 }], {}, yard)
    expect([week.lines[0]?.status, month.lines[0]?.status]).toEqual(['matched', 'matched'])
    expect([(await acceptMatched(week)).status, (await acceptMatched(month)).status]).toEqual([200, 200])
    for (const invoice of [month, week]) {
      await h.cast.ada.delete(invoice.path)
      expect((await restore(invoice)).status).toBe(200)
    }
  })

  test.each([1, 2])('is accepted once if stay %i is deleted and entered again with other days', async (which) => {
    const yard = await vendor('Yard One')
    const stays = [await stay(yard, '2026-02-01', '2026-02-10'), await stay(yard, '2026-02-15', '2026-02-20')]
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 140 }], {}, yard))
    await h.cast.ada.delete(`/osl/${stays[which - 1]}`)
    await stay(yard, '2026-02-21', '2026-02-26')
    await expectNamed(await bill('B', [{ unit_number: '100001', amount: 50 }], {}, yard))
  })

  test('is accepted once if the second line of the first invoice is accepted later', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-02-01', '2026-02-10')
    const lines = [90, 50].map((amount) => ({ unit_number: '100001', amount }))
    const first = await bill('A', lines, {}, yard)
    await acceptMatched(first)
    await decide(first, 'disputed', 1)
    await stay(yard, '2026-02-15', '2026-02-20')
    const second = await bill('B', lines.slice(1), {}, yard)
    expect(second.lines[0]?.reason).toBeNull()
    await decide(first, 'accepted', 1)
    expect((await acceptMatched(second)).status).toBe(409)
  })

  test('is billed for the invoice period if the stay goes on', async () => {
    const yard = await vendor('Yard One')
    h.clock.set(new Date('2026-02-27T19:00:00Z'))
    const id = await stay(yard, '2026-02-20', '2026-02-27')
    await h.cast.ben.put(`/osl/${id}`, { status: 'Out of Service' })
    const early = { start_date: '2026-02-28', end_date: '2026-03-04' }
    await decide(await bill('A', [{ unit_number: '100001', amount: 50 }], early, yard), 'accepted')
    h.clock.set(NOON)
    const week = { start_date: '2026-03-08', end_date: '2026-03-14' }
    const second = await bill('B', [{ unit_number: '100001', amount: 70 }], week, yard)
    expect(second.lines[0]?.status).toBe('matched')
  })

  test('is expected again for one of two stays whose line was disputed', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-02-01', '2026-02-10')
    await stay(yard, '2026-02-15', '2026-02-20')
    const lines = [90, 50].map((amount) => ({ unit_number: '100001', amount }))
    const first = await bill('A', lines, {}, yard)
    await decide(first, 'accepted')
    await decide(first, 'disputed', 1)
    const second = await bill('B', lines.slice(1), {}, yard)
    expect(second.lines[0]?.status).toBe('matched')
    expect((await acceptMatched(second)).status).toBe(200)
  })

  test('of a unit without a record can be accepted twice, because the line names the other invoice', async () => {
    const yard = await vendor('Yard One')
    await h.cast.ben.post('/vehicles', { unit_number: '100001' })
    await decide(await bill('A', [{ unit_number: '100001', amount: 25 }], {}, yard), 'accepted')
    const second = await bill('B', [{ unit_number: '100001', amount: 150 }], {}, yard)
    await expectNamed(second)
    expect((await decide(second, 'accepted')).status).toBe(200)
  })

  test('is accepted for a second stay that was entered after the first invoice of the month', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-02-01', '2026-02-10')
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 90 }], {}, yard))
    await stay(yard, '2026-02-15', '2026-02-20')
    const second = await bill('B', [{ unit_number: '100001', amount: 50 }], {}, yard)
    expect(second.lines[0]?.status).toBe('matched')
    expect((await acceptMatched(second)).status).toBe(200)
    await h.cast.ada.delete(second.path)
    expect((await restore(second)).status).toBe(200)
  })

  test('is accepted on invoices of two vendors that are merged afterwards', async () => {
    const [one, two] = [await vendor('Yard One'), await vendor('Yard Two')]
    await stay(one, '2026-02-01', '2026-02-10')
    await stay(two, '2026-02-15', '2026-02-20')
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 90 }], {}, one))
    const second = await bill('B', [{ unit_number: '100001', amount: 50 }], {}, two)
    await h.cast.ada.post(`${two}/merge`, { into_id: idOf(one) })
    expect((await acceptMatched({ ...second, path: `${one}/invoices/${second.id}` })).status).toBe(200)
  })

  test('is accepted once by two users at the same time', async () => {
    const [one, two] = [await vendor('Yard One'), await vendor('Yard Two')]
    const units = Array.from({ length: 5 }, (_, at) => String(100_100 + at))
    const entries: number[] = []
    for (const unit of units) entries.push(await stay(one, '2026-02-01', '2026-02-11', unit))
    const lines = units.map((unit_number) => ({ unit_number, amount: 100 }))
    for (let round = 0; round < ROUNDS; round++) {
      for (const id of entries) await h.cast.ada.put(`/osl/${id}`, { vendor_id: idOf(one) })
      const first = await bill('A', lines, {}, one)
      for (const at of units.keys()) await decide(first, 'disputed', at)
      for (const id of entries) await h.cast.ada.put(`/osl/${id}`, { vendor_id: idOf(two) })
      const second = await bill('B', lines, {}, two)
      for (const at of units.keys()) await decide(first, null, at)
      const sent = await Promise.all([acceptMatched(first), acceptMatched(second)])
      expect(sent.map(({ status }) => status).sort()).toEqual([200, 409])
      for (const { path } of [first, second]) await h.cast.ada.delete(path)
    }
  })

  test('is accepted once if the stay is deleted and entered again with other days', async () => {
    const yard = await vendor('Yard One')
    const entry = await stay(yard, '2026-02-01', '2026-02-10')
    const first = await bill('A', [{ unit_number: '100001', amount: 80 }], {}, yard)
    await decide(first, 'disputed')
    await h.cast.ada.delete(`/osl/${entry}`)
    await stay(yard, '2026-02-11', '2026-02-20')
    const second = await bill('B', [{ unit_number: '100001', amount: 90 }], {}, yard)
    expect((await acceptMatched(second)).status).toBe(200)
    expect((await decide(first, 'accepted')).status).toBe(409)
  })

  test('can be billed on one invoice for each stay', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-02-01', '2026-02-10')
    await stay(yard, '2026-02-15', '2026-02-20')
    const first = await bill('A', [{ unit_number: '100001', amount: 90 }], {}, yard)
    const second = await bill('B', [{ unit_number: '100001', amount: 50 }], {}, yard)
    expect(second.lines[0]).toMatchObject({ status: 'matched', expected: 50 })
    expect((await acceptMatched(second)).status).toBe(200)
    expect((await decide(first, 'accepted')).status).toBe(200)
  })
})

describe('an undo', () => {
  test('of a bulk edit keeps the final cost that an accepted line bills', async () => {
    const [billed, other] = [await move('100001'), await move('100002')]
    const { body } = await h.cast.ben.post('/transports/bulk', { ids: [billed, other], set: { final_cost: 250 } })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 250 }]))
    const undone = await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
    expect(undone.body.data).toMatchObject({
      changed: 1,
      skipped: [{ id: billed, reason: 'An invoice line of this transport is accepted' }],
    })
    expect([await costOf(billed), await costOf(other)]).toEqual([250, null])
  })

  test('tells nobody who cannot see costs whether a guess is the billed amount', async () => {
    const id = await move('100001', { final_cost: 137.5 })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 137.5 }]))
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators', current_password: PASSWORD })
    const guess = async (first: number, second: number) => {
      for (const final_cost of [first, second])
        await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost } })
      const { body } = await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost: second + 1 } })
      const undone = await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
      return { ...(undone.body.data as object), id: undefined }
    }
    expect(await guess(137.5, 100)).toEqual(await guess(99, 137.5))
  })

  test('of a bulk edit restores a cost that differs from the accepted line', async () => {
    const id = await move('100001', { final_cost: 100 })
    await decide(await bill('A', [{ unit_number: '100001', amount: 105 }]), 'accepted')
    const { body } = await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost: 1 } })
    await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
    expect(await costOf(id)).toBe(100)
  })

  test('of a bulk edit restores the final cost that an accepted line has set', async () => {
    const id = await move('100001')
    await decide(await bill('A', [{ unit_number: '100001', amount: 100 }]), 'accepted')
    const { body } = await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost: 999 } })
    await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
    expect(await costOf(id)).toBe(100)
  })

  test('of an import keeps the final cost that an accepted line bills', async () => {
    const [billed, other] = [await move('100001'), await move('100002')]
    const rows = ['100001', '100002'].map((unit) => `${unit},PHX,TMP,2026-02-03,Desert Auto Haul,Delivered,700`)
    const header = 'unit_number,location_out,location_in,move_date,transport_company,status,final_cost'
    const { id } = await h.cast.ben.begin('transports', 'costs.csv', [header, ...rows, ''].join('\n'))
    await h.cast.ben.put(`/files/${id}`, { existing: 'update' })
    await h.cast.ben.settled(id)
    await h.cast.ben.post(`/files/${id}/commit`)
    expect(await h.cast.ben.settled(id)).toMatchObject({ updated: 2 })
    await acceptMatched(await bill('A', [{ unit_number: '100001', amount: 700 }]))
    await h.cast.ben.post(`/files/${id}/undo`)
    expect(await h.cast.ben.settled(id)).toMatchObject({ undo: { kept: [{ id: billed }] } })
    expect([await costOf(billed), await costOf(other)]).toEqual([700, null])
  })
})
