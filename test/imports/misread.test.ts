import { beforeEach, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { testContext } from '../support/context'

/** Sheets whose values were once stored wrong without a message. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const MOVES = 'Unit,From,To,Date,Hauler,Status'
const MOVE = '100300,PHX,TMP,3/9/2026,Desert Auto Haul,In Transit'
const upload = async (dataType: string, text: string) => (await h.cast.ben.upload(dataType, 'a.csv', text)).body
const begin = async (dataType: string, text: string | Uint8Array, name = 'a.csv') =>
  (await h.cast.ben.begin(dataType, name, text)) as unknown as {
    id: number
    found: { fields: (string | null)[]; header_row: number; names: { name: string }[] }
    validation_errors: string[]
  }
const rowsOf = async (id: number) =>
  (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as {
    row: number
    outcome: string
    message: string | null
    values: Record<string, string>
  }[]

/** Creates a workbook. `formats` contains number formats by cell address. */
function workbook(sheets: unknown[][][], formats: Record<string, string> = {}, bookType: 'xlsx' | 'biff8' = 'xlsx') {
  const book = XLSX.utils.book_new()
  for (const [at, lines] of sheets.entries()) {
    const sheet = XLSX.utils.aoa_to_sheet(lines)
    for (const [address, format] of Object.entries(formats)) if (sheet[address]) sheet[address].z = format
    XLSX.utils.book_append_sheet(book, sheet, `Sheet${at + 1}`)
  }
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType }))
}

test('an unknown title ends the section of the location above it', async () => {
  const titles = ['Flagstaff', 'Flagstaff (2 units)', 'FLAGSTAFF - 1 unit', 'Flagstaff:']
  for (const title of titles) {
    const row = (unit: string) => `${unit},3/9/2026,Brakes grinding badly`
    const { id, found } = await begin(
      'osl',
      ['Unit,OSL Date,Problem', 'Phoenix,,', row('100301'), `${title},,`, row('100302')].join('\n'),
    )
    const rows = await rowsOf(id)
    expect(rows.map(({ row, outcome, values }) => [row, outcome, values.location])).toEqual([
      [3, 'create', expect.stringContaining('Phoenix')],
      [5, 'error', expect.stringMatching(/^flagstaff$/i)],
    ])
    expect(found.names.map(({ name }) => name)).toEqual([expect.stringMatching(/^flagstaff$/i)])
  }
})

test('totals and notes between the rows of a section do not end it', async () => {
  const lines = [
    'Unit,OSL Date,Problem',
    'Phoenix,,',
    '100301,3/9/2026,Brakes grinding badly',
    'Total: 1,,',
    ',,see the invoice of the garage',
    '100302,3/9/2026,Brakes grinding badly',
  ]
  const rows = await rowsOf((await begin('osl', lines.join('\n'))).id)
  expect(rows.filter(({ outcome }) => outcome === 'create').map(({ values }) => values.location)).toEqual([
    expect.stringContaining('Phoenix'),
    expect.stringContaining('Phoenix'),
  ])
})

test('the name of a field takes precedence over a remembered heading', async () => {
  const first = await begin('transports', `${MOVES},Cost\n${MOVE},90`)
  await h.cast.ben.put(`/files/${first.id}`, { fields: [...first.found.fields.slice(0, 6), 'final_cost'] })
  await h.cast.ben.settled(first.id)
  await h.cast.ben.post(`/files/${first.id}/commit`)
  await h.cast.ben.settled(first.id)
  const both = await begin('transports', `${MOVES},Cost,Final Cost\n100301${MOVE.slice(6)},100,120`)
  expect(both.found.fields.slice(6)).toEqual([null, 'final_cost'])
  expect(both.validation_errors.filter((text) => text.includes('Cost'))).toEqual([
    'Column "Cost" was ignored, because another column is used for Final cost',
  ])
})

