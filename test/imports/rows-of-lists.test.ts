import { beforeEach, describe, expect, test } from 'bun:test'
import { Workbook } from 'exceljs'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

/** Office lists in which a column decides about the status of a row. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { preview, rowsOf } = sheets(() => h)

const begin = (data_type: string, lines: string[], more: Record<string, string> = {}) =>
  h.cast.ben.begin(data_type, 'list.csv', lines.join('\n'), more)

describe('a value for all rows that depends on another column', () => {
  const MOVES = [
    'Unit,From,To,Date,Carrier,Delivered on',
    '100001,Phoenix,Tempe,3/2/2026,Desert Auto Haul,3/4/2026',
    '100002,Phoenix,Tempe,3/3/2026,Desert Auto Haul,',
    '100003,Phoenix,Tempe,3/3/2026,Desert Auto Haul,TBD',
  ]
  const status = 'Delivered if it has an actual arrival date, otherwise In Transit'

  test('sets the status of transports by their arrival date', async () => {
    const { id } = await begin('transports', MOVES, { defaults: JSON.stringify({ status }) })
    const found = await rowsOf(id)
    expect(found.map(({ values }) => [values.status, values.actual_arrival_date])).toEqual([
      ['Delivered', '2026-03-04'],
      ['In Transit', null],
      ['In Transit', null],
    ])
    const { html } = await h.cast.ben.open(`/files/imports/${id}`)
    expect(html).toContain(status)
  })

  test('is offered only if the file has the column', async () => {
    const { id } = await begin(
      'transports',
      MOVES.map((line) => line.split(',').slice(0, 5).join(',')),
    )
    expect((await h.cast.ben.open(`/files/imports/${id}`)).html).not.toContain('Delivered if it has')
    const other = await begin('transports', MOVES)
    expect((await h.cast.ben.open(`/files/imports/${other.id}`)).html).toContain('Delivered if it has')
  })

  test('is computed again for the corrected file of failed rows', async () => {
    const rows = [`${MOVES[0]},Status`, ...MOVES.slice(1, 3).map((line) => `${line},"${status}"`)] as string[]
    const { id } = await begin('transports', rows)
    expect((await rowsOf(id)).map(({ values }) => values.status)).toEqual(['Delivered', 'In Transit'])
  })

  test('sets the issue date of registrations by their expiry', async () => {
    const lines = [
      'Unit,Location,Plate,State,Expires',
      '100001,Phoenix,ABC1234,AZ,5/31/2026',
      '100002,Phoenix,X1,AZ,bad',
    ]
    const date_issued = 'One year before it expires'
    const { id } = await begin('registrations', lines, { defaults: JSON.stringify({ date_issued }) })
    const [good, bad] = await rowsOf(id)
    expect([good?.outcome, good?.values.date_issued]).toEqual(['create', '2025-05-31'])
    expect(bad?.outcome).toBe('error')
    const { html } = await h.cast.ben.open(`/files/imports/${id}`)
    expect(html).toContain('A date, or “One year before it expires”')
  })
})

describe('finished rows of an out-of-service list', () => {
  const LIST = [
    'Unit,Out Date,Return Date,Location,Problem',
    '100001,3/1/2026,3/9/2026,Phoenix,Engine does not start',
    '100002,3/2/2026,,Phoenix,Engine does not start',
    '100003,3/3/2026,3/10/2026,Phoenix,Engine does not start',
  ]
  const settled = async (more: Record<string, string>) => h.cast.ben.settled((await begin('osl', LIST, more)).id)

  test('are imported as open records only after the user has decided', async () => {
    const waitingImport = await settled({ commit: 'true', ask: 'true' })
    expect([waitingImport.status, waitingImport.found?.finished_rows, waitingImport.found?.conflict_rows]).toEqual([
      'ready',
      2,
      2,
    ])
    const { html } = await h.cast.ben.open(`/files/imports/${waitingImport.id}`)
    expect(html).toContain('2 rows are probably finished, but the import creates open records.')
    expect(html).toContain('Rows about finished records (2, see the warnings below)')
    await h.cast.ben.call('PUT', `/files/${waitingImport.id}`, { skip_conflicts: true })
    const skipped = await h.cast.ben.settled(waitingImport.id)
    expect([skipped.imported, skipped.duplicates, skipped.found?.finished_rows]).toEqual([1, 2, 0])
  })

  test('are imported with a warning by programs that do not ask', async () => {
    const done = await settled({ commit: 'true' })
    expect([done.status, done.imported]).toEqual(['done', 3])
  })
})

test('a known location with a noun after it can be a title', async () => {
  const osl = (unit: string) => `${unit},3/9/2026,Engine does not start`
  const lines = ['Phoenix yard,,', osl('100001'), 'Mesa yard,,', osl('100002'), 'Tempe units,,', osl('100003')]
  const { rows } = await preview('osl', 'Unit,Date,Problem', ...lines)
  expect(rows.map(({ values }) => values.location)).toEqual(['Phoenix', 'Mesa', 'Tempe'])
})

test('a column of dates that no field stores is not suggested', async () => {
  const lines = ['Unit,Location,Plate,State,Expires,Emissions due', '100001,Phoenix,ABC1234,AZ,5/31/2026,3/1/2026']
  const { id } = await begin('registrations', lines)
  const page = await h.cast.ben.open(`/files/imports/${id}`)
  expect(page.html).toContain('Emissions due')
  expect(page.html).not.toMatch(/<option[^>]* selected=""[^>]*>Date issued/)
})

describe('dates without a year', () => {
  const upload = async (data_type: string, sheet: string, rows: string[][]) => {
    const book = new Workbook()
    for (const row of rows) (book.getWorksheet(sheet) ?? book.addWorksheet(sheet)).addRow(row)
    const bytes = new Uint8Array(await book.xlsx.writeBuffer())
    const { id } = await h.cast.ben.begin(data_type, 'list.xlsx', bytes)
    return { rows: await rowsOf(id), upload: await h.cast.ben.settled(id) }
  }
  const OSL = [
    ['Unit', 'Down', 'Location', 'Problem'],
    ['100001', '1/10', 'Phoenix', 'Engine does not start'],
    ['100002', '8/29', 'Phoenix', 'Engine does not start'],
    ['100003', '9/1/2024', 'Phoenix', 'Engine does not start'],
  ].map(([unit, day, ...rest]) => [unit, day === 'Down' ? 'Down Date' : day, ...rest] as string[])

  test('get the year in the name of their sheet', async () => {
    const { rows, upload: found } = await upload('osl', '2025', OSL)
    expect(rows.map(({ values }) => values.osl_date)).toEqual(['2025-01-10', '2025-08-29', '2024-09-01'])
    expect((found as unknown as { validation_errors: string[] }).validation_errors).toContain(
      'Dates without a year were read as dates of 2025, because the sheet is named "2025"',
    )
  })

  test('are in the past for records that have begun, if the sheet names no year, or several', async () => {
    for (const sheet of ['Sheet1', '2024-2025', 'Plan 2019 to 2025', '1999'])
      expect((await upload('osl', sheet, OSL)).rows.map(({ values }) => values.osl_date)).toEqual([
        '2026-01-10',
        '2025-08-29',
        '2024-09-01',
      ])
  })

  test('follow the first date of the row across the end of the year', async () => {
    const { rows } = await upload('transports', 'Dec 2025', [
      ['Unit', 'From', 'To', 'Date', 'Carrier', 'Status', 'Arrived'],
      ['100001', 'Phoenix', 'Tempe', '12/30', 'Desert Auto Haul', 'Delivered', '1/2'],
    ])
    expect(rows.map(({ values }) => [values.move_date, values.actual_arrival_date])).toEqual([
      ['2025-12-30', '2026-01-02'],
    ])
  })
})

test('a column without a heading behind the last one can be chosen in a workbook', async () => {
  const book = new Workbook()
  const sheet = book.addWorksheet('Titles')
  for (const row of [
    ['Unit', 'Location'],
    ['100001', 'Phoenix', 'call the bank'],
    ['100002', 'Tempe'],
  ])
    sheet.addRow(row)
  const { id } = await h.cast.ben.begin('titles', 'list.xlsx', new Uint8Array(await book.xlsx.writeBuffer()))
  await h.cast.ben.call('PUT', `/files/${id}`, { fields: ['unit_number', 'location', 'notes'] })
  await h.cast.ben.settled(id)
  expect((await rowsOf(id)).map(({ values }) => values.notes)).toEqual(['call the bank', null])
})

describe('the first column of a list', () => {
  test('can be the date on which an entry begins', async () => {
    const { rows } = await preview(
      'osl',
      'Date Out,Unit,Location,Problem,Date In',
      '3/1/2026,100001,Phoenix,Engine does not start,3/9/2026',
      '3/2/2026,100002,Phoenix,Engine does not start,3/10/2026',
    )
    expect(rows.map(({ values }) => values.osl_date)).toEqual(['2026-03-01', '2026-03-02'])
  })

  test('can hold titles although its field is a text', async () => {
    const row = (unit: string) => `Engine does not start,${unit},3/9/2026`
    const { rows } = await preview('osl', 'Problem,Unit,Date', 'Phoenix,,', row('100001'), 'Tempe,,', row('100002'))
    expect(rows.map(({ values }) => values.location)).toEqual(['Phoenix', 'Tempe'])
  })

  test('can hold a plate and its state', async () => {
    const { rows } = await preview(
      'registrations',
      'Plate/State,Unit,Location,Issued,Expires',
      'ABC1234 AZ,100001,Phoenix,3/1/2026,3/1/2027',
    )
    expect(rows.map(({ values }) => [values.plate_number, values.state_province])).toEqual([['ABC1234', 'AZ']])
  })
})

test('the location in the name of a sheet is suggested for all rows', async () => {
  const book = new Workbook()
  const sheet = book.addWorksheet('Phoenix')
  for (const row of [
    ['Unit', 'Notes'],
    ['100001', 'call the bank'],
  ])
    sheet.addRow(row)
  const { id } = await h.cast.ben.begin('titles', 'list.xlsx', new Uint8Array(await book.xlsx.writeBuffer()))
  const { html } = await h.cast.ben.open(`/files/imports/${id}`)
  expect(/<select[^>]*id="default-location".*?<\/select>/s.exec(html)?.[0]).toMatch(
    /<option[^>]*value="Phoenix \(PHX\)" selected/,
  )
})

test('a file that lacks a required column asks for it and for unknown names at once', async () => {
  const lines = [
    'Unit,From,To,Date,Carrier',
    '100001,Phoenxi,Tempe,3/2/2026,Desert Haul',
    '100002,PHX,Tempe,3/2/2026,X',
  ]
  const { id, found } = await begin('transports', lines)
  expect([found.missing, found.names.map(({ name }) => name).sort()]).toEqual([
    ['status'],
    ['Desert Haul', 'Phoenxi', 'X'],
  ])
  const { html } = await h.cast.ben.open(`/files/imports/${id}`)
  // Without the missing column, no row can be imported, so this question comes first.
  expect(html.indexOf('One value for all rows')).toBeLessThan(html.indexOf('These names are not known'))
  const answers = {
    defaults: { status: 'In Transit' },
    names: [
      { kind: 'location', name: 'Phoenxi', id: h.cast.phoenix },
      { kind: 'company', name: 'Desert Haul', id: h.cast.desert },
      { kind: 'company', name: 'X', id: h.cast.desert },
    ],
  }
  expect((await h.cast.ben.put(`/files/${id}`, answers)).status).toBe(200)
  const read = await h.cast.ben.settled(id)
  expect([read.status, read.imported, read.failed]).toEqual(['ready', 2, 0])
})
