import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import * as XLSX from 'xlsx'
import { rows } from '../../db/client'
import { uploads } from '../../db/schema'
import { sweepImports } from '../../src/platform/imports/job/discard'
import { testContext } from '../support/context'

const NEW_UNIT = 'Unit number: not in the vehicle list; the import adds the vehicle'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status'
const csv = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`
const move = (unit: string, from = 'Phoenix', date = '2026-03-01') =>
  `${unit},${from},Tempe,${date},Desert Auto Haul,In Transit`
const begin = (content: string | Uint8Array, more: Record<string, unknown> = {}) =>
  h.cast.ben.begin('transports', 'moves.csv', content, more)
const listed = async (id: number, query = '') =>
  (await h.cast.ben.get(`/files/${id}/rows${query}`)).body.data as {
    row: number
    outcome: string
    values: Record<string, string>
    notes: string[]
    message: string | null
  }[]
const count = async (table: string) =>
  (await rows<{ n: number }>(h.ctx.db, sql.raw(`select count(*)::int as n from ${table}`)))[0]?.n
const download = async (path: string) =>
  new Uint8Array(
    await (
      await h.cast.ben.request(`/api/files/${path}`, {
        headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
      })
    ).arrayBuffer(),
  )

describe('a preview', () => {
  test('lists corrections and reasons, and writes nothing', async () => {
    const book = XLSX.utils.book_new()
    const line = (...cells: unknown[]) => cells
    const sheet = XLSX.utils.aoa_to_sheet([
      HEADER.split(','),
      line(1234, ' Phoenix', 'Tempe', '3/4/2026', 'Desert Auto Haul', 'in transit'),
      line('100001', 'Phoenix', 'Tempe', '2026-03-05', 'Desert Auto Haul', 'Delivered'),
      line('100001', 'Phoenix', 'Tempe', '2026-03-05', 'Desert Auto Haul', 'Delivered'),
      line('bad', 'Phoenix', 'Tempe', '2026-03-05', 'Desert Auto Haul', 'Delivered'),
    ])
    XLSX.utils.book_append_sheet(book, sheet)
    const shown = await begin(new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' })))
    expect(shown).toMatchObject({ status: 'refused' })
    const named = await h.cast.ben.begin(
      'transports',
      'moves.xlsx',
      new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' })),
    )
    expect(named).toMatchObject({ status: 'ready', imported: 2, duplicates: 1, failed: 1, updated: 0, row_count: 4 })
    const [first, second, third, fourth] = await listed(named.id)
    expect(first).toMatchObject({
      row: 2,
      outcome: 'create',
      values: { unit_number: '001234', location_out: 'Phoenix', move_date: '2026-03-04', status: 'In Transit' },
    })
    expect(first?.notes).toEqual([
      'Unit number: 1234 was read as 001234',
      'Status: in transit was read as In Transit',
      NEW_UNIT,
    ])
    expect(second).toMatchObject({
      outcome: 'create',
      notes: [
        expect.stringMatching(/^Actual arrival: blank; a stored date stays. Otherwise, the import uses the move date/),
        NEW_UNIT,
      ],
    })
    expect(third).toMatchObject({ outcome: 'duplicate', message: 'Duplicate of row 3' })
    expect(fourth).toMatchObject({
      outcome: 'error',
      message: 'Unit number: 6 digits required',
      values: { unit_number: 'bad' },
    })
    expect(await listed(named.id, '?outcome=error')).toHaveLength(1)
    expect([await count('transports'), await count('vehicles')]).toEqual([0, 0])
    expect((await h.cast.ben.get('/files/history')).body.meta).toMatchObject({ total: 0 })
    expect((await h.cast.ben.get('/files/imports')).body.data).toMatchObject([{ id: named.id }, { status: 'refused' }])
  })

  test('is committed once despite concurrent requests', async () => {
    const { id } = await begin(csv(move('100001'), move('100002')))
    const answers = await Promise.all([1, 2, 3].map(() => h.cast.ben.post(`/files/${id}/commit`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'done', imported: 2 })
    expect(await count('transports')).toBe(2)
  })

  test('lists the rows that were skipped as duplicates', async () => {
    const { id } = await begin(csv(move('100001'), move('100001'), move('100002')))
    await h.cast.ben.post(`/files/${id}/commit`)
    const done = await h.cast.ben.settled(id)
    expect(done).toMatchObject({ imported: 2, duplicates: 1 })
    const { body } = await h.cast.ben.get(`/files/${id}`)
    expect((body.data as unknown as { skipped: object[] }).skipped).toEqual([{ row: 3, message: 'Duplicate of row 2' }])
    expect((await h.cast.ben.open(`/files/imports/${id}`)).text).toContain('Row 3: Duplicate of row 2')
  })

  test('leaves nothing when discarded, and is deleted after a week', async () => {
    const first = await begin(csv(move('100001')))
    expect((await h.cast.ben.post(`/files/${first.id}/cancel`)).status).toBe(200)
    expect((await h.cast.ben.get(`/files/${first.id}`)).status).toBe(404)
    const second = await begin(csv(move('100001')))
    h.clock.set(new Date(h.clock.now().getTime() + 8 * 86_400_000))
    await sweepImports(h.ctx)
    expect([await count('uploads'), await count('upload_rows')]).toEqual([0, 0])
    expect(second.status).toBe('ready')
  })
})

describe('questions about a file', () => {
  test('remember the answers for unknown columns', async () => {
    const header = 'Wagon,Here,There,Day,Who,State of things'
    const file = `${header}\n100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit\n`
    const shown = await begin(file)
    expect(shown).toMatchObject({ status: 'ready', imported: 0 })
    expect(shown.found.missing).toEqual([
      'unit_number',
      'location_out',
      'location_in',
      'move_date',
      'transport_company',
      'status',
    ])
    expect((await h.cast.ben.post(`/files/${shown.id}/commit`)).body.message).toContain('Choose the columns')
    const fields = ['unit_number', 'location_out', 'location_in', 'move_date', 'transport_company', 'status']
    expect((await h.cast.ben.put(`/files/${shown.id}`, { fields: fields.slice(1) })).status).toBe(422)
    expect(
      (await h.cast.ben.put(`/files/${shown.id}`, { fields: fields.map(() => 'status') })).body.errors,
    ).toMatchObject([{ field: 'fields' }])
    expect((await h.cast.ben.put(`/files/${shown.id}`, { fields })).status).toBe(200)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'ready', imported: 1, failed: 0 })
    expect((await h.cast.ben.get('/files/aliases')).body.data).toHaveLength(0)
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    await h.cast.ben.settled(shown.id)
    const later = await h.cast.ben.upload('transports', 'later.csv', file.replace('03-01', '03-02'))
    expect(later.body).toMatchObject({ imported: 1 })
    expect(later.body.validation_errors).toContain('Column "Wagon" was read as Unit number, as in an earlier file')
    const aliases = (await h.cast.ben.get('/files/aliases')).body.data as { id: number; alias: string }[]
    expect(aliases.map(({ alias }) => alias)).toContain('State of things')
    await h.cast.ben.delete(`/files/aliases/${aliases.find(({ alias }) => alias === 'Here')?.id}`)
    expect((await h.cast.ben.upload('transports', 'later.csv', file)).body.message).toBe(
      'Missing required columns: location_out',
    )
  })

  test('remember the answers for unknown names', async () => {
    const file = csv(move('100001', 'Phx Yard'), move('100002', 'phx yard'), move('100003'))
    const shown = await begin(file)
    expect(shown.found.names).toEqual([{ kind: 'location', name: 'Phx Yard', rows: 2 }])
    expect(shown).toMatchObject({ imported: 1, failed: 2 })
    await h.cast.ben.put(`/files/${shown.id}`, { names: [{ kind: 'location', name: 'Phx Yard', id: h.cast.phoenix }] })
    const again = await h.cast.ben.settled(shown.id)
    expect(again).toMatchObject({ status: 'ready', imported: 3, failed: 0 })
    expect((await listed(shown.id))[0]).toMatchObject({
      values: { location_out: 'Phoenix' },
      notes: ['"Phx Yard" stands for Phoenix', NEW_UNIT],
    })
    expect((await h.cast.ben.upload('transports', 'later.csv', csv(move('100009', 'PHX YARD')))).body).toMatchObject({
      imported: 1,
    })
  })

  test('let administrators, but not users, create a missing location', async () => {
    const shown = await begin(csv(move('100001', 'Yuma')))
    const names = [{ kind: 'location', name: 'Yuma', create: true }]
    expect((await h.cast.ben.put(`/files/${shown.id}`, { names })).status).toBe(403)
    expect((await h.cast.ada.put(`/files/${shown.id}`, { names })).status).toBe(200)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ imported: 1, failed: 0 })
    expect((await listed(shown.id))[0]).toMatchObject({ outcome: 'create', values: { location_out: 'Yuma (new)' } })
    const yuma = async () =>
      (await h.cast.ben.get('/locations?q=Yuma')).body.data as unknown as {
        id: number
        location_name: string
        location_type: string
      }[]
    expect(await yuma()).toEqual([])
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'done', imported: 1 })
    const [created] = await yuma()
    expect(created).toMatchObject({ location_name: 'Yuma', location_type: 'Hub' })
    expect((await h.cast.ben.get('/transports')).body.data).toMatchObject([
      { location_out_name: 'Yuma', location_out_id: created?.id },
    ])
    await h.cast.ben.post(`/files/${shown.id}/undo`)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'undone', undo: { removed: 1, kept: [] } })
    expect(await yuma()).toEqual([])
  })

  test('let a name to create be left open again, and discarding creates none', async () => {
    const shown = await begin(csv(move('100001', 'Yuma'), move('100002', 'Yuma')))
    const say = async (name: object) => {
      await h.cast.ada.put(`/files/${shown.id}`, { names: [{ kind: 'location', name: 'Yuma', ...name }] })
      return h.cast.ben.settled(shown.id)
    }
    expect(await say({ create: true })).toMatchObject({ imported: 2, failed: 0 })
    expect(await say({})).toMatchObject({ imported: 0, failed: 2 })
    expect(await say({ create: true })).toMatchObject({ imported: 2, failed: 0 })
    await h.cast.ben.post(`/files/${shown.id}/cancel`)
    expect((await h.cast.ben.get('/locations?q=Yuma')).body.data).toEqual([] as never)
  })

  test('use a location that was added in the meantime', async () => {
    const shown = await begin(csv(move('100001', 'Yuma'), move('100002', 'Kingman')))
    const names = ['Yuma', 'Kingman'].map((name) => ({ kind: 'location', name, create: true }))
    await h.cast.ada.put(`/files/${shown.id}`, { names })
    await h.cast.ben.settled(shown.id)
    await h.cast.ada.post('/locations', { location_code: 'YUM', location_name: 'Yuma', location_type: 'Tow' })
    await h.cast.ada.post('/locations', {
      location_code: 'Kingman 2',
      location_name: 'Elsewhere',
      location_type: 'Tow',
    })
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    expect(await h.cast.ben.settled(shown.id)).toMatchObject({ status: 'done', imported: 2 })
    const found = (await h.cast.ben.get('/locations?q=')).body.data as unknown as {
      location_name: string
      location_code: string
    }[]
    expect(
      found
        .filter(({ location_name }) => ['Yuma', 'Kingman'].includes(location_name))
        .map(({ location_code }) => location_code),
    ).toEqual(['Kingman', 'YUM'])
    // `Kingman 2` is the code of the location Elsewhere, so it is a known name.
    const again = await begin(csv(move('100003', 'Kingman 2')))
    expect(again.found.names).toEqual([])
  })

  test('ask for the date order unless one date is unambiguous', async () => {
    const unclear = await begin(
      csv(
        move('100001', 'Phoenix', '3/4/2026'),
        move('100002', 'Phoenix', '5/6/2026'),
        move('100003', 'Phoenix', '7/7/2026'),
      ),
    )
    expect(unclear.found.dates).toEqual([
      { field: 'move_date', samples: ['3/4/2026', '5/6/2026'], rows: 2, is_contradicted: false },
    ])
    await h.cast.ben.put(`/files/${unclear.id}`, { date_orders: { move_date: 'day' } })
    await h.cast.ben.settled(unclear.id)
    expect((await listed(unclear.id)).map(({ values }) => values.move_date)).toEqual([
      '2026-04-03',
      '2026-06-05',
      '2026-07-07',
    ])
    const clear = await begin(csv(move('100001', 'Phoenix', '3/4/2026'), move('100002', 'Phoenix', '3/25/2026')))
    expect(clear.found.dates).toEqual([])
  })
})

describe('existing records', () => {
  const file =
    `${HEADER},final_cost,ra_number,move_type,estimated_arrival_date\n` +
    `100001,Phoenix,Tempe,2026-03-01,Desert ` +
    `Auto Haul,Delivered,361.25,,,2026-03-05\n`

  test('are updated on request, and blank cells keep stored values', async () => {
    await h.cast.ben.upload(
      'transports',
      'a.csv',
      `${HEADER},final_cost,ra_number,move_type\n100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In ` +
        `Transit,10,RA7,Sales\n`,
    )
    const shown = await begin(file, { existing: 'update' })
    expect(shown).toMatchObject({ imported: 0, updated: 1, duplicates: 0 })
    expect((await listed(shown.id))[0]?.message).toBe(
      'status In Transit becomes Delivered; estimated arrival date blank becomes 03/05/2026; final cost ' +
        '10.00 becomes 361.25',
    )
    await h.cast.ben.post(`/files/${shown.id}/commit`)
    await h.cast.ben.settled(shown.id)
    const [record] = (await h.cast.ben.get('/transports')).body.data as Record<string, unknown>[]
    expect(record).toMatchObject({
      status: 'Delivered',
      // The move date, as for any row that is delivered without an arrival date.
      actual_arrival_date: '2026-03-01',
      final_cost: 361.25,
      ra_number: 'RA7',
      move_type: 'Sales',
      version: 2,
    })
    const again = await h.cast.ben.upload('transports', 'a.csv', file)
    expect(again.body).toMatchObject({ imported: 0, duplicates: 1, message: '0 records imported, 1 duplicate skipped' })
    const trail = (await h.cast.ada.get('/audit?entity=transports')).body.data as { action: string; changes: object }[]
    expect(trail.map(({ action }) => action)).toEqual(['update', 'create'])
    expect(Object.keys(trail[0]?.changes ?? {}).sort()).toEqual([
      'actual_arrival_date',
      'estimated_arrival_date',
      'final_cost',
      'status',
    ])
  })
})

describe('downloads of an import', () => {
  test('include a workbook of failed rows that can be fixed and imported again', async () => {
    const first = await h.cast.ben.upload(
      'transports',
      'moves.csv',
      `${HEADER},mileage,remark\n${move('100001')},10,a\n${move('x1')},"1,5x",b\n${move('100003', 'Nowhere')},,=c\n`,
    )
    expect(first.body).toMatchObject({ imported: 1, failed: 2 })
    const { id } = first.body.data as { id: number }
    const book = XLSX.read(await download(`${id}/failed.xlsx`))
    const sheet = Object.values(book.Sheets)[0] as XLSX.WorkSheet
    const lines = XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 })
    expect(lines[0]).toEqual([...HEADER.split(','), 'mileage', 'remark', 'Row', 'Reason'])
    expect(lines.slice(1).map((line) => [line[0], line[7], line[8]])).toEqual([
      ['x1', 'b', 3],
      ['100003', '=c', 4],
    ] as never)
    ;(lines[1] as unknown[])[0] = '100002'
    ;(lines[1] as unknown[])[6] = '15'
    ;(lines[2] as unknown[])[1] = 'Mesa'
    const mended = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(mended, XLSX.utils.aoa_to_sheet(lines))
    const second = await h.cast.ben.upload(
      'transports',
      'mended.xlsx',
      new Uint8Array(XLSX.write(mended, { type: 'array', bookType: 'xlsx' })),
    )
    expect(second.body).toMatchObject({
      imported: 2,
      failed: 0,
      duplicates: 0,
      validation_errors: ['Column "remark" was read as Notes'],
    })
  })

  test('include the original file under its own name', async () => {
    const content = csv(move('100001'))
    const { body } = await h.cast.ben.upload('transports', "Máy 1's.csv", content)
    const { id } = body.data as { id: number }
    expect(new TextDecoder().decode(await download(`${id}/original`))).toBe(content)
    const answer = await h.cast.ben.request(`/api/files/${id}/original`, {
      headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
    })
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="M_y 1_s.csv"; filename*=UTF-8''M%C3%A1y%201%27s.csv`,
    )
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    await h.ctx.db.update(uploads).set({ stored_as: null })
    expect((await h.cast.ben.get(`/files/${id}/original`)).status).toBe(404)
  })
})

