/**
 * Measures pages and calls of a large fleet against the bare limits: the same SQL through the driver, answered by Bun alone
 * as JSON or as rows rendered by React. All are asked in turn within one run, so that a slow moment of the machine meets all
 * alike. Read the ratios, which are medians of paired rounds with their range; the numbers are the machine's.
 */
import { sql } from 'drizzle-orm'
import { migrate } from '../../db/migrate'
import { openServer } from '../../db/server'
import { fillLargeFleet, LARGE } from '../support/large-fleet'
import { startPostgres } from '../support/postgres-server'
import { measure, median, memoryOf, type Round } from './measure'
import { start } from './start'

const ROUND_MS = 2500
const REST_MS = 20_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const PASSWORD = 'Saguaro42'

const pg = await startPostgres()
const database = openServer(pg.url)
await migrate(database.db)
await fillLargeFleet(database.db, new Date().toISOString().slice(0, 10))
await database.db.execute(sql`vacuum analyze`)
const [moving] = (await database.db.execute(
  sql`select array_agg(id) as ids from (select id from transports where status <> 'Delivered' order by id limit 512) t`,
)) as unknown as [{ ids: number[] }]

const [bare, ours] = await Promise.all([
  start('test/bench/bare-server.tsx', { DATABASE_URL: pg.url }),
  start('src/main.ts', { DATABASE_URL: pg.url, ADMIN_PASSWORD: PASSWORD }),
])
const idle = memoryOf(ours.child.pid)
const login = await fetch(`${ours.url}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'admin', password: PASSWORD }),
})
const { token } = ((await login.json()) as { data: { token: string } }).data

/** What browsers of the last years send, and what an integration without compression does. */
const [BROWSER, PLAIN] = ['gzip, deflate', 'identity']
type Server = { url: string; child: { pid: number } }
const asked =
  ({ url, child }: Server, path: string, encoding: string, headers: Record<string, string> = {}) =>
  () =>
    measure(child.pid, ROUND_MS, () => fetch(url + path, { headers: { 'accept-encoding': encoding, ...headers } }))
const page = (path: string, encoding = BROWSER) =>
  asked(ours, path, encoding, { cookie: `yardmaster_session=${token}` })
const call = (path: string, encoding = PLAIN) => asked(ours, path, encoding, { authorization: `Bearer ${token}` })
/** Every request changes another transport, back and forth. */
const changes =
  ({ url, child }: Server, path: (id: number) => string) =>
  () =>
    measure(child.pid, ROUND_MS, (n) =>
      fetch(url + path(moving.ids[n % moving.ids.length] as number), {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': PLAIN },
        body: JSON.stringify({ status: Math.floor(n / moving.ids.length) % 2 ? 'In Transit' : 'Vehicle Not Ready' }),
      }),
    )

/** What is measured, and the bare limit that it is set against. */
const SUBJECTS: Record<string, { run: () => Promise<Round>; limit?: string; full?: string }> = {
  'bare JSON': { run: asked(bare, '/json', PLAIN) },
  'bare page': { run: asked(bare, '/page', PLAIN) },
  'bare page, compressed': { run: asked(bare, '/page', BROWSER) },
  'bare page of as many bytes': { run: asked(bare, '/page-full', PLAIN) },
  'bare page of as many bytes, compressed': { run: asked(bare, '/page-full', BROWSER) },
  'bare change with its audit row': { run: changes(bare, (id) => `/status/${id}`) },
  'Active Transports, JSON': {
    run: call('/api/transports/active?sort=estimated_arrival_date&order=asc'),
    limit: 'bare JSON',
  },
  'Active Transports, plain': {
    run: page('/transports/active', PLAIN),
    limit: 'bare page',
    full: 'bare page of as many bytes',
  },
  'Active Transports, compressed': {
    run: page('/transports/active'),
    limit: 'bare page, compressed',
    full: 'bare page of as many bytes, compressed',
  },
  'Active OSL, compressed': { run: page('/osl/active'), limit: 'bare page, compressed' },
  'Registrations, compressed': { run: page('/vehicles/registrations'), limit: 'bare page, compressed' },
  'Titles, compressed': { run: page('/titles'), limit: 'bare page, compressed' },
  'Dashboard, compressed': { run: page('/dashboard'), limit: 'bare page, compressed' },
  'Due, compressed': { run: page('/due'), limit: 'bare page, compressed' },
  'A vehicle, compressed': { run: page('/vehicles/100200'), limit: 'bare page, compressed' },
  'A status change, JSON': {
    run: changes(ours, (id) => `/api/transports/${id}/status`),
    limit: 'bare change with its audit row',
  },
}

const rounds = new Map(Object.keys(SUBJECTS).map((name) => [name, [] as Round[]]))
for (const { run } of Object.values(SUBJECTS)) await run()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, { run }] of Object.entries(SUBJECTS)) rounds.get(name)?.push(await run())

const after = memoryOf(ours.child.pid)
// What is garbage by then goes while nobody asks for anything.
await Bun.sleep(REST_MS)
console.log(
  `${LARGE.transports} transports, one in twenty under way; 32 connections; medians of ${ROUNDS} rounds; memory ${idle} MB idle, ${after} MB after, ${memoryOf(ours.child.pid)} MB after a rest\n`,
)
console.log(
  '| | CPU ms/request | against its limit | against as many bytes | requests/s | p50 ms | p99 ms | bytes |\n|---|---|---|---|---|---|---|---|',
)
for (const [name, { limit, full }] of Object.entries(SUBJECTS)) {
  const all = rounds.get(name) as Round[]
  const figure = (key: keyof Round, digits: number) => median(all.map((round) => round[key])).toFixed(digits)
  const against = (other?: string) => {
    const limits = other ? (rounds.get(other) as Round[]) : []
    const paired = limits.map(({ cpuMs }, at) => (all[at] as Round).cpuMs / cpuMs)
    return paired.length
      ? `${median(paired).toFixed(2)} (${Math.min(...paired).toFixed(2)}–${Math.max(...paired).toFixed(2)})`
      : ''
  }
  console.log(
    `| ${name} | ${figure('cpuMs', 2)} | ${against(limit)} | ${against(full)} | ${figure('perSecond', 0)} | ${figure('p50', 1)} | ${figure('p99', 1)} | ${figure('bytes', 0)} |`,
  )
}

ours.child.kill('SIGTERM')
bare.child.kill('SIGKILL')
await ours.child.exited
await database.close()
await pg.stop()
