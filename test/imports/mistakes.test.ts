import { beforeEach, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { unquotedComma } from '../../src/platform/imports/parse/unquoted-commas'
import { testContext } from '../support/context'

/** Sheets of offices that were stored with wrong values, or lost a row, without a message. */

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

test('an amount with a dot for thousands is refused', async () => {
  const amounts = ['1.250', '$12.500', '0.500', '1250.00', '1358.043', '1.250,50']
  const rows = amounts.map((amount, at) => `10030${at},${MOVE.slice(7)},"${amount}"`)
  const { errors } = await upload('transports', [`${MOVES},Quote`, ...rows].join('\n'))
  expect(errors).toEqual([
    { row: 2, message: 'Quote: 1.250 has three decimals; write 1,250 or 1.25' },
    { row: 3, message: 'Quote: $12.500 has three decimals; write $12,500 or $12.50' },
  ] as never)
  const stored = (await h.cast.ben.get('/transports?sort=unit_number&order=asc')).body.data
  expect(stored).toMatchObject([0.5, 1250, 1358.04, 1250.5].map((estimated_cost) => ({ estimated_cost })) as never)
})

test('an amount of a merged cell is stored in each row with a warning', async () => {
  const rows = ['100301', '100302', '100303'].map((unit) => [
    unit,
    'PHX - TMP',
    '3/9/2026',
    'Desert Auto Haul',
    'In Transit',
  ])
  const sheet = XLSX.utils.aoa_to_sheet([['Unit', 'Route', 'Date', 'Hauler', 'Status', 'Quote'], ...rows])
  sheet.F2 = { t: 'n', v: 300 }
  sheet['!ref'] = 'A1:F4'
  sheet['!merges'] = [XLSX.utils.decode_range('F2:F3'), XLSX.utils.decode_range('E3:E4')]
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Moves')
  const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
  const { imported, failed, validation_errors } = (await h.cast.ben.upload('transports', 'a.xlsx', bytes)).body
  expect([imported, failed, (validation_errors as string[]).filter((text) => text.startsWith('Row'))]).toEqual([
    3,
    0,
    ['Row 3: Quote 300 repeats the cell of an earlier row. Clear this cell if the amount applies only once'],
  ] as never)
})

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

test('a file without headings keeps its first record', async () => {
  const text = '100301,Phoenix,3/9/2026,Leaking water pump\n100302,Tempe,3/9/2026,Broken left mirror\n'
  expect(await begin('osl', text)).toMatchObject({ found: { header_row: 0 }, row_count: 2 })
  expect((await h.cast.ben.upload('osl', 'a.csv', text)).body.message).toStartWith('The file has no header row')
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

test('a misspelt state is refused with a suggestion', async () => {
  const head = 'unit_number,location,plate_number,state_province,date_issued,date_expires'
  const rows = ['New Mexcio', 'AZ - Arizona', 'NM (New Mexico)', 'AZ - Nevada', 'Mis'].map(
    (state, at) => `10030${at},PHX,AB${at},${state},1/5/2026,1/5/2027`,
  )
  const { imported, errors } = await upload('registrations', [head, ...rows].join('\n'))
  const refused = 'State or province: Must be 2 letters, for example AZ'
  expect([imported, errors] as unknown).toEqual([
    2,
    [
      { row: 2, message: `${refused}; did you mean New Mexico?` },
      { row: 5, message: `${refused}; did you mean Nevada?` },
      { row: 6, message: refused },
    ],
  ])
})

test('another sheet of a workbook does not take the location of the first', async () => {
  const book = XLSX.utils.book_new()
  for (const [at, name] of ['Phoenix', 'Mesa', 'East lot'].entries()) {
    const rows = [
      ['Unit', 'Date', 'Problem'],
      [`10030${at}`, '3/9/2026', 'Leaking water pump'],
    ]
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), name)
  }
  const bytes = XLSX.write(book, { type: 'buffer' }) as Uint8Array
  const { id } = await h.cast.ben.begin('osl', 'yards.xlsx', bytes)
  await h.cast.ben.put(`/files/${id}`, { defaults: { location: 'Phoenix' } })
  expect((await h.cast.ben.settled(id)).defaults).toEqual({ location: 'Phoenix' })
  // The preview shows a value for all rows like a column of the file.
  expect((await h.cast.ben.open(`/files/imports/${id}`)).find('table th')).toContain('Location')
  await h.cast.ben.post(`/files/${id}/commit`)
  await h.cast.ben.settled(id)
  const next = async (sheet: string) => {
    const answer = await h.cast.ben.submit(`/files/imports/${id}/sheets`, { sheet })
    return h.cast.ben.settled(Number(/imports\/(\d+)/.exec(answer.location ?? '')?.[1]))
  }
  expect((await next('Mesa')).defaults).toEqual({ location: 'Mesa' })
  const other = await next('East lot')
  expect([other.defaults, other.message]).toEqual([{}, 'Missing required columns: location'])
})

test('a unit number written as a formula is read, and a row without known values is no heading', async () => {
  const body = await upload('titles', 'Unit,Location,Price\n"=""100301""",PHX,5\n,,300\n')
  expect(body).toMatchObject({
    imported: 1,
    errors: [{ row: 3, message: 'This row is not a record: only columns that are ignored are filled in' }],
  })
})

const rowsOf = async (dataType: string, text: string) => {
  const { id } = (await h.cast.ben.begin(dataType, 'a.csv', text)) as unknown as { id: number }
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  return body.data as unknown as Shown[]
}

test('a second table with other columns is not read', async () => {
  const text = [MOVES, MOVE, 'INBOUND,,,,,', 'Unit,To,From,Date,Hauler,Status', MOVE.replace('100300', '100301')]
  const again = [MOVES, MOVE.replace('100300', '100302')]
  const rows = await rowsOf('transports', [...text, ...again].join('\n'))
  const other =
    'Row 4 begins a second table with different columns. The rows of this table are not read. Import them ' +
    'from a separate file'
  expect(rows.map(({ row, outcome, message }) => [row, outcome, message])).toEqual([
    [2, 'create', null],
    [3, 'error', 'This row is not a record: only "INBOUND" is filled in'],
    [4, 'error', other],
    [5, 'error', other],
    [6, 'error', 'This row repeats the headings'],
    [7, 'create', null],
  ] as never)
})

test('columns in other units of measure, and outdated ones, are not read without a choice', async () => {
  const fieldsOf = async (dataType: string, header: string, row: string) =>
    (await begin(dataType, `${header}\n${row}`)).found.fields
  const stay = '100300,3/9/2026,PHX,Leaking pump,900,120000'
  for (const [rate, mileage] of [
    ['Rate (monthly)', 'Odometer (km)'],
    ['Storage rate/mo', 'Mileage (000)'],
    ['Old Rate', 'Odometer (previous)'],
    ['storage_fee_daily_rate (CAD)', 'OSL mileage, km'],
  ])
    expect((await fieldsOf('osl', `Unit,Date In,Yard,Problem,"${rate}","${mileage}"`, stay)).slice(4)).toEqual([
      null,
      null,
    ])
  expect((await fieldsOf('osl', 'Unit,Date In,Yard,Problem,Daily Rate,Odometer', stay)).slice(4)).not.toContain(null)
  const plates = 'Old Unit,New Unit,Plate (old),Plate (new),State,Issued,Expires,Yard'
  expect(await fieldsOf('registrations', plates, '100300,100301,A1,A2,AZ,3/1/2026,2/28/2027,PHX')).toEqual([
    null,
    'unit_number',
    null,
    'plate_number',
    'state_province',
    'date_issued',
    'date_expires',
    'location',
  ])
})

test('a specific heading is read before a general one', async () => {
  const { found } = await begin(
    'osl',
    'Date,Unit,Yard,Date In,Problem,Contact,Phone\n3/12/2026,100300,PHX,3/2/2026,Tire,Lee,1',
  )
  expect(found.fields).toEqual([null, 'unit_number', 'location', 'osl_date', 'problem', null, 'contact_phone'])
})

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
        'Date Out: The cell holds the number 11.2, which can have lost a zero; ' +
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

test('a column Delivered is the arrival only if it contains dates', async () => {
  const fieldsOf = async (...cells: string[]) => {
    const rows = cells.map((cell, at) => `10030${at},PHX,TMP,3/2/2026,Desert Auto Haul,Delivered,${cell}`)
    return (await begin('transports', [`${MOVES},Delivered`, ...rows].join('\n'))).found.fields[6]
  }
  expect([await fieldsOf('3/4/2026', '3/5/2026'), await fieldsOf('Yes', 'No')]).toEqual(['actual_arrival_date', null])
})

test('unit numbers with a prefix, leading zeros or a remark are read', async () => {
  const units = ['U-100300', 'Trk 100301', 'T100302', '100303 (spare)', '00100304', "'100305", 'A100306']
  const rows = await rowsOf('titles', ['Unit,Location', ...units.map((unit) => `${unit},PHX`)].join('\n'))
  expect(rows.map(({ values, message }) => message ?? values.unit_number)).toEqual([
    ...['100300', '100301', '100302', '100303', '100304', '100305'],
    'Unit: 6 digits required',
  ])
})

test('the miles of an OSL entry are its mileage even if the file has a rate', async () => {
  const { found } = await begin('osl', 'Unit,Date,Yard,Problem,Miles,Rate\n100300,3/2/2026,PHX,Leaking pump,52000,35')
  expect(found.fields.slice(4)).toEqual(['osl_mileage', 'storage_fee_daily_rate'])
})

test('an error for a unit number says what the cell has instead', async () => {
  const units = ['1FUJGLDR5CSBX1234', '100354/100361', '1OO718', '"100,648"', '10-0649']
  const rows = await rowsOf('titles', ['Unit,Location', ...units.map((unit) => `${unit},PHX`)].join('\n'))
  expect(rows.map(({ values, message }) => message ?? values.unit_number)).toEqual([
    'Unit: No vehicle has this VIN; enter the unit number of the vehicle',
    'Unit: The cell has several unit numbers; use one row for each',
    'Unit: 6 digits required; did you mean 100718?',
    '100648',
    '100649',
  ])
})

test('rows of finished records get a warning, because the import creates open ones', async () => {
  const text =
    'Unit,Date Out,Yard,Date In,Problem\n100300,3/9/2026,PHX,3/2/2026,Leaking pump\n100301,,PHX,3/3/2026,Broken mirror'
  const { validation_errors: warnings } = (await upload('osl', text)) as unknown as { validation_errors: string[] }
  expect(warnings).toContain('Column "Date Out" was ignored, because the import creates open records')
  expect(warnings).toContain('Row 2: Date Out is 3/9/2026, but the import creates an open record')
  expect(warnings.join()).not.toContain('Row 3')
  expect((await h.cast.ben.get('/osl?unit_number=100300')).body.data).toMatchObject([
    { osl_date: '2026-03-02' },
  ] as never)
  const alone = await rowsOf('osl', 'Unit,Date Out,Yard,Problem\n100302,3/9/2026,PHX,Leaking pump')
  expect(alone[0]?.values.osl_date).toBe('2026-03-09')
})

test('a code and a name together are a location, whatever separates them', async () => {
  const names = ['PHX - Phoenix', 'PHX-Phoenix', 'Phoenix-PHX', 'PHX: Phoenix', 'PHX/Phoenix', 'PHX Phoenix']
  const rows = await rowsOf('titles', ['Unit,Location', ...names.map((name, at) => `10030${at},${name}`)].join('\n'))
  expect(rows.map(({ outcome }) => outcome)).toEqual(names.map(() => 'create'))
})

test('an expiry without a year is the first such date after the issue date', async () => {
  const lines = ['12/26/25,12/26', '11/1/2025,1/31', '2/1/2026,11/30'].map(
    (dates, at) => `10030${at},PHX,AB${at},AZ,${dates}`,
  )
  const rows = await rowsOf('registrations', ['Unit,Yard,Plate,State,Issued,Expires', ...lines].join('\n'))
  expect(rows.map(({ values }) => values.date_expires)).toEqual(['2026-12-26', '2026-01-31', '2026-11-30'])
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

test('a second table with headings that are not known is not read either', async () => {
  const text = [
    'Unit,Date In,Location,Problem,Daily Rate',
    '100300,3/2/2026,PHX,Leaking pump,35',
    'Unit,Date In,Location,Repair Done,Cost',
    '100301,3/3/2026,PHX,Replaced the pump,1250',
    'UNIT,Date  In,LOCATION,Problem (cont.),Daily rate',
    '100302,3/4/2026,PHX,Broken mirror,35',
  ]
  const rows = await rowsOf('osl', text.join('\n'))
  expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
    [2, 'create'],
    [3, 'error'],
    [4, 'error'],
    [5, 'error'],
    [6, 'create'],
  ])
  expect(rows[3]?.message).toBe('This row repeats the headings')
})

test('a second table is found by a few headings', async () => {
  const outcomesOf = async (dataType: string, ...lines: string[]) =>
    (await rowsOf(dataType, lines.join('\n'))).map(({ outcome }) => outcome)
  const stays = ['Unit,Date,Yard,Problem', '100300,3/2/2026,PHX,Leaking water pump']
  const sales = ['Unit,Sale Date,Auction Yard,Buyer', '100301,3/3/2026,PHX,Manheim Phoenix LLC']
  expect(await outcomesOf('osl', ...stays, ...sales)).toEqual(['create', 'error', 'error'])
  const back = [',To,From,Date,Carrier,Status', MOVE.replace('100300', '100301')]
  expect(await outcomesOf('transports', MOVES, MOVE, ...back)).toEqual(['create', 'error', 'error'])
  const counts = ['Count,Location', '120,PHX', '195,TMP']
  expect(await outcomesOf('titles', 'Unit,Location', '100300,PHX', ...counts)).toEqual([
    ...['create', 'error', 'error', 'error'],
  ])
})

test('a row with only a location is the title of the rows below it', async () => {
  const rows = ['Phoenix', '100300,3/2/2026,Leaking pump', '', 'TEMPE:', '100301,3/3/2026,"Broken "left" mirror"']
  const { id, ...read } = await begin('osl', ['Unit,Date Out,Problem', ...rows].join('\n'))
  expect(read).toMatchObject({ found: { header: ['Unit', 'Date Out', 'Problem', 'Location'], missing: [] } } as never)
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  expect((body.data as unknown as Shown[]).map(({ values, message }) => message ?? values)).toMatchObject([
    { unit_number: '100300', location: 'Phoenix' },
    { unit_number: '100301', location: 'Tempe', problem: 'Broken "left" mirror' },
  ])
  const text = ['Location,Unit,Date Out,Problem', 'Phoenix,,,', ...rows.slice(1, 2).map((row) => `,${row}`)].join('\n')
  expect((await rowsOf('osl', text))[0]?.values).toMatchObject({ unit_number: '100300', location: 'Phoenix' })
  const chosen = await h.cast.ben.put(`/files/${id}`, { fields: ['unit_number', 'osl_date', 'problem', null] })
  expect(chosen.status).toBe(200)
  expect((await h.cast.ben.settled(id)).found).toMatchObject({ missing: ['location'] })
})

test('a file with headings only says that it has no rows', async () => {
  const { validation_errors } = await upload('transports', `${MOVES}\n`)
  expect(validation_errors).toContain('The file has no rows below its headings' as never)
})

test('a second table beside the first one is named', async () => {
  const text = [`${MOVES},,${MOVES}`, `${MOVE},,${MOVE.replace('100300', '100301')}`].join('\n')
  const { validation_errors } = await upload('transports', text)
  expect(validation_errors).toContain(
    'A second table begins at the second column "Unit". It is not read. Import it from a separate file' as never,
  )
})

test('explanations and abbreviations in headings do not hide a field', async () => {
  const headings = ['P.O. #', 'R.A. #', 'E.T.A.', 'P/U Date', 'Odometer (miles not km)', 'Company (e.g. Old Dominion)']
  const { found } = await begin('transports', `Unit,From,To,Status,${headings.join(',')}\n${','.repeat(9)}`)
  expect(found.fields.slice(4)).toEqual([
    'po_number',
    'ra_number',
    'estimated_arrival_date',
    'move_date',
    'mileage',
    'transport_company',
  ])
  const plates = await begin('registrations', 'Unit,Exp. Date (mo/yr),Fee (annual)\n,,')
  expect(plates.found.fields).toEqual(['unit_number', 'date_expires', 'cost'])
})

test('headings tell which location a transport leaves', async () => {
  const fieldsOf = async (from: string, to: string) => {
    const text = `Unit,${to},${from},Date,Hauler,Status\n100300,TMP,PHX,3/9/2026,Desert Auto Haul,In Transit`
    const { id, found } = (await h.cast.ben.begin('transports', 'a.csv', text)) as unknown as Found & { id: number }
    if (found.fields[1]) return found.fields.slice(1, 3)
    const page = await h.cast.ben.open(`/files/imports/${id}`)
    return [1, 2].map(
      (at) => page.find(`select[name="field.${at}"] option[selected]`)[0]?.replace(' (required)', '') ?? '',
    )
  }
  expect(await fieldsOf('Moved From', 'Moved To')).toEqual(['location_in', 'location_out'])
  expect(await fieldsOf('Coming from', 'Going to')).toEqual(['location_in', 'location_out'])
  expect(await fieldsOf('Prev. Location', 'New Location')).toEqual(['location_in', 'location_out'])
  expect(await fieldsOf('Left from place', 'Went to place')).toEqual(['Location in', 'Location out'])
  expect(await fieldsOf('Place A', 'Place B')).toEqual(['None: ignore this column', 'None: ignore this column'])
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
    { row: 2, message: 'Date: 26-02-23 can begin with the day or the year; write the year with four digits' },
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

test('identifiers that a spreadsheet has changed, and answers instead of numbers, are refused', async () => {
  const values = ['4.50E+11', '#####', '#REF!', 'Yes', 'x', 'PO-17', 'No']
  const rows = values.map((value, at) => `10030${at},${MOVE.slice(7)},${value}`)
  const { errors, imported, validation_errors } = await upload('transports', [`${MOVES},PO #`, ...rows].join('\n'))
  expect(imported).toBe(2 as never)
  expect(validation_errors).toContain('Row 8: PO # No was read as blank' as never)
  expect((errors as unknown as { message: string }[]).map(({ message }) => message)).toEqual([
    'PO #: The cell holds a number that lost digits; format the cell as text and type the value again',
    'PO #: the cell shows #####; correct it in the spreadsheet',
    'PO #: the cell shows #REF!; correct it in the spreadsheet',
    'PO #: Must be a number, not "Yes"; choose another field for the column',
    'PO #: Must be a number, not "x"; choose another field for the column',
  ])
})

test('an amount with an unquoted comma is reported even if the row is not too long', async () => {
  const { errors } = await upload('transports', `${MOVES},Final Cost,Mileage,Notes\n${MOVE},$1,250`)
  expect(errors).toEqual([
    { row: 2, message: 'An amount may have an unquoted comma. Put quotation marks around it.' },
  ] as never)
})

test.each(['USD 1,250', 'US$1,250', '1,250 USD', '1,250.00 USD', '1,250-', '$1,250USD', "'$1,250", '$125,000'])(
  'the amount %s with an unquoted comma is an error',
  (amount) => {
    const kinds = ['text', 'money', 'text', 'text'] as const
    expect(unquotedComma(['100001', ...amount.split(','), 'paid'], [...kinds])).toEqual({
      error: 'An amount may have an unquoted comma. Put quotation marks around it.',
    })
  },
)

test('an amount with an unquoted comma is reported if only one cell is missing', async () => {
  const header = `${MOVES},Estimated Cost,Final Cost,Notes`
  const error = 'An amount may have an unquoted comma. Put quotation marks around it.'
  const { errors } = await upload('transports', `${MOVES},Final Cost,Notes\n${MOVE},$1,250`)
  expect(errors).toEqual([{ row: 2, message: error }] as never)
  const notes = async (rest: string) =>
    ((await upload('transports', `${header}\n${MOVE},${rest}`)).validation_errors as unknown as string[]).filter(
      (line) => line.includes('two cells'),
    )
  const note = (first: string, second: string) => [
    `Row 2: ${first} and ${second} are two cells. If ${first},${second} is one amount, put quotation marks around it`,
  ]
  expect(await notes('$1,250,')).toEqual(note('$1', '250'))
  expect(await notes('900,1,250')).toEqual(note('1', '250'))
  expect(await notes('120,130,Keys in box')).toEqual([])
  expect(await notes('$120,$130,250')).toEqual([])
  expect((await upload('transports', `${header}\n${MOVE},$120,$130,250`)).errors).toEqual([] as never)
})

test('miles beside a rate are not the odometer reading', async () => {
  const { fields } = (await begin('transports', `${MOVES},Miles,Rate\n${MOVE},114,$2.50`)).found
  expect(fields[6]).toBeNull()
  expect((await begin('transports', `${MOVES},Miles\n${MOVE},45000`)).found.fields[6]).toBe('mileage')
})

test('a status column of finished entries gives a warning for each of them', async () => {
  const text =
    'Unit,Hub,Date,Problem,Status\n100300,PHX,3/9/2026,Leaking water pump,Released\n' +
    '100301,PHX,3/9/2026,Leaking water pump,Not done'
  const { validation_errors } = await upload('osl', text)
  expect((validation_errors as unknown as string[]).filter((line) => line.startsWith('Row'))).toEqual([
    'Row 2: Status is Released, but the import creates an open record',
  ])
})

test('an estimate such as ASAP is read as blank with a warning', async () => {
  const { imported, validation_errors } = await upload('transports', `${MOVES},ETA\n${MOVE},ASAP`)
  expect(imported).toBe(1 as never)
  expect(validation_errors).toContain('Row 2: ETA ASAP was read as blank' as never)
})

test('the opposite of a word is not suggested for it', async () => {
  const { errors } = await upload('transports', `${MOVES}\n${MOVE.replace('In Transit', 'undelivered')}`)
  expect(JSON.stringify(errors)).not.toContain('Delivered?')
})

const hiding = (hidden: string[], lines: (string | number)[][], bookType: 'xlsx' | 'biff8' = 'xlsx') => {
  const sheet = XLSX.utils.aoa_to_sheet(lines)
  sheet['!cols'] = lines[0]!.map((_, at) => ({ hidden: hidden.includes(XLSX.utils.encode_col(at)) }))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Moves')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType }))
}

test.each(['xlsx', 'biff8'] as const)('a visible column takes precedence over a hidden one in %s', async (bookType) => {
  const name = bookType === 'xlsx' ? 'a.xlsx' : 'a.xls'
  const lines = [
    ['Unit', 'From', 'To', 'Date', 'Date', 'Carrier', 'Status'],
    ['100300', 'PHX', 'TMP', '3/1/2026', '3/9/2026', 'Desert Auto Haul', 'In Transit'],
  ]
  const { found } = (await h.cast.ben.begin('transports', name, hiding(['D'], lines, bookType))) as unknown as Found
  expect(found.fields.slice(3, 5)).toEqual([null, 'move_date'])
  const only = lines.map((line) => line.toSpliced(4, 1))
  const read = await h.cast.ben.begin('transports', name, hiding(['D'], only, bookType))
  expect(read.validation_errors).toContain('Column "Date" is hidden in the file, but was read')
})

test('ditto marks repeat the cell above', async () => {
  const rows = ['100300,Phoenix,Tempe,3/9/2026,Desert Auto Haul,350', '100301,"""",〃,ditto,"""",""""']
  const { body } = await h.cast.ben.upload(
    'transports',
    'a.csv',
    `Unit,From,To,Date,Hauler,Final Cost\n${rows.join('\n')}`,
    {
      defaults: '{"status":"Delivered"}',
    },
  )
  expect([body.imported, body.errors]).toEqual([2, []] as never)
  expect(body.validation_errors).toContain(
    ('Row 3: final cost 350 repeats the cell of an earlier row. Clear this cell if the amount ' +
      'applies only once') as never,
  )
})

test('dates that can be day first are reported if the file has decimal commas', async () => {
  const text = 'Unit;From;To;Date;Hauler;Status;Quote\n100300;PHX;TMP;02/03/2026;Desert Auto Haul;In Transit;350,50'
  const { validation_errors } = await upload('transports', text)
  expect(validation_errors).toContain(
    ('Date: dates such as 02/03/2026 were read month first, but the file has semicolons or decimal commas; check ' +
      'whether the day comes first') as never,
  )
})

test('a row that is marked as cancelled is reported', async () => {
  const { validation_errors } = await upload('transports', `${MOVES},Cancelled\n${MOVE},X\n100301${MOVE.slice(6)},`)
  expect((validation_errors as unknown as string[]).filter((line) => line.startsWith('Row'))).toEqual([
    'Row 2: Cancelled is X, but the import creates an open record',
  ])
})

test('impossible dates and amounts are reported', async () => {
  const notes = async (dataType: string, text: string) =>
    ((await upload(dataType, text)).validation_errors as unknown as string[]).filter((line) => line.startsWith('Row 2'))
  const osl = 'Unit,Hub,Date,Problem,Storage Rate\n100300,PHX'
  expect(await notes('osl', `${osl},11/14/1926,Leaking water pump,35`)).toEqual([
    'Row 2: OSL date: 11/14/1926 is more than 20 years ago',
  ])
  expect(await notes('osl', `${osl},3/9/2026,Leaking water pump,1050`)).toEqual([
    'Row 2: Storage fee daily rate: $1050 a day is high; it may be a rate per month',
  ])
  const registration =
    'unit_number,location,plate_number,state_province,date_issued,date_expires\n100300,PHX,CDA4821,AZ'
  expect(await notes('registrations', `${registration},2062-01-01,2063-01-01`)).toContain(
    'Row 2: Date issued: 01/01/2062 is more than a year ahead',
  )
  expect(await notes('registrations', `${registration},2026-03-01,2026-03-13`)).toEqual([
    'Row 2: Date expires: 03/13/2026 is less than a month after the issue date 03/01/2026',
  ])
  expect(await notes('transports', `${MOVES},Est Cost,Final Cost\n${MOVE},350,35000`)).toEqual([
    'Row 2: Final cost: $35000 is more than 20 times the estimate of $350',
  ])
})
