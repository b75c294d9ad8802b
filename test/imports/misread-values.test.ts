import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'
import { textCell, workbook } from '../support/zip'

/** Several columns for one field, units of measure, and ambiguous values. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { preview, rowsOf, textsOf, store } = sheets(() => h)

const HAULER = 'Desert Auto Haul'

describe('of two columns for one field', () => {
  const fieldOf = async (dataType: string, heads: string, field: string) => {
    const { found } = await preview(
      dataType,
      heads,
      heads
        .split(',')
        .map(() => '1')
        .join(','),
    )
    return found?.header[found.fields.indexOf(field)]
  }
  test.each([
    ['osl', 'Unit,Description,Location,Date,Reason', 'problem', 'Reason'],
    ['osl', 'Unit,Branch,Current Location,Date,Problem', 'location', 'Current Location'],
    ['osl', 'Unit,Yard,Tow Date,Reason,Rate,Daily Storage', 'storage_fee_daily_rate', 'Daily Storage'],
    ['osl', 'Unit,Yard,Tow Date,Reason,Miles,Odometer', 'osl_mileage', 'Odometer'],
    ['registrations', 'Unit,Location,Reg #,Plate,State,Issued,Expires', 'plate_number', 'Plate'],
    ['registrations', 'Unit,Location,License,Plate,State,Issued,Expires', 'plate_number', 'Plate'],
    ['registrations', 'Unit,Location,Start Date,End Date,Plate,State,Issued,Expires', 'date_expires', 'Expires'],
    ['registrations', 'Unit,Plate (prev.),License Plate,State', 'plate_number', 'License Plate'],
    ['titles', 'Unit,Location,Mailed,Dealer,Submitted', 'submitted_date', 'Submitted'],
    ['transports', 'Unit,Move Date (planned),Move Date (actual)', 'move_date', 'Move Date (actual)'],
    ['transports', 'Unit,Status (last week),Status (now)', 'status', 'Status (now)'],
    ['transports', 'Unit,Out,In,From,To,Date', 'location_out', 'From'],
  ])('%s with %s: the better one is %s', async (dataType, heads, field, heading) => {
    expect(await fieldOf(dataType, heads, field)).toBe(heading)
  })

  test('the unit number is in the column with numbers', async () => {
    const { rows } = await preview('titles', 'Unit,Unit #,Location', 'Box truck,100001,Phoenix')
    expect(rows[0]).toMatchObject({ outcome: 'create', values: { unit_number: '100001' } })
  })
})

test.each(['Rate (wk)', 'Rate (mo.)', 'Rate (30 days)', 'Rate (p/m)'])('%p is no daily rate', async (heading) => {
  const head = `Unit,Location,Date,Problem,${heading}`
  const { records } = await store('osl', '/osl', head, '100001,Phoenix,3/9/2026,Engine does not start,210')
  expect(records[0]?.storage_fee_daily_rate).toBeNull()
})

test.each(['Quote (per mile)', 'Quote ($/mi)', 'Est. Cost (hourly)'])('%p is no total', async (heading) => {
  const head = `Unit,From,To,Carrier,Date,Status,${heading}`
  const { records } = await store(
    'transports',
    '/transports',
    head,
    `100001,Phoenix,Tempe,${HAULER},3/9/2026,Delivered,1.85`,
  )
  expect(records[0]?.estimated_cost).toBeNull()
})

test.each(['DDMMYYYY', 'DMY', 'day/month', 'European'])('the heading Date (%s) has the day first', async (order) => {
  const head = `Unit,From,To,Date (${order}),Carrier,Status`
  const { records } = await store(
    'transports',
    '/transports',
    head,
    `100001,Phoenix,Tempe,05/03/2026,${HAULER},In Transit`,
  )
  expect(records[0]?.move_date).toBe('2026-03-05')
})

test('dates below Estimated are the estimated arrival, and Row beside a Reason belongs to the user', async () => {
  const head = 'Unit,From,To,Carrier,Date,Status,Estimated'
  const move = `100001,Phoenix,Tempe,${HAULER},3/9/2026,In Transit,3/11/2026`
  const { records } = await store('transports', '/transports', head, move)
  expect(records[0]).toMatchObject({ estimated_arrival_date: '2026-03-11', estimated_cost: null })
  const osl = ['Unit,Row,Location,Date,Reason', '100001,B,Phoenix,3/9/2026,Engine does not start']
  expect((await store('osl', '/osl', ...osl)).records[0]?.problem).toBe('Engine does not start')
})

test('several columns with different values for one field are a question', async () => {
  const lines = ['Unit,Location,Current Location', '100001,Phoenix,Tempe']
  const { id } = await h.cast.ben.begin('titles', 'sheet.csv', lines.join('\n'), { commit: true, ask: true })
  expect((await h.cast.ben.settled(id)).status).toBe('ready')
  const { text } = await h.cast.ben.open(`/files/imports/${id}`)
  expect(text).toContain('Several columns fit Location, but their values differ. Check the columns below.')
  const same = `${lines[0]}\n100001,Phoenix,phoenix`
  const again = await h.cast.ben.begin('titles', 'same.csv', same, { commit: true, ask: true })
  expect((await h.cast.ben.settled(again.id)).status).toBe('done')
})

describe('values that a person would read differently', () => {
  const MOVES = 'Unit,From,To,Carrier,Date,Status,Est Cost'
  const move = (unit: string, cost = '') => `${unit},Phoenix,Tempe,${HAULER},3/9/2026,In Transit,${cost}`
  const PLATES = 'Unit,Location,Plate,State,Issued,Expires'

  test.each(['350 420', '350 100.00'])('the amount %p can be two amounts', async (amount) => {
    expect(await textsOf('transports', MOVES, move('100001', amount))).toEqual([
      `Est Cost: ${amount} could be one amount or two; write it without a space`,
    ])
  })

  test.each(['100001 (VOID)', '100001 (cancelled)'])('%p is no active record', async (unit) => {
    expect(await textsOf('transports', MOVES, move(unit))).toEqual([`Unit: ${unit} is not an active record`])
  })

  test('transports below a title CANCELLED are not imported', async () => {
    const texts = await textsOf('transports', MOVES, 'CANCELLED,,,,,,', move('100001'))
    expect(texts[1]).toStartWith('This row is below the title "CANCELLED" in row 2')
  })

  test.each([
    ['titles', "Rec'd"],
    ['titles', 'Xferd'],
    ['titles', 'Void'],
    ['osl', 'Available'],
    ['osl', 'Back on rent'],
    ['osl', 'Cancelled'],
    ['registrations', 'Void'],
  ])('%s with the status %p get a warning', async (dataType, status) => {
    const [head, row] =
      dataType === 'registrations'
        ? [PLATES, '100001,Phoenix,PLA1,AZ,3/1/2026,2/28/2027']
        : dataType === 'osl'
          ? ['Unit,Location,Date,Problem', '100001,Phoenix,3/9/2026,Engine does not start']
          : ['Unit,Location', '100001,Phoenix']
    const { rows } = await preview(dataType, `${head},Status`, `${row},${status}`)
    expect(rows[0]?.notes).toContain(`Status is ${status}, but the import creates an open record`)
  })

  test.each(['Out of service', 'Not available', 'Ready', 'Awaiting parts'])('the status %p is open', async (status) => {
    const head = 'Unit,Location,Date,Problem,Status'
    const { rows } = await preview('osl', head, `100001,Phoenix,3/9/2026,Engine does not start,${status}`)
    expect(rows[0]?.notes.some((note) => /open record|not known/.test(note))).toBe(false)
  })

  test.each(['see notes', 'on order', 'lost plate', 'returned to MVD', 'waiting on MVD'])(
    '%p is no plate',
    async (text) => {
      expect(await textsOf('registrations', PLATES, `100001,Phoenix,${text},AZ,3/1/2026,2/28/2027`)).toEqual([
        `Plate is required; ${text} counts as blank`,
      ])
    },
  )

  test.each(['x', 'yes', 'AZ'])('%p must be a plate', async (text) => {
    expect(await textsOf('registrations', PLATES, `100001,Phoenix,${text},AZ,3/1/2026,2/28/2027`)).toEqual([
      `Plate: Must be a plate, not "${text}"`,
    ])
  })

  test('a plate without a digit, a phone without a number and a year long ago get a warning', async () => {
    const plate = '100001,Phoenix,apportioned,AZ,3/1/2026,2/28/2027'
    expect((await store('registrations', '/registrations', PLATES, plate)).warnings.join()).toContain('has no digit')
    const osl = ['Unit,Location,Date,Problem,Contact', '100001,Phoenix,3/9/2026,Engine does not start,Dana Ortiz']
    expect((await store('osl', '/osl', ...osl)).warnings.join()).toContain('Dana Ortiz has no phone number')
    const titles = await store('titles', '/titles', 'Unit,Location,Submitted', '100001,Phoenix,11/13/1926')
    expect(titles.warnings.join()).toContain('is more than 20 years ago')
  })

  test('a storage rate that is waived is blank, and checked boxes are Yes', async () => {
    const osl = ['Unit,Location,Date,Problem,Daily Rate', '100001,Phoenix,3/9/2026,Engine does not start,waived']
    expect((await store('osl', '/osl', ...osl)).records[0]?.storage_fee_daily_rate).toBeNull()
    const { records } = await store('transports', '/transports', `${MOVES},Issue PO`, `${move('100001')},☑`)
    expect(records[0]?.issue_po).toBe(true)
  })

  test('a number that can be a date without slashes is refused', async () => {
    const heads = ['A1', 'B1', 'C1'].map((at, n) => textCell(at, ['Unit', 'Location', 'Submitted'][n] ?? ''))
    const cells = `<c r="A2"><v>100001</v></c>${textCell('B2', 'Phoenix')}<c r="C2"><v>31326</v></c>`
    const book = workbook(`<row r="1">${heads.join('')}</row><row r="2">${cells}</row>`)
    const { id } = await h.cast.ben.begin('titles', 'sheet.xlsx', book)
    const [row] = await rowsOf(id)
    expect(row?.message).toBe(
      'Submitted: The cell holds the number 31326, which may be 03/13/2026; type the date with slashes',
    )
  })

  test('a count below a section is no record, and titles can name the kind of place', async () => {
    const texts = await textsOf('titles', 'Unit,Dealer', 'Location: Phoenix,', '100001,Valley', '1,')
    expect([texts[0], texts.length, texts[1]?.startsWith('This row is not a record')]).toEqual(['create', 2, true])
  })

  test('if no row can be imported, users are asked about unknown words', async () => {
    const lines = [`${MOVES},Type`, `${move('100001')},Cube van`]
    const { id } = await h.cast.ben.begin('transports', 'sheet.csv', lines.join('\n'), { commit: true, ask: true })
    expect((await h.cast.ben.settled(id)).status).toBe('ready')
  })
})

test('a day behind the status Delivered is the arrival date, unless the row has one', async () => {
  const head = 'Unit,From,To,Carrier,Date,Status'
  const { records, warnings } = await store(
    'transports',
    '/transports',
    head,
    `100001,Phoenix,Tempe,${HAULER},3/9/2026,Delivered 3/11`,
    `100002,Phoenix,Tempe,${HAULER},3/9/2026,Delivered (3/11/26)`,
    `100003,Phoenix,Tempe,${HAULER},3/9/2026,In Transit 3/10`,
  )
  expect(records.map(({ status, actual_arrival_date }) => [status, actual_arrival_date])).toEqual([
    ['Delivered', '2026-03-11'],
    ['Delivered', '2026-03-11'],
    ['In Transit', null],
  ])
  expect(warnings.join()).toContain('Row 2: Actual arrival date: 03/11/2026, from Status')
  expect(warnings.join()).toContain('Row 4: Status: the date 3/10 was ignored')
  const both = await store(
    'transports',
    '/transports',
    `${head},Arrived`,
    `100004,Phoenix,Tempe,${HAULER},3/9/2026,Delivered 3/11,3/10/2026`,
  )
  expect(both.records.find(({ unit_number }) => unit_number === '100004')?.actual_arrival_date).toBe('2026-03-10')
})

test('a small number beside a group name is a count in a wide table, and a unit number in a narrow one', async () => {
  const cell = (at: string, value: string | number) =>
    typeof value === 'number' ? `<c r="${at}"><v>${value}</v></c>` : textCell(at, value)
  const sheet = (...lines: (string | number)[][]) =>
    workbook(
      lines
        .map((line, n) => `<row r="${n + 1}">${line.map((v, at) => cell(`${'ABCD'[at]}${n + 1}`, v)).join('')}</row>`)
        .join(''),
    )
  const begin = async (...lines: (string | number)[][]) => {
    const { id } = await h.cast.ben.begin('titles', 'sheet.xlsx', await sheet(...lines))
    return (await rowsOf(id)).map(({ outcome, message }) => message ?? outcome)
  }
  const wide = ['Unit', 'Location', 'Dealer', 'Notes']
  expect(await begin(wide, [100001, 'Phoenix', 'Smith Motors', 'x'], [2, 'Phoenix'])).toEqual([
    'create',
    'This row is not a record: only "2", "Phoenix" is filled in',
  ])
  expect(await begin(['Unit', 'Location'], [100001, 'Phoenix'], [2, 'Phoenix'])).toEqual(['create', 'create'])
})
