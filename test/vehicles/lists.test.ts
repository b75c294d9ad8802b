import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hasRightCheckDigit } from '../../src/features/vehicles/rules'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const VIN = '1HGCM82633A004352'
type Vehicle = { id: number; unit_number: string; version: number }
const add = async (unit_number: string, more: object = {}) =>
  (await h.cast.ben.post('/vehicles', { unit_number, ...more })).body.data as Vehicle
const units = async (path: string) =>
  ((await h.cast.ben.get(path)).body.data as Vehicle[]).map(({ unit_number }) => unit_number)

test('vehicles can be sorted, filtered and searched, with ties in insertion order', async () => {
  await add('100003', { current_status: 'Rented', current_location: 'Tempe', model_year: 2020, vin: VIN })
  await add('100001', { current_status: 'Rented', current_location: 'Mesa', model_year: 2021 })
  await add('100002', { current_status: 'Available', current_location: 'Mesa', model_year: 2020 })
  for (const [query, found] of Object.entries({
    '': ['100001', '100002', '100003'],
    'order=desc': ['100003', '100002', '100001'],
    'sort=model_year': ['100003', '100002', '100001'],
    'sort=model_year&order=desc': ['100001', '100003', '100002'],
    'sort=current_location': ['100001', '100002', '100003'],
    'current_status=Rented': ['100001', '100003'],
    'current_location=Mesa': ['100001', '100002'],
    'current_status=Rented&current_location=Mesa': ['100001'],
    'q=esa': ['100001', '100002'],
    'q=1HGCM': ['100003'],
    'q=352': ['100003'],
    'q=00001': [],
    'per_page=1&page=2': ['100002'],
  }))
    expect([query, await units(`/vehicles?${query}`)]).toEqual([query, found])
  const search = '/vehicles/search?q=1000'
  expect([await units(search), await units(`${search}&order=desc&per_page=2`)]).toEqual([
    ['100001', '100002', '100003'],
    ['100003', '100002'],
  ])
  expect((await h.cast.ben.get('/vehicles/search')).status).toBe(422)
})

test('a bulk lookup matches whole numbers, and VIN endings of four or more characters', async () => {
  await add('100002', { vin: VIN })
  await add('100001', { vin: '1M8GDM9AXKP042788' })
  await add('100003')
  const look = async (...numbers: string[]) => {
    const { data } = (await h.cast.ben.post('/vehicles/lookup', { numbers })).body as never as {
      data: { found: Vehicle[]; not_found: string[] }
    }
    return [data.found.map(({ unit_number }) => unit_number), data.not_found]
  }
  expect(await look('100-003', '4352', '2788')).toEqual([['100001', '100002', '100003'], []])
  expect(await look('352', 'x_%y', '04352', '1HGCM82633A00435')).toEqual([
    ['100002'],
    ['352', 'x_%y', '1HGCM82633A00435'],
  ])
  expect(await look('1', '100003')).toEqual([['100003'], ['1']])
  const status = async (numbers: unknown) => (await h.cast.ben.post('/vehicles/lookup', { numbers })).status
  expect([
    await status(Array(200).fill('100003')),
    await status(Array(201).fill('100003')),
    await status(['x'.repeat(50)]),
    await status(['x'.repeat(51)]),
    await status(['']),
    await status('100003'),
  ]).toEqual([200, 422, 200, 422, 422, 422])
})

test('posting a vehicle again updates it, and unchanged values cause no warning', async () => {
  const postVehicle = async (body: object) => {
    const { status, body: answer } = await h.cast.ben.post('/vehicles', { unit_number: '100001', ...body })
    return [status, ((answer.warnings ?? []) as { message: string }[]).map(({ message }) => message)]
  }
  const odd = '1HGCM82643A004352'
  const wrong = `VIN ${odd}: the check digit is wrong. Compare the VIN with the vehicle.`
  expect(await postVehicle({ vin: odd, current_mileage: 1000 })).toEqual([201, [wrong]])
  expect(await postVehicle({ vin: odd, current_mileage: 1000 })).toEqual([200, []])
  expect(await postVehicle({ current_mileage: 999 })).toEqual([200, ['999 is less than the earlier reading of 1,000']])
  expect(await postVehicle({ current_mileage: 0 })).toEqual([200, ['0 is less than the earlier reading of 999']])
  expect(await postVehicle({ vin: VIN, current_mileage: null })).toEqual([200, []])
  expect(await postVehicle({ current_mileage: 5 })).toEqual([200, []])
  expect(await postVehicle({ version: 1 })).toEqual([200, []])
  expect(await postVehicle({ version: 1, current_mileage: 6 })).toEqual([409, []])
  expect(
    (await h.cast.ben.post('/vehicles', { unit_number: '100001', version: 1, current_mileage: 7 })).body.message,
  ).toBe('This record has changed since you opened it')
  for (const change of [
    { current_status: 'x'.repeat(51) },
    { current_location: 'x'.repeat(101) },
    { model_year: 2201 },
  ])
    expect((await postVehicle(change))[0]).toBe(422)
  expect(
    await postVehicle({ current_status: 'x'.repeat(50), current_location: 'x'.repeat(100), model_year: 2200 }),
  ).toEqual([200, []])
  const { id } = (await h.cast.ben.get('/vehicles/unit/100001')).body.data as Vehicle
  const patch = async (change: object) => (await h.cast.ben.patch(`/vehicles/${id}/status`, change)).status
  expect([
    await patch({ status: 'x'.repeat(50), location: 'x'.repeat(100) }),
    await patch({ status: 'x'.repeat(51) }),
    await patch({ location: 'x'.repeat(101) }),
    await patch({ status: 'Rented', version: 1 }),
  ]).toEqual([200, 422, 422, 409])
  expect((await h.cast.ben.get('/vehicles')).body.meta?.total).toBe(1)
})

