import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'

/**
 * Searches, counts, totals and pages of lists use indexes.
 * They must return the same as a query that reads every row.
 */

let h: Awaited<ReturnType<typeof testContext>>
type Move = {
  id: number
  names: string[]
  status: string
  move_type: string
  move_date: string
  cents: number | null
} & {
  location_out_name: string
  location_in_name: string
  transport_company_name: string
}
let moves: Move[]

beforeAll(async () => {
  h = await testContext()
  const { db } = h.ctx
  await db.execute(sql`truncate locations, transport_companies, vehicles restart identity cascade`)
  // Two locations share a name, and one name contains another.
  await db.execute(sql`insert into locations (location_code, location_name, other_names) values
    ('AX', 'Axel', null), ('BO', 'Bolt', '{"Nut"}'), ('BO2', 'Bolt', null), ('BOL', 'Bolt Yard', null),
    ('CY', 'Cypress', null), ('DE', 'Delta', null)`)
  await db.execute(sql`insert into transport_companies (company_name) values ('Bolt Haul'), ('Arrow'), ('Nobody')`)
  await db.execute(sql`insert into vehicles (unit_number) select (100200 + n)::text from generate_series(0, 9) n`)
  await db.execute(sql`insert into transports (unit_number, ra_number, po_number, location_out_id, location_in_id,
      transport_company_id, move_date, move_type, status, estimated_cost, final_cost)
    select (100200 + n % 10)::text, case when n % 7 = 0 then 'Bo' || n % 50 end,
    case when n % 11 = 0 then 'CY-' || n % 60 end,
      1 + n * n % 6, 1 + n * 7 % 5, 1 + n / 5 % 2, '2026-02-01'::date + n % 40, (array['Fleet', 'TA', 'OSL'])[1 + n %
      3],
      case when n % 4 = 0 then 'In Transit' else 'Delivered' end, 100, case when n % 9 > 0 then n % 130 + 0.25 end
    from generate_series(1, 4000) n`)
  // A database maintains its statistics, but not at once. Without them, plans differ from run to run.
  await db.execute(sql`analyze`)
  const stored = await rows<Omit<Move, 'names' | 'cents'> & { searched: string; final_cost: string | null }>(
    db,
    sql`select t.id, t.status, t.move_type, t.move_date::text, t.final_cost, o.location_name as location_out_name,
        i.location_name as location_in_name, c.company_name as transport_company_name,
        concat_ws('|', '^' || t.unit_number, '^' || t.ra_number, '^' || t.po_number, o.location_code, o.location_name,
          o.other_names::text, i.location_code, i.location_name, i.other_names::text, c.company_name) as searched
      from transports t join locations o on o.id = t.location_out_id join locations i on i.id = t.location_in_id
      join transport_companies c on c.id = t.transport_company_id`,
  )
  moves = stored.map(({ searched, final_cost, ...move }) => ({
    ...move,
    names: searched.toLowerCase().split('|'),
    cents: final_cost === null ? null : Math.round(Number(final_cost) * 100),
  }))
})

const NAMES = [
  'axel',
  'bolt',
  'nut',
  'bolt yard',
  'cypress',
  'delta',
  'bolt haul',
  'arrow',
  'nobody',
  'ax',
  'bo',
  'bo2',
  'bol',
  'cy',
  'de',
]

function isMatch({ names }: Move, q: string): boolean {
  const has = (text: string) =>
    names.some((name) => (name.startsWith('^') ? name.slice(1).startsWith(text) : name.includes(text)))
  const whole = q.toLowerCase()
  const words = whole.split(' ')
  const isName = NAMES.some((name) => name.includes(whole))
  return has(whole) || (words.length > 1 && !isName && words.every(has))
}

const SEARCHES = ['Axel', 'bolt', 'Bolt Yard', 'nut', 'BO', 'cy', '1002', '100203', 'Bo4', 'CY-1', 'axel cypress']
const WORDS = ['bolt delta', 'Bolt Arrow', 'axel 100201', 'Bo2 CY', 'nowhere', 'axel nowhere', 'delta axel arrow']
const LISTS: Record<string, (move: Move) => boolean> = {
  '': () => true,
  '/active': ({ status }) => status !== 'Delivered',
  '/completed': ({ status }) => status === 'Delivered',
}
const PERIOD = 'start_date=2026-02-05&end_date=2026-03-08'
const inPeriod = ({ move_date }: Move) => move_date >= '2026-02-05' && move_date <= '2026-03-08'

const compared = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

async function compare(list: string, query: string, expected: Move[], page: number) {
  const { body } = await h.cast.ben.get(`/transports${list}?${query}&per_page=40&page=${page}`)
  expect([list, query, page, body.meta?.total]).toEqual([list, query, page, expected.length])
  const ids = (body.data as unknown as { id: number }[]).map(({ id }) => id)
  expect([list, query, page, ids]).toEqual([
    list,
    query,
    page,
    expected.slice((page - 1) * 40, page * 40).map(({ id }) => id),
  ])
}

test('a search returns the matches that reading every transport finds', async () => {
  const sizes = new Set<boolean>()
  for (const q of [...SEARCHES, ...WORDS])
    for (const [list, isListed] of Object.entries(LISTS)) {
      const expected = moves
        .filter((move) => isListed(move) && inPeriod(move) && isMatch(move, q))
        .sort((a, b) => compared(b.move_date, a.move_date) || b.id - a.id)
      sizes.add(expected.length > 1000)
      const query = `${PERIOD}&q=${encodeURIComponent(q)}`
      await compare(list, query, expected, 1)
      await compare(list, query, expected, 3)
    }
  // Few and many matches are read in different ways, so the searches must include both.
  expect(sizes).toEqual(new Set([true, false]))
})

test('the totals of a search add up its matches', async () => {
  for (const q of [...SEARCHES, ...WORDS]) {
    const matches = moves.filter((move) => move.status === 'Delivered' && inPeriod(move) && isMatch(move, q))
    const expected = ['Fleet', 'OSL', 'TA'].flatMap((move_type) => {
      const ofType = matches.filter((move) => move.move_type === move_type)
      const total_cost = ofType.reduce((sum, { cents }) => sum + (cents ?? 0), 0) / 100
      return ofType.length ? [{ move_type, count: ofType.length, total_cost }] : []
    })
    const { body } = await h.cast.ben.get(`/transports/totals?${PERIOD}&q=${encodeURIComponent(q)}`)
    expect([q, body.data as unknown]).toEqual([q, expected])
  }
})

test('a list sorted by a name has the order of the names and then of the ids', async () => {
  for (const sort of ['location_out_name', 'location_in_name', 'transport_company_name'] as const)
    for (const [list, isListed] of Object.entries(LISTS))
      for (const [filter, isFiltered] of [
        ['', () => true],
        ['move_type=TA', ({ move_type }: Move) => move_type === 'TA'],
        ['q=bolt', (move: Move) => isMatch(move, 'bolt')],
        ['q=Bo4', (move: Move) => isMatch(move, 'Bo4')],
      ] as [string, (move: Move) => boolean][])
        for (const order of ['asc', 'desc']) {
          const sign = order === 'asc' ? 1 : -1
          const expected = moves
            .filter((move) => isListed(move) && inPeriod(move) && isFiltered(move))
            .sort((a, b) => sign * (compared(a[sort], b[sort]) || a.id - b.id))
          for (const page of [1, 4, Math.ceil(expected.length / 40), 99])
            await compare(list, `${PERIOD}&${filter}&sort=${sort}&order=${order}`, expected, page)
        }
})
