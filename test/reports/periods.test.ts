import { beforeEach, describe, expect, test } from 'bun:test'
import { periodBefore, presetPeriod } from '../../src/features/reports/calendar'
import { testContext } from '../support/context'

describe('a preset period', () => {
  test('covers whole past months, or the current period up to today', () => {
    const shown = (today: string) =>
      Object.fromEntries(
        (['this month', 'last month', 'this quarter', 'this year', 'last 12 months', 'next 30 days'] as const).map(
          (preset) => [preset, Object.values(presetPeriod(preset, today)).join(' ')],
        ),
      )
    expect(shown('2026-03-14')).toEqual({
      'this month': '2026-03-01 2026-03-14',
      'last month': '2026-02-01 2026-02-28',
      'this quarter': '2026-01-01 2026-03-14',
      'this year': '2026-01-01 2026-03-14',
      'last 12 months': '2025-03-01 2026-02-28',
      'next 30 days': '2026-03-14 2026-04-13',
    })
    expect(shown('2026-01-01')).toEqual({
      'this month': '2026-01-01 2026-01-01',
      'last month': '2025-12-01 2025-12-31',
      'this quarter': '2026-01-01 2026-01-01',
      'this year': '2026-01-01 2026-01-01',
      'last 12 months': '2025-01-01 2025-12-31',
      'next 30 days': '2026-01-01 2026-01-31',
    })
    expect(shown('2024-12-31')['this quarter']).toBe('2024-10-01 2024-12-31')
    expect(shown('2024-03-31')['last month']).toBe('2024-02-01 2024-02-29')
  })

  test('is compared with the equivalent period before it', () => {
    const before = (start_date: string, end_date: string) =>
      Object.values(periodBefore({ start_date, end_date })).join(' ')
    expect(before('2026-03-01', '2026-03-31')).toBe('2026-02-01 2026-02-28')
    expect(before('2026-01-01', '2026-02-28')).toBe('2025-11-01 2025-12-31')
    // For an unfinished period: the same days of the month, quarter or year before.
    expect(before('2026-03-01', '2026-03-14')).toBe('2026-02-01 2026-02-14')
    expect(before('2026-03-01', '2026-03-30')).toBe('2026-02-01 2026-02-28')
    expect(before('2026-01-01', '2026-03-14')).toBe('2025-10-01 2025-12-14')
    expect(before('2026-04-01', '2026-05-02')).toBe('2026-01-01 2026-02-02')
    expect(before('2026-01-01', '2026-11-22')).toBe('2025-01-01 2025-11-22')
    expect(before('2026-01-01', '2026-01-14')).toBe('2025-12-01 2025-12-14')
    expect(before('2026-01-01', '2026-04-14')).toBe('2025-01-01 2025-04-14')
    expect(before('2025-01-01', '2025-12-30')).toBe('2024-01-01 2024-12-30')
    expect(before('2025-01-01', '2026-01-14')).toBe('2023-12-01 2024-12-14')
    expect(before('2026-02-01', '2026-03-14')).toBe('2025-12-01 2026-01-14')
    // For whole months across the end of a year: the same number of months before.
    expect(before('2025-11-01', '2026-02-28')).toBe('2025-07-01 2025-10-31')
    expect(before('2025-03-01', '2026-02-28')).toBe('2024-03-01 2025-02-28')
    expect(before('2026-02-03', '2026-03-03')).toBe('2026-01-05 2026-02-02')
    expect(before('2026-03-14', '2026-03-14')).toBe('2026-03-13 2026-03-13')
  })
})

