import { beforeEach, describe, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { HEAD, moveLine as move, openOffice } from '../support/office'
import { textCell, workbook } from '../support/zip'

/** Spreadsheets of offices: which layouts are read, and which messages appear for the others. */

let h: Awaited<ReturnType<typeof openOffice>>
beforeEach(async () => {
  h = await openOffice()
})

const upload: typeof h.upload = (...sheet) => h.upload(...sheet)
const records: typeof h.records = (path) => h.records(path)
const failedRows = async (id: number) =>
  new Uint8Array(
    await (
      await h.cast.ben.request(`/api/files/${id}/failed.xlsx`, {
        headers: { authorization: `Bearer ${await h.cast.ben.token()}` },
      })
    ).arrayBuffer(),
  )

describe('a sheet without a Status column', () => {
  const SHEET = [
    ['Saguaro yard moves, week 47'],
    ['Prepared by Dana, 11/24/2026'],
    [],
    ['Unit', 'From', 'To', 'Date', 'Carrier', 'Est Cost', 'RA', 'Odometer'],
    ['102 370', 'Mesa', 'Tempe', '11/23', 'Desert Auto Haul', '$1,250.00', 'RA55501', '45,120'],
    ['102022', 'Phoenix', 'Gilbrt', '11/25', 'Copper State', '95'],
    ['10202', 'Tempe', 'Phoenix', '11/26', 'Copper State', '88'],
    ['102027', 'PHX', 'Mesa', 'Nov 26', 'Copper State Transprt', '88'],
  ]
  const book = () => {
    const made = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(SHEET), 'Week 47')
    return new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'xlsx' }))
  }

  test('takes a default status from the API call', async () => {
    const done = await upload('transports', 'week47.xlsx', book(), { defaults: '{"status":"in transit"}' })
    expect(done).toMatchObject({ status: 200, imported: 1, failed: 3 })
    expect(done.errors).toEqual([
      { row: 6, message: 'To: Unknown location "Gilbrt"' },
      { row: 7, message: 'Unit: 6 digits required; did you mean 010202?' },
      {
        row: 8,
        message: 'Carrier: Unknown transport company "Copper State Transprt"; did you mean Copper State Transport?',
      },
    ])
    expect(done.validation_errors).toEqual(
      expect.arrayContaining([
        'Status: in transit in all rows',
        'Row 5: Unit 102 370 was read as 102370',
        'Row 5: Date 11/23 was read as 11/23/2026',
      ]),
    )
    expect(await records('/transports')).toMatchObject([
      { unit_number: '102370', status: 'In Transit', move_date: '2026-11-23', estimated_cost: 1250, mileage: 45120 },
    ])
  })

  test('takes a default status from the questions page and remembers it', async () => {
    const first = await h.cast.ben.begin('transports', 'week47.xlsx', book())
    const waiting = await h.cast.ben.settled(first.id)
    expect([waiting.status, waiting.found.missing]).toEqual(['ready', ['status']])
    const page = await h.cast.ben.open(`/files/imports/${first.id}`)
    expect(page.html).toContain('name="default.status"')
    await h.cast.ben.submit(`/files/imports/${first.id}/settle`, { defaults: '1', 'default.status': 'Delivered' })
    expect(await h.cast.ben.settled(first.id)).toMatchObject({ status: 'ready', imported: 1, failed: 3 })
    expect((await h.cast.ben.open('/files/remembered')).text).not.toContain('Status: Delivered')
    await h.cast.ben.post(`/files/${first.id}/commit`)
    await h.cast.ben.settled(first.id)

    const second = await h.cast.ben.begin('transports', 'week48.xlsx', book())
    expect(await h.cast.ben.settled(second.id)).toMatchObject({
      status: 'ready',
      defaults: { status: 'Delivered' },
      duplicates: 1,
      failed: 3,
    })
    expect((await h.cast.ben.open('/files/remembered')).text).toContain('Status: Delivered in all rows')
  })

  test('rejects a default for an unknown field or for the unit number', async () => {
    for (const [defaults, message] of [
      ['{"stauts":"Delivered"}', 'There is no field stauts'],
      ['{"unit_number":"100001"}', 'A unit number cannot be the same in all rows'],
      ['Delivered', 'Must be a JSON object with field names and their values'],
    ])
      expect(await upload('transports', 'a.xlsx', book(), { defaults })).toMatchObject({
        status: 422,
        errors: [{ field: 'defaults', message }],
      } as never)
  })
})

