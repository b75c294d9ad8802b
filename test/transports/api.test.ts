import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const move = (more: object = {}) => ({
  unit_number: '100200',
  location_out_id: h.cast.phoenix,
  location_in_id: h.cast.tempe,
  move_date: '2026-03-10',
  transport_company_id: h.cast.desert,
  ...more,
})

const created = async (more: object = {}) =>
  (await h.cast.ben.post('/transports', move(more))).body.data as Record<string, never>

describe('a transport', () => {
  test('is created with defaults and returned with names beside ids', async () => {
    const { status, body } = await h.cast.ben.post(
      '/transports',
      move({ estimated_cost: '$1,250.50', ra_number: '  RA77 ', notes: '   ' }),
    )
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      status: 'Awaiting Pickup',
      move_type: 'Fleet',
      location_out_name: 'Phoenix',
      location_in_name: 'Tempe',
      transport_company_name: 'Desert Auto Haul',
      estimated_cost: 1250.5,
      final_cost: null,
      ra_number: 'RA77',
      notes: null,
      issue_po: false,
      version: 1,
      created_by: 'ben',
    })
  })

  test('creates its vehicle', async () => {
    await created()
    expect(await rows(h.ctx.db, sql`select unit_number, created_by from vehicles`)).toEqual([
      { unit_number: '100200', created_by: 'ben' },
    ])
  })

  test('is rejected with an error for each invalid field', async () => {
    const { status, body } = await h.cast.ben.post('/transports', {
      unit_number: '12345',
      move_date: '2026-02-30',
      final_cost: 1.005,
      ra_number: 'LONGER-THAN-8',
    })
    expect(status).toBe(422)
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { field: 'unit_number', message: '6 digits required' },
        { field: 'location_out_id', message: 'Location out is required' },
        { field: 'move_date', message: 'Must be a date, for example 2026-01-31' },
        { field: 'final_cost', message: 'At most two decimals' },
        { field: 'ra_number', message: 'At most 8 characters' },
      ]),
    )
    expect(JSON.stringify(body)).not.toContain('LONGER')
  })

  test('cannot refer to a location that does not exist', async () => {
    const { status, body } = await h.cast.ben.post('/transports', move({ location_in_id: 999 }))
    expect([status, body.errors]).toEqual([422, [{ field: 'location_in_id', message: 'Choose one from the list' }]])
    expect(await rows(h.ctx.db, sql`select 1 from vehicles`)).toEqual([])
  })

  test('keeps the fields that a PUT leaves out', async () => {
    const { id } = await created({ notes: 'Call ahead', final_cost: 12.3 })
    const { body } = await h.cast.ben.put(`/transports/${id}`, { po_number: 'PO-9' })
    expect(body.data).toMatchObject({ notes: 'Call ahead', final_cost: 12.3, po_number: 'PO-9', version: 2 })
  })

  test('rejects a stale change and writes nothing', async () => {
    const { id } = await created()
    await h.cast.ada.put(`/transports/${id}`, { notes: 'first', version: 1 })
    const { status } = await h.cast.ben.put(`/transports/${id}`, { notes: 'second', version: 1 })
    expect(status).toBe(409)
    expect((await h.cast.ben.get(`/transports/${id}`)).body.data).toMatchObject({ notes: 'first', version: 2 })
  })

  test('accepts exactly one of 40 concurrent changes of the same version', async () => {
    const { id } = await created()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => h.cast.ben.put(`/transports/${id}`, { notes: `clerk ${n}`, version: 1 })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(39)
  })

  test('ignores read-only fields', async () => {
    const data = await created({ id: 77, version: 9, created_by: 'mallory', location_out_name: 'Nowhere' })
    expect(data).toMatchObject({ id: 1, version: 1, created_by: 'ben', location_out_name: 'Phoenix' })
  })

  test('is gone after DELETE', async () => {
    const { id } = await created()
    expect((await h.cast.ben.delete(`/transports/${id}`)).status).toBe(200)
    expect((await h.cast.ben.get(`/transports/${id}`)).status).toBe(404)
  })
})

