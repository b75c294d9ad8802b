import { beforeEach, expect, test } from 'bun:test'
import * as XLSX from 'xlsx'
import { unquotedComma } from '../../src/platform/imports/parse/unquoted-commas'
import { testContext } from '../support/context'

/** Mistakes in office sheets that once led to wrong values or lost rows without a message. */

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
    { row: 2, message: 'Quote: 1.250 has three decimals; write 1250 or 1.25' },
    { row: 3, message: 'Quote: $12.500 has three decimals; write $12500 or $12.50' },
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

const rowsOf = async (dataType: string, text: string) => {
  const { id } = (await h.cast.ben.begin(dataType, 'a.csv', text)) as unknown as { id: number }
  const { body } = await h.cast.ben.get(`/files/${id}/rows`)
  return body.data as unknown as Shown[]
}

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

test('unit numbers with a prefix, leading zeros or a remark are read', async () => {
  const units = ['U-100300', 'Trk 100301', 'T100302', '100303 (spare)', '00100304', "'100305", 'A100306']
  const rows = await rowsOf('titles', ['Unit,Location', ...units.map((unit) => `${unit},PHX`)].join('\n'))
  expect(rows.map(({ values, message }) => message ?? values.unit_number)).toEqual([
    ...['100300', '100301', '100302', '100303', '100304', '100305'],
    'Unit: 6 digits required',
  ])
})

test('an error for a unit number says what the cell has instead', async () => {
  const units = ['1FUJGLDR5CSBX1234', '100354/100361', '1OO718', '"100,648"', '10-0649']
  const rows = await rowsOf('titles', ['Unit,Location', ...units.map((unit) => `${unit},PHX`)].join('\n'))
  expect(rows.map(({ values, message }) => message ?? values.unit_number)).toEqual([
    'Unit: No vehicle has this VIN; enter the unit number of the vehicle',
    'Unit: The cell has several unit numbers; use one row for each unit',
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

test('identifiers that a spreadsheet has changed, and answers instead of numbers, are refused', async () => {
  const values = ['4.50E+11', '#####', '#REF!', 'Yes', 'x', 'PO-17', 'No']
  const rows = values.map((value, at) => `10030${at},${MOVE.slice(7)},${value}`)
  const { errors, imported, validation_errors } = await upload('transports', [`${MOVES},PO #`, ...rows].join('\n'))
  expect(imported).toBe(2 as never)
  expect(validation_errors).toContain('Row 8: PO # No was read as blank' as never)
  expect((errors as unknown as { message: string }[]).map(({ message }) => message)).toEqual([
    'PO #: The file contains only a rounded form of this number; format the cell as text and type it again',
    'PO #: the cell shows #####; correct it in the spreadsheet',
    'PO #: the cell shows #REF!; correct it in the spreadsheet',
    'PO #: Must be a number, not "Yes"; choose another field for the column',
    'PO #: Must be a number, not "x"; choose another field for the column',
  ])
})

test('an amount with an unquoted comma is reported even if the row is not too long', async () => {
  const { errors } = await upload('transports', `${MOVES},Final Cost,Mileage,Notes\n${MOVE},$1,250`)
  expect(errors).toEqual([
    {
      row: 2,
      message: 'An amount probably contains a comma but has no quotation marks. Put quotation marks around the amount.',
    },
  ] as never)
})

test.each(['USD 1,250', 'US$1,250', '1,250 USD', '1,250.00 USD', '1,250-', '$1,250USD', "'$1,250", '$125,000'])(
  'the amount %s with an unquoted comma is an error',
  (amount) => {
    const kinds = ['text', 'money', 'text', 'text'] as const
    expect(unquotedComma(['100001', ...amount.split(','), 'paid'], [...kinds])).toEqual({
      error: 'An amount probably contains a comma but has no quotation marks. Put quotation marks around the amount.',
    })
  },
)

test('an amount with an unquoted comma is reported if only one cell is missing', async () => {
  const header = `${MOVES},Estimated Cost,Final Cost,Notes`
  const error = 'An amount probably contains a comma but has no quotation marks. Put quotation marks around the amount.'
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

test('a status column of finished entries gives a warning for each of them', async () => {
  const text =
    'Unit,Hub,Date,Problem,Status\n100300,PHX,3/9/2026,Leaking water pump,Released\n' +
    '100301,PHX,3/9/2026,Leaking water pump,Not done'
  const { validation_errors } = await upload('osl', text)
  expect((validation_errors as unknown as string[]).filter((line) => line.startsWith('Row'))).toEqual([
    'Row 2: Status is Released, but the import creates an open record',
  ])
})

test('the opposite of a word is not suggested for it', async () => {
  const { errors } = await upload('transports', `${MOVES}\n${MOVE.replace('In Transit', 'undelivered')}`)
  expect(JSON.stringify(errors)).not.toContain('Delivered?')
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
    'Row 2: OSL date: 11/14/1926 is more than 3 years ago, but the entry is open',
  ])
  expect(await notes('osl', `${osl},3/9/2026,Leaking water pump,1050`)).toEqual([
    'Row 2: Storage fee daily rate: $1050 a day is high; it may be a monthly rate or a total',
  ])
  const registration =
    'unit_number,location,plate_number,state_province,date_issued,date_expires\n100300,PHX,CDA4821,AZ'
  expect(await notes('registrations', `${registration},2062-01-01,2063-01-01`)).toContain(
    'Row 2: Date issued: 01/01/2062 is after today',
  )
  expect(await notes('registrations', `${registration},2026-03-01,2026-03-13`)).toEqual([
    'Row 2: Date expires: 03/13/2026 is less than a month after the issue date 03/01/2026',
  ])
  expect(await notes('transports', `${MOVES},Est Cost,Final Cost\n${MOVE},350,35000`)).toEqual([
    'Row 2: Final cost: $35000 is more than 20 times the estimate of $350',
  ])
})
