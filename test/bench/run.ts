/**
 * Measures pages and API calls with a large fleet against a baseline. The baseline runs the same SQL through the
 * driver, and Bun alone returns it as JSON or as rows rendered by React. All subjects are measured in turn within one
 * run, so that a slow moment of the machine affects all equally. Read the ratios, which are medians of paired rounds
 * with their range; the absolute numbers depend on the machine.
 */
import { LARGE } from '../support/large-fleet'
import { asks, asksAs, BROWSER, makePeople, PASSWORD, PLAIN, signIn } from './asks'
import { largeServer } from './large-server'
import { figuresOf, median, memoryOf, type Round } from './measure'
import { start } from './start'

const REST_MS = 20_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const CLIENTS = 32
/** Enough accounts that concurrent sign-ins of each stay below the rate limit. */
const PEOPLE = 8

const { url: database, moving, stop } = await largeServer()

const [bare, ours] = await Promise.all([
  start('test/bench/bare-server.tsx', { DATABASE_URL: database }),
  start('src/main.ts', { DATABASE_URL: database, ADMIN_PASSWORD: PASSWORD }),
])
const idle = memoryOf(ours.child.pid)
const token = await signIn(ours)
const people = await makePeople(ours, token, PEOPLE)
const { page, call, changes } = asksAs(ours, CLIENTS, token)
const least = asks(bare, CLIENTS)

/** Measured subjects. `limit` is the baseline to compare with; `full` is the baseline with as many bytes. */
const SUBJECTS: Record<string, { run: () => Promise<Round>; limit?: string; full?: string }> = {
  'bare JSON': { run: least.plain('/json', PLAIN) },
  'bare page': { run: least.plain('/page', PLAIN) },
  'bare page, compressed': { run: least.plain('/page', BROWSER) },
  'bare page of as many bytes': { run: least.plain('/page-full', PLAIN) },
  'bare page of as many bytes, compressed': { run: least.plain('/page-full', BROWSER) },
  'bare sign-in': { run: least.signIns('/login', people) },
  'bare change with its audit row': { run: least.changes(moving.ids, (id) => `/status/${id}`) },
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
    run: changes(moving.ids),
    limit: 'bare change with its audit row',
  },
  'A sign-in': { run: asks(ours, CLIENTS).signIns('/api/auth/login', people), limit: 'bare sign-in' },
}

const rounds = new Map(Object.keys(SUBJECTS).map((name) => [name, [] as Round[]]))
for (const { run } of Object.values(SUBJECTS)) await run()
for (let round = 0; round < ROUNDS; round++)
  for (const [name, { run }] of Object.entries(SUBJECTS)) rounds.get(name)?.push(await run())

const after = memoryOf(ours.child.pid)
// Garbage is freed while the server is idle.
await Bun.sleep(REST_MS)
console.log(
  `${LARGE.transports} transports, one in twenty under way; 32 connections; medians of ${ROUNDS} rounds; memory ${idle} MB idle, ${after} MB after, ${memoryOf(ours.child.pid)} MB after a rest\n`,
)
console.log(
  '| | CPU ms/request | against its limit | against as many bytes | requests/s | p50 ms | p99 ms | bytes |\n|---|---|---|---|---|---|---|---|',
)
for (const [name, { limit, full }] of Object.entries(SUBJECTS)) {
  const all = rounds.get(name) as Round[]
  const { cpu, rest } = figuresOf(all)
  const against = (other?: string) => {
    const limits = other ? (rounds.get(other) as Round[]) : []
    const paired = limits.map(({ cpuMs }, at) => (all[at] as Round).cpuMs / cpuMs)
    return paired.length
      ? `${median(paired).toFixed(2)} (${Math.min(...paired).toFixed(2)}–${Math.max(...paired).toFixed(2)})`
      : ''
  }
  console.log(`| ${name} | ${cpu} | ${against(limit)} | ${against(full)} | ${rest} |`)
}

ours.child.kill('SIGTERM')
bare.child.kill('SIGKILL')
await ours.child.exited
await stop()
