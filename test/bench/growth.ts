/**
 * Measures how response times grow when the fleet is ten times larger.
 * Sends the same requests by turns to a program with 200,000 transports and to one with 2,000,000. Compare the ratios,
 * except for pages that are fast in both.
 */
import { sql } from 'drizzle-orm'
import { migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import { type FleetSize, fillLargeFleet, LARGE } from '../support/large-fleet'
import { startPostgres } from '../support/postgres-server'
import { median } from './measure'
import { start } from './start'

const PASSWORD = 'Saguaro42'
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const FACTOR = Number(process.env.BENCH_FACTOR ?? 10)
const multiplied = Object.fromEntries(Object.entries(LARGE).map(([name, rows]) => [name, rows * FACTOR])) as FleetSize
/** The sample unit numbers start at 100000 and have six digits, which limits the number of vehicles. */
const grown = { ...multiplied, vehicles: Math.min(multiplied.vehicles, 900_000) }

async function fleetOf(size: FleetSize) {
  const pg = await startPostgres()
  const database = openServer(pg.url)
  await migrate(database.db)
  await fillLargeFleet(database, new Date().toISOString().slice(0, 10), size)
  // Like autovacuum, marks pages as visible, so that counts use index-only scans. The first of two vacuums can find the
  // rows too new to mark.
  for (const table of ['transports', 'osl_entries', 'registrations', 'titles', 'vehicles', 'audit_entries'])
    for (let time = 0; time < 2; time++) await database.db.execute(sql.raw(`vacuum analyze ${table}`))
  const [tableStats] = await database.raw(
    "select relallvisible as pages from pg_class where relname = 'transports'",
    [],
  )
  if (Number(tableStats?.pages) === 0)
    throw new Error('The rows are not marked as seen by all; counts would read all of them')
  await database.close()
  const program = await start('src/main.ts', { DATABASE_URL: pg.url, ADMIN_PASSWORD: PASSWORD })
  const login = await fetch(`${program.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { token } = ((await login.json()) as { data: { token: string } }).data
  const ask = async (path: string) => {
    const startedAt = performance.now()
    const response = await fetch(program.url + path, { headers: { cookie: `yardmaster_session=${token}` } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return performance.now() - startedAt
  }
  const stop = async () => {
    program.child.kill('SIGTERM')
    await program.child.exited
    await pg.stop()
  }
  return { ask, stop }
}

const year = new Date().getFullYear()
const period = `start_date=${year}-01-01&end_date=${year}-12-31`
const PAGES = [
  '/dashboard',
  '/due',
  '/transports/active',
  '/transports/active?page=100',
  '/transports/active?q=Location%2017',
  '/transports/active?q=L17%20L24',
  '/transports/active?q=RA1002',
  '/transports/active?sort=location_in_name&order=asc',
  `/transports/completed?${period}`,
  `/transports/completed?${period}&page=400`,
  `/transports/completed?${period}&q=Location%2017`,
  `/transports/completed?${period}&sort=transport_company_name`,
  '/osl/active',
  '/osl/active?q=Location%2017',
  `/osl/completed?${period}`,
  '/vehicles/registrations',
  '/vehicles/registrations?tab=complete',
  '/vehicles/registrations?tab=expiring',
  '/vehicles/registrations?tab=complete&q=P1002',
  '/titles',
  '/titles?tab=transferred',
  '/titles?tab=overdue',
  '/vehicles/100200',
  '/vehicles/lookup?q=1002',
  '/vehicles/lookup?q=P1002',
  '/search?find=RA1002',
  '/api/transports?per_page=50&sort=location_out_name&order=asc',
  '/api/transports?q=Location%2017',
  '/api/transports?q=L17%20L24',
  '/api/transports?page=400',
  `/api/reports/monthly_costs?${period}`,
  '/audit',
]

const [small, large] = [await fleetOf(LARGE), await fleetOf(grown)]
console.log(`| page | ms of ${LARGE.transports} transports | ms of ${grown.transports} | ratio |\n|---|---|---|---|`)
for (const path of PAGES) {
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const [a, b] = [await small.ask(path), await large.ask(path)]
    // Not measured, because the first request to each program reads from disk.
    if (round === 0) continue
    times.small.push(a)
    times.large.push(b)
  }
  const [a, b] = [median(times.small), median(times.large)]
  console.log(`| ${path} | ${a.toFixed(1)} | ${b.toFixed(1)} | ${(b / a).toFixed(1)} |`)
}
await small.stop()
await large.stop()
