import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { bulkChanges } from '../../db/schema'
import { testContext } from '../support/context'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const move = async (unit_number: string, more: object = {}) =>
  (
    (
      await h.cast.ben.post('/transports', {
        unit_number,
        location_out_id: h.cast.phoenix,
        location_in_id: h.cast.tempe,
        transport_company_id: h.cast.desert,
        move_date: '2026-03-01',
        ...more,
      })
    ).body.data as { id: number }
  ).id
const scan = (unit: string, as: string, more: object = {}) => h.cast.ben.post('/scan', { unit, as, ...more })
const transport = async (id: number) => (await h.cast.ben.get(`/transports/${id}`)).body.data

test('a scan delivers the transport under way on the given date and can be undone', async () => {
  const id = await move('100200')
  const { status, body } = await scan('100200', 'delivered', { on: '2026-03-12' })
  expect([status, body.data]).toMatchObject([
    201,
    { as: 'delivered', entity: 'transports', record_id: id, unit_number: '100200' },
  ])
  expect(await transport(id)).toMatchObject({ status: 'Delivered', actual_arrival_date: '2026-03-12' })
  await h.cast.ben.post(`/bulk/${(body.data as { id: number }).id}/undo`)
  expect(await transport(id)).toMatchObject({ status: 'Awaiting Pickup', actual_arrival_date: null })
  const ahead = await scan('100200', 'delivered', { on: '2026-03-15' })
  expect([ahead.status, ahead.body.errors]).toEqual([
    422,
    [{ field: 'on', message: 'The date must not be after today' }],
  ])
  await scan('100200', 'delivered')
  expect(await transport(id)).toMatchObject({ actual_arrival_date: '2026-03-14' })
})

test('a scan picks the transport in transit, or else the earliest one', async () => {
  const [early, moving] = [
    await move('100200'),
    await move('100200', { move_date: '2026-03-05', status: 'In Transit' }),
  ]
  const scanned = async () => {
    const { record_id, text } = (await scan('100200', 'delivered')).body.data as { record_id: number; text: string }
    return [record_id, text]
  }
  expect([await scanned(), await scanned()]).toEqual([
    [moving, 'Phoenix → Tempe, move date 03/05/2026; the first of 2 transports under way'],
    [early, 'Phoenix → Tempe, move date 03/01/2026'],
  ])
})

test('a scan receives papers or transfers a title by unit number, VIN, VIN ending or plate', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  const registration = {
    unit_number: '100200',
    location_id: h.cast.phoenix,
    plate_number: 'CDA4821',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2026-12-31',
  }
  await h.cast.ben.post('/registrations', registration)
  await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix, submitted_date: '2026-03-01' })
  expect((await scan('1HGCM82633A004352', 'received')).status).toBe(201)
  expect((await h.cast.ben.get('/registrations/1')).body.data).toMatchObject({ received: true })
  await h.cast.ben.patch('/registrations/1/toggle-received', { received: false })
  expect((await scan('cda-4821', 'received')).status).toBe(201)
  expect((await h.cast.ben.get('/registrations/1')).body.data).toMatchObject({ received: true })
  expect((await scan('A004352', 'transferred', { on: '2026-03-10' })).status).toBe(201)
  expect((await h.cast.ben.get('/titles/1')).body.data).toMatchObject({ transferred_date: '2026-03-10' })
})

test('a rejected scan names the reason at its field', async () => {
  await move('100200')
  const refused = async (unit: string, as: string, more: object = {}) => {
    const { status, body } = await scan(unit, as, more)
    return [status, body.errors?.[0]?.field, body.errors?.[0]?.message]
  }
  expect(await refused('100200', 'received')).toEqual([422, 'unit', 'Unit 100200 has no papers outstanding'])
  expect(await refused('100200', 'transferred')).toEqual([422, 'unit', 'Unit 100200 has no title pending'])
  expect(await refused('999999', 'delivered')).toEqual([422, 'unit', 'No vehicle found for 999999'])
  expect(await refused('XYZ99', 'delivered')).toEqual([422, 'unit', 'No vehicle found for XYZ99'])
  expect(await refused('', 'delivered')).toEqual([422, 'unit', 'Scan or type a unit number, VIN or plate'])
  expect((await refused('100200', 'sold')).slice(0, 2)).toEqual([422, 'as'])
  expect(await refused('100200', 'delivered', { on: '2026-02-01' })).toEqual([
    422,
    'on',
    'Unit 100200: The arrival date is before the move date',
  ])
})

