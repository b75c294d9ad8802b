import { beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { makeOsl } from '../support/entries'
import { FEBRUARY, type InvoiceLine, storeInvoice } from '../support/invoices'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
let yard: number
beforeEach(async () => {
  h = await testContext()
  yard = await vendor('Bolt & Co')
})

const vendor = async (vendor_name: string) =>
  ((await h.cast.ada.post('/vendors', { vendor_name, storage_daily_rate: 35 })).body.data as { id: number }).id
const stay = (unit_number: string, osl_date: string, more: object = {}) =>
  makeOsl(h.cast, { unit_number, osl_date, vendor_id: yard, ...more })

type Line = InvoiceLine & { expected: number }
const bill = (number: string, lines: object[], more: object = {}) =>
  storeInvoice<Line>(h.cast, `/vendors/${yard}`, { number, lines, ...more })

test('a statement lists days, rates and amounts, exports CSV and requires both dates', async () => {
  const osl_id = await stay('100001', '2026-02-20', { storage_grace_days: 2 })
  await h.cast.ben.post(`/osl/${osl_id}/rates`, { from: '2026-02-27', daily_rate: 40 })
  await h.cast.ben.put(`/osl/${osl_id}`, { storage_fee_waived: 50, storage_fee_waived_reason: 'Lot closed' })
  const at = `/vendors/${yard}/statement`
  const { data } = (await h.cast.ben.get(`${at}?start_date=2026-02-01&end_date=2026-02-28`)).body as never
  expect(data).toEqual({
    vendor_id: yard,
    vendor_name: 'Bolt & Co',
    ...FEBRUARY,
    lines: [
      {
        osl_id,
        unit_number: '100001',
        from: '2026-02-23',
        to: '2026-02-26',
        days: 4,
        daily_rate: 35,
        amount: 140,
        waived_reason: null,
      },
      {
        osl_id,
        unit_number: '100001',
        from: '2026-02-27',
        to: '2026-02-28',
        days: 2,
        daily_rate: 40,
        amount: 80,
        waived_reason: null,
      },
      {
        osl_id,
        unit_number: '100001',
        from: '2026-02-21',
        to: '2026-02-28',
        days: 0,
        daily_rate: 0,
        amount: -50,
        waived_reason: 'Lot closed',
      },
    ],
    total: 170,
  } as never)
  const csv = await h.cast.ben.get(`${at}?start_date=2026-02-01&end_date=2026-02-28&format=csv`)
  expect((csv.body as unknown as { text: string }).text).toContain('100001,2026-02-23,2026-02-26,4,35.00,140.00,')
  expect((await h.cast.ben.get(at)).status).toBe(422)
  expect((await h.cast.ben.get(`/vendors/99/statement?start_date=2026-02-01&end_date=2026-02-28`)).status).toBe(404)
})

test('a waiver appears only in the statement of the days it reduces', async () => {
  const id = await stay('100001', '2026-02-10')
  await h.cast.ben.put(`/osl/${id}`, { storage_fee_waived: 70, storage_fee_waived_reason: 'Lot closed' })
  const lines = async (start_date: string, end_date: string) =>
    (
      (await h.cast.ben.get(`/vendors/${yard}/statement?start_date=${start_date}&end_date=${end_date}`)).body
        .data as unknown as { lines: object[] }
    ).lines
  // The waiver of $70.00 covers two days. Its line ends with the period, or today.
  expect(await lines('2026-02-01', '2026-02-28')).toMatchObject([
    { days: 18, amount: 630 },
    { from: '2026-02-11', to: '2026-02-28', days: 0, amount: -70, waived_reason: 'Lot closed' },
  ])
  expect(await lines('2026-03-01', '2026-03-31')).toMatchObject([{ from: '2026-03-01', to: '2026-03-14', amount: 490 }])
  expect(await lines('2026-02-01', '2026-12-31')).toMatchObject([{ days: 32 }, { to: '2026-03-14', amount: -70 }])
})

test('the later of two stays determines our rate, even if it is lower', async () => {
  await stay('100001', '2026-01-31', { storage_fees_applicable: true, storage_fee_daily_rate: 40 })
  await h.cast.ben.put('/osl/1', { status: 'Completed', completed_on: '2026-02-05' })
  await stay('100001', '2026-02-10', { storage_fees_applicable: true, storage_fee_daily_rate: 30 })
  // 5 days at 40 and 18 at 30 are 740.
  const [line] = (await bill('A-1', [{ unit_number: '100001', amount: 810, days: 27, daily_rate: 30 }])).lines
  expect(line).toMatchObject({ status: 'differs', expected: 740 })
  expect(line?.reason).not.toContain('a day, ours is')
  // If several stays began on one day, the rate of the stay that was entered last is ours.
  await stay('100002', '2026-02-10', { storage_fee_daily_rate: 30 })
  await stay('100002', '2026-02-10', { storage_fee_daily_rate: 40 })
  await stay('100002', '2026-02-10', { storage_fee_daily_rate: 20 })
  const [other] = (await bill('A-2', [{ unit_number: '100002', amount: 1, daily_rate: 21 }])).lines
  expect(other?.expected).toBe(1620)
  expect(other?.reason).toStartWith('$1,619.00 less than our amount. Another stay of unit 100002')
})

test('lines copied from our statement match, and so do other splits of the same sum', async () => {
  const id = await stay('100001', '2026-01-20')
  await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-02-11', daily_rate: 40 })
  await stay('100002', '2026-01-20', { status: 'Completed', completed_on: '2026-02-05' })
  await stay('100002', '2026-02-20')
  const statement = await h.cast.ben.get(
    `/vendors/${yard}/statement?start_date=${FEBRUARY.start_date}&end_date=${FEBRUARY.end_date}`,
  )
  const ours = (statement.body.data as unknown as { lines: Line[] }).lines as unknown as {
    unit_number: string
    amount: number
  }[]
  expect(ours.map(({ amount }) => amount)).toEqual([350, 720, 175, 280])
  const sent = ours.map(({ unit_number, amount }) => ({ unit_number, amount }))
  const all = await bill('A-1', sent)
  expect(all.lines.map(({ status, expected }) => [status, expected])).toEqual(
    ours.map(({ amount }) => ['matched', amount]),
  )
  await h.cast.ada.delete(`/vendors/${yard}/invoices/${all.id}`)
  // Other lines with the same sum match too. If the sum differs, only the wrong line is marked.
  const parted = [300, 770, 175, 290].map((amount, at) => ({ ...sent[at], amount }))
  expect((await bill('A-2', parted)).lines.map(({ status, expected, reason }) => [status, expected, reason])).toEqual([
    ['matched', 300, null],
    ['matched', 770, null],
    ['matched', 175, null],
    ['differs', 280, '$10.00 more than our amount'],
  ])
})

test('lines of a unit with a waiver are not matched one by one', async () => {
  const id = await stay('100001', '2026-01-20')
  await h.cast.ben.post(`/osl/${id}/rates`, { from: '2026-02-11', daily_rate: 40 })
  await h.cast.ben.put(`/osl/${id}`, { storage_fee_waived: 500, storage_fee_waived_reason: 'Agreed by phone' })
  const lines = [350, 720].map((amount) => ({ unit_number: '100001', amount }))
  const { totals, lines: checked } = await bill('A-1', lines)
  const charged = (await h.cast.ben.get(`/vendors/${yard}/statement?start_date=2026-02-01&end_date=2026-02-28`)).body
    .data as unknown as { total: number }
  expect(charged.total).toBeLessThan(1070)
  expect(totals.expected).toBe(charged.total)
  expect(checked.map(({ status }) => status)).toEqual(['differs', 'differs'])
})
