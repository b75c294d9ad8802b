import { beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import * as XLSX from 'xlsx'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const fixture = (name: string) => Bun.file(join(import.meta.dir, 'fixtures', name)).bytes()
const HEADER = 'unit_number,location_out,location_in,move_date,transport_company,status'
const csv = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`
const send = (content: string | Uint8Array, name = 'moves.csv') => h.cast.ben.upload('transports', name, content)
const stored = () =>
  rows<{
    unit_number: string
    move_date: string
    estimated_cost: string | null
    final_cost: string | null
    mileage: number | null
  }>(
    h.ctx.db,
    sql`select unit_number, to_char(move_date, 'YYYY-MM-DD') as move_date, estimated_cost, final_cost, mileage
      from transports order by unit_number`,
  )

describe('files from spreadsheet programs', () => {
  const cafe = () =>
    h.cast.ada.post('/locations', { location_code: 'CAF', location_name: 'Café Núñez', location_type: 'Vendor' })
  const MOVES = [
    { unit_number: '012345', move_date: '2026-02-28', estimated_cost: '420.50', final_cost: '431.25', mileage: 61877 },
    { unit_number: '100301', move_date: '2026-03-04', estimated_cost: '350.00', final_cost: null, mileage: 45210 },
    { unit_number: '100303', move_date: '2026-12-31', estimated_cost: '1250.50', final_cost: null, mileage: null },
    { unit_number: '100304', move_date: '2024-02-29', estimated_cost: null, final_cost: null, mileage: null },
    { unit_number: '100305', move_date: '2026-07-04', estimated_cost: null, final_cost: null, mileage: null },
  ]
  for (const name of [
    'transports.xlsx',
    'transports.xls',
    'transports-1904.xlsx',
    'serials.xlsx',
    'transports-semicolon-1252.csv',
    'transports-utf16.csv',
    'transports-utf8-bom.csv',
  ]) {
    test(name, async () => {
      await cafe()
      const { status, body } = await send(await fixture(name), name)
      expect([status, body.imported, body.failed, body.duplicates, body.errors]).toEqual([200, 5, 0, 0, []])
      expect(await stored()).toEqual(MOVES)
      const warnings = body.validation_errors as unknown as string[]
      if (name.includes('.xls')) expect(warnings).toEqual(['Row 3: unit number 12345 was read as 012345'])
      if (name === 'transports-utf8-bom.csv') expect(warnings).toEqual([])
    })
  }

  test('with a password are rejected', async () => {
    const { status, body } = await send(await fixture('password.xlsx'), 'password.xlsx')
    expect([status, body.message]).toEqual([422, 'The workbook is protected with a password'])
  })
})

describe('rows', () => {
  test('are validated one by one, with the row numbers of the spreadsheet', async () => {
    const { body } = await send(
      csv(
        '100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit',
        '1000,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit',
        '',
        '100002,PHX,tmp,3/1/2026,desert auto haul,in transit',
        '100003,Atlantis,Tempe,2026-02-30,Nobody,Lost',
        '100001,Phoenix,Tempe,03/01/26,Desert Auto Haul,Delivered',
      ),
    )
    expect(body).toMatchObject({
      success: true,
      imported: 2,
      failed: 2,
      duplicates: 1,
      message: '2 records imported, 2 failed, 1 duplicate skipped',
    })
    expect(body.errors as never).toEqual([
      { row: 3, message: 'Unit number: 6 digits required; did you mean 001000?' },
      {
        row: 6,
        message:
          'Location out: Unknown location "Atlantis"; Move date: Must be a date, for example 03/14/2026, ' +
          'not "2026-02-30"; Transport company: Unknown transport company "Nobody"; Status: Must be ' +
          'one of: Awaiting Pickup, Searching For Driver, Vehicle Not Ready, In Transit, Delivered',
      },
    ] as never)
    expect((await stored()).map((row) => row.unit_number)).toEqual(['100001', '100002'])
    expect((await h.cast.ben.get('/locations')).body.meta).toMatchObject({ total: 3 })
  })

  test('that already exist are skipped, even with five uploads at once', async () => {
    const file = csv(
      ...Array.from({ length: 300 }, (_, n) => `${200000 + n},Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit`),
    )
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(file)))
    expect(answers.map(({ body }) => body.imported).sort()).toEqual([0, 0, 0, 0, 300] as never)
    expect(answers.map(({ body }) => body.duplicates).sort()).toEqual([0, 300, 300, 300, 300] as never)
    expect(await rows(h.ctx.db, sql`select count(*)::int as n from transports`)).toEqual([{ n: 300 }])
  })

  test('add one audit entry per record and new vehicle, and move delivered vehicles', async () => {
    await send(
      csv(
        '100001,Phoenix,Tempe,2026-03-02,Desert Auto Haul,Delivered',
        '100001,Tempe,Mesa,2026-03-05,Desert Auto Haul,Delivered',
        '100001,Mesa,Phoenix,2026-03-06,Desert Auto Haul,In Transit',
      ),
    )
    expect(
      await rows(
        h.ctx.db,
        sql`select entity, action, source, count(*)::int as n from audit_entries where actor = 'ben' group by 1, 2, 3
          order by 1, 2`,
      ),
    ).toEqual([
      { entity: 'transports', action: 'create', source: 'import', n: 3 },
      { entity: 'uploads', action: 'create', source: 'api', n: 1 },
      { entity: 'vehicles', action: 'create', source: 'import', n: 1 },
      { entity: 'vehicles', action: 'update', source: 'import', n: 1 },
    ])
    expect(await rows(h.ctx.db, sql`select current_location from vehicles`)).toEqual([{ current_location: 'Mesa' }])
  })
})

describe('a file', () => {
  const refused = async (content: string | Uint8Array, name?: string) => {
    const { status, body } = await send(content, name)
    return [status, body.message]
  }

  test('is rejected when it is unreadable or lacks required columns', async () => {
    expect(await refused('', 'empty.csv')).toEqual([422, 'The file is empty'])
    expect(await refused('\n\n  \n')).toEqual([422, 'The file has no header row'])
    expect((await refused('100001,Phoenix,Tempe\n'))[1]).toStartWith('The file has no header row: expected unit_number')
    expect(await refused('unit_number,status\n100001,Delivered\n')).toEqual([
      422,
      'Missing required columns: location_out, location_in, move_date, transport_company',
    ])
    expect(await refused('a', 'notes.txt')).toEqual([422, 'Only .xls, .xlsx and .csv files are accepted'])
    expect(await refused(crypto.getRandomValues(new Uint8Array(5000)), 'noise.xlsx')).toEqual([
      422,
      'The file is named .xlsx but is not an Excel workbook. Open it in a spreadsheet program and save it as .xlsx.',
    ])
    expect(await refused(await fixture('transports.xlsx'), 'renamed.csv')).toEqual([
      422,
      'The file is named .csv but contains a workbook. Save the file as CSV, or rename the file.',
    ])
    expect((await refused((await fixture('transports.xlsx')).slice(0, 3000), 'cut.xlsx'))[1]).toBe(
      'The workbook is damaged',
    )
    expect((await refused(`${HEADER}\n"100001,Phoenix`))[1]).toContain('a quote is not closed')
    expect(await rows(h.ctx.db, sql`select 1 from uploads`)).toEqual([])
  })

  test('needs a data type', async () => {
    const { status, body } = await h.cast.ben.upload('', 'moves.csv', csv())
    expect([status, body.message]).toEqual([422, 'Please select a data type first'])
  })

  test('above the size limit returns 413', async () => {
    h = await testContext({ maxUploadBytes: 1000 })
    const { status, body } = await send(csv('x'.repeat(2000)))
    expect([status, body.success]).toEqual([413, false])
  })

  test('is listed in the history with its errors', async () => {
    const { body } = await send(csv('100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit', 'bad'))
    const { id } = body.data as { id: number }
    expect((await h.cast.ben.get(`/files/${id}`)).body.data).toMatchObject({
      file_name: 'moves.csv',
      imported: 1,
      failed: 1,
      created_by: 'ben',
      errors: [{ row: 3 }],
    })
    expect((await h.cast.ben.get('/files/history')).body).toMatchObject({
      meta: { total: 1 },
      data: [{ id, data_type: 'transports' }],
    })
    expect((await h.cast.ben.get('/files/stats')).body.data).toMatchObject([
      { data_type: 'transports', uploads: 1, imported: 1, failed: 1, duplicates: 0 },
    ])
  })
})