test('a preview shows warnings for unusual values', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '150001', current_mileage: 61_913 })
  const header = 'unit_number,osl_date,location,problem,osl_mileage'
  const row = (unit: string, day: string, mileage = '') => `${unit},${day},Phoenix,Windshield is cracked,${mileage}`
  const text = [
    header,
    row('150001', '2026-03-10', '61912'),
    row('150001', '2026-03-11', '61913'),
    row('150002', '2025-03-13'),
    row('150003', '2026-03-15'),
    row('150004', '2026-03-14'),
  ].join('\n')
  const shown = await h.cast.ben.begin('osl', 'odd.csv', text)
  expect((await listed(shown.id)).map(({ notes }) => notes)).toEqual([
    ['Mileage: 61,912 is less than the earlier reading of 61,913; the mileage of the vehicle does not change'],
    ['Unit number: row 2 is another open record of this unit'],
    ['OSL date: 03/13/2025 is more than a year ago', NEW_UNIT],
    ['OSL date: 03/15/2026 is after today', NEW_UNIT],
    [NEW_UNIT],
  ] as never)
})

test('wrong date order and missing names are errors of their row and column', async () => {
  const text = [
    'unit_number,location_out,location_in,move_date,transport_company,status,actual_arrival_date',
    '150001,Phoenix,Tempe,2026-03-10,Desert Auto Haul,Delivered,2026-03-09',
    '150002,,,2026-03-10,,In Transit,',
    // Arrived before the planned move date, which is in the future.
    '150003,Phoenix,Tempe,2026-03-16,Desert Auto Haul,Delivered,2026-03-14',
  ].join('\n')
  const { body } = await h.cast.ben.upload('transports', 'order.csv', text)
  expect(body).toMatchObject({
    imported: 1,
    errors: [
      { row: 2, message: 'Actual arrival date: The arrival date is before the move date' },
      { row: 3, message: 'Location out is required; Location in is required; Transport company is required' },
    ],
  })
})
