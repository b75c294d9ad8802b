import { beforeEach, describe, expect, test } from 'bun:test'
import { checkStorage } from '../../src/features/billing/check-storage'
import { testContext } from '../support/context'

const NOTHING_BILLED = { billedBefore: null, billed_on: [], open_days: '{[2026-02-01,2026-03-01)}', overlap: null }

describe('storage line differences', () => {
  /** Returns the reason why a billed line differs from our records for February, or null. */
  const findReason = (
    ours: { days: number; daily_rate: number; expected: number },
    amount: number,
    days: number | null = null,
    daily_rate: number | null = null,
  ) =>
    checkStorage([{ unit_number: '100001', amount, days, daily_rate }], {
      periodDays: 28,
      records: new Map([['100001', { ...NOTHING_BILLED, unit_number: '100001', osl_id: 1, osl_ids: [1], ...ours }]]),
      runs: new Map(),
      elsewhere: new Map(),
    }).map(({ reason }) => reason)[0]
  const ten = { days: 10, daily_rate: 35, expected: 350 }
  const CASES: [ours: typeof ten, billed: [number, (number | null)?, (number | null)?], reason: string | null][] = [
    [ten, [350], null],
    [ten, [350, 9, 34], null],
    [ten, [35], '1 day at $35.00, our records show 10 days'],
    [ten, [980], '28 days at $35.00, our records show 10 days'],
    // $1,015.00 would be 29 days at $35.00, but the period has only 28 days.
    [ten, [1015], '$101.50 a day for 10 days, our rate is $35.00'],
    [ten, [400], '$40.00 a day for 10 days, our rate is $35.00'],
    [ten, [350.01], '$0.01 more than our amount'],
    [ten, [349.99], '$0.01 less than our amount'],
    [ten, [385, 11], 'billed 11 days, our records show 10 days'],
    [ten, [35, 1, 35], 'billed 1 day, our records show 10 days'],
    [ten, [340, 10, 34], 'billed at $34.00 a day, our rate is $35.00'],
    [ten, [306, 9, 34], 'billed 9 days, our records show 10 days; billed at $34.00 a day, our rate is $35.00'],
    [ten, [360, 10, 35], '$36.00 a day for 10 days, our rate is $35.00'],
    // A waiver reduces our amount, so the reason cannot name days or a rate.
    [{ ...ten, expected: 340 }, [350], '$10.00 more than our amount'],
    [{ ...ten, expected: 340 }, [330], '$10.00 less than our amount'],
    [{ days: 10, daily_rate: 0, expected: 0 }, [350], '$35.00 a day for 10 days, our rate is $0.00'],
    [{ days: 10, daily_rate: 0.01, expected: 0.1 }, [0.05], '5 days at $0.01, our records show 10 days'],
    [{ days: 1, daily_rate: 35, expected: 35 }, [40.01], '$40.01 a day for 1 day, our rate is $35.00'],
    [{ days: 0, daily_rate: 35, expected: 0 }, [35], '1 day at $35.00, our records show 0 days'],
    [{ days: 0, daily_rate: 35, expected: 0 }, [10.01], '$10.01 more than our amount'],
  ]
  for (const [ours, billed, reason] of CASES)
    test(`billed ${billed.join(', ')} against ${ours.days} days at ${ours.daily_rate}: ${reason ?? 'none'}`, () => {
      expect(findReason(ours, ...billed)).toBe(reason as string)
    })
})

// Today is 2026-03-14 in the tests below.
let h: Awaited<ReturnType<typeof testContext>>
let yard: number
beforeEach(async () => {
  h = await testContext()
  yard = await vendor('Bolt & Co')
})

const vendor = async (vendor_name: string) =>
  ((await h.cast.ada.post('/vendors', { vendor_name, storage_daily_rate: 35 })).body.data as { id: number }).id
const stay = async (unit_number: string, osl_date: string, more: object = {}) => {
  const problem = 'Transmission slips in third gear'
  const body = { unit_number, osl_date, vendor_id: yard, location_id: h.cast.phoenix, problem, ...more }
  return ((await h.cast.ben.post('/osl', body)).body.data as { id: number }).id
}
type Line = { id: number; unit_number: string; status: string; decision: string | null; version: number }
type Invoice = { id: number; number: string; lines: (Line & Record<string, unknown>)[] }
const billed = async (number: string, days: [from: string, to: string], lines: [string, number][], by = yard) => {
  const { status, body } = await h.cast.ben.post(`/vendors/${by}/invoices`, {
    number,
    start_date: `2026-${days[0]}`,
    end_date: `2026-${days[1]}`,
    lines: lines.map(([unit_number, amount]) => ({ unit_number, amount })),
  })
  expect([status, body.message]).toEqual([201, undefined])
  return body.data as unknown as Invoice
}
const summarize = ({ lines }: Invoice) =>
  lines.map(({ unit_number, status, expected, reason }) => [unit_number, status, expected, reason])

