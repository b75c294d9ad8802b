import { beforeEach, describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { HEAD, moveLine as move, openOffice } from '../support/office'

/** Spreadsheets of offices: which values are read, and which messages appear for the others. */

let h: Awaited<ReturnType<typeof openOffice>>
beforeEach(async () => {
  h = await openOffice()
})

const upload: typeof h.upload = (...sheet) => h.upload(...sheet)
const records: typeof h.records = (path) => h.records(path)

test('two-digit years get the likeliest century, with a note', async () => {
  const done = await upload(
    'registrations',
    'years.csv',
    'unit_number,location,plate_number,state_province,date_issued,date_expires\n' +
      '810021,Phoenix,TRL1,Arizona,5/1/98,5/1/99\n810022,Phoenix,TRL2,AZ,1/2/68,1/2/70\n' +
      '810023,Phoenix,TRL3,AZ,5/1/98,5/1/27\n',
  )
  expect(done).toMatchObject({ imported: 3, failed: 0 })
  expect(done.validation_errors).toContain('Row 2: date issued 5/1/98 was read as 05/01/1998')
  const { rows } = await import('../../db/client')
  const { sql } = await import('drizzle-orm')
  expect(
    await rows(h.ctx.db, sql`select date_issued::text as i, date_expires::text as e from registrations order by id`),
  ).toEqual([
    { i: '1998-05-01', e: '1999-05-01' },
    { i: '1968-01-02', e: '1970-01-02' },
    { i: '1998-05-01', e: '2027-05-01' },
  ])
})

test('eleven date formats are read as the same day', async () => {
  const dates = [
    '2026-11-03T08:30:00-07:00',
    'Tuesday, November 3, 2026',
    'Tue, Nov 3, 2026',
    'Nov 3rd, 2026',
    '11/3/2026, 8:30:00 AM',
    '11/3/2026 8:30 a.m.',
    '11/3/2026 8:30 AM MST',
    '20261103',
    '03NOV2026',
    '\u200E11/\u200E3/\u200E2026',
    '11/03/2026\u200B',
  ]
  const lines = dates.map((date, at) => move(String(810030 + at), { date }))
  expect(await upload('transports', 'dates.csv', [HEAD, ...lines].join('\n'))).toMatchObject({ imported: 11 })
  expect(new Set((await records('/transports')).map(({ move_date }) => move_date))).toEqual(new Set(['2026-11-03']))
})

test('an unknown status is one question for the whole file, and its answer is remembered', async () => {
  const { ben } = h.cast
  const lines = [move('810200', { status: 'Dropped off' }), move('810201', { status: 'dropped  OFF' }), move('810202')]
  const { id, found } = await ben.begin('transports', 'a.csv', [HEAD, ...lines].join('\n'))
  expect(found).toMatchObject({ words: [{ field: 'status', text: 'Dropped off', rows: 2 }] })
  expect((await ben.open(`/files/imports/${id}`)).find('.questions td strong')).toEqual(['Dropped off'])
  const refused = await ben.put(`/files/${id}`, { words: [{ field: 'status', text: 'Dropped off', value: null }] })
  expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'words'])
  await ben.submit(`/files/imports/${id}/settle`, {
    'word.0': 'Dropped off',
    'list.0': 'status',
    'meaning.0': 'Delivered',
  })
  expect(await ben.settled(id)).toMatchObject({ imported: 3, failed: 0, found: { words: [] } })
  const next = await upload('transports', 'b.csv', [HEAD, move('810203', { status: 'DROPPED OFF' })].join('\n'))
  expect(next).toMatchObject({ imported: 1, failed: 0 })
  expect((await records('/transports')).find(({ unit_number }) => unit_number === '810203')?.status).toBe('Delivered')
  expect((await ben.open('/files/remembered')).text).toContain('Status: Delivered')
})

test('names, statuses and unit numbers match across spacing and Unicode variants', async () => {
  const names = ['Cafe\u0301 Mu\u0308ller', 'O\u2019Brien Yard', 'Phoenix\u200B', 'Mesa - East  Lot']
  const words = ['In\u00A0Transit', 'In  Transit', 'In-Transit', 'in_transit']
  const lines = [
    ...names.map((out, at) => move(String(810100 + at), { out })),
    ...words.map((status, at) => move(String(810110 + at), { status })),
    move('\u200B810118'),
    move('810\u00A0119'),
  ]
  expect(await upload('transports', 'names.csv', [HEAD, ...lines].join('\n'))).toMatchObject({
    imported: 10,
    failed: 0,
  })
})

