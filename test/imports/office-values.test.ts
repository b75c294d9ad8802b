import { beforeEach, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { suggestColumn } from '../../src/platform/imports/parse/guess-columns'
import { testContext } from '../support/context'

/** Cells of offices that were once stored as other values or refused. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Shown = {
  outcome: string
  message: string | null
  notes: string[]
  values: Record<string, string | null>
}
const rowsOf = async (dataType: string, content: string | Uint8Array, name = 'sheet.csv') => {
  const { id } = await h.cast.ben.begin(dataType, name, content)
  return (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as Shown[]
}
const textsOf = async (dataType: string, content: string | Uint8Array, name?: string) =>
  (await rowsOf(dataType, content, name)).map(
    ({ outcome, message, notes }) => `${outcome}: ${message ?? notes.join('; ')}`,
  )
/** Returns a workbook whose cells have number formats, such as `0%`. */
const formatted = (lines: (string | number | { v: number; z: string })[][]) => {
  const cells = lines.map((line) =>
    line.map((cell) => (typeof cell === 'object' ? { t: 'n' as const, ...cell } : cell)),
  )
  const book = XLSX.utils.book_new(XLSX.utils.aoa_to_sheet(cells as never))
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Uint8Array
}

const MOVES = 'Unit,From,To,Move Date,Hauler,Status'
const MOVE = '100300,PHX,TMP,3/9/2026,Desert Auto Haul,In Transit'
const PLATES = 'Unit,Location,Plate,State,Issued,Expires'

const EXPIRY = '3/1/2026,3/31/2027'

test('percentages and times of day are not amounts', async () => {
  const cells = MOVE.split(',')
  const lines = [
    [...MOVES.split(','), 'Est Cost'],
    [...cells, { v: 0.15, z: '0%' }],
    ['100301', ...cells.slice(1), { v: 0.5, z: 'h:mm' }],
  ]
  expect(await textsOf('transports', formatted(lines), 'a.xlsx')).toEqual([
    'error: Est Cost: Must be an amount, for example 1250.50, not "15%"',
    'error: Est Cost: Must be an amount, for example 1250.50, not "12:00"',
  ])
})

test('a comma before three digits is a decimal comma if only zeros precede it', async () => {
  for (const amount of ['0,999', '00,350'])
    expect(await textsOf('transports', `${MOVES},Final Cost\n${MOVE},"${amount}"\n`)).toEqual([
      `error: Final cost: Must be an amount, for example 1250.50, not "${amount}"`,
    ])
})

test('arrival dates in the far future are reported', async () => {
  const text = `${MOVES},Arrived,ETA\n${MOVE.replace('In Transit', 'Delivered')},12/25/2027,3/9/2062\n`
  const [row] = await textsOf('transports', text)
  expect(row).toContain('Actual arrival: 12/25/2027 is after today')
  expect(row).toContain('Estimated arrival: 03/09/2062 is more than a year ahead')
})

test('words for a missing number are blank, and dates among numbers are reported', async () => {
  const other = '100301,PHX,TMP,3/9/2026,Desert Auto Haul,In Transit,1234567.0,8/2'
  const rows = await textsOf('transports', `${MOVES},RA,PO\n${MOVE},none,pending\n${other}\n`)
  expect(rows[0]).toContain('RA: none was read as blank; PO: pending was read as blank')
  expect(rows[1]).toContain('RA: 1234567.0 was read as 1234567; PO: 8/2 looks like a date or an amount')
})

test('a time zone and another weekday are reported, and ditto words repeat the cell above', async () => {
  const rows = await textsOf(
    'transports',
    [
      MOVES,
      '100300,PHX,TMP,2026-03-09T03:15:00Z,Desert Auto Haul,In Transit',
      '100301,PHX,TMP,"Fri, Mar 9, 2026",Desert Auto Haul,In Transit',
      '100302,PHX,TMP,2026-03-09T00:00:00Z,same as above,same',
      '100303,PHX,TMP,"Mon, Mar 9, 2026 at 14:05",Desert Auto Haul,In Transit',
    ].join('\n'),
  )
  expect(rows[0]).toContain('was read as 03/09/2026; the time and its time zone were ignored, so check the day')
  expect(rows[1]).toContain('Fri, Mar 9, 2026 was read as 03/09/2026, which is a Monday')
  expect(rows[2]).not.toContain('zone')
  for (const row of rows) expect(row).toStartWith('create')
  expect(rows[3]).not.toContain('which is')
})

test('what is not a plate is refused or reported', async () => {
  const plates = ['5/12/2026', 'TRUE', '2026-05-12 00:00:00', 'lost', 'applied for', 'QQQ111 AZ', 'CC1 / CC2', 'AB-1']
  const lines = plates.map((plate, at) => `10030${at},PHX,${plate},AZ,${EXPIRY}`)
  const rows = await textsOf('registrations', [PLATES, ...lines].join('\n'))
  expect(rows.slice(0, 5)).toEqual([
    'error: Plate: Must be a plate, not "5/12/2026"',
    expect.stringContaining('create: Plate: TRUE looks like a Yes/No value, not a plate'),
    'error: Plate: Must be a plate, not "2026-05-12 00:00:00"',
    'error: Plate is required; lost counts as blank',
    'error: Plate is required; applied for counts as blank',
  ])
  expect(rows[5]).toContain('Plate number: QQQ111 AZ contains the state')
  expect(rows[6]).toContain('Plate: CC1 / CC2 has characters that plates do not have')
  expect(rows[7]).not.toContain('Plate')
  expect(
    await textsOf('registrations', `${PLATES}\n100300,PHX,A1,AZ,${EXPIRY}\n100301,PHX,same,AZ,${EXPIRY}\n`),
  ).toEqual([
    expect.stringContaining('create'),
    'error: Plate: repeats the cell of an earlier row; enter the plate of this unit',
  ])
})

test('a day of issue is not read from a month and a year', async () => {
  const row = '100300,PHX,MY001,AZ'
  const error = (label: string, cell: string) =>
    `error: ${label}: ${cell} could be a month and a year; write the day and the year`
  expect(
    await textsOf('registrations', `Unit,Location,Plate,State,Issued (MM/YY),Expires (MM/YY)\n${row},11/25,11/26\n`),
  ).toEqual([error('Issued (MM/YY)', '11/25')])
  expect(await textsOf('registrations', `Unit,Location,Plate,State,Issued,Exp\n${row},Nov-25,Nov-26\n`)).toEqual([
    error('Issued', 'Nov-25'),
  ])
  const [later] = await textsOf('registrations', `${PLATES}\n100300,PHX,A1,Washington DC,3/20/2026,2027-11\n`)
  expect(later).toContain('State: Washington DC was read as DC')
  expect(later).toContain('2027-11 was read as 11/30/2027; Date issued: 03/20/2026 is after today')
})

test('answers about storage fees must agree with the rate, and Excel dates are fuel levels', async () => {
  const line = (unit: string, rest: string) => `${unit},3/1/2026,Phoenix,Engine will not start,${rest}`
  const rows = await textsOf(
    'osl',
    [
      'Unit,OSL Date,Location,Problem,Storage Fees,Daily Rate,Fuel',
      line('100300', 'Yes,,4-Mar'),
      line('100301', '☐,35,1'),
    ].join('\n'),
  )
  expect(rows[0]).toContain('Fuel: 4-Mar was read as 3/4; Daily Rate: Storage Fees is Yes, but the row has no amount')
  expect(rows[1]).toBe('error: Daily Rate: Storage Fees is ☐; clear one of the two cells')
})

test('a VIN stands for its unit in rows without a unit number, and a VIN column has no unit numbers', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  const line = (cells: string) => `${cells},3/1/2026,Phoenix,Engine will not start`
  expect(
    await textsOf('osl', ['VIN,OSL Date,Location,Problem', line('004352'), line('1HGCM82633A004352')].join('\n')),
  ).toEqual([
    'error: VIN: Must be a VIN with 17 characters, not "004352"',
    expect.stringContaining('create: VIN: 1HGCM82633A004352 was read as 100200'),
  ])
  const units = [',1HGCM82633A004352', '204511B,', '100201 2013 Ford,', '100202 / 1HGCM82633A004352,', '100203 100204,']
  expect(await textsOf('osl', ['Unit,VIN,OSL Date,Location,Problem', ...units.map(line)].join('\n'))).toEqual([
    expect.stringContaining('create: Unit: 1HGCM82633A004352 was read as 100200'),
    'error: Unit: 6 digits required; did you mean 204511?',
    expect.stringContaining('create: Unit: 100201 2013 Ford was read as 100201'),
    'error: Unit: The VIN 1HGCM82633A004352 in this cell belongs to unit 100200',
    'error: Unit: 6 digits required',
  ])
})

