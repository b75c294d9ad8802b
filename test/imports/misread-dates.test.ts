import { beforeEach, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'

/** Dates of office sheets that were once stored wrong without a message. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const MOVES = 'Unit,From,To,Date,Hauler,Status'
const MOVE = '100300,PHX,TMP,3/9/2026,Desert Auto Haul,In Transit'
const upload = async (dataType: string, text: string) => (await h.cast.ben.upload(dataType, 'a.csv', text)).body
type Found = { found: { header_row: number; dates: { field: string }[]; fields: (string | null)[] }; row_count: number }
type Shown = { row: number; outcome: string; values: Record<string, string>; message: string }
const begin = async (dataType: string, text: string) =>
  (await h.cast.ben.begin(dataType, 'a.csv', text)) as unknown as Found & { id: number; defaults: object }

test('the heading of a column decides the order of day and month', async () => {
  const of = async (heading: string) => {
    const text = `${MOVES.replace('Date', heading)}\n${MOVE.replace('3/9/2026', '03/11/2026')}`
    const { found } = await begin('transports', text)
    await upload('transports', text.replace('100300', String(100_400 + heading.length)))
    const row = (await h.cast.ben.get(`/transports?unit_number=${100_400 + heading.length}`)).body.data
    return [(row as unknown as { move_date: string }[])[0]?.move_date, found.dates.length]
  }
  expect(await of('Move Date (dd/mm/yyyy)')).toEqual(['2026-11-03', 0])
  expect(await of('Move Date (mm/dd)')).toEqual(['2026-03-11', 0])
  expect(await of('Move Date')).toEqual(['2026-03-11', 1])
})

test('the question about the order of dates says whether they can be read both ways', async () => {
  const asked = async (dates: string[]) => {
    const lines = dates.map((date, at) => MOVE.replace('3/9/2026', date).replace('100300', String(100_310 + at)))
    const { id } = await begin('transports', [MOVES, ...lines].join('\n'))
    const { text } = await h.cast.ben.open(`/files/imports/${id}`)
    return /\d+ rows? can [^.]+\./.exec(text)?.[0]
  }
  expect(await asked(['Nov 5, 2026', '31/12/2026'])).toBe('1 row can only be read with the day first.')
  expect(await asked(['3/4/2026', '5/6/2026'])).toBe('2 rows can be read both ways.')
})

test('a date that does not fit the order of its heading is rejected with an example in that order', async () => {
  const text = `${MOVES.replace('Date', 'Move Date (dd/mm/yyyy)')}\n${MOVE.replace('3/9/2026', '11/28/2026')}`
  const { errors } = (await upload('transports', text)) as unknown as { errors: { message: string }[] }
  expect(errors.map(({ message }) => message)).toEqual([
    'Move date: Must be a date with the day first, for example 14/03/2026, not "11/28/2026"',
  ])
})

test('an expiry in a date cell that shows only its month is the end of that month', async () => {
  const header = ['unit_number', 'location', 'plate_number', 'state_province', 'date_issued', 'date_expires']
  const sheet = XLSX.utils.aoa_to_sheet([header, ['100301', 'PHX', 'AB1', 'AZ'], ['100302', 'PHX', 'AB2', 'AZ']])
  const date = (serial: number, z: string) => ({ t: 'n', v: serial, z }) as XLSX.CellObject
  // 46054 is 2026-02-01, and 46692 is 2027-11-01.
  for (const row of [2, 3]) {
    sheet[`E${row}`] = date(46_054, 'mmm-yy')
    sheet[`F${row}`] = date(46_692, row === 2 ? 'mmm-yy' : 'm/d/yyyy')
  }
  sheet['!ref'] = 'A1:F3'
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Plates')
  for (const bookType of ['xlsx', 'biff8'] as const) {
    const bytes = XLSX.write(book, { type: 'buffer', bookType }) as Uint8Array
    const { id } = await h.cast.ben.begin('registrations', bookType === 'xlsx' ? 'a.xlsx' : 'a.xls', bytes)
    const rows = (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as {
      values: object
      notes: string[]
    }[]
    expect(rows).toMatchObject([
      { values: { date_issued: '2026-02-01', date_expires: '2027-11-30' } },
      { values: { date_issued: '2026-02-01', date_expires: '2027-11-01' } },
    ] as never)
    const corrected = rows.map(({ notes }) => notes.filter((note) => note.includes('was read as')))
    const ofMonth = (label: string, date: string) => `${label}: the cell shows only a month; it was read as ${date}`
    const issued = ofMonth('Date issued', '02/01/2026')
    expect(corrected).toEqual([[issued, ofMonth('Date expires', '11/30/2027')], [issued]])
  }
})

const rowsOf = async (dataType: string, text: string) => {
  const { id } = (await h.cast.ben.begin(dataType, 'a.csv', text)) as unknown as { id: number }
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  return body.data as unknown as Shown[]
}

test('dates with dots in a file with semicolons have the day first', async () => {
  const rows = await rowsOf('titles', 'Unit;Location;Submitted\n100300;PHX;03.02.2026\n100301;PHX;05.02.2026')
  expect(rows.map(({ values }) => values.submitted_date)).toEqual(['2026-02-03', '2026-02-05'])
  const american = await rowsOf('titles', 'Unit;Location;Submitted\n100300;PHX;02.03.2026\n100301;PHX;02.15.2026')
  expect(american.map(({ values }) => values.submitted_date)).toEqual(['2026-02-03', '2026-02-15'])
  const late = Array.from({ length: 30 }, (_, at) => `${100_400 + at};PHX;02.03.2026`)
  const read = await rowsOf('titles', ['Unit;Location;Submitted', ...late, '100500;PHX;02.15.2026'].join('\n'))
  expect([read[0]?.values.submitted_date, read.at(-1)?.values.submitted_date]).toEqual(['2026-02-03', '2026-02-15'])
})

test('the year of a short date follows from the other dates of its row, or from its status', async () => {
  const header = `${MOVES},ETA,Arrived`
  const moves = [
    '100301,PHX,TMP,12/29/2024,Desert Auto Haul,Delivered,1/2,1/3',
    '100302,PHX,TMP,7/20,Desert Auto Haul,Delivered,,',
    '100303,PHX,TMP,7/20,Desert Auto Haul,Awaiting Pickup,7/21,',
  ]
  const rows = await rowsOf('transports', [header, ...moves].join('\n'))
  expect(
    rows.map(({ values }) => [
      values.move_date,
      values.estimated_arrival_date || null,
      values.actual_arrival_date || null,
    ]),
  ).toEqual([
    ['2024-12-29', '2025-01-02', '2025-01-03'],
    ['2025-07-20', null, null],
    ['2026-07-20', '2026-07-21', null],
  ])
})

test('a column of months and years is read as such', async () => {
  const expiries = async (...dates: string[]) => {
    const lines = dates.map((date, at) => `10030${at},PHX,AB${at},AZ,3/1/2026,${date}`)
    const rows = await rowsOf('registrations', ['Unit,Yard,Plate,State,Issued,Expires', ...lines].join('\n'))
    return rows.map(({ values }) => values.date_expires)
  }
  expect(await expiries('11/27', '02/30')).toEqual(['2027-11-30', '2030-02-28'])
  expect(await expiries('11/30', '12/31', '2/28')).toEqual(['2026-11-30', '2026-12-31', '2027-02-28'])
  expect(await expiries('11/27', '12/28', '1/29')).toEqual(['2026-11-27', '2026-12-28', '2027-01-29'])
  expect(await expiries('3/27', '11/28')).toEqual(['2027-03-31', '2028-11-30'])
  expect(await expiries('11/27', '11/2027')).toEqual(['2027-11-30', '2027-11-30'])
})

test('a number with decimals is not read as a date', async () => {
  const lines = [
    ['Unit', 'Date Out', 'Yard', 'Problem'],
    ['100300', 11.2, 'PHX', 'Leaking pump'],
  ]
  const { errors } = (await h.cast.ben.upload('osl', 'a.xlsx', hiding([], lines))).body
  expect(errors).toEqual([
    {
      row: 2,
      message:
        'Date Out: The cell holds the number 11.2, which may have lost a zero; ' +
        'type the date with slashes, as in 03/14/2026',
    },
  ] as never)
})

test('a date can have a time without a colon', async () => {
  const dates = ['3/2/2026 0800', '2026-03-02 1430h', '99999', '3/2/2026 2561']
  const rows = await rowsOf(
    'titles',
    ['Unit,Location,Submitted', ...dates.map((date, at) => `10030${at},PHX,${date}`)].join('\n'),
  )
  expect(rows.map(({ values, message }) => message ?? values.submitted_date)).toEqual([
    ...['2026-03-02', '2026-03-02'],
    'Submitted: Must be a date, for example 03/14/2026, not "99999"',
    'Submitted: Must be a date, for example 03/14/2026, not "3/2/2026 2561"',
  ])
})

test('an expiry without a year is the first such date after today and the issue date', async () => {
  const lines = ['12/26/25,12/26', '11/1/2025,1/31', '4/1/2026,3/20'].map(
    (dates, at) => `10030${at},PHX,AB${at},AZ,${dates}`,
  )
  const rows = await rowsOf('registrations', ['Unit,Yard,Plate,State,Issued,Expires', ...lines].join('\n'))
  expect(rows.map(({ values }) => values.date_expires)).toEqual(['2026-12-26', '2027-01-31', '2027-03-20'])
})

test('short dates of a delivered move may be some days ahead, and follow its move date', async () => {
  const moves = ['3/16,,', '3/12,3/20,3/13', '12/30,1/2,'].map(
    (dates, at) => `10030${at},PHX,TMP,Desert Auto Haul,Delivered,${dates}`,
  )
  const rows = await rowsOf('transports', ['Unit,From,To,Hauler,Status,Date,ETA,Arrived', ...moves].join('\n'))
  expect(rows.map(({ values }) => [values.move_date, values.estimated_arrival_date || null])).toEqual([
    ['2026-03-16', null],
    ['2026-03-12', '2026-03-20'],
    ['2025-12-30', '2026-01-02'],
  ])
  const typo = await rowsOf('transports', `${MOVES},ETA\n${MOVE.replace('3/9/2026', '3/9')},3/10/2062`)
  expect(typo[0]?.values.move_date).toBe('2026-03-09')
})

test('a day that is proved in one column applies to the other date columns', async () => {
  const rows = ['23/11/2025,05/12/2025', '24/11/2025,12/01/2026'].map(
    (dates, at) => `10030${at},PHX,TMP,Desert Auto Haul,In Transit,${dates}`,
  )
  const { imported, validation_errors } = await upload(
    'transports',
    ['Unit,From,To,Hauler,Status,Date,ETA', ...rows].join('\n'),
  )
  expect(imported).toBe(2 as never)
  expect(validation_errors).toContain('ETA: dates such as 05/12/2025 were read day first' as never)
  const stored = (await h.cast.ben.get('/transports?sort=unit_number&order=asc')).body.data
  expect(stored).toMatchObject(
    ['2025-12-05', '2026-01-12'].map((estimated_arrival_date) => ({ estimated_arrival_date })) as never,
  )
})

test('date cells beside texts with the day first are suspicious', async () => {
  const rows = ['23/11/2025', null, '24/11/2025'].map((date, at) => [
    `10030${at}`,
    'PHX',
    'TMP',
    date,
    'Desert Auto Haul',
    'In Transit',
  ])
  const sheet = XLSX.utils.aoa_to_sheet([MOVES.split(','), ...rows])
  // 45996 is 2025-12-05.
  sheet.D3 = { t: 'n', v: 45_996, z: 'm/d/yyyy' }
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Moves')
  const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
  const { validation_errors } = (await h.cast.ben.upload('transports', 'a.xlsx', bytes)).body
  expect(validation_errors).toContain(
    ('Date: a spreadsheet program may have exchanged day and month in date cells such as 12/05/2025; check ' +
      'these cells') as never,
  )
})

test('a date that can begin with the day or the year is refused', async () => {
  const { errors } = await upload('transports', `${MOVES}\n${MOVE.replace('3/9/2026', '26-02-23')}`)
  expect(errors).toEqual([
    { row: 2, message: 'Date: 26-02-23 could begin with the day or the year; write the year with four digits' },
  ] as never)
})

test('a heading decides that dates are a month and a year', async () => {
  for (const [at, heading] of ['Exp (MM/YY)', 'Exp Mo/Yr'].entries()) {
    const text = `Unit,Hub,Plate,State,Issued,${heading}\n100300,PHX,AB${at},AZ,2/1/2026,11/27`
    expect(await upload('registrations', text)).toMatchObject({ imported: 1 } as never)
  }
  const { data } = (await h.cast.ben.get('/registrations')).body
  expect(data).toMatchObject([{ date_expires: '2027-11-30' }, { date_expires: '2027-11-30' }] as never)
})

test('an estimate such as ASAP is read as blank with a warning', async () => {
  const { imported, validation_errors } = await upload('transports', `${MOVES},ETA\n${MOVE},ASAP`)
  expect(imported).toBe(1 as never)
  expect(validation_errors).toContain('Row 2: ETA ASAP was read as blank' as never)
})

const hiding = (hidden: string[], lines: (string | number)[][], bookType: 'xlsx' | 'biff8' = 'xlsx') => {
  const sheet = XLSX.utils.aoa_to_sheet(lines)
  sheet['!cols'] = lines[0]!.map((_, at) => ({ hidden: hidden.includes(XLSX.utils.encode_col(at)) }))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Moves')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType }))
}

test('dates that can be day first are reported if the file has decimal commas', async () => {
  const text = 'Unit;From;To;Date;Hauler;Status;Quote\n100300;PHX;TMP;02/03/2026;Desert Auto Haul;In Transit;350,50'
  const { validation_errors } = await upload('transports', text)
  expect(validation_errors).toContain(
    ('Date: dates such as 02/03/2026 were read month first, but the file has semicolons or decimal commas; check ' +
      'whether the day comes first') as never,
  )
})
