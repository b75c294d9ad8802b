import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hasRightCheckDigit } from '../../src/features/vehicles/rules'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const VIN = '1HGCM82633A004352'

test('posting a vehicle creates it, or updates the given fields of its unit number', async () => {
  const added = await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: VIN.toLowerCase(), model_year: 2003 })
  expect([added.status, added.body.data, added.body.warnings]).toMatchObject([
    201,
    { unit_number: '100200', vin: VIN, model_year: 2003 },
    undefined,
  ] as never)
  const changed = await h.cast.ben.post('/vehicles', { unit_number: '100200', current_mileage: '45,210' })
  expect([changed.status, changed.body.data]).toMatchObject([
    200,
    { id: (added.body.data as { id: number }).id, vin: VIN, model_year: 2003, current_mileage: 45210 },
  ])
})

test('a VIN is valid and unique, and a wrong check digit causes a warning', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: VIN })
  for (const vin of ['1HGCM82633A00435', 'IHGCM82633A004352', '1HGCM82633A00435O'])
    expect((await h.cast.ben.post('/vehicles', { unit_number: '100201', vin })).status).toBe(422)
  expect((await h.cast.ben.post('/vehicles', { unit_number: '100201', vin: VIN })).status).toBe(409)
  const odd = await h.cast.ben.post('/vehicles', { unit_number: '100202', vin: '1HGCM82643A004352' })
  expect([odd.status, (odd.body.warnings as unknown as string[]).length]).toEqual([201, 1])
  expect([
    hasRightCheckDigit(VIN),
    hasRightCheckDigit('11111111111111111'),
    hasRightCheckDigit('1M8GDM9AXKP042788'),
  ]).toEqual([true, true, true])
})

test('a vehicle is found by unit, VIN, search and VIN ending', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: VIN })
  expect((await h.cast.ben.get('/vehicles/unit/100200')).status).toBe(200)
  expect((await h.cast.ben.get(`/vehicles/vin/${VIN}`)).status).toBe(200)
  for (const path of ['/vehicles/unit/999999', '/vehicles/vin/2HGCM82633A004352', '/vehicles/999999/history']) {
    const { status, body } = await h.cast.ben.get(path)
    expect([path, status, body.message]).toEqual([path, 404, 'Vehicle not found'])
  }
  for (const q of ['1002', VIN, '004352', '1hgcm'])
    expect([q, (await h.cast.ben.get(`/vehicles/search?q=${q}`)).body.meta?.total]).toEqual([q, 1])
  expect((await h.cast.ben.get('/vehicles/search?q=zzz')).body.data).toEqual([] as never)
  expect((await h.cast.ben.get('/vehicles?sort=unit_number&order=desc')).body.meta).toMatchObject({ total: 1 })
})

test('status, location and mileage can be updated separately', async () => {
  const { id } = (await h.cast.ben.post('/vehicles', { unit_number: '100200' })).body.data as { id: number }
  expect(
    (await h.cast.ben.patch(`/vehicles/${id}/status`, { status: 'Rented', mileage: 100 })).body.data,
  ).toMatchObject({
    current_status: 'Rented',
    current_mileage: 100,
    current_location: null,
  })
  expect((await h.cast.ben.patch(`/vehicles/${id}/status`, { location: 'Tempe' })).body.data).toMatchObject({
    current_status: 'Rented',
    current_location: 'Tempe',
  })
  expect((await h.cast.ben.patch('/vehicles/999/status', { status: 'x' })).status).toBe(404)
})

async function onRecord() {
  const { ben, phoenix, tempe, desert } = h.cast
  await ben.post('/transports', {
    unit_number: '100200',
    location_out_id: phoenix,
    location_in_id: tempe,
    move_date: '2026-03-10',
    transport_company_id: desert,
  })
  await ben.post('/osl', {
    unit_number: '100200',
    osl_date: '2026-03-01',
    location_id: phoenix,
    problem: 'Windshield cracked on the left',
  })
  await ben.post('/registrations', {
    unit_number: '100200',
    location_id: phoenix,
    plate_number: 'CDA4821',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2026-12-31',
  })
  await ben.post('/titles', { unit_number: '100200', location_id: phoenix })
}

test('the history of a vehicle contains records of every kind', async () => {
  await onRecord()
  const { body } = await h.cast.ben.get('/vehicles/100200/history')
  const history = body.data as Record<string, unknown[]>
  expect(
    Object.fromEntries(Object.entries(history).map(([kind, value]) => [kind, Array.isArray(value) ? value.length : 1])),
  ).toEqual({
    vehicle: 1,
    transports: 1,
    osl_logs: 1,
    registrations: 1,
    titles: 1,
  })
})

test('the history of a vehicle contains the latest 300 records of a kind', async () => {
  await onRecord()
  await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id,
      transport_company_id, move_date, move_type, status)
    select '100200', ${h.cast.phoenix}::int, ${h.cast.tempe}::int, ${h.cast.desert}::int, date '2020-01-01' + n % 365,
      'Fleet', 'In Transit' from generate_series(1, 300) n`)
  const { body } = await h.cast.ben.get('/vehicles/100200/history')
  const { transports } = body.data as { transports: { move_date: string }[] }
  expect([transports.length, transports[0]?.move_date.slice(0, 4)]).toEqual([300, '2026'])
  const { text } = await h.cast.ben.open('/vehicles/100200')
  expect([text.includes('300 or more'), text.includes('Only the latest 200 are shown.')]).toEqual([true, true])
  const all = await h.cast.ben.get('/transports/vehicle/100200')
  expect(all.body.meta).toMatchObject({ total: 301, per_page: 301 })
})

test('the lookup page accepts a unit number, a VIN or a part of either', async () => {
  await onRecord()
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: VIN })
  await h.cast.ben.post('/vehicles', { unit_number: '100201' })
  for (const q of ['100200', VIN, '004352'])
    expect((await h.cast.ben.open(`/vehicles/lookup?q=${q}`)).find('.panel h2')).toEqual([
      'Unit 100200',
      'Costs',
      'Transports',
      'OSL entries',
      'Registrations',
      'Titles',
      'Timeline',
    ])
  expect((await h.cast.ben.open('/vehicles/lookup?q=1002')).find('tbody td:first-child')).toEqual(['100200', '100201'])
  expect((await h.cast.ben.open('/vehicles/lookup?q=%20')).find('[role=alert]')).toEqual([])
  const none = await h.cast.ben.open('/vehicles/lookup?q=999999')
  expect([none.status, none.find('[role=alert]')]).toEqual([404, ['Vehicle not found']])
  expect(
    (await h.cast.ben.submit('/vehicles/100200/edit', { vin: VIN, model_year: '2003', current_mileage: '1,000' }))
      .toast,
  ).toBe('Vehicle updated successfully!')
  expect((await h.cast.ben.submit('/vehicles/100201/edit', { vin: VIN })).find('.field-error')).toEqual([
    'Another vehicle has this VIN',
  ])
})
