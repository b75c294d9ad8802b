/**
 * Measures pages and calls of the embedded engine with a large fleet. Eight connections represent a small office. The
 * subjects are measured one after another. Read the processor time, which covers the server and its database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openEmbedded } from '../../db/embedded/open'
import { migrate } from '../../db/migrate'
import { fillLargeFleet, LARGE } from '../support/large-fleet'
import { makePeople, PASSWORD, repeatRequests, repeatRequestsAs } from './asks'
import { figuresOf, memoryOf, type Round } from './measure'
import { start } from './start'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const WARM_UPS = 3
const CLIENTS = 8
const PEOPLE = 8

const folder = mkdtempSync(join(tmpdir(), 'bench-embedded-'))
const database = await openEmbedded(folder)
await migrate(database.db)
await fillLargeFleet(database, new Date().toISOString().slice(0, 10))
await database.db.execute(sql`vacuum analyze`)
const moving = (await database.db.execute(
  sql`select id from transports where status <> 'Delivered' order by id limit 512`,
)) as unknown as { rows: { id: number }[] }
await database.close()

const ours = await start('src/main.ts', { DATABASE_URL: '', DATA_DIR: folder, ADMIN_PASSWORD: PASSWORD })
const { people, tokens } = await makePeople(ours, PEOPLE)
const { page, call, changes } = repeatRequestsAs(ours, CLIENTS, tokens)

const SUBJECTS: Record<string, () => Promise<Round>> = {
  'Active Transports, JSON': call('/api/transports/active?sort=estimated_arrival_date&order=asc'),
  'Active Transports, compressed': page('/transports/active'),
  'Active OSL, compressed': page('/osl/active'),
  'Registrations, compressed': page('/vehicles/registrations'),
  'Titles, compressed': page('/titles'),
  'Dashboard, compressed': page('/dashboard'),
  'Due, compressed': page('/due'),
  'A vehicle, compressed': page('/vehicles/100200'),
  'A status change, JSON': changes(moving.rows.map(({ id }) => id)),
  'A sign-in': repeatRequests(ours, CLIENTS).signIns('/api/auth/login', people),
}
const rounds = new Map(Object.keys(SUBJECTS).map((name) => [name, [] as Round[]]))
for (const [name, run] of Object.entries(SUBJECTS)) {
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++) await run()
  for (let round = 0; round < ROUNDS; round++) rounds.get(name)?.push(await run())
}

console.log(
  `embedded, ${LARGE.transports} transports; ${CLIENTS} connections; medians of ${ROUNDS} rounds; memory ` +
    `${memoryOf(ours.child.pid)} MB after\n`,
)
console.log('| | CPU ms/request | requests/s | p50 ms | p99 ms | bytes |\n|---|---|---|---|---|---|')
for (const [name, all] of rounds) {
  const { cpu, rest } = figuresOf(all)
  console.log(`| ${name} | ${cpu} | ${rest} |`)
}
ours.child.kill('SIGTERM')
await ours.child.exited
rmSync(folder, { recursive: true, force: true })