describe('the transport status', () => {
  test('Delivered sets the arrival date to the business day and moves the vehicle', async () => {
    const { id } = await created()
    h.clock.set(new Date('2026-03-15T02:00:00Z')) // still the 14th in Phoenix
    const { body } = await h.cast.ben.patch(`/transports/${id}/status`, { status: 'Delivered' })
    expect(body.data).toMatchObject({ status: 'Delivered', actual_arrival_date: '2026-03-14' })
    expect(await rows(h.ctx.db, sql`select current_location from vehicles`)).toEqual([{ current_location: 'Tempe' }])
  })

  test('uses the given arrival date, and clears it when the transport is reopened', async () => {
    const { id } = await created()
    const dated = await h.cast.ben.patch(`/transports/${id}/status`, {
      status: 'Delivered',
      actual_arrival_date: '2026-03-12',
    })
    expect(dated.body.data).toMatchObject({ actual_arrival_date: '2026-03-12' })
    const back = await h.cast.ben.patch(`/transports/${id}/status`, { status: 'In Transit' })
    expect(back.body.data).toMatchObject({ status: 'In Transit', actual_arrival_date: null })
  })

  test('rejects an unknown value', async () => {
    const { id } = await created()
    expect((await h.cast.ben.patch(`/transports/${id}/status`, { status: 'Lost' })).status).toBe(422)
  })
})

describe('the transport lists', () => {
  test('separate active from delivered transports, with completed ones filtered by date', async () => {
    await created({ unit_number: '100001' })
    for (const [unit, date] of [
      ['100002', '2026-02-28'],
      ['100003', '2026-03-01'],
      ['100004', '2026-03-31'],
      ['100005', '2026-04-01'],
    ]) {
      await created({ unit_number: unit, move_date: date, status: 'Delivered', final_cost: 10.1 })
    }
    const units = async (path: string) =>
      ((await h.cast.ben.get(path)).body.data as { unit_number: string }[]).map((row) => row.unit_number)
    expect(await units('/transports/active')).toEqual(['100001'])
    expect(await units('/transports/completed?start_date=2026-03-01&end_date=2026-03-31&order=asc')).toEqual([
      '100003',
      '100004',
    ])
    expect(await units('/transports/completed')).toEqual(['100003', '100002']) // the last month through today
    const totals = await h.cast.ben.get('/transports/totals?start_date=2026-03-01&end_date=2026-03-31')
    expect(totals.body.data).toEqual([{ move_type: 'Fleet', count: 2, total_cost: 20.2 }] as never)
  })

  test('support paging, sorting, searching and filtering', async () => {
    for (let n = 1; n <= 7; n++)
      await created({
        unit_number: `10000${n}`,
        move_date: `2026-03-0${n}`,
        move_type: n % 2 ? 'Sales' : 'TA',
        ra_number: n === 3 ? 'RA3' : '',
      })
    const page = await h.cast.ben.get('/transports?per_page=3&page=2&sort=move_date&order=asc')
    expect((page.body.data as { move_date: string }[]).map((row) => row.move_date)).toEqual([
      '2026-03-04',
      '2026-03-05',
      '2026-03-06',
    ])
    expect(page.body.meta).toEqual({ page: 2, per_page: 3, total: 7, pages: 3 })
    expect((await h.cast.ben.get('/transports?move_type=TA')).body.meta).toMatchObject({ total: 3 })
    expect((await h.cast.ben.get('/transports?q=ra3')).body.meta).toMatchObject({ total: 1 })
    expect((await h.cast.ben.get('/transports?q=phoe')).body.meta).toMatchObject({ total: 7 })
    expect((await h.cast.ben.get('/transports?q=%25')).body.meta).toMatchObject({ total: 0 })
    expect((await h.cast.ben.get('/transports?page=0')).status).toBe(422)
    expect((await h.cast.ben.get('/transports?per_page=501')).status).toBe(422)
    expect((await h.cast.ben.get('/transports?sort=password_hash')).status).toBe(422)
  })

  test('return all transports of a vehicle or location, newest move first', async () => {
    await created({ move_date: '2026-03-01' })
    await created({ move_date: '2026-03-05', location_out_id: h.cast.tempe, location_in_id: h.cast.mesa })
    const dates = async (path: string) =>
      ((await h.cast.ben.get(path)).body.data as { move_date: string }[]).map((row) => row.move_date)
    expect(await dates('/transports/vehicle/100200')).toEqual(['2026-03-05', '2026-03-01'])
    expect(await dates(`/transports/location/${h.cast.mesa}`)).toEqual(['2026-03-05'])
  })
})