test('the page keeps the action and date, shows the result, and keeps a rejected unit', async () => {
  await move('100200')
  const first = await h.cast.ben.submit('/scan', { unit: '100200', as: 'delivered', on: '2026-03-12' })
  expect([first.location, first.toast]).toEqual([
    '/scan?as=delivered&on=2026-03-12',
    'Unit 100200 is delivered: Phoenix → Tempe, move date 03/01/2026',
  ])
  const page = await h.cast.ben.open(String(first.location))
  expect(page.find('.recent tbody tr')).toEqual(['100200DeliveredPhoenix → Tempe, move date 03/01/2026Undo'])
  expect(page.html).toContain('value="2026-03-12"')
  expect((await h.cast.ada.open('/scan')).find('.recent')).toEqual([])
  const again = await h.cast.ben.submit('/scan', { unit: '100200', as: 'delivered', on: '2026-03-12' })
  expect([again.status, again.find('.field-error')]).toEqual([422, ['Unit 100200 has no transport under way']])
  expect(again.html).toContain('value="100200"')
  await h.cast.ben.submit(String(first.undo), {})
  expect((await h.cast.ben.open('/scan')).find('.recent')).toEqual([])
})

test('a scan transfers the longest pending title and receives the latest papers', async () => {
  const title = async (submitted_date: string) =>
    (
      (await h.cast.ben.post('/titles', { unit_number: '100200', location_id: h.cast.phoenix, submitted_date })).body
        .data as { id: number }
    ).id
  const plate = async (date_expires: string) =>
    (
      (
        await h.cast.ben.post('/registrations', {
          unit_number: '100200',
          location_id: h.cast.phoenix,
          plate_number: 'CDA4821',
          state_province: 'AZ',
          date_issued: '2026-01-01',
          date_expires,
        })
      ).body.data as { id: number }
    ).id
  const titles = [await title('2026-03-02'), await title('2026-03-01'), await title('2026-03-03')]
  const plates = [await plate('2026-11-30'), await plate('2027-01-31'), await plate('2026-12-31')]
  const scanned = async (as: string) => ((await scan('100200', as)).body.data as { record_id: number }).record_id
  expect([await scanned('transferred'), await scanned('transferred')]).toEqual([titles[1], titles[0]] as number[])
  expect([await scanned('received'), await scanned('received')]).toEqual([plates[1], plates[2]] as number[])
})

test('on equal dates, a scan picks the first transport and title and the last papers', async () => {
  const plate = {
    unit_number: '100200',
    location_id: h.cast.phoenix,
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2026-12-31',
  }
  const title = { unit_number: '100200', location_id: h.cast.phoenix, submitted_date: '2026-03-01' }
  const ids = [await move('100200', { move_date: '2026-03-02' }), await move('100200'), await move('100200')]
  for (const plate_number of ['A1', 'A2']) await h.cast.ben.post('/registrations', { ...plate, plate_number })
  for (let n = 0; n < 2; n++) await h.cast.ben.post('/titles', title)
  const scanned = async (as: string) => ((await scan('100200', as)).body.data as { record_id: number }).record_id
  expect([await scanned('delivered'), await scanned('delivered'), await scanned('delivered')]).toEqual([
    ids[1],
    ids[2],
    ids[0],
  ] as number[])
  expect([await scanned('received'), await scanned('transferred')]).toEqual([2, 1])
})

test('an ambiguous VIN ending and unknown units or VINs are rejected', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  await h.cast.ben.post('/vehicles', { unit_number: '100201', vin: '2HGCM82633A004352' })
  const message = async (unit: string) => (await scan(unit, 'delivered')).body.errors?.[0]?.message
  expect(await message('A004352')).toBe('A004352 matches several units: 100200, 100201')
  expect(await message('1HGCM82633A004352')).toBe('Unit 100200 has no transport under way')
  expect(await message('1HGCM82633A0043521')).toBe('No vehicle found for 1HGCM82633A0043521')
  expect(await message('1'.repeat(41))).toBe('At most 40 characters')
})

test('the page shows the last 15 single scans of the user, newest first', async () => {
  for (let n = 0; n < 17; n++) await move(String(100_200 + n))
  const change = (created_by: string, items: number[], kind = 'transports', is_scan = true) => ({
    kind,
    created_by,
    is_scan,
    items: items.map((id) => ({ id, before: {}, after: {} })) as never,
  })
  const scans = Array.from({ length: 17 }, (_, at) => change('ben', [at + 1]))
  await h.ctx.db
    .insert(bulkChanges)
    .values([...scans, change('ben', [2, 3]), change('ada', [4]), change('ben', [5], 'titles')])
  await h.ctx.db.insert(bulkChanges).values([change('ben', [6], 'transports', false)])
  const units = async () => (await h.cast.ben.open('/scan')).find('.recent tbody td:first-child')
  const latest = Array.from({ length: 15 }, (_, at) => String(100_216 - at))
  expect(await units()).toEqual(latest)
  // The page looks only at the last 500 bulk edits of all users.
  await h.ctx.db.insert(bulkChanges).values(Array.from({ length: 492 }, () => change('ada', [1])))
  expect(await units()).toEqual(latest.slice(0, 4))
  await h.ctx.db.update(bulkChanges).set({ undone_at: h.clock.now() }).where(eq(bulkChanges.id, 17))
  expect(await units()).toEqual(latest.slice(1, 4))
})
