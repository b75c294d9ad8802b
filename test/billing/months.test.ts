import { beforeEach, expect, test } from 'bun:test'
import { addMonths } from '../../src/platform/clock'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Month = { start_date: string; end_date: string; units: number; amount: number }
const vendor = async (vendor_name: string) =>
  ((await h.cast.ada.post('/vendors', { vendor_name })).body.data as { id: number }).id
const stay = async (vendor_id: number, unit_number: string, osl_date: string, more: object = {}) => {
  const { status, body } = await h.cast.ben.post('/osl', {
    unit_number,
    osl_date,
    vendor_id,
    location_id: h.cast.phoenix,
    problem: 'Transmission slips in third gear',
    storage_fees_applicable: true,
    storage_fee_daily_rate: 10,
    ...more,
  })
  expect([status, body.errors]).toEqual([201, undefined])
  return (body.data as { id: number }).id
}
const months = async (id: number) => (await h.cast.ben.get(`/vendors/${id}/months`)).body.data as unknown as Month[]

test('the last twelve months of a vendor equal the statement totals', async () => {
  const yard = await vendor('Bolt & Co')
  await stay(await vendor('Copper Yard'), '100009', '2026-01-01')
  await stay(yard, '100001', '2025-03-15')
  await stay(yard, '100002', '2026-02-27', { storage_fee_waived: 15, storage_fee_waived_reason: 'Gate shut' })
  await stay(yard, '100003', '2026-01-31', { storage_grace_days: 3, storage_fee_daily_rate: 12.34 })
  await stay(yard, '100004', '2026-03-14')
  await stay(yard, '100005', '2026-03-01', { storage_fees_applicable: false, storage_fee_daily_rate: null })
  const done = await stay(yard, '100006', '2025-12-20')
  await h.cast.ben.put(`/osl/${done}`, { status: 'Completed', completed_on: '2026-01-05' })
  // Completed on the first day of a month, which is a charged day.
  await stay(yard, '100007', '2025-05-20', { status: 'Completed', completed_on: '2025-06-01' })
  const shown = await months(yard)
  expect(shown.map(({ start_date }) => start_date)).toEqual(
    Array.from({ length: 12 }, (_, n) => addMonths('2026-03-01', -n)),
  )
  expect(shown.map(({ end_date }) => end_date).slice(0, 3)).toEqual(['2026-03-31', '2026-02-28', '2026-01-31'])
  for (const { start_date, end_date, amount, units } of shown) {
    const { body } = await h.cast.ben.get(`/vendors/${yard}/statement?start_date=${start_date}&end_date=${end_date}`)
    const { total, lines } = body.data as unknown as { total: number; lines: { unit_number: string; days: number }[] }
    const charged = new Set(lines.filter(({ days }) => days > 0).map(({ unit_number }) => unit_number))
    expect([start_date, amount]).toEqual([start_date, total])
    // A unit whose only day was waived is in the statement lines, but not in `units`.
    expect([start_date, units <= charged.size]).toEqual([start_date, true])
  }
  expect(shown[9]).toMatchObject({ start_date: '2025-06-01', units: 2, amount: 310 })
  // January has 31 days of 100001 and 5 of 100006. 100003 arrived on the 31st, and the first day is free.
  expect(shown[2]).toMatchObject({ units: 2, amount: 360 })
  expect(await months(await vendor('Empty Yard'))).toEqual(
    shown.map(({ start_date, end_date }) => ({ start_date, end_date, units: 0, amount: 0 })),
  )
  expect((await h.cast.ben.get('/vendors/999/months')).status).toBe(404)
  const page = await h.cast.ben.open(`/vendors/${yard}`)
  expect(page.find('.panel-table td').slice(0, 3)).toEqual(['Mar 2026', '3', expect.stringContaining('$')])
})
