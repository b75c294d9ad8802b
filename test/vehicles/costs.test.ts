import { expect, test } from 'bun:test'
import { testContext } from '../support/context'

// Today is 2026-03-14.
test('a vehicle shows its costs of this year and the two years before', async () => {
  const { cast } = await testContext()
  const { ben, phoenix, tempe, desert } = cast
  const move = (unit_number: string, move_date: string, more: object) =>
    ben.post('/transports', {
      unit_number,
      move_date,
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      status: 'Delivered',
      actual_arrival_date: move_date,
      ...more,
    })
  await move('100200', '2025-12-31', { final_cost: 100.1 })
  await move('100200', '2026-01-01', { final_cost: 200.25 })
  await move('100200', '2026-02-01', { final_cost: 50, status: 'In Transit', actual_arrival_date: null })
  await move('100201', '2026-02-01', { final_cost: 999 })
  await move('100200', '2023-12-31', { final_cost: 777 })
  await ben.post('/registrations', {
    unit_number: '100200',
    location_id: phoenix,
    plate_number: 'CDA4821',
    state_province: 'AZ',
    date_issued: '2024-06-01',
    date_expires: '2025-06-01',
    cost: 80.5,
    vlt: 19.5,
  })
  // Four charged days in December, and three in January.
  await ben.post('/osl', {
    unit_number: '100200',
    osl_date: '2025-12-27',
    location_id: phoenix,
    problem: 'Transmission slips in third gear',
    storage_fee_daily_rate: 10,
    status: 'Completed',
    completed_on: '2026-01-03',
  })
  const year = (year: number, transport_cost: number, registration_cost: number, storage_fees: number) => ({
    year,
    transport_cost,
    registration_cost,
    storage_fees,
    total_cost: transport_cost + registration_cost + storage_fees,
  })
  expect((await ben.get('/vehicles/100200/costs')).body.data as unknown).toEqual([
    year(2026, 200.25, 0, 30),
    year(2025, 100.1, 0, 40),
    year(2024, 0, 100, 0),
  ])
  expect((await ben.get('/vehicles/100201/costs')).body.data as unknown).toEqual([
    year(2026, 999, 0, 0),
    year(2025, 0, 0, 0),
    year(2024, 0, 0, 0),
  ])
  const page = await ben.open('/vehicles/100200')
  for (const sum of ['$230.25', '$140.10', '$100.00']) expect(page.text).toContain(sum)
  expect((await ben.get('/vehicles/999999/costs')).status).toBe(404)
})