test('the sample imports without errors once its locations and company exist', async () => {
  const { phoenix, tempe, mesa, desert, copper } = h.cast
  for (const id of [phoenix, tempe, mesa]) await h.cast.ada.delete(`/locations/${id}`)
  for (const id of [desert, copper]) await h.cast.ada.delete(`/transport-companies/${id}`)
  const response = await h.cast.ben.request('/files/samples/transports.xlsx', {
    headers: await h.cast.ben.cookieHeaders(),
  })
  const sample = new Uint8Array(await response.arrayBuffer())
  expect((await h.cast.ben.open('/files/upload')).text).toContain(
    'Phoenix, Tempe and the transport company Desert Auto Haul',
  )
  for (const name of ['Phoenix', 'Tempe'])
    await h.cast.ada.post('/locations', { location_code: name, location_name: name, location_type: 'Hub' })
  await h.cast.ada.post('/transport-companies', { company_name: 'Desert Auto Haul' })
  const { body } = await send(sample, 'sample.xlsx')
  expect(body).toMatchObject({ imported: 3, failed: 0, validation_errors: [] })
})

test('the form without scripts imports a file and shows the results', async () => {
  const form = new FormData()
  form.set('data_type', 'transports')
  form.set('file', new File([csv('100001,Phoenix,Tempe,2026-03-01,Desert Auto Haul,In Transit', 'bad')], 'moves.csv'))
  const response = await h.cast.ben.request('/files/upload', {
    method: 'POST',
    body: form,
    headers: { ...(await h.cast.ben.cookieHeaders()), origin: 'http://localhost' },
  })
  expect(response.headers.get('location')).toBe('/files/upload?upload=1&data_type=transports')
  const { html } = await h.cast.ben.open('/files/upload?upload=1&data_type=transports')
  expect(html).toContain('File processed successfully! 1 record imported')
  expect(html).toContain('Records Imported')
  expect(html).toMatch(/Row (<!-- -->)?3/)
})