describe('a workbook with several sheets', () => {
  const cells = (row: number, values: string[]) =>
    `<row r="${row}">${values.map((value, at) => textCell(`${'ABCDEF'[at]}${row}`, value)).join('')}</row>`
  const book = (cover: string[][], isHidden = false) => {
    const made = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet(cover), 'First')
    XLSX.utils.book_append_sheet(
      made,
      XLSX.utils.aoa_to_sheet([
        HEAD.split(','),
        ['810050', 'Phoenix', 'Tempe', '2026-11-03', 'Copper State', 'In Transit'],
      ]),
      'Data',
    )
    if (isHidden) made.Workbook = { Sheets: [{ Hidden: 2 }, { Hidden: 0 }] }
    return made
  }
  const bytes = (made: XLSX.WorkBook, bookType: 'xlsx' | 'biff8') =>
    new Uint8Array(XLSX.write(made, { type: 'array', bookType }))

  test('is read from the data sheet, and names the skipped sheets', async () => {
    for (const [type, name] of [
      ['xlsx', 'a.xlsx'],
      ['biff8', 'a.xls'],
    ] as const) {
      const cover = await upload('transports', name, bytes(book([['Fill the tab Data'], ['Ask dispatch']]), type))
      expect([cover.imported + cover.duplicates, cover.validation_errors]).toEqual([
        1,
        ['Only the sheet "Data" was read, not "First"'],
      ])
      const hidden = await upload('transports', name, bytes(book([['status'], ['In Transit']], true), type))
      expect([hidden.duplicates, hidden.validation_errors]).toEqual([
        1,
        ['Only the sheet "Data" was read, not the hidden "First"'],
      ])
    }
  })

  test('offers the other sheets', async () => {
    const two = book([HEAD.split(','), ['810099', 'Tempe', 'Phoenix', '2026-11-04', 'Copper State', 'Delivered']])
    const { id } = await h.cast.ben.begin('transports', 'two.xlsx', bytes(two, 'xlsx'))
    const first = (await h.cast.ben.settled(id)).found as unknown as { sheet: string; sheets: { name: string }[] }
    expect([first.sheet, first.sheets.map(({ name }) => name)]).toEqual(['First', ['First', 'Data']])
    expect((await h.cast.ben.put(`/files/${id}`, { sheet: 'Data' })).status).toBe(200)
    await h.cast.ben.settled(id)
    const { body } = await h.cast.ben.get(`/files/${id}/rows`)
    expect((body.data as { values: { unit_number: string } }[])[0]?.values.unit_number).toBe('810050')
    expect((await h.cast.ben.put(`/files/${id}`, { sheet: 'None' })).status).toBe(422)
  })

  test('reports hidden rows and fills merged cells', async () => {
    const rows = [2, 3, 4].map((row) =>
      [
        `<row r="${row}"${row === 3 ? ' hidden="1"' : ''}>`,
        textCell(`A${row}`, `81009${row}`),
        row === 2 ? textCell('B2', 'Phoenix') : '',
        ...['Tempe', '2026-11-03', 'Copper State', 'In Transit'].map((text, at) =>
          textCell(`${'CDEF'[at]}${row}`, text),
        ),
        '</row>',
      ].join(''),
    )
    const merged = `${cells(1, HEAD.split(','))}${rows.join('')}</sheetData><mergeCells count="1"><mergeCell
      ref="B2:B4"/></mergeCells><sheetData>`
    const done = await upload('transports', 'merged.xlsx', workbook(merged))
    expect([done.imported, done.failed, done.validation_errors]).toEqual([
      3,
      0,
      ['Hidden or filtered rows were read too: row 3'],
    ])
    expect((await records('/transports')).every(({ location_out_name }) => location_out_name === 'Phoenix')).toBe(true)
    const { id, found } = await h.cast.ben.begin(
      'transports',
      'again.xlsx',
      workbook(merged.replaceAll('81009', '81008')),
    )
    expect(found).toMatchObject({ hidden_rows: 1 })
    await h.cast.ben.submit(`/files/imports/${id}/settle`, { skip_hidden: 'true' })
    expect(await h.cast.ben.settled(id)).toMatchObject({
      row_count: 2,
      imported: 2,
      validation_errors: ['Hidden or filtered rows were left out: row 3'],
    })
  })
})

