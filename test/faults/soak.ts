/**
 * Half an hour of mixed work: lists, searches, pages, new and changed records, imports that are undone, exports,
 * reports and sign-ins. Memory must stay flat, and nothing may fail.
 *
 *   bun test/faults/soak.ts [--minutes 30] [--server]
 */
import { readdirSync, readlinkSync } from 'node:fs'
import { csvOf, Instance, newFolder, option, PASSWORD, quantile, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const MINUTES = option('minutes', 30)
const cluster = process.argv.includes('--server') ? await Cluster.create() : null
await cluster?.start()
const folder = newFolder()
const testContext = await (
  await (await Instance.start({ DATA_DIR: folder, ...(cluster ? { DATABASE_URL: cluster.url } : {}) })).signIn()
).furnish()

const errors = new Map<string, number>()
const times: { at: number; ms: number }[] = []
const endsAt = performance.now() + MINUTES * 60_000
let [requests, next] = [0, 0]

async function call(method: string, path: string, body?: unknown) {
  const answer = await testContext.call(method, path, body)
  requests++
  times.push({ at: performance.now(), ms: answer.ms })
  if (answer.status === 0 || answer.status >= 400)
    errors.set(
      `${method} ${path.split('?')[0]?.replace(/\d+/g, 'N')} ${answer.status}`,
      (errors.get(`${method} ${path} ${answer.status}`) ?? 0) + 1,
    )
  return answer
}
const page = async (path: string) => {
  const began = performance.now()
  const answer = await fetch(testContext.url + path, { headers: { cookie: `yardmaster_session=${testContext.token}` } })
  await answer.arrayBuffer()
  requests++
  times.push({ at: performance.now(), ms: performance.now() - began })
  if (!answer.ok) errors.set(`GET ${path} ${answer.status}`, 1)
}

const mine: number[] = []
const WORK: [share: number, act: () => Promise<unknown>][] = [
  [30, () => page('/transports/active')],
  [15, () => page(`/transports/active?q=${next % 900}`)],
  [8, () => page('/dashboard')],
  [5, () => page('/reports?generate=1&type=monthly_costs&start_date=2026-01-01&end_date=2026-12-31')],
  [
    15,
    async () => {
      const { data } = await call('POST', '/transports', transport(next++))
      if (data.id) mine.push(data.id)
    },
  ],
  [
    15,
    async () =>
      mine.length &&
      call('PATCH', `/transports/${mine[next % mine.length]}/status`, {
        status: next % 2 ? 'In Transit' : 'Delivered',
      }),
  ],
  // Deletes as many records as are created, so that exports and lists keep their length and memory is comparable.
  [15, async () => mine.length > 600 && call('DELETE', `/transports/${mine.shift()}`)],
  [2, () => page('/api/exports/transports-active?format=xlsx')],
  [2, () => call('POST', '/auth/login', { username: 'admin', password: PASSWORD })],
]

/** All kinds of work, each repeated as often as its share. */
const urn = WORK.flatMap(([share, act]) => Array.from({ length: share }, () => act))
const drawn = () => urn[Math.floor(Math.random() * urn.length)] as (typeof urn)[number]

const user = async () => {
  while (performance.now() < endsAt) {
    await drawn()()
    await Bun.sleep(30)
  }
}
const importer = async () => {
  for (let round = 0; performance.now() < endsAt; round++) {
    const { data } = await call(
      'POST',
      '/files/imports',
      csvOf(500, new Date(Date.UTC(2028, 0, 1 + (round % 300))).toISOString().slice(0, 10)),
    )
    const settled = async () => {
      for (;;) {
        const { data: now } = await testContext.call('GET', `/files/${data.id}`)
        if (['done', 'undone', 'refused'].includes(String(now.status))) return
        await Bun.sleep(100)
      }
    }
    await settled()
    await call('POST', `/files/${data.id}/undo`)
    await settled()
    await Bun.sleep(10_000)
  }
}

type Sample = { at: number; rss: number; files: number }
const samples: Sample[] = []
const pid = testContext.child.pid

/**
 * Counts open files, except table files of the embedded database.
 * These stay open once they are used.
 */
function openFiles(): number {
  const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return [] // It was closed meanwhile.
    }
  })
  return open.length - new Set(open.filter((path) => path.startsWith(folder))).size
}
const sampling = setInterval(async () => {
  const rss = Number((await Bun.file(`/proc/${pid}/status`).text()).match(/VmRSS:\s+(\d+)/)?.[1]) / 1024
  samples.push({ at: performance.now(), rss, files: openFiles() })
}, 5000)
await Promise.all([user(), user(), user(), user(), importer()])
clearInterval(sampling)
await testContext.end()
await cluster?.remove()

/** Returns the entries between two fractions of the duration, from 0 to 1. */
const part = <T extends { at: number }>(list: T[], from: number, to: number) => {
  const began = endsAt - MINUTES * 60_000
  return list.filter(({ at }) => at >= began + from * MINUTES * 60_000 && at < began + to * MINUTES * 60_000)
}
const median = (list: number[]) => quantile(list, 0.5)
const [early, late] = [
  median(part(samples, 0.2, 0.4).map(({ rss }) => rss)),
  median(part(samples, 0.8, 1.1).map(({ rss }) => rss)),
]
const [filesEarly, filesLate] = [
  median(part(samples, 0.2, 0.4).map(({ files }) => files)),
  median(part(samples, 0.8, 1.1).map(({ files }) => files)),
]
const [slowEarly, slowLate] = [
  quantile(
    part(times, 0.2, 0.4).map(({ ms }) => ms),
    0.99,
  ),
  quantile(
    part(times, 0.8, 1.1).map(({ ms }) => ms),
    0.99,
  ),
]
report(`${MINUTES} minutes of mixed work, ${cluster ? 'on a server' : 'embedded'}`, [
  [`${requests} requests, failed: ${JSON.stringify([...errors])}`, errors.size === 0],
  [
    `memory ${Math.round(early)} MB in the second fifth, ${Math.round(late)} MB in the last: ` +
      `${(((late - early) / early) * 100).toFixed(1)} %`,
    late < early * 1.1,
  ],
  [`open files and connections ${filesEarly} and ${filesLate}`, filesLate <= filesEarly + 5],
  [
    `99 % of requests within ${Math.round(slowEarly)} ms and ${Math.round(slowLate)} ms`,
    slowLate < slowEarly * 1.5 + 50,
  ],
])