test('headings suggest a field only by more than a general word', () => {
  const headings = ['Load ID', 'Run #', 'Issue #', 'Vehicle Name', 'Truck Unit', 'Tow Date', 'Cost']
  expect(headings.map((heading) => suggestColumn(heading, 'transports'))).toEqual([
    null,
    null,
    null,
    null,
    'unit_number',
    'move_date',
    'final_cost',
  ])
})

test('ambiguous rates of vendors and damaged codes of locations are errors', async () => {
  const rows =
    'Vendor Name,Storage Rate,Grace Days,Status\nLot A,1.050,,\nLot B,"0,035",,\nLot C,35.005,3 days,Inactive\n'
  const preview = async (path: string, rows: string) =>
    (await h.cast.ada.submit(`/admin/${path}/import`, { rows, step: 'preview' })).html
  const vendors = await preview('vendors', rows)
  expect(vendors).toContain('1.050 has three decimals')
  expect(vendors).toContain('Must be an amount')
  const codes = await preview('locations', 'Code,Name,Type\n2026-05-05,Tucson,Hub\nTRUE,Yuma,Hub\n5-May,Mesa,Hub\n')
  expect(codes.match(/Must be a code/g)).toHaveLength(3)
})

test('an invoice names units by VIN, and its amounts are not ambiguous', async () => {
  await h.cast.ben.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  await h.cast.ada.post('/vendors', { vendor_name: 'Bolt', storage_daily_rate: 35 })
  const send = async (number: string, text: string) => {
    const body = new FormData()
    const values = { number, start_date: '2026-02-01', end_date: '2026-02-28', file: new File([text], 'bill.csv') }
    for (const [field, value] of Object.entries(values)) body.set(field, value)
    const headers = { authorization: `Bearer ${await h.cast.ada.token()}` }
    return h.cast.ada.request('/api/vendors/1/invoices', { method: 'POST', headers, body })
  }
  const billed = await send('A-1', 'VIN,Description,Price\n1HGCM82633A004352,Storage,945.00\n')
  expect(((await billed.json()) as { data: object }).data).toMatchObject({
    lines: [{ unit_number: '100200', amount: 945 }],
  })
  const refused = async (number: string, text: string) =>
    ((await (await send(number, text)).json()) as { message: string }).message
  expect(await refused('A-2', 'Unit,Amount\n204511,1.240\n100201,"0,630"\n')).toBe(
    'Row 2: Amount: 1.240 has three decimals; write 1,240 or 1.24; ' +
      'Row 3: Must be an amount, for example 1250.50, not "0,630"',
  )
  expect(await refused('A-3', 'VIN,Amount\n2HGCM82633A004352,1.24\n')).toBe(
    'Row 2: No vehicle has the VIN 2HGCM82633A004352',
  )
})