test('a check digit can be X and must match the other characters', () => {
  const [right, wrong] = ['1M8GDM9AXKP042788', '1M8GDM9A1KP042788']
  expect([hasRightCheckDigit(right), hasRightCheckDigit(wrong)]).toEqual([true, false])
})

describe('the lookup page', () => {
  test('opens a single match, lists several, and reports no match', async () => {
    await add('100001', { vin: VIN })
    await add('100002', { vin: '1M8GDM9AXKP042788' })
    const open = async (q: string) => {
      const page = await h.cast.ben.open(`/vehicles/lookup?q=${encodeURIComponent(q)}`)
      return [
        page.status,
        page.find('[role=alert]'),
        page.find('.panel h2')[0] ?? null,
        page.find('tbody td:first-child'),
      ]
    }
    expect((await open(VIN)).slice(0, 3)).toEqual([200, [], 'Unit 100001'])
    expect((await open('042788')).slice(0, 3)).toEqual([200, [], 'Unit 100002'])
    expect(await open('1000')).toEqual([200, [], '2 vehicles match', ['100001', '100002']])
    expect((await open('2HGCM82633A004352')).slice(0, 2)).toEqual([404, ['Vehicle not found']])
    expect((await open('999999')).slice(0, 2)).toEqual([404, ['Vehicle not found']])
    expect(await open(' ')).toEqual([200, [], null, []])
    expect((await open(`100001${' '.repeat(60)}x`)).slice(0, 3)).toEqual([200, [], 'Unit 100001'])
  })

  test('prefers an exact unit number or VIN to partial matches', async () => {
    await add('100001', { vin: VIN })
    await add('100002', { vin: '1M8GDM9AXKP100001' })
    const sent = await h.cast.ben.post('/transports', {
      unit_number: '100002',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-01',
      po_number: VIN,
    })
    expect(sent.status).toBe(201)
    const open = async (q: string) => (await h.cast.ben.open(`/vehicles/lookup?q=${q}`)).find('.panel h2')[0]
    expect([await open('100001'), await open(VIN), await open(VIN.toLowerCase())]).toEqual(Array(3).fill('Unit 100001'))
    expect(await open(VIN.slice(0, 16))).toBe('2 vehicles match')
    // The lookup uses the first 50 characters, the longest possible PO number.
    await h.cast.ben.put('/transports/1', { po_number: 'P'.repeat(50) })
    expect([await open('P'.repeat(50)), await open('P'.repeat(51))]).toEqual(Array(2).fill('Unit 100002'))
  })

  test('lists at most 100 vehicles by unit number and shows the total', async () => {
    await h.ctx.db.execute(
      sql`insert into vehicles (unit_number) select (300000 + 101 - n)::text from generate_series(1, 101) n`,
    )
    const page = await h.cast.ben.open('/vehicles/lookup?q=300')
    expect(page.find('tbody td:first-child')).toEqual(Array.from({ length: 100 }, (_, at) => String(300_000 + at)))
    expect(page.find('.panel h2')[0]).toBe('The first 100 of 101 matching vehicles. Refine your search')
  })
})

test('the vehicle form shows whether it adds or edits', async () => {
  await add('100001')
  const words = async (path: string) => {
    const page = await h.cast.ben.open(path)
    return [page.find('h1')[0], page.find('form.form button[type=submit]').at(-1)]
  }
  expect([await words('/vehicles/new'), await words('/vehicles/100001/edit')]).toEqual([
    [expect.any(String), 'Add vehicle'],
    ['Edit unit 100001', 'Save changes'],
  ])
})

