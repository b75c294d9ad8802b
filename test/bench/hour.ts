/**
 * Simulates an hour of use of the binary with a large fleet. A few users and an integration request pages, searches,
 * status changes, sign-ins, exports and occasional imports from a program on a Postgres server. Prints the memory of
 * the process at intervals. Build the binary first: `bun run build`.
 */
import { join } from 'node:path'
import { PASSWORD, signIn } from './asks'
import { largeServer } from './large-server'
import { median, memoryOf } from './measure'
import { start } from './start'

const MINUTES = Number(process.env.BENCH_MINUTES ?? 60)
const CLIENTS = 12
const PAUSE_MS = 1000
const TOLD_EVERY_MINUTES = 5

const { url: database, moving, stop } = await largeServer()

const binary = join(import.meta.dir, '../../dist/yardmaster')
const ours = await start(binary, { DATABASE_URL: database, ADMIN_PASSWORD: PASSWORD })
const { url, child } = ours

const PAGES = [
  '/dashboard',
  '/transports/active',
  '/transports/active?q=100',
  '/transports/active?sort=location_out_name&page=7',
  '/transports/completed',
  '/osl/active',
  '/vehicles/registrations',
  '/vehicles/registrations?q=CDA',
  '/titles',
  '/due',
  '/vehicles/100200',
  '/transports/new',
  '/reports',
]
const CALLS = [
  '/api/transports/active?per_page=200',
  '/api/vehicles/search?q=1002',
  '/api/osl/active',
  '/api/due/counts',
]
let [requestCount, changed] = [0, 0]

/** Sends one user action: mostly a page, sometimes a call or change. */
async function click(token: string, n: number) {
  const headers = { cookie: `yardmaster_session=${token}`, 'accept-encoding': 'gzip' }
  const path = n % 4 === 3 ? CALLS[(n >> 2) % CALLS.length] : PAGES[(n * 7) % PAGES.length]
  if (n % 5 === 4) {
    const id = moving.ids[changed++ % moving.ids.length]
    return fetch(`${url}/api/transports/${id}/status`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: changed % 2 ? 'In Transit' : 'Vehicle Not Ready' }),
    })
  }
  return fetch(url + path, { headers })
}

const exportList = (token: string) =>
  fetch(`${url}/api/exports/transports-active?format=xlsx`, { headers: { authorization: `Bearer ${token}` } })

/** Imports a file of 2,000 titles for new units. */
function importFile(token: string, turn: number) {
  const lines = Array.from({ length: 2000 }, (_, n) => `${900_000 - turn * 2000 - n},L1`)
  const body = new FormData()
  body.set('data_type', 'titles')
  body.set('file', new File([`unit_number,location\n${lines.join('\n')}\n`], 'titles.csv'))
  return fetch(`${url}/api/files/upload`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })
}

const ends = Date.now() + MINUTES * 60_000
async function person(which: number) {
  // Staggered, because more than ten concurrent sign-ins of one account look like password guessing.
  await Bun.sleep(which * 500)
  let token = await signIn(ours)
  for (let n = which; Date.now() < ends; n++) {
    if (n % 300 === 299) token = await signIn(ours)
    const answer = await (n % 400 === 200 ? exportList(token) : click(token, n))
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`)
    requestCount++
    await Bun.sleep(PAUSE_MS)
  }
}
async function importer() {
  for (let turn = 0; Date.now() < ends; turn++) {
    const answer = await importFile(await signIn(ours), turn)
    const { imported } = (await answer.json()) as { imported: number }
    if (imported !== 2000) throw new Error(`${imported} of 2000 titles were imported`)
    for (let waited = 0; waited < TOLD_EVERY_MINUTES * 60 && Date.now() < ends; waited++) await Bun.sleep(1000)
  }
}
const samples: number[] = []
async function watcher() {
  console.log(`memory ${memoryOf(child.pid)} MB when it has started`)
  for (let second = 1; Date.now() < ends; second++) {
    await Bun.sleep(1000)
    samples.push(memoryOf(child.pid))
    if (second % (TOLD_EVERY_MINUTES * 60) === 0)
      console.log(`after ${second / 60} minutes: ${samples.at(-1)} MB, ${requestCount} answers, ${changed} changes`)
  }
}
await Promise.all([watcher(), importer(), ...Array.from({ length: CLIENTS }, (_, which) => person(which))])
console.log(
  `${MINUTES} minutes, ${requestCount} answers, ${changed} status changes: memory ${samples.at(-1)} MB at the ` +
    `end, median ${median(samples)}, most ${Math.max(...samples)}`,
)
child.kill('SIGTERM')
await child.exited
await stop()
