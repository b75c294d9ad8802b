import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

/** Columns, titles and words that were once read as other fields. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { preview, textsOf, store } = sheets(() => h)

const HAULER = 'Desert Auto Haul'

describe('titles with a day', () => {
  const MOVES = 'Unit,From,To,Carrier,Status'
  const move = (unit: number) => `${unit},Phoenix,Tempe,${HAULER},Delivered`

  test.each(['11-31-26 / rain day', 'Tuesday', 'Wed. the 18th', '2/31/2026', 'Week of 3/9/2026', 'Date TBD'])(
    'that cannot be read, as %p, do not pass on the day above',
    async (title) => {
      const texts = await textsOf('transports', MOVES, '3/9/2026', move(100001), title, move(100002))
      expect(texts).toEqual(['create', `Move date: Must be a date, for example 03/14/2026, not "${title}"`])
    },
  )

  test('can have the word Date before them and a remark after them', async () => {
    const { records } = await store(
      'transports',
      '/transports',
      MOVES,
      'Date: 3/9/2026',
      move(100001),
      '3/10 (Tue)',
      move(100002),
    )
    expect(records.map(({ move_date }) => move_date)).toEqual(['2026-03-09', '2026-03-10'])
  })
})

test('a name in the notes is not a title', async () => {
  const head = 'Unit,Location,OSL Date,Problem,Notes'
  const rows = [
    '100001,Phoenix,3/9/2026,Engine does not start,ask Bob then move to',
    ',,,,Tempe',
    '100002,,3/9/2026,Engine does not start,',
  ]
  expect((await textsOf('osl', head, ...rows)).at(-1)).toBe('Location is required')
})

describe('an expiry without a year', () => {
  const PLATES = 'Unit,Plate,State,Issued,Expires,Location'
  const expiryOf = async (...pairs: [string, string][]) => {
    const lines = pairs.map(([issued, expires], at) => `10000${at},PLA102${at},AZ,${issued},${expires},Phoenix`)
    const { rows } = await preview('registrations', PLATES, ...lines)
    return rows.map(({ notes }) => notes.find((note) => note.startsWith('Expires')))
  }
  test('is the next possible day that is at least 60 days after the day of issue', async () => {
    expect(await expiryOf(['2/17/2025', '12/31'], ['12/18/2025', '12/31'])).toEqual(
      Array(2).fill('Expires: 12/31 was read as 12/31/2026'),
    )
    expect(await expiryOf(['3/5/2026', '3/30'])).toEqual(['Expires: 3/30 was read as 03/30/2027'])
    expect(await expiryOf(['4/17/2025', '4/30'])).toEqual(['Expires: 4/30 was read as 04/30/2026'])
  })
})

test.each(['waived', 'no charge', 'none', 'free till 12/1'])(
  'storage fees %p contradict a daily rate',
  async (answer) => {
    const head = 'Unit,Location,OSL Date,Problem,Storage Fees,Daily Rate'
    const row = `100001,Phoenix,3/9/2026,Engine does not start,${answer},25`
    expect(await textsOf('osl', head, row)).toEqual([
      `Daily Rate: Storage Fees is ${answer}; clear one of the two cells`,
    ])
  },
)

test.each(['Daily Storage', 'Per Diem'])('the heading %p is the daily rate', async (heading) => {
  const head = `Unit,Location,OSL Date,Problem,${heading}`
  const { records } = await store('osl', '/osl', head, '100001,Phoenix,3/9/2026,Engine does not start,25')
  expect(records[0]?.storage_fee_daily_rate).toBe(25)
})

describe('the columns of a transport', () => {
  const row = (start: string, more: string) => `${start},Phoenix,Tempe,${HAULER},3/9/2026,Delivered${more}`

  test('small values of Miles are the distance of the trip', async () => {
    const head = 'Unit,From,To,Carrier,Date,Status,Miles,Est Cost'
    const { records } = await store(
      'transports',
      '/transports',
      head,
      row('100001', ',116,250'),
      row('100002', ',144,300'),
    )
    expect(records.map(({ mileage, estimated_cost }) => [mileage, estimated_cost])).toEqual([
      [null, 250],
      [null, 300],
    ])
    expect((await store('transports', '/transports', head, row('100003', ',45116,'))).records.at(-1)?.mileage).toBe(
      45116,
    )
  })

  test.each(['Vehicle', 'Unit Moved'])('the moved vehicle is in %p, not in Truck #', async (heading) => {
    const head = `Truck #,${heading},From,To,Carrier,Date,Status`
    const { records } = await store('transports', '/transports', head, row('809242,100235', ''))
    expect(records.map(({ unit_number }) => unit_number)).toEqual(['100235'])
  })

  test('Hauler takes precedence over Company', async () => {
    const { records } = await store(
      'transports',
      '/transports',
      'Unit,Company,From,To,Hauler,Date,Status',
      `100001,Copper State Transport,Phoenix,Tempe,${HAULER},3/9/2026,Delivered`,
    )
    expect(records[0]?.transport_company_name).toBe(HAULER)
  })

  test.each(['Del Date', 'Dlvd Dt', 'Dropped', 'Arrive'])('%p is the day of arrival', async (heading) => {
    const head = `Unit,From,To,Carrier,Ship Date,Status,${heading}`
    const { records } = await store('transports', '/transports', head, row('100001', ',3/11/2026'))
    expect(records[0]?.actual_arrival_date).toBe('2026-03-11')
  })

  test.each(['T3 45821', 'T12 3456'])('%p is no unit number', async (unit) => {
    const head = 'Unit,From,To,Carrier,Date,Status'
    expect(await textsOf('transports', head, row(unit, ''))).toEqual([`Unit: 6 digits required, not "${unit}"`])
  })
})

describe('the order of day and month', () => {
  const HEAD = 'Unit,From,To,Carrier,Date,Status'
  const moves = (...dates: string[]) => dates.map((date, at) => `10000${at},Phoenix,Tempe,${HAULER},${date},In Transit`)
  const datesOf = async (...dates: string[]) =>
    (await preview('transports', HEAD, ...moves(...dates))).rows.map(
      ({ message, values }) => message ?? values.move_date,
    )

  test('is not changed by a mistyped date, if the others are near today with the month first', async () => {
    expect(await datesOf('3/8/2026', '3/9/2026', '13/5/2026')).toEqual([
      '2026-03-08',
      '2026-03-09',
      'Date: Must be a date, for example 03/14/2026, not "13/5/2026"',
    ])
  })

  test('is not changed by a day that no month has', async () => {
    expect(await datesOf('8/3/2025', '10/9/2025', '31/11/2025')).toEqual([
      '2025-08-03',
      '2025-10-09',
      'Date: Must be a date, for example 03/14/2026, not "31/11/2025"',
    ])
  })

  test('is the day first if the dates are near today only then', async () => {
    expect(await datesOf('2/3/2026', '4/3/2026', '13/3/2026')).toEqual(['2026-03-02', '2026-03-04', '2026-03-13'])
  })

  test('is a question if most ambiguous dates are near today only with the day first', async () => {
    const begin = async (...days: string[]) => {
      const lines = [HEAD, ...moves(...days).map((line) => line.replace('In Transit', 'Delivered'))]
      const { id } = await h.cast.ben.begin('transports', 'sheet.csv', lines.join('\n'), { commit: true, ask: true })
      return (await h.cast.ben.settled(id)).status
    }
    expect(await begin('9/3/2026', '10/3/2026', '11/3/2026')).toBe('ready')
    expect(await begin('3/9/2026', '3/10/2026', '3/11/2026')).toBe('done')
    expect(await begin('1/3/2026', '2/10/2026', '3/11/2026')).toBe('done')
  })

  test('is a question for users who import at once', async () => {
    const lines = [HEAD, ...moves('3/8/2026', '3/9/2026', '13/5/2026')]
    const { id } = await h.cast.ben.begin('transports', 'sheet.csv', lines.join('\n'), { commit: true, ask: true })
    expect((await h.cast.ben.settled(id)).status).toBe('ready')
    const { text } = await h.cast.ben.open(`/files/imports/${id}`)
    expect(text).toContain('Some dates probably have the day first.')
  })
})

test('a file that looks like another data type is not imported at once', async () => {
  const lines = ['Unit,Location,Plate,State,Issued,Expires', '100001,Phoenix,PLA1,AZ,3/1/2026,2/28/2027']
  const { id } = await h.cast.ben.begin('titles', 'sheet.csv', lines.join('\n'), { commit: true, ask: true })
  expect((await h.cast.ben.settled(id)).status).toBe('ready')
  const { text } = await h.cast.ben.open(`/files/imports/${id}`)
  expect(text).toContain('The columns of this file look like Vehicle Registrations.')
  // Clients that cannot answer get a warning.
  const { warnings } = await store('titles', '/titles', ...lines)
  expect(warnings).toContain(
    'The columns of this file look like Vehicle Registrations, but it was imported as Title Tracking',
  )
})

describe('rows below a title of finished records', () => {
  test('are not imported as open records', async () => {
    const lines = ['Unit,Location,Notes', '100001,Phoenix,', 'TRANSFERRED,,', '100002,Phoenix,', 'Not yet received,,']
    const texts = await textsOf('titles', ...lines, '100003,Phoenix,', ',,released')
    expect(texts).toEqual([
      'create',
      expect.stringContaining('only "TRANSFERRED" is filled in'),
      'This row is below the title "TRANSFERRED" in row 3, but finished and cancelled records are not imported. ' +
        'To import the rows, delete the title',
      expect.stringContaining('only "Not yet received" is filled in'),
      'create',
      expect.stringContaining('only "released" is filled in'),
    ])
  })

  test('are found between titles of locations too', async () => {
    const head = 'Unit,OSL Date,Problem'
    const row = (unit: number) => `${unit},3/9/2026,Engine does not start`
    const texts = await textsOf('osl', head, 'Phoenix,,', row(100001), 'Released,,', row(100002))
    expect(texts[0]).toBe('create')
    expect(texts.at(-1)).toStartWith('This row is below the title "Released" in row 4')
  })
})

test.each(["Rel'd", 'RTS', 'Done?', 'Closed', 'Date Completed'])('%p marks finished entries', async (heading) => {
  const head = `Unit,OSL Date,Problem,Location,${heading}`
  const { warnings } = await store('osl', '/osl', head, '100001,3/9/2026,Engine does not start,Phoenix,3/11')
  expect(warnings).toContain(`Row 2: ${heading} is 3/11, but the import creates an open record`)
})

describe('plates', () => {
  const HEAD = 'Unit,Location,Plate,State,Issued,Expires'
  const row = (unit: number, plate: string) => `${unit},Phoenix,${plate},AZ,3/1/2026,2/28/2027`

  test.each(['NEW', 'app for', 'Transfer', 'Paper tag', 'DEALER'])('%p is no plate', async (plate) => {
    expect(await textsOf('registrations', HEAD, row(100001, plate))).toEqual([
      `Plate is required; ${plate} counts as blank`,
    ])
  })

  test('of another unit in the same file are reported', async () => {
    const { warnings } = await store('registrations', '/registrations', HEAD, row(100001, 'AB1'), row(100002, 'ab-1'))
    expect(warnings).toContain('Row 3: Plate number: row 2 has this plate for unit 100001')
  })
})

test('a VIN of another unit contradicts the unit number', async () => {
  const vin = '1FTFW1ET5DFC10312'
  await h.cast.ben.post('/vehicles', { unit_number: '100009', vin })
  const texts = await textsOf('titles', 'Unit,VIN,Location', `100001,${vin},Phoenix`, `100009,${vin},Phoenix`)
  expect(texts).toEqual([`Unit: the VIN ${vin} of this row belongs to unit 100009, not 100001`, 'create'])
})

test.each([
  ['Dlvd', 'Delivered'],
  ['en route', 'In Transit'],
  ['needs driver', 'Searching For Driver'],
  ['On hold', 'Vehicle Not Ready'],
  ['Scheduled', 'Awaiting Pickup'],
])('the status %p is a question with the answer %p', async (text, status) => {
  const lines = ['Unit,From,To,Carrier,Date,Status', `100001,Phoenix,Tempe,${HAULER},3/9/2026,${text}`]
  const { id } = await h.cast.ben.begin('transports', 'sheet.csv', lines.join('\n'), { commit: true, ask: true })
  expect((await h.cast.ben.settled(id)).status).toBe('ready')
  expect((await h.cast.ben.open(`/files/imports/${id}`)).html).toContain(`<option value="${status}" selected="">`)
})

test.each([
  ['osl', 'Unit,OSL Date,Problem,Location,Status', '100001,3/9/2026,Engine does not start,Phoenix', 'Rent ready'],
  ['osl', 'Unit,OSL Date,Problem,Location,Status', '100001,3/9/2026,Engine does not start,Phoenix', 'Total loss'],
  ['osl', 'Unit,OSL Date,Problem,Location,Status', '100001,3/9/2026,Engine does not start,Phoenix', 'Back in fleet'],
  ['titles', 'Unit,Location,Status', '100001,Phoenix', 'Sent to buyer'],
  ['titles', 'Unit,Location,Status', '100001,Phoenix', 'Mailed 11/25'],
  [
    'registrations',
    'Unit,Location,Plate,State,Issued,Expires,Status',
    '100001,Phoenix,AB1,AZ,3/1/2026,2/28/2027',
    'Renewed',
  ],
  [
    'registrations',
    'Unit,Location,Plate,State,Issued,Expires,Status',
    '100001,Phoenix,AB1,AZ,3/1/2026,2/28/2027',
    'Complete',
  ],
] as const)('%s with the last of %s get a note', async (kind, head, row, status) => {
  const { rows } = await preview(kind, head, `${row},${status}`)
  expect(rows[0]?.notes?.join()).toContain(`Status is ${status}, but the import creates an open record`)
})

test('a plate with a remark gets a note, and of two states neither is used', async () => {
  const head = 'Unit,Location,Plate,State,Issued,Expires'
  const { rows } = await preview('registrations', head, '100001,Phoenix,AB1234 - lost,AZ,3/1/2026,2/28/2027')
  expect(JSON.stringify(rows[0])).toContain('has a remark beside the plate')
  const vanity = await preview('registrations', head, '100001,Phoenix,123 EXP,AZ,3/1/2026,2/28/2027')
  expect(JSON.stringify(vanity.rows[0])).not.toContain('has a remark')
  const both = 'Unit,Location,Plate/State,Issued,Expires'
  expect(await textsOf('registrations', both, '100001,Phoenix,AB1234 AZ/NV,3/1/2026,2/28/2027')).not.toEqual(['create'])
})
