import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { sheets } from '../support/sheets'

/** Rows that are the title of the rows below them. Today is 2026-03-14. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})
const { preview } = sheets(() => h)

const HAULER = 'Desert Auto Haul'
const osl = (unit: string) => `${unit},3/9/2026,Engine does not start`
const outcomesOf = ({ rows }: Awaited<ReturnType<typeof preview>>, field: string) =>
  rows.map(({ outcome, values }) => (outcome === 'create' ? values[field] : outcome))

describe('a title with a location', () => {
  test.each([
    ['the number of units beside it', 'Phoenix,2 units,', 'Tempe,1 unit,'],
    ['a bare number beside it', 'Phoenix,,2', 'Tempe,,1'],
    ['a label before it', 'Location:,Phoenix,', 'Location:,Tempe,'],
    ['only the first one beside its count', 'Phoenix,,', 'Tempe,2 units,'],
    ['symbols around it', '** PHOENIX **,,', '--- Tempe ---,,'],
  ])('can have %s', async (_name, first, second) => {
    const found = await preview('osl', 'Unit,Date,Problem', first, osl('100001'), second, osl('100002'))
    expect(outcomesOf(found, 'location')).toEqual(['Phoenix', 'Tempe'])
  })

  test.each(['Yard 4521', '1200 W Main St', 'Lot #2', 'Rapid Transport LLC 2026'])(
    'that is unknown, such as %s, does not leave its rows at the location above',
    async (title) => {
      const found = await preview('osl', 'Unit,Date,Problem', 'Phoenix,,', osl('100001'), `${title},,`, osl('100002'))
      expect(outcomesOf(found, 'location')).toEqual(['Phoenix', 'error'])
    },
  )
})

test.each([
  ['Tempe', 'Manager: Al'],
  ['Tempe', '602-555-0100'],
])('the known name %s with %s beside it applies below its refused row', async (name, text) => {
  const lines = ['Phoenix,,', osl('100001'), `${name},,${text}`, osl('100002')]
  expect(outcomesOf(await preview('osl', 'Unit,Date,Problem', ...lines), 'location')).toEqual([
    'Phoenix',
    'error',
    'Tempe',
  ])
})

test('an unknown status as a title does not leave its rows at the status above', async () => {
  const move = (unit: string) => `${unit},Phoenix,Tempe,${HAULER},3/16/2026`
  const lines = ['In Transit', move('100001'), 'At shop', move('100002'), 'Delivered', move('100003')]
  const found = await preview('transports', 'Unit,From,To,Carrier,Date', ...lines)
  expect(outcomesOf(found, 'status')).toEqual(['In Transit', 'error', 'Delivered'])
})

test('a known name or a day in a column with another field is no title', async () => {
  const row = (unit: string) => `${unit},Mesa,${HAULER},3/16/2026,,Awaiting Pickup`
  const heads = 'Unit,To,Carrier,Date,ETA,Status'
  const places = await preview('transports', heads, 'Phoenix,,,,,', row('100001'), ',Tempe,,,,', row('100002'))
  expect(outcomesOf(places, 'location_out')).toEqual(['Phoenix', 'error', 'Phoenix'])
})

test.each(['New Orleans', 'New York', 'Scheduled Towing Yard'])('the unknown name %s is no status', async (title) => {
  const found = await preview('osl', 'Unit,Date,Problem', 'Phoenix,,', osl('100001'), `${title},,`, osl('100002'))
  expect(outcomesOf(found, 'location')).toEqual(['Phoenix', 'error'])
})

describe('a title with a day', () => {
  const move = (unit: string) => `${unit},Phoenix,Tempe,${HAULER},Awaiting Pickup`
  const HEADINGS = 'Unit,From,To,Carrier,Status'

  test.each([
    ['a number of moves', '3/16/2026,2 moves', '3/17/2026,1 move'],
    ['a remark', '3/16/2026,crew A', '3/17/2026,crew B'],
    ['its weekday in another cell', 'Mon,3/16/2026', 'Tue,3/17/2026'],
    ['a number of moves in the same cell', 'MON 3/16 - 2 moves', 'TUE 3/17 - 1 moves'],
  ])('can have %s', async (_name, first, second) => {
    const found = await preview('transports', HEADINGS, first, move('100001'), second, move('100002'))
    expect(outcomesOf(found, 'move_date')).toEqual(['2026-03-16', '2026-03-17'])
  })

  test.each(['TBD', 'UNSCHEDULED', 'On hold', 'Waiting for driver', 'Backlog'])(
    'does not apply below %s',
    async (title) => {
      const found = await preview('transports', HEADINGS, '3/16/2026', move('100001'), title, move('100002'))
      expect(outcomesOf(found, 'move_date')).toEqual(['2026-03-16', 'error'])
    },
  )

  test('still applies below the part of a day', async () => {
    const found = await preview('transports', HEADINGS, '3/16/2026', 'AM', move('100001'), 'PM', move('100002'))
    expect(outcomesOf(found, 'move_date').filter((day) => day !== 'skip' && day !== 'error')).toEqual([
      '2026-03-16',
      '2026-03-16',
    ])
  })
})

describe('a title of finished records', () => {
  const row = (unit: string) => `${unit},3/9/2026,Phoenix,Engine does not start`
  test.each([
    ['RELEASED,,,2 units', 'NEW THIS WEEK'],
    ['RELEASED', 'AT SHOP'],
    ['CANCELLED,1,,', 'UPCOMING'],
  ])('%s ends at %s', async (finished, open) => {
    const lines = [row('100001'), finished, row('100002'), open, row('100003')]
    const { rows } = await preview('osl', 'Unit,Date,Location,Problem', ...lines)
    const records = rows.filter(({ values }) => String(values.unit_number ?? '').startsWith('1000'))
    expect(records.map(({ outcome }) => outcome)).toEqual(['create', 'error', 'create'])
  })
})

test('title rows with a status set the status of out-of-service entries', async () => {
  const row = (unit: string) => `${unit},3/4/2026,Phoenix,Front brakes metal to metal`
  const lines = [
    'Unit,OSL Date,Location,Problem',
    row('100001'),
    'IN REPAIR,,,',
    row('100002'),
    'Awaiting parts,,,',
    row('100003'),
    'RELEASED,,,',
    row('100004'),
  ]
  const { id, found } = await h.cast.ben.begin('osl', 'a.csv', lines.join('\n'))
  const rows = (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as {
    values: Record<string, string | null>
    notes: string[]
  }[]
  expect(rows.map(({ values }) => values.status)).toEqual([null, 'In Repair', 'Awaiting Parts', null])
  expect(rows[3]?.notes.join()).toContain('is RELEASED, but the import creates an open record')
  expect(found).toMatchObject({ finished_rows: 1 })
})
