import { beforeAll, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { testContext } from '../support/context'
import { fillLargeFleet, LARGE } from '../support/large-fleet'
import { until } from '../support/until'

/**
 * Limits the rows that pages read from a fleet of 200,000 transports.
 * Rows are counted instead of time, because times depend on the machine.
 */

type Plan = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  'Parent Relationship'?: string
  Plans?: Plan[]
}
type Statement = { text: string; values: unknown[] }

const TABLES = ['transports', 'osl_entries', 'registrations', 'titles', 'vehicles']

let h: Awaited<ReturnType<typeof testContext>>
beforeAll(async () => {
  h = await testContext()
  const { db, clock } = h.ctx
  await db.execute(sql`truncate locations, transport_companies, vendors, vehicles restart identity cascade`)
  for (const table of TABLES) await db.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = off)`)
  await fillLargeFleet(h.database, clock.today())
  // A concurrent statement holds a snapshot, so that vacuum cannot mark all pages as visible. Then the plans differ.
  await until(async () => {
    await db.execute(sql`vacuum analyze`)
    const [found] = await rows<{ hidden: number }>(
      db,
      sql`select sum(relpages - relallvisible)::int as hidden from pg_class where relname in ${TABLES}`,
    )
    return found?.hidden === 0
  })
}, 600_000)

/** Returns the statements that run during a function, including statements that were prepared earlier. */
async function recordStatements(happens: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = []
  const { session } = h.ctx.db as unknown as { session: { client: { unsafe: (...args: unknown[]) => unknown } } }
  const { client } = session
  const unsafe = (text: string, values: unknown[], ...more: unknown[]) => {
    found.push({ text, values })
    return client.unsafe(text, values, ...more)
  }
  session.client = new Proxy(client, {
    get: (target, name) => (name === 'unsafe' ? unsafe : Reflect.get(target, name)),
  })
  await happens().finally(() => {
    session.client = client
  })
  return found.filter(({ text }) => /^\s*(select|with)\b/i.test(text))
}

const literal = (value: unknown) => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `'${String(value instanceof Date ? value.toISOString() : value).replaceAll("'", "''")}'`
}

/** True for the part of a plan that counts the length of the list. */
const isLength = (plan: Plan) => plan['Node Type'] === 'Aggregate' && plan['Parent Relationship'] === 'InitPlan'

const readBy = (plan: Plan, counts = true): number =>
  (plan.Plans ?? [])
    .filter((below) => counts || !isLength(below))
    .reduce(
      (sum, below) => sum + readBy(below, counts),
      /Scan/.test(plan['Node Type'])
        ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
        : 0,
    )

async function planOf({ text, values }: Statement): Promise<Plan> {
  const filled = text.replace(/\$(\d+)/g, (_, at) => literal(values[Number(at) - 1]))
  const statement: SQL = sql.raw(`explain (analyze, timing off, format json) ${filled}`)
  const [found] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(h.ctx.db, statement)
  return found?.['QUERY PLAN'][0].Plan as Plan
}

/** Returns the rows that a statement reads. `counts` includes those that it reads only to count them. */
const rowsRead = async (statement: Statement, counts: boolean) => Math.round(readBy(await planOf(statement), counts))

/** The rows of transports that a plan reads from the table, and not only from an index. */
const readFromTransports = (plan: Plan): number =>
  (plan.Plans ?? []).reduce(
    (sum, below) => sum + readFromTransports(below),
    plan['Relation Name'] === 'transports' && plan['Node Type'] !== 'Index Only Scan'
      ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
      : 0,
  )

const isCount = ({ text }: Statement) => /^\s*(?:with m as materialized .*\)\s+)?select count\(\*\)/s.test(text)
const worst = async (statements: Statement[], counts = true) =>
  Math.max(0, ...(await Promise.all(statements.map((statement) => rowsRead(statement, counts)))))

const YEAR = 'start_date=2025-03-14&end_date=2026-03-14'