describe('a listed transport', () => {
  const units = async () => (await h.cast.ben.open('/transports/active')).find('#list tbody tr')
  const sent = (more: object = {}) => ({
    unit_number: '100200',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
    ...more,
  })

  test('reflects its own changes, those of its location, and the new day', async () => {
    await h.cast.ben.post('/transports', sent({ estimated_arrival_date: '2026-03-15' }))
    expect((await units())[0]).toContain('in 1 day')
    await h.cast.ada.put(`/locations/${h.cast.tempe}`, { location_name: 'Tempe East' })
    expect((await units())[0]).toContain('Tempe East')
    await h.cast.ben.put('/transports/1', { estimated_cost: 77 })
    expect((await units())[0]).toContain('$77.00')
    h.clock.set(new Date(h.ctx.clock.now().getTime() + 7 * 3_600_000))
    const before = await units()
    h.clock.set(new Date(h.ctx.clock.now().getTime() + 6 * 3_600_000))
    await h.ctx.db.execute(
      sql`update sessions set last_seen_at = now() + interval '20 years', expires_at = now() + interval '20 years'`,
    )
    expect([before[0]?.includes('in 1 day'), (await units())[0]?.includes('Today')]).toEqual([true, true])
  })

  test('can be filtered by its due date', async () => {
    for (const [unit_number, estimated_arrival_date] of [
      ['100201', '2026-03-13'],
      ['100202', '2026-03-14'],
      ['100203', '2026-03-21'],
      ['100204', '2026-03-22'],
      ['100205', null],
      ['100207', '2026-03-15'],
    ])
      await h.cast.ben.post('/transports', sent({ unit_number, estimated_arrival_date }))
    await h.cast.ben.post(
      '/transports',
      sent({ unit_number: '100206', estimated_arrival_date: '2026-03-13', status: 'Delivered' }),
    )
    const due = async (when: string) =>
      (
        (await h.cast.ben.get(`/transports/active?due=${when}&sort=unit_number&order=asc`)).body.data as {
          unit_number: string
        }[]
      ).map(({ unit_number }) => unit_number)
    expect(await due('late')).toEqual(['100201'])
    expect(await due('today')).toEqual(['100202'])
    expect(await due('week')).toEqual(['100202', '100203', '100207'])
    expect((await h.cast.ben.get('/transports/active?due=never')).status).toBe(422)
  })
})

describe('the completed CSV', () => {
  test('has the specified name and columns, and escapes formulas', async () => {
    await h.cast.ada.post('/locations', { location_code: 'EVIL', location_name: '=1+2', location_type: 'Hub' })
    await created({
      unit_number: '100001',
      status: 'Delivered',
      location_in_id: 4,
      final_cost: 1250.5,
      ra_number: '-5',
    })
    const { body, headers } = await h.cast.ben.get(
      '/transports/completed?start_date=2026-03-01&end_date=2026-03-31&format=csv',
    )
    expect(headers.get('content-disposition')).toBe('attachment; filename="transports_2026-03-01_to_2026-03-31.csv"')
    expect(body.text).toBe(
      'Unit #,RA #,Location Out,Location In,Move Date,Final Cost,Move Type\r\n' +
        "100001,-5,Phoenix,'=1+2,2026-03-10,1250.50,Fleet\r\n",
    )
  })

  test('contains all rows when they exceed one batch', async () => {
    await h.ctx.db.execute(
      sql`insert into vehicles (unit_number) select lpad(n::text, 6, '0') from generate_series(1, 2500) n`,
    )
    await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date,
      transport_company_id, status)
      select lpad(n::text, 6, '0'), 1, 2, date '2026-03-01' + n % 9, 1, 'Delivered' from generate_series(1, 2500) n`)
    const { body } = await h.cast.ben.get('/transports/completed?start_date=2026-03-01&end_date=2026-03-31&format=csv')
    const lines = String(body.text).trim().split('\r\n')
    expect([lines.length, new Set(lines).size]).toEqual([2501, 2501])
  })
})

describe('the audit trail', () => {
  test('has an entry with old and new values for each change and is append-only', async () => {
    const { id } = await created()
    await h.cast.ada.put(`/transports/${id}`, { notes: 'Keys in the box' })
    await h.cast.ada.put(`/transports/${id}`, { notes: 'Keys in the box' }) // nothing changed
    const entries = await rows<{ actor: string; action: string; source: string; changes: object }>(
      h.ctx.db,
      sql`select actor, action, source, changes from audit_entries where entity = 'transports' order by id`,
    )
    expect(entries.map(({ actor, action, source }) => [actor, action, source])).toEqual([
      ['ben', 'create', 'api'],
      ['ada', 'update', 'api'],
    ])
    expect(entries[1]?.changes).toEqual({ notes: { old: null, new: 'Keys in the box' } })
    for (const rewriting of [sql`delete from audit_entries`, sql`update audit_entries set actor = 'nobody'`]) {
      expect(await rows(h.ctx.db, rewriting).catch((error) => error.cause.message)).toBe(
        'audit entries are append-only',
      )
    }
  })
})
