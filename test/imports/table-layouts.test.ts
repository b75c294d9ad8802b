import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

/** Titles, repeated headings and headings of two lines. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { preview, rowsOf, textsOf, store } = sheets(() => h)

const HAULER = 'Desert Auto Haul'

test('headings that are repeated below a title with a location do not begin a second table', async () => {
  const heads = 'Unit,Date,Problem'
  const row = (unit: string) => `${unit},3/9/2026,Engine does not start`
  const { rows } = await preview('osl', heads, 'Phoenix', row('100001'), heads, 'Tempe', row('100002'))
  expect(rows.map(({ outcome, message, values }) => [message ?? outcome, values.location ?? undefined])).toEqual([
    ['create', 'Phoenix'],
    ['This row repeats the headings', undefined],
    ['create', 'Tempe'],
  ])
})

test('rows below a new day do not belong to the company above it', async () => {
  const row = (unit: string) => `${unit},Phoenix,Tempe,Delivered`
  const lines = ['3/8/2026', HAULER, row('100001'), 'Copper State Transport', row('100002'), '3/9/2026', row('100003')]
  const { rows } = await preview('transports', 'Unit,From,To,Status', ...lines)
  expect(rows.map(({ outcome }) => outcome)).toEqual(['create', 'create', 'error'])
})

test('titles with a status fill the missing status of transports', async () => {
  const row = (unit: string) => `${unit},Phoenix,Tempe,3/9/2026,${HAULER}`
  const lines = ['IN TRANSIT', row('100001'), 'DELIVERED', row('100002'), 'Awaiting Pickup', row('100003')]
  const { records } = await store('transports', '/transports', 'Unit,From,To,Date,Carrier', ...lines)
  expect(records.map(({ status }) => status)).toEqual(['In Transit', 'Delivered', 'Awaiting Pickup'])
})

describe('headings of two lines', () => {
  const first = `100001,Phoenix,Tempe,3/9/2026,${HAULER},Delivered,300,310`

  test('can have a group at the right edge', async () => {
    const { records } = await store(
      'transports',
      '/transports',
      'Unit,From,To,Date,Carrier,Status,Cost,',
      ',,,,,,Estimated,Final',
      first,
    )
    expect(records[0]).toMatchObject({ estimated_cost: 300, final_cost: 310 })
  })

  test('can repeat a heading that is merged over both lines', async () => {
    const single = 'Unit,From,To,Date,Carrier,Status'
    const lines = [`${single},Cost,`, `${single},Estimated,Final`, first]
    const { records } = await store('transports', '/transports', ...lines)
    expect(records[0]).toMatchObject({ estimated_cost: 300, final_cost: 310 })
  })
})

describe('a cell with unit and VIN', () => {
  const VIN = '1HGCM82633A004352'
  const heads = 'Unit,Location,Date,Problem'
  const row = (unit: string) => `${unit},Phoenix,3/9/2026,Engine does not start`

  test('is the unit of the VIN, and an error if the unit differs', async () => {
    await h.cast.ada.post('/vehicles', { unit_number: '100001', vin: VIN })
    expect(await textsOf('osl', heads, row(`100001 / ${VIN} / CHM1208`), row(`100002 (${VIN})`))).toEqual([
      'create',
      `Unit: The VIN ${VIN} in this cell belongs to unit 100001`,
    ])
  })
})

test.each([
  ['11032026', '2026-11-03'],
  ['11/5/2026 @ 3pm', '2026-11-05'],
  ['11/5/2026 @ 10:30', '2026-11-05'],
])('the date %s', async (text, date) => {
  const { records } = await store(
    'transports',
    '/transports',
    'Unit,From,To,Date,Carrier,Status',
    `100001,Phoenix,Tempe,${text},${HAULER},In Transit`,
  )
  expect(records[0]?.move_date).toBe(date)
})

test('one amount with a comma does not make dates with dots day first, if other amounts have points', async () => {
  const { records } = await store(
    'transports',
    '/transports',
    'Unit,From,To,Date,Carrier,Status,Final Cost',
    `100001,Phoenix,Tempe,03.05.2026,${HAULER},Delivered,350.00`,
    `100002,Phoenix,Tempe,03.06.2026,${HAULER},Delivered,"350,00"`,
  )
  expect(records[0]?.move_date).toBe('2026-03-05')
})

test('a plate that is the unit number or VIN of the row gives an error', async () => {
  const [text] = await textsOf(
    'registrations',
    'Unit,Location,Plate,State,Issued,Expires',
    '100001,Phoenix,100001,AZ,3/2/2026,3/2/2027',
  )
  expect(text).toBe('Plate: Must be a plate, not the unit number or VIN')
})

test('an update that reopens a delivered transport gets a warning', async () => {
  const heads = 'Unit,From,To,Date,Carrier,Status'
  const row = (status: string) => `100001,Phoenix,Tempe,3/9/2026,${HAULER},${status}`
  await store('transports', '/transports', heads, row('Delivered'))
  const { id } = await h.cast.ben.begin('transports', 'sheet.csv', [heads, row('In Transit')].join('\n'), {
    existing: 'update',
  })
  const [found] = await rowsOf(id)
  expect(found?.notes).toContain(
    'Status: the stored transport is Delivered; this row changes the status and clears the arrival date',
  )
})

test('a footnote mark is not a digit of an amount', async () => {
  const { records } = await store(
    'transports',
    '/transports',
    'Unit,From,To,Date,Carrier,Status,Final Cost',
    `100001,Phoenix,Tempe,3/9/2026,${HAULER},Delivered,350¹`,
  )
  expect(records[0]?.final_cost).toBe(350)
})

test.each([
  ['Pickup Location,Pickup,Delivery Location,Delivery', 'Phoenix,3/1/2026,Tempe,3/3/2026'],
  ['From,Picked Up,To,Delivered', 'Phoenix,3/1/2026,Tempe,3/3/2026'],
  ['Pickup,Date,Delivery,Arrived', 'Phoenix,3/1/2026,Tempe,3/3/2026'],
])('headings such as %s are days or places by their values', async (heads, values) => {
  const { rows } = await preview('transports', `Unit,${heads},Carrier,Status`, `100001,${values},${HAULER},Delivered`)
  expect(rows[0]?.values).toMatchObject({
    location_out: 'Phoenix',
    location_in: 'Tempe',
    move_date: '2026-03-01',
    actual_arrival_date: '2026-03-03',
  })
})
