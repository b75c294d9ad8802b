import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { recordReadings } from '../../src/features/vehicles/readings'
import { commandWrite } from '../../src/platform/records/transactions'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
  for (const unit_number of ['100001', '100002']) await h.cast.ben.post('/vehicles', { unit_number })
})

type Result = { accepted: number; ignored: number; errors: { index: number; message: string }[] }
const send = async (...readings: unknown[]) => {
  const { status, body } = await h.cast.ben.post('/vehicles/readings', { readings })
  expect([status, body.message]).toEqual([200, undefined])
  return body.data as Result
}
const vehicle = async (unit = '100001') =>
  (await h.cast.ben.get(`/vehicles/unit/${unit}`)).body.data as {
    current_mileage: number | null
    current_location: string | null
    version: number
  }
const at = (hour: number, rest = {}) => ({
  unit_number: '100001',
  at: `2026-03-10T${String(hour).padStart(2, '0')}:00:00Z`,
  ...rest,
})

describe('Telematics readings', () => {
  test('raise the mileage, and never lower it', async () => {
    expect(await send(at(8, { mileage: 1000 }))).toEqual({ accepted: 1, ignored: 0, errors: [] })
    expect((await vehicle()).current_mileage).toBe(1000)
    expect(await send(at(10, { mileage: 900 }), at(9, { mileage: 1200 }))).toEqual({
      accepted: 1,
      ignored: 1,
      errors: [],
    })
    // Received late, and older than the others.
    expect(await send(at(7, { mileage: 500 }))).toEqual({ accepted: 1, ignored: 0, errors: [] })
    expect((await vehicle()).current_mileage).toBe(1200)
    const { data, meta } = (await h.cast.ben.get('/vehicles/100001/readings')).body
    expect((data as { mileage: number; is_ignored: boolean }[]).map((one) => [one.mileage, one.is_ignored])).toEqual([
      [900, true],
      [1200, false],
      [1000, false],
      [500, false],
    ])
    expect(meta?.total).toBe(4)
  })

  test('stop counting once an older and higher reading arrives', async () => {
    await send(at(10, { mileage: 1000 }))
    expect(await send(at(8, { mileage: 1500 }))).toEqual({ accepted: 1, ignored: 0, errors: [] })
    expect((await vehicle()).current_mileage).toBe(1500)
    const { data } = (await h.cast.ben.get('/vehicles/100001/readings?order=asc')).body
    expect((data as { is_ignored: boolean }[]).map(({ is_ignored }) => is_ignored)).toEqual([false, true])
  })

  test('below the mileage of an older record are ignored', async () => {
    await h.cast.ben.post('/transports', {
      unit_number: '100001',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-03-01',
      mileage: 5000,
    })
    expect(await send(at(8, { mileage: 4000 }), at(9, { mileage: 5001 }))).toMatchObject({ accepted: 1, ignored: 1 })
    expect((await vehicle()).current_mileage).toBe(5001)
  })

  test('are stored once when they are sent again', async () => {
    const readings = [at(8, { mileage: 1000 }), at(8, { mileage: 1000 }), at(9, { mileage: 1001, location: 'Tempe' })]
    expect(await send(...readings)).toEqual({ accepted: 2, ignored: 1, errors: [] })
    const { version } = await vehicle()
    expect(await send(...readings)).toEqual({ accepted: 0, ignored: 3, errors: [] })
    expect((await vehicle()).version).toBe(version)
  })

  test('of mileage and location at the same time complete each other', async () => {
    expect(await send(at(8, { mileage: 1000 }), at(8, { location: 'Tempe' }))).toMatchObject({
      accepted: 2,
      ignored: 0,
    })
    expect(await send(at(9, { location: 'Mesa' }))).toMatchObject({ accepted: 1 })
    expect(await send(at(9, { mileage: 1100 }), at(9, { mileage: 1200 }))).toMatchObject({ accepted: 1, ignored: 1 })
    const { data } = (await h.cast.ben.get('/vehicles/100001/readings')).body
    expect((data as { mileage: number; location: string }[]).map((one) => [one.mileage, one.location])).toEqual([
      [1100, 'Mesa'],
      [1000, 'Tempe'],
    ])
    expect(await vehicle()).toMatchObject({ current_mileage: 1100, current_location: 'Mesa' })
  })

  test('with impossible times are rejected alone', async () => {
    const { accepted, errors } = await send(
      at(8, { mileage: 1 }),
      at(8, { mileage: 2, at: '0001-01-01T00:00:00+14:00' }),
      at(8, { mileage: 3, at: '0000-01-01T00:00:00Z' }),
      at(8, { mileage: 4, at: '9999-12-31T23:59:59-14:00' }),
    )
    expect([accepted, errors.map(({ index }) => index)]).toEqual([1, [1, 2, 3]])
    for (const time of ['0001-01-01T00:00:00%2B14:00', '9999-12-31T23:59:59-14:00']) {
      const { status, body } = await h.cast.ben.get(`/titles?cursor=&updated_since=${time}`)
      expect([time, status, body.errors?.[0]?.field]).toEqual([time, 422, 'updated_since'])
    }
  })

  test('are rejected alone if their unit has very many later ones', async () => {
    await h.ctx.db.execute(sql`insert into vehicle_readings (unit_number, at, mileage, created_by)
      select '100001', timestamptz '2026-03-01T00:00:00Z' + n * interval '1 second', n, 'ben'
      from generate_series(1, 100002) n`)
    const old = { at: '2026-03-01T00:00:00Z', mileage: 0 }
    const { accepted, errors } = await send(
      at(0, old),
      at(0, { ...old, unit_number: '100002' }),
      at(8, { mileage: 1e6 }),
    )
    const message = 'at: Too old. The units have more than 100000 later readings'
    expect([accepted, errors]).toEqual([2, [{ index: 0, message }]])
    const next = { at: '2026-03-01T00:00:03.500Z', mileage: 3 }
    expect((await send(at(0, next))).accepted).toBe(1)
    // The limit applies to all units of a request together.
    await h.ctx.db.execute(sql`insert into vehicle_readings (unit_number, at, mileage, created_by)
      select '100002', at, mileage, 'ben' from vehicle_readings where unit_number = '100001' and mileage < 100`)
    const both = [at(0, { ...next, at: '2026-03-01T00:00:04.500Z' }), at(0, { ...old, unit_number: '100002' })]
    expect((await send(...both)).errors).toEqual([{ index: 1, message }])
    expect((await send(both[1])).errors).toEqual([])
  })

  test('set the location of the latest one, unless a later record has set another', async () => {
    await send(at(9, { location: 'I-10, exit 160' }), at(8, { location: 'Tempe' }))
    expect((await vehicle()).current_location).toBe('I-10, exit 160')
    await h.cast.ben.post('/osl', {
      unit_number: '100001',
      location_id: h.cast.mesa,
      osl_date: '2026-03-12',
      problem: 'Two flat tires',
    })
    expect((await vehicle()).current_location).toBe('Mesa')
    await send(at(10, { location: 'Tucson' }))
    expect((await vehicle()).current_location).toBe('Mesa')
    await send({ unit_number: '100001', at: '2026-03-13T10:00:00-07:00', location: 'Tucson' })
    expect((await vehicle()).current_location).toBe('Tucson')
  })

  test('are accepted or rejected one by one, by unit or VIN', async () => {
    const vin = '1HGCM82633A004352'
    await h.cast.ben.post('/vehicles', { unit_number: '100002', vin })
    const { accepted, errors } = await send(
      { vin: vin.toLowerCase(), at: '2026-03-10T08:00:00Z', mileage: 7 },
      at(8),
      at(8, { mileage: -1 }),
      { unit_number: '999999', at: '2026-03-10T08:00:00Z', mileage: 7 },
      { at: '2026-03-10T08:00:00Z', mileage: 7 },
      at(8, { mileage: 1, at: '2026-03-10' }),
      at(8, { mileage: 1, at: '2027-03-10T08:00:00Z' }),
      at(8, { mileage: 1, vin }),
      at(8, { milage: 1 }),
      'x',
      null,
    )
    expect([accepted, errors.map(({ index }) => index)]).toEqual([1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
    expect(errors.map(({ message }) => message)).toEqual([
      'mileage: Send a mileage or a location',
      'mileage: Must not be negative',
      'Vehicle not found',
      'unit_number: Send a unit number or a VIN',
      'at: Must be a date and time with a zone, for example 2026-11-23T14:05:00Z',
      'at: Must not be in the future',
      'vin: This VIN belongs to another unit',
      'milage: There is no such field',
      'Must be a telematics reading (a JSON object)',
      'Must be a telematics reading (a JSON object)',
    ])
    expect((await vehicle('100002')).current_mileage).toBe(7)
    for (const readings of [[], 'x', Array(5001).fill(at(8))])
      expect((await h.cast.ben.post('/vehicles/readings', { readings })).status).toBe(422)
    expect((await h.cast.ben.get('/vehicles/999999/readings')).status).toBe(404)
  })

  test('of five thousand fit into one call, with one audit entry per vehicle', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    const readings = Array.from({ length: 5000 }, (_, n) => ({
      unit_number: n % 2 ? '100001' : '100002',
      at: new Date(start + n * 60_000).toISOString(),
      mileage: n,
      location: 'Tempe',
    }))
    expect(await send(...readings)).toEqual({ accepted: 5000, ignored: 0, errors: [] })
    expect([(await vehicle()).current_mileage, (await vehicle('100002')).current_mileage]).toEqual([4999, 4998])
    const history = await h.cast.ben.get('/vehicles/100001/timeline')
    expect((history.body.data as { kind: string }[]).filter(({ kind }) => kind === 'update')).toHaveLength(1)
  })

  test('read each record of their unit once, however many readings a call has', async () => {
    const { db, clock } = h.ctx
    const records = 60
    await db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, transport_company_id,
        move_date, mileage, move_type, status, created_by, updated_by)
      select '100001', (select min(id) from locations), (select max(id) from locations),
        (select min(id) from transport_companies), date '2025-01-01' + n, n, 'Fleet', 'Delivered', 'ben', 'ben'
      from generate_series(1, ${records}) n`)
    const items = Array.from({ length: records }, (_, n) =>
      at(n % 24, { at: `2026-02-${10 + (n % 15)}T00:${n}:00Z`, mileage: n }),
    )
    const read = await db.transaction(async (tx) => {
      await recordReadings(commandWrite(tx, clock), items)
      const [found] = await rows<{ count: number }>(
        tx,
        sql`select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables
          where relname = 'transports'`,
      )
      return found?.count
    })
    expect(read).toBeLessThan(4 * records)
  })

  test('survive changes of records: the mileage falls back to the highest reading', async () => {
    await send(at(8, { mileage: 1000 }))
    const made = await h.cast.ben.post('/osl', {
      unit_number: '100001',
      location_id: h.cast.mesa,
      osl_date: '2026-03-11',
      problem: 'Two flat tires',
      osl_mileage: 90_000,
    })
    const { id } = made.body.data as { id: number }
    expect((await vehicle()).current_mileage).toBe(90_000)
    await h.cast.ben.put(`/osl/${id}`, { osl_mileage: 900 })
    expect((await vehicle()).current_mileage).toBe(1000)
  })
})
