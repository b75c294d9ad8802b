import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

/** Records at the limits of what reports count, and all rows of the reports. Today is 2026-03-14. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Row = Record<string, string | number | null>
const add = async (path: string, body: object) => {
  const { status, body: answer } = await h.cast.ada.post(path, body)
  expect([answer.errors, status]).toEqual([undefined, 201])
}
const PERIOD = 'start_date=2026-01-01&end_date=2026-03-31'
const run = async (type: string, query = PERIOD) =>
  (await h.cast.ben.get(`/reports/${type}?${query}`)).body.data as unknown as {
    rows: Row[]
    totals: Record<string, number>
    previous: object | null
  }
const records = async (type: string, query = '', period = PERIOD) =>
  (await h.cast.ben.get(`/reports/${type}/records?${period}${query}`)).body as unknown as {
    data: Row[]
    meta: { total: number }
    totals: Record<string, number>
  }

const move = (unit_number: string, move_date: string, more: object = {}) =>
  add('/transports', {
    unit_number,
    move_date,
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    ...more,
  })
const DELIVERED = { status: 'Delivered' }

async function moves() {
  await move('100001', '2026-03-10', {
    ...DELIVERED,
    estimated_arrival_date: '2026-03-10',
    actual_arrival_date: '2026-03-10',
    estimated_cost: 30,
    final_cost: 40,
  })
  await move('100002', '2026-03-10', {
    ...DELIVERED,
    estimated_arrival_date: '2026-03-10',
    actual_arrival_date: '2026-03-11',
  })
  await move('100003', '2026-03-11', { status: 'In Transit', estimated_cost: 10 })
  await move('100004', '2026-03-12', {
    ...DELIVERED,
    actual_arrival_date: '2026-03-12',
    estimated_cost: 13,
    final_cost: 13,
  })
  const copper = { transport_company_id: h.cast.copper }
  await move('100005', '2026-02-10', {
    ...DELIVERED,
    ...copper,
    actual_arrival_date: '2026-02-10',
    estimated_cost: 0,
    final_cost: 20,
  })
  await move('100006', '2026-02-11', copper)
}

test('transport figures count same-day arrivals as on time and base rates on estimates', async () => {
  await moves()
  expect((await run('transport_company_performance')).rows).toEqual([
    {
      company_name: 'Copper State Transport',
      count: 2,
      delivered: 1,
      on_time: 0,
      on_time_rate: null,
      average_days: 0,
      final_cost: 20,
      variance: 20,
      variance_rate: null,
    },
    {
      company_name: 'Desert Auto Haul',
      count: 4,
      delivered: 3,
      on_time: 1,
      on_time_rate: 50,
      average_days: 0.3,
      final_cost: 53,
      variance: 10,
      variance_rate: 23.3,
    },
  ])
  expect((await run('budget_analysis')).rows).toEqual([
    { month: '2026-02', count: 1, estimated_cost: 0, final_cost: 20, variance: 20, variance_rate: null },
    { month: '2026-03', count: 2, estimated_cost: 43, final_cost: 53, variance: 10, variance_rate: 23.3 },
  ])
  expect((await run('transport_summary')).rows).toEqual([
    { status: 'Awaiting Pickup', count: 1, estimated_cost: 0, final_cost: 0 },
    { status: 'Delivered', count: 4, estimated_cost: 43, final_cost: 73 },
    { status: 'In Transit', count: 1, estimated_cost: 10, final_cost: 0 },
  ])
})

test('the records behind a figure are those that add to it, by date, across pages', async () => {
  await moves()
  const behind = async (query: string) =>
    (await records('transport_company_performance', query)).data.map((row) => [
      row.id,
      row.unit_number,
      row.variance_rate,
    ])
  expect(await behind('')).toEqual([
    [1, '100005', null],
    [2, '100006', null],
    [3, '100001', 33.3],
    [4, '100002', null],
    [5, '100003', null],
    [6, '100004', 0],
  ])
  expect(await behind('&per_page=2&page=3')).toEqual([
    [5, '100003', null],
    [6, '100004', 0],
  ])
  expect(await behind('&figure=final_cost')).toEqual([
    [1, '100005', null],
    [2, '100001', 33.3],
    [3, '100004', 0],
  ])
  expect(await behind('&figure=on_time_rate')).toEqual([
    [1, '100001', 33.3],
    [2, '100002', null],
  ])
  const none = await records('transport_summary', '', 'start_date=1999-01-01&end_date=1999-01-31')
  expect([none.meta.total, none.totals]).toEqual([0, { count: 0, estimated_cost: 0, final_cost: 0 }])
  for (const [query, status] of [
    [`&status=${'x'.repeat(200)}`, 200],
    [`&status=${'x'.repeat(201)}`, 422],
    [`&figure=${'x'.repeat(41)}`, 422],
    ['&final_cost=100', 422],
  ] as const)
    expect([query, (await h.cast.ben.get(`/reports/transport_summary/records?${PERIOD}${query}`)).status]).toEqual([
      query,
      status,
    ])
  const long = (await h.cast.ben.get(`/reports/transport_summary/records?${PERIOD}&figure=${'x'.repeat(41)}`)).body
  expect(long.errors).toEqual([{ field: 'figure', message: 'At most 40 characters' }])
  const page = await h.cast.ben.open(`/reports/records?type=location_costs&${PERIOD}&location_id=${h.cast.tempe}`)
  expect(page.find('#lead')[0]).toBe('01/01/2026 to 03/31/2026. Tempe: 4 records')
})

test('cost figures treat blank amounts as zero, and an empty period has zero totals', async () => {
  await moves()
  const plate = { location_id: h.cast.phoenix, state_province: 'AZ', date_expires: '2027-01-01' }
  await add('/registrations', {
    ...plate,
    unit_number: '100001',
    plate_number: 'A',
    date_issued: '2026-03-01',
    cost: 10,
  })
  await add('/registrations', { ...plate, unit_number: '100002', plate_number: 'B', date_issued: '2026-03-02', vlt: 5 })
  await add('/osl', {
    unit_number: '100003',
    osl_date: '2026-02-27',
    location_id: h.cast.phoenix,
    problem: `Windshield cracked on the left${' and more'.repeat(5)}`,
    storage_fee_daily_rate: 3,
  })
  expect((await run('monthly_costs')).rows).toEqual([
    { month: '2026-02', transport_cost: 20, registration_cost: 0, storage_fees: 3, total_cost: 23 },
    { month: '2026-03', transport_cost: 53, registration_cost: 15, storage_fees: 42, total_cost: 110 },
  ])
  expect((await run('monthly_costs', 'start_date=1999-01-01&end_date=1999-01-31')).totals).toEqual({
    transport_cost: 0,
    registration_cost: 0,
    storage_fees: 0,
    total_cost: 0,
  })
  expect((await records('location_costs', '&figure=registration_cost')).data.map(({ about }) => about)).toEqual([
    'Phoenix, A AZ',
    'Phoenix, B AZ',
  ])
  expect((await records('location_costs', '&figure=storage_fees')).data).toMatchObject([
    { kind: 'osl', about: 'Phoenix, Out of Service: Windshield cracked on the left and more and more and more an' },
  ])
})

test('OSL figures skip entries without charged days and list the highest first', async () => {
  const entry = (unit_number: string, osl_date: string, problem: string, storage_fee_daily_rate: number) =>
    add('/osl', { unit_number, osl_date, location_id: h.cast.phoenix, problem, storage_fee_daily_rate })
  await entry('100009', '2026-03-10', 'Windshield cracked', 10)
  await entry('100002', '2026-03-13', 'Transmission slips', 100)
  await entry('100003', '2026-03-14', 'Transmission slips', 10)
  await entry('100004', '2026-03-10', 'Transmission slips', 10)
  const { rows, totals } = await run('osl_storage_fees')
  expect(rows.map((row) => [row.unit_number, row.days, row.daily_rate, row.storage_fees])).toEqual([
    ['100002', 1, 100, 100],
    ['100009', 4, 10, 40],
    ['100004', 4, 10, 40],
  ])
  expect(totals).toEqual({ days: 9, storage_fees: 180 })
  expect((await run('osl_summary')).rows).toEqual([
    { status: 'Out of Service', count: 4, average_days: 2.3, storage_fees: 180 },
  ])
  expect((await run('osl_problem_categories')).rows).toEqual([
    { category: 'Transmission', count: 3, average_days: 1.7 },
    { category: 'Body and glass', count: 1, average_days: 4 },
  ])
})

test('fleet figures show the ages of pending titles and the average mileage', async () => {
  for (const [at, submitted_date] of [
    '2026-02-28',
    '2026-02-27',
    '2026-02-12',
    '2026-02-11',
    '2026-01-13',
    '2026-01-12',
  ].entries())
    await add('/titles', { unit_number: String(100_001 + at), location_id: h.cast.phoenix, submitted_date })
  const aging = await run('title_aging')
  expect(aging.rows).toEqual([
    { age: '0–14 days', count: 1, average_days: 14 },
    { age: '15–30 days', count: 2, average_days: 22.5 },
    { age: '31–60 days', count: 2, average_days: 45.5 },
    { age: 'Over 60 days', count: 1, average_days: 61 },
  ])
  for (const [unit_number, current_mileage] of [
    ['200001', 10],
    ['200002', 11],
    ['200003', null],
  ])
    await add('/vehicles', { unit_number, current_mileage, current_status: 'In Transit' })
  const status = await run('vehicle_status')
  expect(status.rows.find((row) => row.status === 'In Transit')).toEqual({
    status: 'In Transit',
    count: 3,
    average_mileage: 11,
  })
  expect([aging.previous, status.previous]).toEqual([null, null])
})

test('a one-day period is valid, and a blank format means JSON', async () => {
  const { status, body } = await h.cast.ben.get(
    '/reports/title_aging?start_date=2026-03-14&end_date=2026-03-14&format=',
  )
  expect([status, (body.data as { rows: object[] }).rows]).toEqual([200, []])
})

test('reports by month are refused if the OSL entries have too many months of storage', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100001' })
  await h.ctx.db.execute(sql`insert into osl_entries (unit_number, location_id, osl_date, problem, status)
    select '100001', (select min(id) from locations), date '1900-01-01', 'Left in the yard', 'Out of Service'
    from generate_series(1, 700)`)
  const get = (type: string, period: string) => h.cast.ben.get(`/reports/${type}?${period}`)
  for (const type of ['monthly_costs', 'budget_analysis']) {
    const refused = await get(type, 'start_date=1900-01-01&end_date=2026-03-14')
    expect([type, refused.status, refused.body.errors?.[0]?.field]).toEqual([type, 422, 'start_date'])
  }
  expect((await get('monthly_costs', 'start_date=2025-01-01&end_date=2026-03-14')).status).toBe(200)
  // The period before is too long, so there is no comparison.
  const future = await get('monthly_costs', 'start_date=2026-03-15&end_date=2152-12-31')
  expect([future.status, (future.body.data as { previous?: unknown }).previous]).toEqual([200, null])
})