/** Pages with the limit of rows read for their content. Rows that are only counted have no limit. */
const PAGES: [path: string, shown: number][] = [
  ['/transports/active', 300],
  ['/transports/active?sort=move_date&order=desc', 300],
  ['/transports/active?per_page=500&page=3', 12_000],
  // Read location by location in the order of names. The first location already fills the page.
  ['/transports/active?sort=location_in_name&order=asc', 2_000],
  ['/transports/active?q=Location%2017', 2_500],
  ['/transports/active?q=L17%20L24', 2_500],
  // Searches with few matches, and with nearly all rows.
  ['/transports/active?q=RA1002', 400],
  ['/transports/active?q=1', 500],
  ['/vehicles/registrations?tab=complete&q=P1002', 1_000],
  // Includes the totals of the period, and the number of later moves.
  ['/transports/completed?start_date=2026-02-14&end_date=2026-03-14', 20_000],
  // The first company in the order of the names has a twelfth of the transports.
  [`/transports/completed?${YEAR}&sort=transport_company_name&order=asc`, 17_000],
  [`/transports/completed?${YEAR}&sort=location_in_name`, 8_000],
  // Includes the fees of all active OSL entries.
  ['/osl/active', 2_500],
  ['/osl/completed?start_date=2026-01-01&end_date=2026-03-01&search=1', 3_000],
  ['/vehicles/registrations', 300],
  ['/vehicles/registrations?tab=complete', 300],
  ['/vehicles/registrations?tab=expiring', 600],
  // All 4,800 vehicles of this fleet whose registration has expired, with their latest registrations.
  ['/vehicles/registrations?tab=overdue', 20_000],
  ['/titles', 300],
  ['/titles?tab=transferred', 300],
  ['/titles?tab=overdue', 300],
  ['/vehicles/100200', 500],
  ['/vehicles/lookup?q=100200', 500],
  ['/search?find=1002', 1_000],
  ['/transports/new', 500],
  ['/admin/audit', 500],
]

describe('a large fleet', () => {
  for (const [path, shown] of PAGES)
    test(`${path} reads a bounded number of rows`, async () => {
      const statements = await recordStatements(async () => expect((await h.cast.ada.open(path)).status).toBe(200))
      expect(statements.length).toBeGreaterThan(0)
      const reading = statements.filter((statement) => !isCount(statement))
      expect(await worst(reading, false)).toBeLessThanOrEqual(shown)
    })

  test('searches with many and with few matches have the same order', async () => {
    const unitsOf = async (query: string) => {
      const { body } = await h.cast.ben.get(`/transports/active?${query}`)
      return [
        (body.meta as { total: number }).total,
        (body.data as unknown as { id: number; move_date: string }[]).map(({ id, move_date }) => `${move_date} ${id}`),
      ] as const
    }
    // Every unit of this fleet begins with a 1.
    const [much, all] = [await unitsOf('q=1&per_page=20&page=3'), await unitsOf('per_page=20&page=3')]
    expect(much).toEqual(all)
    const [total, little] = await unitsOf('q=RA1002&per_page=500&order=asc')
    expect([total, total > 0, little]).toEqual([little.length, true, little.toSorted()])
  })

  test('a search for locations counts and adds up its matches without reading them from the table', async () => {
    for (const path of [
      '/transports?q=Location%2017',
      '/transports?q=L17%20L24',
      '/transports/active?q=Location%2017',
      `/transports/completed?${YEAR}&q=Location%2017`,
      `/transports/totals?${YEAR}&q=Location%2017`,
    ]) {
      const statements = await recordStatements(async () => expect((await h.cast.ada.get(path)).status).toBe(200))
      const counts = statements.filter((statement) => isCount(statement) || /sum\(final_cost\)/.test(statement.text))
      const plans = await Promise.all(counts.map(planOf))
      expect([path, plans.map(readFromTransports)]).toEqual([path, [0]])
    }
  })

  test('the first JSON page of each list reads a bounded number of rows', async () => {
    for (const path of ['/transports/active', '/osl/active', '/registrations/pending', '/titles/pending']) {
      const statements = await recordStatements(() => h.cast.ben.get(path))
      expect([path, (await worst(statements)) <= LARGE.transports / 20 + 300]).toEqual([path, true])
    }
  })

  test('the dashboard runs at most 12 statements and does not read the whole history', async () => {
    const statements = await recordStatements(async () =>
      expect((await h.cast.ada.open('/dashboard')).status).toBe(200),
    )
    expect(statements.length).toBeLessThanOrEqual(12)
    expect(await worst(statements)).toBeLessThanOrEqual(60_000)
  })
  test('a timeline reads few audit entries even if the statistics are older than these entries', async () => {
    const { db } = h.ctx
    await db.execute(sql`alter table audit_entries set (autovacuum_enabled = off)`)
    // Statistics of a trail that has no entries about transports and titles.
    await db.execute(sql`insert into audit_entries (actor, source, action, entity, entity_id, changes)
      select 'ben', 'api', 'update', 'users', n, '{}' from generate_series(1, 1000) n`)
    await db.execute(sql`analyze audit_entries`)
    await db.execute(sql`insert into audit_entries (actor, source, action, entity, entity_id, changes)
      (select 'ben', 'api', 'update', 'transports', id, '{}'::jsonb from transports limit 20000) union all
      (select 'ben', 'api', 'update', 'titles', id, '{}'::jsonb from titles limit 20000)`)
    for (const path of ['/vehicles/100200', '/titles/1']) {
      const statements = await recordStatements(async () => expect((await h.cast.ada.open(path)).status).toBe(200))
      expect(await worst(statements)).toBeLessThanOrEqual(500)
    }
  })
})
