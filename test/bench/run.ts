/**
 * Measures pages and API calls with a large fleet against a baseline. The baseline runs the same SQL through the
 * driver, and Bun alone returns it as JSON or as rows rendered by React. Each subject is measured directly before or
 * after its baseline, so that a slow moment of the machine affects both. Read the ratios, which are medians of these
 * pairs with quartiles; the absolute numbers depend on the machine. Arguments such as `status vehicle` select subjects.
 */
import { cpus, loadavg } from 'node:os'
import { LARGE } from '../support/large-fleet'
import { BROWSER, makePeople, PASSWORD, PLAIN, ROUND_MS, repeatRequests, repeatRequestsAs } from './asks'
import { largeServer } from './large-server'
import { figuresOf, memoryOf, quantile, type Round } from './measure'
import { start } from './start'

const REST_MS = 20_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8)
const WARM_UPS = 3
const CLIENTS = 32
/** Enough accounts that concurrent sign-ins of each stay below the rate limit. */
const PEOPLE = 16

const loadBefore = loadavg()[0]?.toFixed(1)
const { url: database, moving, stop } = await largeServer()

const [bare, ours] = await Promise.all([
  start('test/bench/bare-server.tsx', { DATABASE_URL: database }),
  start('src/main.ts', { DATABASE_URL: database, ADMIN_PASSWORD: PASSWORD }),
])
const idle = memoryOf(ours.child.pid)
const { people, tokens } = await makePeople(ours, PEOPLE)
const { page, call, changes } = repeatRequestsAs(ours, CLIENTS, tokens)
const least = repeatRequests(bare, CLIENTS)

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
  'A sign-in': { run: repeatRequests(ours, CLIENTS).signIns('/api/auth/login', people), limit: 'bare sign-in' },
}

const nameFilters = process.argv.slice(2)
const isWanted = (name: string) =>
  nameFilters.length === 0 || nameFilters.some((part) => name.toLowerCase().includes(part))
const baselinesOf = ({ limit, full }: (typeof SUBJECTS)[string]) => [limit, full].filter((name) => name !== undefined)
const compared = Object.entries(SUBJECTS).filter(([name, subject]) => subject.limit && isWanted(name))
const used = new Set(compared.flatMap(([name, subject]) => [...baselinesOf(subject), name]))

const rounds = new Map<string, Round[]>([...used].map((name) => [name, []]))
const ratios = new Map<string, number[]>()
const measured = async (name: string) => {
  const round = await (SUBJECTS[name] as (typeof SUBJECTS)[string]).run()
  rounds.get(name)?.push(round)
  return round.cpuMs
}
for (const [name, subject] of compared)
  for (const baseline of baselinesOf(subject)) {
    // Measure the rounds of a pair one after another, after equal warm-up. JavaScriptCore drops compiled code that has
    // not run for some seconds. With other subjects in between, each round would begin with interpreted code.
    for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) for (const each of [name, baseline]) await SUBJECTS[each]?.run()
    for (let round = 0; round < ROUNDS; round++) {
      // Changes the order in each round, so that neither subject profits from running second.
      const pair = round % 2 ? [name, baseline] : [baseline, name]
      const cpu = new Map<string, number>()
      for (const each of pair) cpu.set(each, await measured(each))
      const ratio = (cpu.get(name) as number) / (cpu.get(baseline) as number)
      ratios.getOrInsert(`${name} | ${baseline}`, []).push(ratio)
    }
  }

const after = memoryOf(ours.child.pid)
// Garbage is freed while the server is idle.
await Bun.sleep(REST_MS)
console.log(
  `${LARGE.transports} transports, one in twenty under way; ${CLIENTS} connections; medians of ${ROUNDS} ` +
    `rounds of ${ROUND_MS / 1000} s, with quartiles; ${cpus().length} × ${cpus()[0]?.model}, load ` +
    `${loadBefore} at the start and ${loadavg()[0]?.toFixed(1)} at the end; memory ${idle} MB idle, ` +
    `${after} MB after, ${memoryOf(ours.child.pid)} MB after a rest\n`,
)
console.log(
  '| | CPU ms/request | against its limit | against as many bytes | requests/s | p50 ms | p99 ms | bytes ' +
    '|\n|---|---|---|---|---|---|---|---|',
)
for (const name of Object.keys(SUBJECTS).filter((name) => used.has(name))) {
  const { limit, full } = SUBJECTS[name] as (typeof SUBJECTS)[string]
  const { cpu, rest } = figuresOf(rounds.get(name) as Round[])
  const against = (baseline?: string) => {
    const paired = ratios.get(`${name} | ${baseline}`)
    const at = (share: number) => quantile(paired as number[], share).toFixed(2)
    return paired ? `${at(0.5)} (${at(0.25)}–${at(0.75)})` : ''
  }
  console.log(`| ${name} | ${cpu} | ${against(limit)} | ${against(full)} | ${rest} |`)
}

ours.child.kill('SIGTERM')
bare.child.kill('SIGKILL')
await ours.child.exited
await stop()