test('remarks beside amounts, dates and phone numbers do not refuse a row', async () => {
  const osl = (rate: string, phone: string) => `100001,3/4/2026,Phoenix,Front brakes metal to metal,${rate},"${phone}"`
  const HEAD = 'Unit,OSL Date,Location,Problem,Daily Rate,Phone'
  const read = async (rate: string, phone: string) => {
    const [row] = await rowsOf('osl', `${HEAD}\n${osl(rate, phone)}\n`)
    return [row?.outcome, row?.values.storage_fee_daily_rate, row?.values.contact_phone]
  }
  expect(await read('35.-', 'adjuster Kim 928-555-0122')).toEqual(['create', '35', '928-555-0122'])
  expect(await read('~45 approx.', '602-555-0101 ask for Lou at the desk')).toEqual(['create', '45', '602-555-0101'])
  expect(await read('$28.50 (quoted)', '602-555-0142')).toEqual(['create', '28.5', '602-555-0142'])
  expect((await read('35 or 40', ''))[0]).toBe('error')
  expect((await read('see PO', ''))[0]).toBe('error')
  expect((await read('35', '602-555-0101 / 602-555-0102'))[0]).toBe('error')
  const moves = 'Unit,From,To,Date,Carrier,Status,Arrived'
  const arrived = async (cell: string) => {
    const line = `100001,Phoenix,Tempe,3/4/2026,Desert Auto Haul,In Transit,${cell}`
    const [row] = await rowsOf('transports', `${moves}\n${line}\n`)
    return [row?.outcome, row?.values.actual_arrival_date ?? null]
  }
  expect(await arrived('no')).toEqual(['create', null])
  expect((await arrived('perhaps 3/6'))[0]).toBe('error')
})

test('a range in a column of expiry dates is read as its last day, with a note', async () => {
  const cells = ['6/1/26 - 5/31/27', '06/01/2026 to 05/31/2027', '6/1/26–5/31/27', '5/31/27 - 6/1/26']
  const lines = cells.map((expires, at) => `10030${at},PHX,ABC10${at},AZ,3/1/2026,${expires}`)
  const rows = await rowsOf('registrations', `${[PLATES.replace('Expires', 'Reg Period'), ...lines].join('\n')}\n`)
  expect(rows.map(({ message, notes: [note] }) => message ?? note)).toEqual([
    'Reg Period: 6/1/26 - 5/31/27 was read as 05/31/2027',
    'Reg Period: 06/01/2026 to 05/31/2027 was read as 05/31/2027',
    'Reg Period: 6/1/26–5/31/27 was read as 05/31/2027',
    'Reg Period: Must be a date, for example 03/14/2026, not "5/31/27 - 6/1/26"',
  ])
})

test('parts of a day after a date are ignored, and odd eighths of a tank are rounded up', async () => {
  const days = ['3/9/2026 pm', 'Mar 9 morning', '3/9 a.m.'].map((day) => MOVE.replace('3/9/2026', day))
  const moves = await rowsOf('transports', [MOVES, ...days].join('\n'))
  expect(moves.map(({ values, notes }) => [values.move_date, notes.some((note) => note.includes('read as'))])).toEqual(
    Array(3).fill(['2026-03-09', true]),
  )
  const tanks = ['1/8', '3/8', '5/8', '7/8'].map((tank, at) => `10030${at},PHX,3/9/2026,Engine does not start,${tank}`)
  const entries = await rowsOf('osl', ['Unit,Location,Date,Problem,Fuel', ...tanks].join('\n'))
  expect(entries.map(({ values, notes }) => [values.fuel_level, notes.join().includes('/8 was read as')])).toEqual([
    ['1/4', true],
    ['1/2', true],
    ['3/4', true],
    ['Full', true],
  ])
})