describe('a report', () => {
  let h: Awaited<ReturnType<typeof testContext>>
  beforeEach(async () => {
    h = await testContext()
  })
  const add = async (path: string, body: object) => expect((await h.cast.ben.post(path, body)).status).toBe(201)
  const run = async (type: string, start: string, end: string) =>
    (await h.cast.ben.get(`/reports/${type}?start_date=${start}&end_date=${end}`)).body.data as unknown as {
      rows: Record<string, number | string | null>[]
      totals: Record<string, number>
    }
  const osl = (more: object) =>
    add('/osl', {
      unit_number: '100001',
      location_id: h.cast.phoenix,
      problem: 'Windshield is cracked',
      storage_fee_daily_rate: 10,
      ...more,
    })

  test('of storage fees charges only days within the period, and adjoining periods add up', async () => {
    await osl({ osl_date: '2026-01-30', status: 'Completed', completed_on: '2026-03-03' })
    const fees = async (start: string, end: string) =>
      Object.values((await run('osl_storage_fees', start, end)).totals).at(-1)
    const [january, february, march] = [
      await fees('2026-01-01', '2026-01-31'),
      await fees('2026-02-01', '2026-02-28'),
      await fees('2026-03-01', '2026-03-31'),
    ]
    expect([january, february, march, await fees('2026-01-01', '2026-03-31')]).toEqual([10, 280, 30, 320])
    expect(await fees('2026-03-03', '2026-03-03')).toBe(10)
    expect((await run('osl_storage_fees', '2026-03-04', '2026-03-31')).rows).toEqual([])
    const months = (await run('monthly_costs', '2026-01-01', '2026-03-31')).rows
    expect(months.map((row) => row.storage_fees)).toEqual([10, 280, 30])
  })

  test('of a single day contains the records of that day', async () => {
    const move = {
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      final_cost: 100,
      status: 'Delivered',
    }
    for (const day of ['2026-03-09', '2026-03-10', '2026-03-11'])
      await add('/transports', { unit_number: '100001', move_date: day, ...move })
    expect((await run('transport_costs', '2026-03-10', '2026-03-10')).totals).toMatchObject({
      count: 1,
      final_cost: 100,
    })
    expect((await run('transport_costs', '2026-03-09', '2026-03-10')).totals).toMatchObject({ count: 2 })
    expect((await run('transport_costs', '2026-03-12', '2026-03-31')).rows).toEqual([])
  })

  test('of titles shows the state of today for any period', async () => {
    await add('/titles', { unit_number: '100001', submitted_date: '2025-11-01', location_id: h.cast.phoenix })
    expect((await run('title_aging', '2026-03-01', '2026-03-01')).totals).toEqual(
      (await run('title_aging', '2020-01-01', '2026-03-14')).totals,
    )
    expect((await run('title_aging', '2026-03-01', '2026-03-01')).rows.length).toBe(1)
  })

  test('of vendors groups entries by vendor, or by vendor location if none is given', async () => {
    const { id: vendor_id } = (await h.cast.ada.post('/vendors', { vendor_name: 'Gila Repair' })).body.data as {
      id: number
    }
    const { id: location_id } = (
      await h.cast.ada.post('/locations', {
        location_code: 'SUN',
        location_name: 'Sunrise Lot',
        location_type: 'Vendor',
      })
    ).body.data as { id: number }
    await osl({ osl_date: '2026-03-02', vendor_id, location_id })
    await osl({ osl_date: '2026-03-03', location_id, unit_number: '100002' })
    await osl({ osl_date: '2026-03-04', unit_number: '100003' })
    const { rows } = await run('osl_vendor_analysis', '2026-03-01', '2026-03-31')
    expect(rows.map((row) => Object.values(row)[0]).sort()).toEqual(['Gila Repair', 'Sunrise Lot'])
  })

  test('opens with its usual period', async () => {
    const page = async (type: string) => (await h.cast.ben.open(`/reports?type=${type}&period=usual&generate=1`)).html
    expect(await page('monthly_costs')).toMatch(
      /name="start_date"[^>]*value="2025-03-01"|value="2025-03-01"[^>]*name="start_date"/,
    )
    expect(await page('osl_storage_fees')).toMatch(
      /name="end_date"[^>]*value="2026-02-28"|value="2026-02-28"[^>]*name="end_date"/,
    )
    expect(await page('registration_expiring')).toMatch(
      /name="end_date"[^>]*value="2026-04-13"|value="2026-04-13"[^>]*name="end_date"/,
    )
    for (const label of ['This month', 'Last month', 'This quarter', 'This year', 'Last 12 months'])
      expect(await page('title_aging')).toContain(label)
  })

  test('of completed transports counts later moves and links to them', async () => {
    const move = {
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      status: 'Delivered',
    }
    await add('/transports', {
      unit_number: '100001',
      move_date: '2026-03-14',
      ...move,
      actual_arrival_date: '2026-03-14',
    })
    const at = '/transports/completed?start_date=2026-03-01&end_date=2026-03-14'
    expect((await h.cast.ben.open(at)).html).not.toContain('after this period')
    await add('/transports', {
      unit_number: '100002',
      move_date: '2026-03-15',
      ...move,
      actual_arrival_date: '2026-03-15',
    })
    const { html } = await h.cast.ben.open(at)
    expect(html).toMatch(/1 more|One more|1 delivered/i)
    expect(html).toMatch(/href="\/transports\/completed\?start_date=2026-03-15/)
  })
})

test('a report as of today says so instead of showing the dates', async () => {
  const h = await testContext()
  const of = async (type: string) =>
    (await h.cast.ben.open(`/reports?type=${type}&start_date=2026-01-01&end_date=2026-01-31&generate=1`)).text
  expect(await of('title_aging')).toContain('As of today.')
  expect(await of('vehicle_status')).toContain('As of today.')
  expect(await of('transport_summary')).toContain('01/01/2026 to 01/31/2026.')
})
