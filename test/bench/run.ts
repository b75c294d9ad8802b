/**
 * Measures the Active Transports page and call with 20,000 transports on a Postgres server against the bare limits,
 * in turn within one run, so that a slow moment of the machine meets all alike. Read the ratios, not the numbers.
 */
import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import { startPostgres } from '../support/postgres-server'
import { start } from './start'

const TRANSPORTS = 20_000
const CLERKS = 8
const ROUND_MS = 2500
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)

/** Processor time of a process so far, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

type Round = { perSecond: number; cpuMs: number; p50: number; p99: number }

async function measure(url: string, headers: Record<string, string>, pid: number): Promise<Round> {
  const times: number[] = []
  const [begun, cpu] = [performance.now(), cpuOf(pid)]
  const user = async () => {
    while (performance.now() - begun < ROUND_MS) {
      const at = performance.now()
      const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${url}: ${response.status}`)
      times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: CLERKS }, user))
  const seconds = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return { perSecond: times.length / seconds, cpuMs: (cpuOf(pid) - cpu) / times.length, p50: at(0.5), p99: at(0.99) }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

const pg = await startPostgres()
const database = openServer(pg.url)
await migrate(database.db)
await database.db.execute(
  sql`insert into locations (location_code, location_name, location_type) select 'L' || n, 'Location ' || n, 'Hub' from generate_series(1, 20) n`,
)
await database.db.execute(
  sql`insert into transport_companies (company_name) select 'Company ' || n from generate_series(1, 8) n`,
)
await database.db.execute(
  sql`insert into vehicles (unit_number) select lpad(n::text, 6, '0') from generate_series(1, 2000) n`,
)
await database.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id, move_date, estimated_arrival_date, transport_company_id, status, ra_number, estimated_cost)
  select lpad((1 + n % 2000)::text, 6, '0'), 1 + n % 20, 1 + (n + 7) % 20, date '2026-01-01' + n % 300, date '2026-01-03' + n % 300 + n % 5, 1 + n % 8,
    (array['Awaiting Pickup', 'In Transit', 'Delivered', 'Delivered', 'Delivered'])[1 + n % 5], 'RA' || n % 99999, 100 + n % 900 from generate_series(1, ${TRANSPORTS}) n`)
await database.db.execute(sql`analyze`)

const [bare, ours] = await Promise.all([
  start('test/bench/bare-server.tsx', { DATABASE_URL: pg.url }),
  start('src/main.ts', { DATABASE_URL: pg.url, ADMIN_PASSWORD: 'Saguaro42' }),
])
const login = await fetch(`${ours.url}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password: 'Saguaro42' }),
})
const { token } = ((await login.json()) as { data: { token: string } }).data

const subjects = {
  'bare JSON': () => measure(`${bare.url}/json`, {}, bare.child.pid),
  'our JSON': () => measure(`${ours.url}/api/transports/active`, { authorization: `Bearer ${token}` }, ours.child.pid),
  'bare page': () => measure(`${bare.url}/page`, {}, bare.child.pid),
  'our page': () => measure(`${ours.url}/transports/active`, { cookie: `yardmaster_session=${token}` }, ours.child.pid),
}
type Subject = keyof typeof subjects
const rounds = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as Round[]])) as Record<
  Subject,
  Round[]
>
for (const warm of Object.values(subjects)) await warm()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, run] of Object.entries(subjects)) rounds[name as Subject].push(await run())

console.log(`${TRANSPORTS} transports, ${CLERKS} clerks at once, medians of ${ROUNDS} rounds\n`)
console.log('             requests/s   CPU ms/request   p50 ms   p99 ms')
for (const [name, all] of Object.entries(rounds)) {
  const figure = (key: keyof Round, digits: number) => median(all.map((round) => round[key])).toFixed(digits)
  console.log(
    `${name.padEnd(12)}${figure('perSecond', 0).padStart(11)}${figure('cpuMs', 2).padStart(17)}${figure('p50', 1).padStart(9)}${figure('p99', 1).padStart(9)}`,
  )
}
const ratio = (a: Subject, b: Subject) =>
  median(rounds[a].map((round, n) => round.perSecond / (rounds[b][n] as Round).perSecond)).toFixed(2)
console.log(
  `\nThroughput against the bare limit: JSON ${ratio('our JSON', 'bare JSON')}, page ${ratio('our page', 'bare page')}`,
)

ours.child.kill('SIGTERM')
bare.child.kill('SIGKILL')
await ours.child.exited
await database.close()
await pg.stop()