test('a name that differs from another only in encoding is rejected', async () => {
  for (const company_name of ['Copper\u00A0State', 'Copper State\u200B', ' Copper  State '])
    expect((await h.cast.ada.post('/transport-companies', { company_name })).status).toBe(409)
  const code = { location_code: 'CAF\u200B', location_name: 'Other', location_type: 'Hub' }
  expect((await h.cast.ada.post('/locations', code)).status).toBe(409)
  const variants = ['O\u2019Brien Yard', 'Mesa - East  Lot', 'Cafe\u0301 Mu\u0308ller', 'Phoenix\u200B', '\uFF30hoenix']
  for (const location_name of variants) {
    const values = { location_code: 'TWIN', location_name, location_type: 'Hub' }
    const { status, body } = await h.cast.ada.post('/locations', values)
    expect([location_name, status, body]).toMatchObject([
      location_name,
      409,
      { success: false, errors: [{ field: 'location_name' }] },
    ])
    expect((await h.cast.ada.submit('/admin/locations/new', values)).status).toBe(409)
  }
  // Two locations can have the same name. A name in another encoding does not change the location.
  const values = { location_code: 'CAF2', location_name: 'Caf\u00E9 M\u00FCller', location_type: 'Hub' }
  const { status, body } = await h.cast.ada.post('/locations', values)
  expect(status).toBe(201)
  const { id } = body.data as { id: number }
  const other = { location_name: ' Cafe\u0301  Nord ' }
  expect((await h.cast.ada.put(`/locations/${id}`, other)).body.data).toMatchObject({ location_name: 'Caf\u00E9 Nord' })
  expect((await h.cast.ada.put(`/locations/${id}`, other)).body.data).toMatchObject({ version: 2 })
})

test('placeholders are read as blank, and rounded numbers are reported', async () => {
  const lines = [
    `${move('810130')},"", $ -   `,
    `${move('810132')},"",N/A`,
    `${move('810133')},45210.7,`,
    `${move('810134')},N/A,`,
    `${move('810135')},""," $ 1,250.50 "`,
    `${move('810136')},"(12.00)",`,
    `${move('810141')},"45210.0000001","1358.043"`,
  ]
  const done = await upload('transports', 'money.csv', [`${HEAD},mileage,estimated_cost`, ...lines].join('\n'))
  expect([done.imported, done.errors]).toEqual([6, [{ row: 7, message: 'Mileage: Must not be negative' }]])
  expect(done.validation_errors).toEqual(
    expect.arrayContaining([
      'Row 4: mileage 45210.7 was read as 45211',
      'Row 5: mileage N/A was read as blank',
      'Row 8: estimated cost 1358.043 was read as 1358.04',
    ]),
  )
  expect((await records('/transports')).map(({ mileage, estimated_cost }) => [mileage, estimated_cost])).toEqual([
    [null, null],
    [null, null],
    [45211, null],
    [null, null],
    [null, 1250.5],
    [45210, 1358.04],
  ])
})

test('control characters, blank headings and marked headings are accepted', async () => {
  const titles = 'unit_number,location,dealer_name,dealer_contact,notes\r\n'
  expect(await upload('titles', 'z.csv', `${titles}810150,Phoenix,Dealer,,x\r\n\x1A`)).toMatchObject({
    imported: 1,
    failed: 0,
  })
  expect(await upload('titles', 'v.csv', `${titles}810160,Phoenix,Dealer,,"one\vtwo"\r\n`)).toMatchObject({
    imported: 1,
  })
  expect((await records('/titles'))[1]?.notes).toBe('one\ntwo')
  const blank = await upload('titles', 'b.csv', 'unit_number,location,,notes\n810200,Phoenix,lost words,x\n')
  expect([blank.imported, blank.validation_errors]).toEqual([
    1,
    ['Column C has values but no heading, so it was not read'],
  ])
  const marks = 'Unit Number *,Location Out*,Location In:,Move Date (mm/dd/yyyy),Transport Company,Status'
  expect(await upload('transports', 'm.csv', `${marks}\n${move('810210')}\n`)).toMatchObject({ imported: 1 })
  const unknown = await upload('transports', 'u.csv', `${HEAD},Tow Yard,Reg\n${move('810211')},a,b\n`)
  expect(unknown.validation_errors[0]).toContain('Column "Tow Yard" is not known and was ignored')
})

