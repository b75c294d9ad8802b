import { beforeEach, describe, expect, test } from 'bun:test'
import { testContext } from '../support/context'

/** Columns, titles and words that were read as other fields. Today is 2026-03-14 in all of these. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Row = { outcome: string; message: string | null; notes: string[]; cells: Record<string, unknown> }
async function preview(dataType: string, ...lines: string[]) {
  const { id, found } = await h.cast.ben.begin(dataType, 'sheet.csv', lines.join('\n'))
  return { found, rows: (await h.cast.ben.get(`/files/${id}/rows`)).body.data as unknown as Row[] }
}
const textsOf = async (dataType: string, ...lines: string[]) =>
  (await preview(dataType, ...lines)).rows.map(({ outcome, message }) => message ?? outcome)
async function store(dataType: string, path: string, ...lines: string[]) {
  const { body } = await h.cast.ben.upload(dataType, 'sheet.csv', lines.join('\n'))
  const { data } = (await h.cast.ben.get(`${path}?sort=unit_number&order=asc`)).body
  return {
    records: data as unknown as Record<string, unknown>[],
    warnings: body.validation_errors as unknown as string[],
  }
}

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