test('a storage day counts as billed only if its vendor has charged for it', async () => {
  const other = await vendor('Copper Yard')
  await stay('100001', '2026-01-20')
  await stay('100002', '2026-01-20', { vendor_id: other })
  await billed('A-1', ['02-01', '02-10'], [['100002', 350]])
  await billed('B-1', ['02-01', '02-28'], [['100001', 350]], other)
  const matched = (unit: string, amount: number) => [[unit, 'matched', amount, null]]
  // A-1 has no line for 100001, and B-1 is from another vendor, so neither has billed these days.
  expect(summarize(await billed('A-2', ['02-05', '02-10'], [['100001', 210]]))).toEqual(matched('100001', 210))
  expect(summarize(await billed('A-3', ['02-11', '02-20'], [['100001', 350]]))).toEqual(matched('100001', 350))
  expect(summarize(await billed('A-4', ['02-01', '02-04'], [['100001', 140]]))).toEqual(matched('100001', 140))
  const before = (invoiceLabel: string) => [['100001', 'differs', 0, `Already billed on ${invoiceLabel}`]]
  expect(summarize(await billed('A-5', ['02-20', '02-20'], [['100001', 35]]))).toEqual(
    before('invoice A-3, 02/11/2026 to 02/20/2026'),
  )
  expect(summarize(await billed('A-6', ['02-01', '02-04'], [['100001', 140]]))).toEqual(
    before('invoice A-4, 02/01/2026 to 02/04/2026'),
  )
  // Other invoices billed a part of these periods, so only the rest is left: 8 of 9 days, and 11 of 12.
  expect(summarize(await billed('A-8', ['02-20', '02-28'], [['100001', 315]]))).toEqual([
    [
      '100001',
      'differs',
      280,
      'Partly billed already on invoice A-3, 02/11/2026 to 02/20/2026; invoice A-5, 02/20/2026 to 02/20/2026; ' +
        '9 days at $35.00, our records show 8 days',
    ],
  ])
  expect(summarize(await billed('A-9', ['01-01', '02-01'], [['100001', 385]]))).toEqual(matched('100001', 385))
  const missing = await billed('A-7', ['02-01', '02-28'], [['100009', 1]])
  expect(summarize(missing)).toEqual([['100009', 'not_ours', 0, 'Unit 100009 is not in the vehicle list']])
})

test('a line that is not ours names the latest stay of the unit, if any', async () => {
  const other = await vendor('Copper Yard')
  await stay('100001', '2026-01-02', { status: 'Completed', completed_on: '2026-01-05', vendor_id: other })
  await stay('100001', '2026-01-10', { status: 'Completed', completed_on: '2026-01-12', vendor_id: null })
  await stay('100002', '2026-01-10', { status: 'Completed', completed_on: '2026-01-11', vendor_id: other })
  await stay('100002', '2026-01-10', { vendor_id: null, storage_fee_daily_rate: 5 })
  await h.cast.ben.post('/vehicles', { unit_number: '100003' })
  await stay('100004', '2026-02-28')
  await stay('100005', '2026-02-27', { storage_fee_daily_rate: 1 })
  const strange: [string, number][] = ['100001', '100002', '100003', '100004'].map((unit) => [unit, 1])
  expect(
    summarize(await billed('A-1', ['02-01', '02-28'], strange)).map(([unit, , , reason]) => [unit, reason]),
  ).toEqual([
    ['100001', 'Unit 100001 was at Phoenix without a vendor from 01/10/2026 to 01/12/2026, without storage fees'],
    ['100002', 'Unit 100002 was at Phoenix without a vendor from 01/10/2026'],
    ['100003', 'Unit 100003 was never out of service'],
    ['100004', expect.any(String)],
    ['100005', null],
  ])
})

test('an invoice has at most 2,000 lines and keeps their order', async () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ unit_number: String(100_000 + at), amount: 1 }))
  const bill = { number: 'x'.repeat(50), start_date: '2026-02-01', end_date: '2026-02-28' }
  const path = `/vendors/${yard}/invoices`
  const most = await h.cast.ben.post(path, { ...bill, lines: lines(2000) })
  expect((most.body.data as unknown as Invoice).lines.map(({ unit_number }) => unit_number)).toEqual(
    lines(2000).map(({ unit_number }) => unit_number),
  )
  for (const [change, error] of [
    [{ lines: lines(2001) }, { field: 'lines', message: 'At most 2000 lines' }],
    [{ number: 'x'.repeat(51) }, { field: 'number', message: 'At most 50 characters' }],
    [{ lines: [] }, { field: 'lines', message: 'Add at least one line' }],
  ])
    expect((await h.cast.ben.post(path, { ...bill, lines: lines(1), ...change })).body.errors).toEqual([error as never])
  expect(
    (await h.cast.ben.post(path, { ...bill, number: 'one day', end_date: '2026-02-01', lines: lines(1) })).status,
  ).toBe(201)
})