describe('a sheet with missing columns', () => {
  const WITHOUT_STATUS = 'unit_number,location_out,location_in,move_date,transport_company'
  const line = (unit: string, to = 'Tempe') => `${unit},Phoenix,${to},2026-11-03,Copper State`

  test('keeps its default values when failed rows are fixed', async () => {
    const file = [WITHOUT_STATUS, line('820001'), line('82002'), line('820003', 'Nowhere')].join('\n')
    const done = await upload('transports', 'rows.csv', file, { defaults: '{"status":"Delivered","notes":"week 47"}' })
    expect([done.imported, done.failed]).toEqual([1, 2])
    const { id } = (done as unknown as { data: { id: number } }).data
    const page = await h.cast.ben.open(`/files/imports/${id}/mend`)
    expect(
      [...page.html.matchAll(/name="cell\.(\d)\.status"[^>]*value="([^"]*)"/g)].map((one) => one.slice(1)),
    ).toEqual([
      ['3', 'Delivered'],
      ['4', 'Delivered'],
    ])
    const rows = XLSX.utils.sheet_to_json<string[]>(
      Object.values(XLSX.read(await failedRows(id)).Sheets)[0] as XLSX.WorkSheet,
      { header: 1 },
    )
    expect(rows.map((row) => row.slice(5, 7))).toEqual([
      ['status', 'notes'],
      ['Delivered', 'week 47'],
      ['Delivered', 'week 47'],
    ])
  })

  test('prefers a column to a default, and rejects an invalid default', async () => {
    const both = await upload('transports', 'both.csv', `${HEAD}\n${move('820011')}`, {
      defaults: '{"status":"Delivered"}',
    })
    expect([both.imported, both.validation_errors]).toEqual([1, []])
    expect(await records('/transports')).toMatchObject([{ status: 'In Transit' }])
    for (const [defaults, message] of [
      ['{"status":"Gone"}', /^Status: /],
      ['{"move_date":"13/45"}', /^Move date: Must be a date/],
      ['{"mileage":"far"}', /^Mileage: /],
    ] as const) {
      const refused = await upload('transports', 'bad.csv', `${WITHOUT_STATUS}\n${line('820012')}`, { defaults })
      expect([refused.status, refused.message]).toEqual([422, expect.stringMatching(message)])
    }
  })

  test('reuses a remembered status, but never a date or number', async () => {
    const short = (name: string) =>
      h.cast.ben.begin(
        'transports',
        name,
        'unit_number,location_out,location_in,transport_company\n820021,Phoenix,Tempe,Copper State',
      )
    const first = await short('first.csv')
    await h.cast.ben.settled(first.id)
    await h.cast.ben.submit(`/files/imports/${first.id}/settle`, {
      defaults: '1',
      'default.status': 'Delivered',
      'default.move_date': '11/23',
      'default.mileage': '45210',
    })
    expect(await h.cast.ben.settled(first.id)).toMatchObject({ status: 'ready', imported: 1 })
    await h.cast.ben.post(`/files/${first.id}/commit`)
    await h.cast.ben.settled(first.id)
    const second = await h.cast.ben.settled((await short('second.csv')).id)
    expect([second.found.missing, second.defaults]).toEqual([['move_date'], { status: 'Delivered' }])
    expect(second.validation_errors).toContain('Status: Delivered in all rows, as in your last file with these columns')
  })

  test('asks for the missing values without scripts too', async () => {
    const form = new FormData()
    form.set('data_type', 'transports')
    form.set('file', new File([`${WITHOUT_STATUS}\n${line('820031')}`], 'rows.csv'))
    const answer = await h.cast.ben.request('/files/upload', {
      method: 'POST',
      body: form,
      headers: { ...(await h.cast.ben.cookieHeaders()), origin: 'http://localhost' },
    })
    expect(answer.headers.get('location')).toMatch(/^\/files\/imports\/\d+$/)
    const page = await h.cast.ben.open(answer.headers.get('location') as string)
    expect(page.html).toContain('name="default.status"')
    // Enter in a question applies the answers instead of starting the import.
    expect(page.html.match(/<button type="submit"[^>]*form="questions"[^>]*>/)?.[0]).not.toContain('formAction')
  })
})

test('a file without headings can be imported without losing a row', async () => {
  const { id } = await h.cast.ben.begin('titles', 'bare.csv', '820101,Phoenix\n820102,Tempe\n82x,Tempe')
  expect((await h.cast.ben.settled(id)).found.missing).toEqual(['unit_number', 'location'])
  await h.cast.ben.submit(`/files/imports/${id}/settle`, { header_row: '0' })
  expect((await h.cast.ben.settled(id)).found).toMatchObject({ header_row: 0, header: ['', ''] })
  await h.cast.ben.submit(`/files/imports/${id}/settle`, { 'field.0': 'unit_number', 'field.1': 'location' })
  expect(await h.cast.ben.settled(id)).toMatchObject({
    status: 'ready',
    row_count: 3,
    imported: 2,
    failed: 1,
    validation_errors: [],
  })
  await h.cast.ben.post(`/files/${id}/commit`)
  await h.cast.ben.settled(id)
  const failed = await upload('titles', 'failed.xlsx', await failedRows(id))
  expect(failed.errors).toEqual([{ row: 2, message: expect.stringMatching(/^Unit number/) }])
})