test('a comma before three digits is refused in a file with decimal commas', async () => {
  const quotes = async (...amounts: string[]) => {
    const rows = amounts.map((amount, at) => `${100300 + at}${MOVE.slice(6)},"${amount}"`)
    const { errors } = await upload('transports', [`${MOVES},Quote`, ...rows].join('\n'))
    return (errors as { message: string }[]).map(({ message }) => message)
  }
  expect(await quotes('35,50', '28,9', '35,500')).toEqual(['Quote: 35,500 has three decimals; write 35500 or 35.50'])
  expect(await quotes('35.50', '35,500')).toEqual([])
})

test('a dot in an amount of a file with decimal commas is not a decimal point', async () => {
  const rows = ['100300,"1.234"', '100301,"2.345,50"'].map((row) => {
    const [unit, amount] = row.split(/,(.*)/)
    return `${unit}${MOVE.slice(6)},${amount}`
  })
  const { imported, errors } = await upload('transports', [`${MOVES},Quote`, ...rows].join('\n'))
  expect([imported, errors]).toEqual([
    1,
    [{ row: 2, message: 'Quote: 1.234 has three decimals; write 1234 or 1.23' }],
  ] as never)
})

test.each(['xlsx', 'biff8'] as const)('a unit that stands only in the number format counts (%s)', async (bookType) => {
  const line = (unit: number, mileage: number, cost: number) => [
    unit,
    'PHX',
    'TMP',
    '3/9/2026',
    'Desert Auto Haul',
    'In Transit',
    mileage,
    cost,
  ]
  const bytes = workbook(
    [[[...MOVES.split(','), 'Mileage', 'Final Cost'], line(100301, 72760, 500), line(100302, 72.76, 1.2)]],
    { G2: '#,##0" km"', H2: '[$€-407]#,##0.00', G3: '0.00"k"', H3: '"$"0.0"k"' },
    bookType,
  )
  const { id } = await begin('transports', bytes, bookType === 'xlsx' ? 'a.xlsx' : 'a.xls')
  const [first, second] = await rowsOf(id)
  expect(first).toMatchObject({ outcome: 'error', message: expect.stringMatching(/72760 km.*€500|€500.*72760 km/) })
  expect(second).toMatchObject({ outcome: 'create', values: { mileage: '72760', final_cost: '1200' } })
})

test('headings with other units of measure are not read', async () => {
  const headings = ['Final Cost (k$)', 'Final Cost ($000)', 'Final Cost (in hundreds)', 'Mileage (1000 mi)']
  for (const heading of [...headings, 'Mileage (trip)', 'Mileage (hrs)']) {
    const { found } = await begin('transports', `${MOVES},${heading}\n${MOVE},45`)
    expect([heading, found.fields[6]]).toEqual([heading, null])
  }
  const osl = await begin('osl', 'Unit,Hub,Date,Problem,Rate (per wk)\n100300,PHX,3/9/2026,Leaking water pump,35')
  expect(osl.found.fields[4]).toBeNull()
})

test('headings below thirty lines of cover are found', async () => {
  const cover = Array.from({ length: 30 }, (_, at) => `Line ${at} of the cover`)
  const { found } = await begin('transports', [...cover, MOVES, MOVE].join('\n'))
  expect(found.header_row).toBe(31)
})

test('a sheet with headings only is not chosen if another sheet has rows', async () => {
  const headings = MOVES.split(',')
  const bytes = workbook([[headings], [headings, MOVE.split(',')]])
  const { id, validation_errors } = await begin('transports', bytes, 'a.xlsx')
  expect((await rowsOf(id)).length).toBe(1)
  expect(validation_errors).toContain('Only the sheet "Sheet2" was read, not "Sheet1"')
})

test('a small unit number in a numeric cell gets its zeros back', async () => {
  const bytes = workbook([[MOVES.split(','), [54, ...MOVE.split(',').slice(1)]]])
  const [row] = await rowsOf((await begin('transports', bytes, 'a.xlsx')).id)
  expect(row).toMatchObject({ outcome: 'create', values: { unit_number: '000054' } })
})

