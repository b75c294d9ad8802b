import { beforeEach, expect, test } from 'bun:test'
import ExcelJS from 'exceljs'
import { testContext } from '../support/context'

/** Sheets as offices and their programs make them. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status'
const line = (unit: number) => `${unit},Phoenix,Tempe,2026-03-0${unit % 10},Desert Auto Haul,In Transit`
type Row = { unit_number: string } & Record<string, unknown>
const units = async (path = '/transports') =>
  ((await h.cast.ben.get(`${path}?sort=unit_number&order=asc`)).body.data as Row[]).map(
    ({ unit_number }) => unit_number,
  )
const changed = async (id: number, body: object) => {
  expect((await h.cast.ben.put(`/files/${id}`, body)).status).toBe(200)
  return h.cast.ben.settled(id)
}

test('a two-column sheet is read with any delimiter and line ending', async () => {
  let unit = 100_000
  for (const sign of [',', ';', '\t', '|'])
    for (const end of ['', '\n', '\r\n', '\n\n\n']) {
      const { body } = await h.cast.ben.upload(
        'titles',
        'a.csv',
        `unit_number${sign}location\n${++unit}${sign}PHX${end}`,
      )
      expect([sign, end, body.imported, body.failed]).toEqual([sign, end, 1, 0])
    }
})

test('a header below title lines is found, and another can be chosen', async () => {
  const text = ['Desert Fleet,,,,,', 'Moves of March,,,,,', ',,,,,', MOVES, line(100_001), line(100_002)].join('\n')
  const shown = await h.cast.ben.begin('transports', 'moves.csv', text)
  expect(shown).toMatchObject({ status: 'ready', imported: 2, failed: 0, row_count: 2, found: { header_row: 4 } })
  const page = await h.cast.ben.open(`/files/imports/${shown.id}`)
  expect(page.html).toContain('header_row')
  expect(await changed(shown.id, { header_row: 1 })).toMatchObject({ found: { header_row: 1 } })
  expect(await changed(shown.id, { header_row: 4 })).toMatchObject({
    status: 'ready',
    imported: 2,
    found: { header_row: 4 },
  })
  const refused = await h.cast.ben.put(`/files/${shown.id}`, { header_row: 99 })
  expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'header_row'])
  await h.cast.ben.post(`/files/${shown.id}/commit`)
  await h.cast.ben.settled(shown.id)
  expect(await units()).toEqual(['100001', '100002'])
  // Errors name the row numbers that the spreadsheet shows.
  const { body } = await h.cast.ben.upload('transports', 'more.csv', text.replace('100002', 'bad'))
  expect(body.errors).toEqual([{ row: 6, message: 'Unit number: 6 digits required' }] as never)
})

test('a formula without a stored result is an error, not a blank', async () => {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Moves')
  sheet.addRow([...MOVES.split(','), 'mileage'])
  sheet.addRow([...line(100_001).split(','), 52_000])
  sheet.addRow([...line(100_002).split(','), { formula: 'G2+10' }])
  sheet.addRow([...line(100_003).split(','), { formula: 'G2+20', result: 52_020 }])
  const { body } = await h.cast.ben.upload('transports', 'moves.xlsx', new Uint8Array(await book.xlsx.writeBuffer()))
  expect(body).toMatchObject({
    imported: 2,
    failed: 1,
    errors: [{ row: 3, message: expect.stringContaining('formula') }],
  })
  expect(await units()).toEqual(['100001', '100003'])
})

test('a cell with an Excel error is reported with its column', async () => {
  const book = new ExcelJS.Workbook()
  const sheet = book.addWorksheet('Moves')
  sheet.addRow([...MOVES.split(','), 'notes'])
  sheet.addRow([...line(100_001).split(','), { formula: 'G9', result: { error: '#REF!' } }])
  sheet.addRow([...line(100_002).split(','), { error: '#VALUE!' }])
  sheet.addRow([...line(100_003).split(','), '#VALUE! is what it showed'])
  const { body } = await h.cast.ben.upload('transports', 'moves.xlsx', new Uint8Array(await book.xlsx.writeBuffer()))
  expect(body).toMatchObject({
    imported: 1,
    errors: [
      { row: 2, message: 'Notes: the cell shows #REF!; correct it in the spreadsheet' },
      { row: 3, message: 'Notes: the cell shows #VALUE!; correct it in the spreadsheet' },
    ],
  })
})

test('dates before March 1900 survive export and import', async () => {
  const days = ['1900-01-01', '1900-02-28', '1900-03-01', '1900-03-02']
  for (const [at, date_issued] of days.entries())
    await h.cast.ben.post('/registrations', {
      unit_number: `10000${at}`,
      location_id: h.cast.mesa,
      plate_number: 'OLD 1',
      state_province: 'AZ',
      date_issued,
      date_expires: '2026-03-20',
      // Line breaks as a form sends them.
      notes: 'Gate code 12\r\nRing twice',
    })
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  const bytes = await (await h.cast.ben.request('/api/exports/registrations-pending?format=xlsx', { headers })).bytes()
  const back = await h.cast.ben.begin('registrations', 'back.xlsx', bytes, { existing: 'update' })
  expect(back).toMatchObject({ imported: 0, updated: 0, failed: 0, duplicates: 4 })
})

test('transport and OSL fields survive export and import unchanged', async () => {
  const fields = {
    issue_po: true,
    po_number: 'PO 88',
    notes: 'Gate code 12, ring twice',
    mileage: 52_000,
    final_cost: 120.5,
  }
  await h.cast.ben.post('/transports', {
    unit_number: '100001',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-01',
    status: 'Delivered',
    actual_arrival_date: '2026-03-02',
    ...fields,
  })
  await h.cast.ben.post('/osl', {
    unit_number: '100001',
    osl_date: '2026-03-02',
    location_id: h.cast.mesa,
    problem: 'Windshield is cracked',
    notes: 'Key on hook 4',
  })
  const headers = { authorization: `Bearer ${await h.cast.ben.token()}` }
  for (const [kind, list, table] of [
    ['transports', 'transports-all', '/transports'],
    ['osl', 'osl-active', '/osl/active'],
  ] as const)
    for (const format of ['csv', 'xlsx']) {
      const bytes = await (await h.cast.ben.request(`/api/exports/${list}?format=${format}`, { headers })).bytes()
      const stored = async () =>
        ((await h.cast.ben.get(table)).body.data as Row[]).map(
          ({ id: _, version: __, created_at: ___, updated_at: ____, completed_at: _____, ...row }) => row,
        )
      const before = await stored()
      const { id } = ((await h.cast.ben.get(table)).body.data as unknown as { id: number }[])[0] as { id: number }
      await h.cast.ben.delete(`/${kind}/${id}`)
      const { body } = await h.cast.ben.upload(kind, `back.${format}`, bytes)
      expect([kind, format, body.imported, body.errors]).toEqual([kind, format, 1, []] as never)
      expect(await stored()).toEqual(before)
    }
})
