import { beforeEach, describe, expect, test } from 'bun:test'
import { NOON, testContext } from '../support/context'
import {
  acceptMatchedLines,
  decideLine,
  expectInvoiceNamed,
  FEBRUARY,
  type Invoice,
  restoreInvoice,
  storeInvoice,
} from '../support/invoices'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const DESERT = 1
/** Number of times that two users send the same decisions at once. */
const ROUNDS = 4

/** Stores an invoice for February 2026. `biller` is the path of a transport company or vendor. */
const bill = (number: string, lines: object[], more: object = {}, biller = `/transport-companies/${DESERT}`) =>
  storeInvoice(h.cast, biller, { number, lines, ...more })
const decide = (invoice: Invoice, decision: string | null, at = 0) => decideLine(h.cast, invoice, decision, at)
const acceptMatched = (invoice: Invoice) => acceptMatchedLines(h.cast, invoice)
const expectNamed = (invoice: Invoice) => expectInvoiceNamed(h.cast, invoice)
const restore = (invoice: Invoice) => restoreInvoice(h.cast, invoice)

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
    // The same applies if the other invoice was disputed or deleted during the check.
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

  const UNIT = { unit_number: '100001' }

  test.each(['the same vendor', 'another vendor'])('is not matched if two stays overlap at %s', async (which) => {
    const one = await vendor('Yard One')
    const two = which === 'another vendor' ? await vendor('Yard Two') : one
    await stay(one, '2026-01-31', '2026-02-10')
    await stay(two, '2026-02-08', '2026-02-20')
    const { lines } = await bill('A', [{ ...UNIT, amount: await amountOf(one) }], {}, one)
    const other = two === one ? 'Yard One from 01/31/2026 to 02/10/2026' : 'Yard Two from 02/08/2026 to 02/20/2026'
    expect(lines[0]).toMatchObject({
      status: 'differs',
      reason: expect.stringContaining(`has storage fees for some of these days: ${other}`),
    })
  })

  test('is matched if one stay begins on the day on which the other one ends', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2026-01-31', '2026-02-10')
    await stay(yard, '2026-02-10', '2026-02-20')
    expect((await bill('A', [{ ...UNIT, amount: 200 }], {}, yard)).lines[0]?.status).toBe('matched')
  })

  test.each([
    ['other days of the month', 100, { osl_date: '2026-02-10', completed_on: '2026-02-20' }],
    ['some days later', 50, { osl_date: '2026-02-05', completed_on: '2026-02-15' }],
    ['another month', 100, { osl_date: '2026-01-01', completed_on: '2026-01-11' }],
  ])('is named if its stay was corrected to %s', async (_, amount, dates) => {
    const yard = await vendor('Yard One')
    const id = await stay(yard, '2026-01-31', '2026-02-10')
    await acceptMatched(await bill('A', [{ ...UNIT, amount: 100 }], {}, yard))
    await h.cast.ada.put(`/osl/${id}`, dates)
    const start_date = `${dates.osl_date.slice(0, 8)}01`
    await expectNamed(await bill('B', [{ ...UNIT, amount }], { start_date }, yard))
  })

  test('is named if its stay was deleted and entered again for another vendor', async () => {
    const [one, two] = [await vendor('Yard One'), await vendor('Yard Two')]
    const id = await stay(one, '2026-01-31', '2026-02-10')
    await acceptMatched(await bill('A', [{ ...UNIT, amount: 100 }], {}, one))
    await h.cast.ada.delete(`/osl/${id}`)
    await stay(two, '2026-01-31', '2026-02-10')
    await expectNamed(await bill('B', [{ ...UNIT, amount: 100 }], {}, two))
  })

  test('of several months is matched each month', async () => {
    const yard = await vendor('Yard One')
    await stay(yard, '2025-12-31', '2026-02-28')
    const january = { start_date: '2026-01-01', end_date: '2026-01-31' }
    const first = await bill('A', [{ ...UNIT, amount: 310 }], january, yard)
    const second = await bill('B', [{ ...UNIT, amount: 280 }], {}, yard)
    expect([first, second].map(({ lines }) => lines[0]?.status)).toEqual(['matched', 'matched'])
    expect([(await acceptMatched(first)).status, (await acceptMatched(second)).status]).toEqual([200, 200])
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