test('No in a column about storage contradicts a daily rate', async () => {
  for (const heading of ['Storage Fees', 'Storage?', 'Storage fees applicable']) {
    const rows = ['100301,3/9/2026,PHX,Brakes grinding badly,N,35', '100302,3/9/2026,PHX,Brakes grinding badly,N,']
    const { imported, errors } = await upload(
      'osl',
      [`Unit,OSL Date,Location,Problem,${heading},Daily Rate`, ...rows].join('\n'),
    )
    expect([imported, errors]).toEqual([
      1,
      [{ row: 2, message: `Daily Rate: ${heading} is N; clear one of the two cells` }],
    ] as never)
    const [entry] = (await h.cast.ben.get('/osl')).body.data as unknown as { id: number }[]
    await h.cast.ada.delete(`/osl/${entry?.id}`)
  }
})

test('the earlier of two dates begins an out-of-service entry', async () => {
  const entry = (unit: string, out: string, back: string) => `${unit},PHX,Brakes grinding badly,${out},${back}`
  const dates = async (headings: string, rows: string[]) => {
    const { id } = await begin('osl', [`Unit,Hub,Problem,${headings}`, ...rows].join('\n'))
    return (await rowsOf(id)).map(({ values }) => values.osl_date)
  }
  const offices = [entry('100301', '3/1/2026', '3/9/2026'), entry('100302', '3/2/2026', '')]
  expect(await dates('Date Out,Date In', offices)).toEqual(['2026-03-01', '2026-03-02'])
  // At a tow yard, a vehicle comes in before it goes out.
  const yards = [entry('100301', '3/9/2026', '3/1/2026'), entry('100302', '', '3/2/2026')]
  expect(await dates('Date Out,Date In', yards)).toEqual(['2026-03-01', '2026-03-02'])
})

test('merged cells of an .xls file are filled even if they contain empty text', async () => {
  const rows = ['100301', '100302', '100303'].map((unit, at) => [unit, 'PHX', at === 0 ? 'Sun Dealer' : ''])
  const sheet = XLSX.utils.aoa_to_sheet([['Unit', 'Location', 'Dealer Name'], ...rows])
  sheet['!merges'] = [XLSX.utils.decode_range('C2:C4')]
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Titles')
  const bytes = new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'biff8' }))
  const { id } = await begin('titles', bytes, 'a.xls')
  expect((await rowsOf(id)).map(({ values }) => values.dealer_name)).toEqual(Array(3).fill('Sun Dealer'))
})

test('VINs with the marks of a scanner are looked up', async () => {
  const vin = '1HGCM82633A004352'
  await h.cast.ada.post('/vehicles', { unit_number: '100301', vin })
  const vins = [`*${vin}*`, `I${vin}`, '1HGCM82-633A-004352']
  const { id } = await begin('titles', ['VIN,Location', ...vins.map((text) => `${text},PHX`)].join('\n'))
  expect((await rowsOf(id)).map(({ values, message }) => [values.unit_number, message])).toEqual([
    ['100301', null],
    ['100301', expect.stringContaining('row 2')],
    ['100301', expect.stringContaining('row 2')],
  ])
})

test('titles of two levels, such as a date below each company, fill both columns', async () => {
  const row = (unit: string) => `${unit},PHX,TMP,Delivered`
  const company = (name: string) => `${name},,,`
  const day = (date: string) => `${date},,,`
  const { found, id } = await begin(
    'transports',
    [
      'Unit,From,To,Status',
      company('Desert Auto Haul'),
      day('3/8/2026'),
      row('100301'),
      day('3/9/2026'),
      row('100302'),
      company('Copper State Transport'),
      row('100303'),
    ].join('\n'),
  )
  expect(found.fields).toEqual([
    'unit_number',
    'location_out',
    'location_in',
    'status',
    'transport_company',
    'move_date',
  ])
  const rows = await rowsOf(id)
  expect<unknown>(rows.map(({ outcome, values }) => [outcome, values.transport_company, values.move_date])).toEqual([
    ['create', 'Desert Auto Haul', '2026-03-08'],
    ['create', 'Desert Auto Haul', '2026-03-09'],
    // A date of another company is not the date of this one.
    ['error', 'Copper State Transport', null],
  ])
})