test('a plate number damaged by Excel is rejected', async () => {
  const made = XLSX.utils.book_new()
  const sheet = XLSX.utils.aoa_to_sheet([
    ['unit_number', 'location', 'plate_number', 'state_province', 'date_issued', 'date_expires'],
    ['810300', 'Phoenix', { t: 'n', v: 46154, z: 'd-mmm' }, 'AZ', '2026-01-05', '2027-01-05'],
    ['810301', 'Phoenix', { t: 'n', v: 1e21 }, 'AZ', '2026-01-05', '2027-01-05'],
    ['810302', 'Phoenix', { t: 'n', v: 1234, z: '000000' }, 'AZ', '2026-01-05', '2027-01-05'],
    ['810303', 'Phoenix', { t: 'b', v: true }, 'AZ', '2026-01-05', '2027-01-05'],
  ])
  XLSX.utils.book_append_sheet(made, sheet)
  const file = new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'xlsx' }))
  const done = await upload('registrations', 'plates.xlsx', file)
  expect(done.errors).toEqual([
    { row: 2, message: expect.stringContaining('The cell holds the date') },
    { row: 3, message: expect.stringContaining('only a rounded form of this number') },
  ])
  expect((await records('/registrations/pending')).map(({ plate_number }) => plate_number)).toEqual(['001234', 'TRUE'])
})

test('text in two encodings is read with a warning', async () => {
  const text = Buffer.concat([
    Buffer.from(`${HEAD},notes\n${move('810400')},"Café`),
    Buffer.from([0xe9]),
    Buffer.from('"\n'),
  ])
  const done = await upload('transports', 'mixed.csv', new Uint8Array(text))
  expect([done.imported, done.validation_errors]).toEqual([
    1,
    ['The text is UTF-8, but 1 of its characters were read as windows-1252'],
  ])
  expect((await records('/transports'))[0]?.notes).toBe('Caféé')
})

test('an import without imported rows is shown as unsuccessful', async () => {
  const { id } = (await upload('transports', 'none.csv', `${HEAD}\n${move('8104')}\n`)) as unknown as { id?: number }
  expect(id).toBeUndefined()
  const page = await h.cast.ben.open('/files/upload')
  expect(page.text).toContain('Nothing imported')
  expect((await h.cast.ben.open('/files/imports/1')).text).toContain('No records were imported')
})