test('cells are placed by their references, in any order', async () => {
  const book = XLSX.CFB.read(await fixture('transports.xlsx'), { type: 'array' as never })
  const sheet = XLSX.CFB.find(book, '/xl/worksheets/sheet1.xml') as { content: Uint8Array }
  // Moves the first cell of each row to its end.
  const turned = Buffer.from(sheet.content)
    .toString()
    .replace(/(<row [^>]*>)(<c r="A\d+".*?<\/c>|<c r="A\d+"[^>]*\/>)(.*?)(<\/row>)/gs, '$1$3$2$4')
  expect(turned).not.toBe(Buffer.from(sheet.content).toString())
  sheet.content = Buffer.from(turned)
  const bytes = new Uint8Array(XLSX.CFB.write(book, { fileType: 'zip', type: 'buffer' } as never) as Buffer)
  const { status, body } = await send(bytes, 'turned.xlsx')
  expect([status, body.imported]).toEqual([200, 4])
})

test('a workbook with a single cell at the far end is still imported', async () => {
  const book = XLSX.CFB.read(await fixture('transports.xlsx'), { type: 'array' as never })
  const sheet = XLSX.CFB.find(book, '/xl/worksheets/sheet1.xml') as { content: Uint8Array }
  sheet.content = Buffer.from(
    Buffer.from(sheet.content)
      .toString()
      .replace('</sheetData>', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
  )
  const bytes = new Uint8Array(XLSX.CFB.write(book, { fileType: 'zip', type: 'buffer' } as never) as Buffer)
  const { status, body } = await send(bytes, 'far.xlsx')
  expect([status, body.imported]).toEqual([200, 4])
})

test('a form part without a file name is not a file', async () => {
  const body =
    '--x\r\nContent-Disposition: form-data; name="data_type"\r\n\r\ntitles\r\n--x\r\nContent-Disposition: ' +
    'form-data; name="file"; filename=""\r\nContent-Type: text/csv\r\n\r\na,b\r\n--x--\r\n'
  const headers = {
    authorization: `Bearer ${await h.cast.ben.token()}`,
    'content-type': 'multipart/form-data; boundary=x',
  }
  const answer = await h.cast.ben.request('/api/files/upload', { method: 'POST', headers, body })
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([422, 'Please choose a file'])
})

test('the upload page names sample locations even before any exist', async () => {
  const before = await h.cast.ben.open('/files/upload')
  expect(before.text).toContain('use the locations MES, PHX and the transport company Copper State Transport')
  await h.ctx.db.execute(sql`delete from locations`)
  const { text } = await h.cast.ben.open('/files/upload')
  expect(text).toContain('use the locations Phoenix, Tempe and the transport company Desert Auto Haul')
})

test('samples use existing names only when all required names exist', async () => {
  const { phoenix, tempe, mesa, desert, copper } = h.cast
  const names = async () => {
    const { text } = await h.cast.ben.open('/files/upload')
    return text.includes('Phoenix, Tempe and the transport company Desert Auto Haul')
  }
  // The page names the default locations and company only if the existing ones are too few for the samples.
  expect(await names()).toBe(false)
  await h.cast.ada.delete(`/locations/${mesa}`)
  expect(await names()).toBe(false)
  await h.cast.ada.delete(`/locations/${tempe}`)
  expect(await names()).toBe(true)
  await h.cast.ada.post('/locations', { location_code: 'YUM', location_name: 'Yuma', location_type: 'Hub' })
  expect(await names()).toBe(false)
  for (const id of [desert, copper]) await h.cast.ada.delete(`/transport-companies/${id}`)
  expect(await names()).toBe(true)
  await h.cast.ada.delete(`/locations/${phoenix}`)
  expect(await names()).toBe(true)
})

test('the preview distinguishes a blank cell from a text with the word NULL', async () => {
  const { id } = await h.cast.ben.begin(
    'transports',
    'moves.csv',
    `${HEADER},notes\n100001,PHX,TMP,2026-03-10,Desert Auto Haul,In Transit,\n` +
      `100002,PHX,TMP,2026-03-10,Desert Auto Haul,In Transit,NULL and void\n`,
  )
  await h.cast.ben.settled(id)
  const found = (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as { values: { notes: unknown } }[]
  expect(found.map(({ values }) => values.notes)).toEqual([null, 'NULL and void'])
})

test('a long file name is shortened before its extension', async () => {
  await send(csv('100001,PHX,TMP,2026-03-10,Desert Auto Haul,In Transit'), `${'x'.repeat(252)}.csv`)
  expect((await h.cast.ben.get('/files/history')).body.data as unknown).toMatchObject([
    { file_name: `${'x'.repeat(251)}.csv`, status: 'done' },
  ])
})