test('total rows and repeated headings are reported as errors', async () => {
  const total = '"Total",,,,,,,"$1,234.50"'
  const subtotal = ',Phoenix,,Tempe subtotal,,,,"$34.50"'
  const { errors } = await upload(
    'transports',
    'report.csv',
    [`${HEAD},mileage,estimated_cost`, `${move('820301')},,`, `${HEAD},mileage,estimated_cost`, total, subtotal].join(
      '\n',
    ),
  )
  expect(errors).toEqual([
    { row: 3, message: 'This row repeats the headings' },
    { row: 4, message: 'This row is not a record: only "Total", "$1,234.50" is filled in' },
    { row: 5, message: 'This row is not a record: only "Phoenix", "Tempe subtotal", "$34.50" is filled in' },
  ])
})

test('the workbook of failed rows keeps repeated headings, even if the user chose the columns', async () => {
  const rows = ['Rig,Lot A', 'Rig,Lot A', '82x,Tempe', '820301,Mesa'].join('\n')
  const { id } = await h.cast.ben.begin('titles', 'chosen.csv', rows)
  await h.cast.ben.settled(id)
  await h.cast.ben.submit(`/files/imports/${id}/settle`, { 'field.0': 'unit_number', 'field.1': 'location' })
  expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'ready', imported: 1, failed: 2 })
  await h.cast.ben.post(`/files/${id}/commit`)
  await h.cast.ben.settled(id)
  expect((await upload('titles', 'failed.xlsx', await failedRows(id))).errors).toEqual([
    { row: 2, message: 'This row repeats the headings' },
    { row: 3, message: expect.stringMatching(/^Unit number/) },
  ])
})

test('pasted rows below a title line are read with their headings', async () => {
  const rows = ['Saguaro yard moves', '', 'Unit\tLocation', '820401\tPhoenix'].join('\n')
  const answer = await h.cast.ben.submit('/files/paste', { data_type: 'titles', rows })
  const id = Number(answer.location?.split('/').at(-1))
  expect(await h.cast.ben.settled(id)).toMatchObject({ status: 'ready', row_count: 1, imported: 1 })
})

test('another sheet of an imported workbook can be previewed', async () => {
  const made = XLSX.utils.book_new()
  const head = ['unit_number', 'location']
  XLSX.utils.book_append_sheet(made, XLSX.utils.aoa_to_sheet([head, ['820501', 'Phoenix']]), 'East')
  XLSX.utils.book_append_sheet(
    made,
    XLSX.utils.aoa_to_sheet([head, ['820502', 'Phoenix'], ['820503', 'Tempe']]),
    'West',
  )
  const bytes = new Uint8Array(XLSX.write(made, { type: 'array', bookType: 'xlsx' }))
  const done = await upload('titles', 'two.xlsx', bytes)
  expect([done.imported, done.validation_errors]).toEqual([1, ['Only the sheet "East" was read, not "West"']])
  const { id } = (done as unknown as { data: { id: number } }).data
  expect((await h.cast.ben.open(`/files/imports/${id}`)).find('button[name=sheet]')).toEqual(['Preview West'])
  const answer = await h.cast.ben.submit(`/files/imports/${id}/sheets`, { sheet: 'West' })
  const west = Number(answer.location?.split('/').at(-1))
  expect(await h.cast.ben.settled(west)).toMatchObject({ status: 'ready', imported: 2, found: { sheet: 'West' } })
  expect(await upload('titles', 'two.xlsx', bytes, { sheet: 'West' })).toMatchObject({ imported: 2 })
  await h.cast.ben.post(`/files/${id}/undo`)
  await h.cast.ben.settled(id)
  expect((await h.cast.ben.open(`/files/imports/${id}`)).find('form button')).toContain('Preview the file again')
  const again = Number((await h.cast.ben.submit(`/files/imports/${id}/sheets`, {})).location?.split('/').at(-1))
  expect(await h.cast.ben.settled(again)).toMatchObject({ status: 'ready', imported: 1, found: { sheet: 'East' } })
})