test('titles with a date, a company or a location fill the column that a transport sheet lacks', async () => {
  const place = async (headings: string, lines: string[]) => {
    const { id, found } = await begin('transports', [headings, ...lines].join('\n'))
    const rows = (await rowsOf(id)).map(({ row, outcome, values }) => [row, outcome, values] as const)
    return { rows, field: found.fields.at(-1) }
  }
  const days = await place('Unit,From,To,Carrier,Status', [
    'Monday 3/9/2026,,,,',
    '100301,PHX,TMP,Desert Auto Haul,In Transit',
    'Tuesday 3/10/2026,,,,',
    '100302,PHX,TMP,Desert Auto Haul,In Transit',
  ])
  expect([days.field, days.rows.map(([row, outcome, { move_date }]) => [row, outcome, move_date])]).toEqual([
    'move_date',
    [
      [3, 'create', '2026-03-09'],
      [5, 'create', '2026-03-10'],
    ],
  ])
  const carriers = await place('Unit,From,To,Date,Status', [
    'Desert Auto Haul,,,,',
    '100301,PHX,TMP,3/9/2026,In Transit',
    'Unknown Haulers,,,,',
    '100302,PHX,TMP,3/9/2026,In Transit',
  ])
  expect(carriers.rows.map(([, outcome, values]) => [outcome, values.transport_company])).toEqual([
    ['create', 'Desert Auto Haul'],
    ['error', 'Unknown Haulers'],
  ])
  const origins = await place('Unit,To,Date,Carrier,Status', [
    'Phoenix (1 unit),,,,',
    '100301,TMP,3/9/2026,Desert Auto Haul,In Transit',
    'Mesa,,,,',
    '100302,TMP,3/9/2026,Desert Auto Haul,In Transit',
  ])
  expect(origins.rows.map(([, , values]) => values.location_out)).toEqual(['Phoenix', 'Mesa'])
})

test('headings that take two lines are joined', async () => {
  const lines = [
    'Moves of March,,,,,,',
    'Unit,Pickup,,Delivery,,,',
    'Number,Location,Date,Location,Date,Carrier,Status',
    '100301,PHX,3/9/2026,TMP,3/11/2026,Desert Auto Haul,In Transit',
  ]
  const { id, found } = await begin('transports', lines.join('\n'))
  expect([found.header_row, found.fields]).toEqual([
    3,
    ['unit_number', 'location_out', 'move_date', 'location_in', 'actual_arrival_date', 'transport_company', 'status'],
  ])
  expect((await rowsOf(id)).map(({ row, outcome }) => [row, outcome])).toEqual([[4, 'create']])
  // The page sends the header row again with each decision.
  await h.cast.ben.put(`/files/${id}`, { header_row: 3 })
  expect((await h.cast.ben.settled(id)) as unknown).toMatchObject({ found: { fields: found.fields } })
})

test('a move date of another century is reported', async () => {
  const move = (unit: string, date: string) => `${unit},PHX,TMP,${date},Desert Auto Haul,Delivered`
  const { validation_errors } = await begin(
    'transports',
    [MOVES, move('100301', '11/23/1926'), move('100302', '11/23/2020')].join('\n'),
  )
  expect(validation_errors.filter((text) => text.startsWith('Row'))).toEqual([
    'Row 2: Move date: 11/23/1926 is more than 20 years ago',
  ])
})

test('words for a missing plate are no plates', async () => {
  const headings = 'Unit,Location,Plate,State,Issued,Expires'
  const rows = ['none', 'Pending', 'unknown', 'ABC1'].map((plate, at) => `10030${at},PHX,${plate},AZ,3/1/2026,3/1/2027`)
  const { id } = await begin('registrations', [headings, ...rows].join('\n'))
  expect((await rowsOf(id)).map(({ message }) => message)).toEqual([
    'Plate is required; none counts as blank',
    'Plate is required; Pending counts as blank',
    'Plate is required; unknown counts as blank',
    null,
  ])
})