test('a multipart upload from .NET is accepted', async () => {
  const body = [
    '--182e92b9',
    'Content-Disposition: form-data; name=data_type',
    '',
    'titles',
    '--182e92b9',
    "Content-Disposition: form-data; name=file; filename=a.csv; filename*=utf-8''a.csv",
    'Content-Type: text/csv',
    '',
    'unit_number,location\r\n810170,Phoenix',
    '--182e92b9--',
    '',
  ].join('\r\n')
  const response = await h.cast.ben.request('/api/files/upload', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await h.cast.ben.token()}`,
      'content-type': 'Multipart/Form-Data; boundary="182e92b9"',
    },
    body,
  })
  expect([response.status, ((await response.json()) as { imported: number }).imported]).toEqual([200, 1])
})

test('a scanned VIN or unit number finds its vehicle everywhere', async () => {
  const vin = '1HGCM82633A004352'
  await h.cast.ben.post('/vehicles', { unit_number: '012345', vin })
  for (const scanned of [`I${vin}`, `*${vin}*`, '1HGCM-82633-A004352', '#012345']) {
    const q = encodeURIComponent(scanned)
    const units = async (path: string) =>
      ((await h.cast.ben.get(path)).body.data as { unit_number: string }[]).map(({ unit_number }) => unit_number)
    expect([scanned, await units(`/vehicles/search?q=${q}`), await units(`/search?q=${q}`)]).toEqual([
      scanned,
      ['012345'],
      ['012345'],
    ])
    const { found } = (await h.cast.ben.post('/vehicles/lookup', { numbers: [scanned] })).body.data as {
      found: { unit_number: string }[]
    }
    expect(found.map(({ unit_number }) => unit_number)).toEqual(['012345'])
    expect((await h.cast.ben.open(`/vehicles/lookup?q=${q}`)).text).toContain('012345')
    await h.cast.ben.post('/transports', {
      unit_number: '012345',
      location_out_id: h.cast.phoenix,
      location_in_id: h.cast.tempe,
      transport_company_id: h.cast.desert,
      move_date: '2026-11-03',
    })
    expect((await h.cast.ben.post('/scan', { unit: scanned, as: 'delivered' })).status).toBe(201)
  }
})

test('plates that differ only in spaces, dashes or case are duplicates', async () => {
  const head = 'unit_number,location,plate_number,state_province,date_issued,date_expires'
  const rows = ['ABC 123', 'ABC-123', 'abc123'].map((plate) => `810500,Phoenix,${plate},AZ,2026-01-05,2027-01-05`)
  expect(await upload('registrations', 'p.csv', [head, ...rows].join('\n'))).toMatchObject({
    imported: 1,
    duplicates: 2,
  })
  expect(await upload('registrations', 'q.csv', [head, rows[2]].join('\n'))).toMatchObject({
    imported: 0,
    duplicates: 1,
  })
})

test('exported text is unchanged when it is imported again', async () => {
  const texts = ['-lien pending', "'quoted", '=SUM(A1)', '+1 602 555 0142 x123', "O'Brien", '@home', "'-"]
  for (const [at, notes] of texts.entries())
    await h.cast.ben.post('/titles', { unit_number: String(810600 + at), location_id: h.cast.phoenix, notes })
  const before = await records('/titles')
  const response = await h.cast.ben.get('/exports/titles-pending?format=csv')
  for (const { id } of before) await h.cast.ben.delete(`/titles/${id}`)
  expect(await upload('titles', 'back.csv', String(response.body.text))).toMatchObject({
    imported: texts.length,
    failed: 0,
  })
  expect((await records('/titles')).map(({ notes }) => notes)).toEqual(texts)
})

test('a mileage with an extra digit causes a warning in imports and calls', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '810700', current_mileage: 45210 })
  const { id } = await h.cast.ben.begin('transports', 'm.csv', `${HEAD},mileage\n${move('810700')},452100\n`)
  await h.cast.ben.settled(id)
  const [row] = (await h.cast.ben.get(`/files/${id}/rows`)).body.data as { notes: string[] }[]
  expect(row?.notes).toContain(
    'Mileage: 452,100 is far more than the earlier reading of 45,210; check for an extra digit',
  )
  const typed = await h.cast.ben.post('/transports', {
    unit_number: '810700',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-11-25',
    mileage: 452100,
  })
  expect((typed.body.warnings as { code: string }[]).map(({ code }) => code)).toEqual(['high_mileage'])
})

test('a search ignores accents', async () => {
  expect((await h.cast.ben.get('/locations?q=cafe%20muller')).body.meta?.total).toBe(1)
  expect((await h.cast.ben.get('/locations?q=CAF%C3%89')).body.meta?.total).toBe(1)
})

test('fixed rows keep the row numbers of their file', async () => {
  const { body } = await h.cast.ben.upload(
    'titles',
    'w.csv',
    'unit_number,location\n810801,Phoenix\n81,Phoenix\n82,Phoenix\n',
  )
  const { id } = body.data as { id: number }
  const sent = await h.cast.ben.submit('/files/grid', {
    data_type: 'titles',
    mends: String(id),
    'cell.3.unit_number': '810803',
    'cell.3.location': 'Phoenix',
    'cell.4.unit_number': '82',
    'cell.4.location': 'Phoenix',
  })
  const mended = Number(/imports\/(\d+)/.exec(String(sent.location))?.[1])
  await h.cast.ben.settled(mended)
  const rows = (await h.cast.ben.get(`/files/${mended}/rows`)).body.data as { row: number; outcome: string }[]
  expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [3, 'create'],
    [4, 'error'],
  ])
})

describe('day-first dates', () => {
  const dated = (...dates: string[]) =>
    [HEAD, ...dates.map((date, at) => move(`8202${String(at).padStart(2, '0')}`, { date }))].join('\n')
  const dates = async () => (await records('/transports')).map(({ move_date }) => move_date)

  test('are assumed when one date allows no other order, with a warning', async () => {
    const done = await upload('transports', 'dmy.csv', dated('3/11/2026', '23/11/2026', '4/11/2026'))
    expect([done.imported, done.failed]).toEqual([3, 0])
    expect(done.validation_errors).toContain('Move date: dates such as 23/11/2026 were read day first')
    expect(await dates()).toEqual(['2026-11-03', '2026-11-23', '2026-11-04'])
  })

  test('beside month-first dates lead to a warning, and to a question in a preview', async () => {
    const sheet = dated('05/11/2026', '13/11/2026', '11/14/2026')
    const done = await upload('transports', 'mixed.csv', sheet)
    expect(done.validation_errors).toContain(
      'Move date: some dates have the day first and others the month; check dates such as 05/11/2026',
    )
    const waiting = await h.cast.ben.begin('transports', 'mixed.csv', sheet)
    const { dates } = (waiting as unknown as { found: { dates: { field: string; rows: number }[] } }).found
    expect(dates).toMatchObject([{ field: 'move_date', rows: 1 }])
  })

  test('are not assumed for a single date or beside a month-first date', async () => {
    expect(await upload('transports', 'one.csv', dated('23/11/2026'))).toMatchObject({ imported: 0, failed: 1 })
    expect(await upload('transports', 'mixed.csv', dated('11/03/2026', '23/11/2026', '11/23/2026'))).toMatchObject({
      imported: 2,
      failed: 1,
    })
  })
})