test('invoices are listed newest first, with our amounts, and counts of differing and open lines', async () => {
  await stay('100001', '2026-01-20')
  const first = await billed(
    'A-1',
    ['02-01', '02-10'],
    [
      ['100001', 350],
      ['100009', 5.05],
    ],
  )
  await billed('A-2', ['03-01', '03-10'], [['100001', 350]])
  await billed('A-3', ['02-01', '02-20'], [['100009', 1]])
  const path = `/vendors/${yard}/invoices`
  await h.cast.ada.patch(`${path}/${first.id}/lines/${first.lines[0]?.id}`, { decision: 'accepted' })
  const listed = (await h.cast.ben.get(path)).body.data as unknown as Record<string, unknown>[]
  expect(
    listed.map(({ number, billed, expected, differing, open }) => [number, billed, expected, differing, open]),
  ).toEqual([
    ['A-2', 350, 350, 0, 1],
    // A-3 has two differences: 100009 is not ours, and 100001 is not billed. Only the billed line needs a decision.
    ['A-3', 1, 350, 2, 1],
    ['A-1', 355.05, 350, 1, 1],
  ])
})

test('lines are decided through their own invoice, and accept-matched keeps earlier decisions', async () => {
  await stay('100001', '2026-01-20')
  await stay('100002', '2026-01-20')
  const one = await billed(
    'A-1',
    ['02-01', '02-10'],
    [
      ['100001', 350],
      ['100002', 350],
      ['100009', 1],
    ],
  )
  const other = await billed('A-2', ['03-01', '03-10'], [['100001', 350]])
  const at = ({ id }: Invoice, line: number | undefined) => `/vendors/${yard}/invoices/${id}/lines/${line}`
  const decide = (path: string, body: object) => h.cast.ada.patch(path, body)
  expect((await decide(at(one, other.lines[0]?.id), { decision: 'accepted' })).status).toBe(404)
  expect((await decide(at(one, one.lines[0]?.id), { decision: 'disputed', note: 'x'.repeat(1001) })).status).toBe(422)
  const first = at(one, one.lines[0]?.id)
  const note = 'x'.repeat(1000)
  expect((await decide(first, { decision: 'disputed', note })).body.data).toMatchObject({ decision: 'disputed', note })
  expect((await decide(first, { decision: 'accepted' })).body.data).toMatchObject({ decision: 'accepted', note })
  expect((await decide(first, { decision: 'disputed', note: null })).body.data).toMatchObject({ note: null })
  const path = `/vendors/${yard}/invoices/${one.id}/accept-matched`
  const { lines } = (await h.cast.ada.post(path)).body.data as unknown as Invoice
  expect(lines.map(({ unit_number, decision, version }) => [unit_number, decision, version])).toEqual([
    ['100001', 'disputed', 4],
    ['100002', 'accepted', 2],
    ['100009', null, 1],
  ])
  expect((await h.cast.ada.post(path)).body.data).toMatchObject({
    lines: [{ version: 4 }, { version: 2 }, { version: 1 }],
  })
  expect((await h.cast.ada.post(`/vendors/${yard}/invoices/99/accept-matched`)).status).toBe(404)
})

test('a statement lists only stays of its vendor with fees, and waivers to the cent', async () => {
  const id = await stay('100001', '2026-02-10')
  const waiver = { storage_fee_waived: 0.5, storage_fee_waived_reason: 'Rounding' }
  await stay('100002', '2026-02-10', { vendor_id: await vendor('Copper Yard'), ...waiver })
  await stay('100003', '2026-02-10', { storage_fees_applicable: false })
  await h.cast.ben.put(`/osl/${id}`, waiver)
  const at = `/vendors/${yard}/statement?start_date=2026-02-01&end_date=2026-02-28`
  for (const format of ['', '&format=json'])
    expect((await h.cast.ben.get(at + format)).body.data).toMatchObject({
      total: 629.5,
      lines: [
        { unit_number: '100001', from: '2026-02-11', to: '2026-02-28', days: 18, amount: 630 },
        { unit_number: '100001', days: 0, amount: -0.5, waived_reason: 'Rounding' },
      ],
    })
})

test('the vendor page totals the daily cost and fees of its active stays', async () => {
  const standing = async () => (await h.cast.ben.open(`/vendors/${yard}`)).text
  expect(await standing()).toContain('Cost per day$0.00Accrued so far$0.00')
  await stay('100001', '2026-03-10', { storage_fees_applicable: false })
  await stay('100002', '2026-03-10', { status: 'Completed' })
  await stay('100003', '2026-03-10', { vendor_id: await vendor('Copper Yard') })
  expect(await standing()).toContain('Cost per day$0.00')
  await stay('100004', '2026-03-10')
  expect(await standing()).toContain('Cost per day$35.00Accrued so far$140.00')
})