describe('the state of a vehicle', () => {
  const move = (more: object = {}) => ({
    unit_number: '100001',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-01',
    ...more,
  })
  const osl = (more: object = {}) => ({
    unit_number: '100001',
    osl_date: '2026-03-01',
    location_id: h.cast.mesa,
    problem: 'Transmission slips in third gear',
    ...more,
  })
  const now = async () => {
    const { data } = (await h.cast.ben.get('/vehicles/unit/100001')).body as never as { data: Record<string, unknown> }
    return [data.current_status, data.current_location, data.current_mileage, data.model_year]
  }
  const id = async (path: string, body: object) => ((await h.cast.ben.post(path, body)).body.data as Vehicle).id

  test('follows records in status, location, mileage and model year independently', async () => {
    const first = await id('/transports', move())
    expect(await now()).toEqual(['Available', null, null, null])
    await h.cast.ben.put(`/transports/${first}`, { status: 'In Transit' })
    expect(await now()).toEqual(['In Transit', null, null, null])
    await h.cast.ben.put(`/transports/${first}`, { mileage: 500 })
    expect(await now()).toEqual(['In Transit', null, 500, null])
    await h.cast.ben.put(`/transports/${first}`, { mileage: 400 })
    expect(await now()).toEqual(['In Transit', null, 400, null])
    await h.cast.ben.put(`/transports/${first}`, { status: 'Delivered', actual_arrival_date: '2026-03-02' })
    expect(await now()).toEqual(['Available', 'Tempe', 400, null])
    const entry = await id('/osl', osl({ osl_date: '2026-03-02', osl_mileage: 400, model_year: 2020 }))
    // If both have the same day, the transport decides the location.
    expect(await now()).toEqual(['Out of Service', 'Tempe', 400, 2020])
    await h.cast.ben.put(`/osl/${entry}`, { osl_date: '2026-03-03', model_year: 2021, osl_mileage: 401 })
    expect(await now()).toEqual(['Out of Service', 'Mesa', 401, 2020])
    await h.cast.ben.patch(`/osl/${entry}/status`, { status: 'Completed' })
    expect(await now()).toEqual(['Available', 'Mesa', 401, 2020])
    await h.cast.ben.put(`/osl/${entry}`, { osl_mileage: null })
    expect(await now()).toEqual(['Available', 'Mesa', 400, 2020])
    await h.cast.ben.delete(`/osl/${entry}`)
    expect(await now()).toEqual(['Available', 'Tempe', 400, 2020])
    await h.cast.ben.put(`/transports/${first}`, { move_type: 'Sales' })
    expect(await now()).toEqual(['Sold', 'Tempe', 400, 2020])
  })

  test('follows the newest record, or the last entered of one day', async () => {
    const { phoenix, mesa, tempe } = h.cast
    const delivered = (day: string, location_in_id: number, move_type = 'Fleet') =>
      id('/transports', move({ status: 'Delivered', move_type, location_in_id, actual_arrival_date: day }))
    await delivered('2026-03-05', mesa)
    await delivered('2026-03-04', tempe, 'Sales')
    expect((await now()).slice(0, 2)).toEqual(['Available', 'Mesa'])
    const sold = await delivered('2026-03-05', phoenix, 'Sales')
    expect((await now()).slice(0, 2)).toEqual(['Sold', 'Phoenix'])
    await h.cast.ben.delete(`/transports/${sold}`)
    expect((await now()).slice(0, 2)).toEqual(['Available', 'Mesa'])
    for (const [osl_date, location_id] of [
      ['2026-03-06', tempe],
      ['2026-03-06', phoenix],
      ['2026-03-05', mesa],
    ] as const)
      await id('/osl', osl({ osl_date, location_id, status: 'Completed' }))
    expect((await now()).slice(0, 2)).toEqual(['Available', 'Phoenix'])
  })

  test('changes for both units when a record moves to another unit', async () => {
    const first = await id('/transports', move({ status: 'In Transit', mileage: 500 }))
    await h.cast.ben.put(`/transports/${first}`, { unit_number: '100002' })
    expect(await now()).toEqual(['Available', null, null, null])
    expect((await h.cast.ben.get('/vehicles/unit/100002')).body.data).toMatchObject({
      current_status: 'In Transit',
      current_mileage: 500,
    })
  })

  test('keeps manual values until a record reports something new', async () => {
    const first = await id('/transports', move({ status: 'In Transit', mileage: 500 }))
    await add('100001', {
      current_status: 'Stolen',
      current_location: 'Nogales',
      current_mileage: 700,
      model_year: 1999,
    })
    await h.cast.ben.put(`/transports/${first}`, { notes: 'Called', mileage: 600 })
    expect(await now()).toEqual(['Stolen', 'Nogales', 700, 1999])
    await h.cast.ben.put(`/transports/${first}`, { mileage: 701 })
    expect(await now()).toEqual(['Stolen', 'Nogales', 701, 1999])
    await h.cast.ben.put(`/transports/${first}`, { status: 'Delivered', actual_arrival_date: '2026-03-02' })
    expect(await now()).toEqual(['Available', 'Tempe', 701, 1999])
  })
})

test('the page for several units accepts a repeated parameter', async () => {
  for (const unit_number of ['100001', '100002']) await h.cast.ada.post('/vehicles', { unit_number })
  const { status, text } = await h.cast.ben.open('/vehicles/many?numbers=100001&numbers=100002')
  expect([status, text.includes('100001'), text.includes('100002')]).toEqual([200, true, true])
})
