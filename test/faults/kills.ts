/**
 * Kills the program again and again at random moments, during writes and an import.
 * No acknowledged write may be lost, no import may be half done, and the program must start again by itself.
 *
 *   bun test/faults/kills.ts [--rounds 200] [--server]
 */

import { csvOf, Instance, newFolder, option, quantile, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const ROUNDS = option('rounds', 200)
const WRITERS = 6
const IMPORTED = 400
const RUN_MS = 900

const cluster = process.argv.includes('--server') ? await Cluster.create() : null
await cluster?.start()
const env = { DATA_DIR: newFolder(), ...(cluster ? { DATABASE_URL: cluster.url } : {}) }

const acknowledged = new Map<number, number>()
const starts: number[] = []
let [lostWrites, half, unfinished, next] = [0, 0, 0, 0]
let token = ''

/** Counts acknowledged records as lost if they are missing or have another value. */
async function verify(testContext: Instance, ids: number[]) {
  for (const id of ids) {
    const { status, data } = await testContext.call('GET', `/transports/${id}`)
    if (status !== 200 || data.mileage !== acknowledged.get(id)) {
      lostWrites++
      console.log(`lost: transport ${id}, ${status}`)
    }
  }
}

for (let round = 0; round < ROUNDS; round++) {
  const testContext = await Instance.start(env)
  starts.push(testContext.startedIn)
  testContext.token = token
  if (round === 0) {
    await (await testContext.signIn()).furnish()
    token = testContext.token
  }
  const fresh: number[] = []
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const mine = next++
      const { status, data } = await testContext.call('POST', '/transports', transport(mine))
      if (status !== 201) continue
      acknowledged.set(data.id, mine)
      fresh.push(data.id)
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  const day = new Date(Date.UTC(2027, 0, 1 + round)).toISOString().slice(0, 10)
  const importResponse = await testContext.call('POST', '/files/imports', csvOf(IMPORTED, day))
  await Bun.sleep(Math.random() * RUN_MS)
  const dying = testContext.end('SIGKILL')
  isOver = true
  await Promise.all([dying, ...writers])

  const again = await Instance.start(env)
  starts.push(again.startedIn)
  again.token = token
  await verify(again, fresh)
  if (importResponse.status === 202) {
    for (const until = Date.now() + 30_000; ; await Bun.sleep(50)) {
      const { data } = await again.call('GET', `/files/${importResponse.data.id}`)
      if (data.status === 'done' || Date.now() > until) {
        if (data.status !== 'done') unfinished++
        break
      }
    }
    const rows = (await again.call('GET', `/reports/transport_summary?start_date=${day}&end_date=${day}`))
      .data as unknown as { totals?: { count?: number } }
    if (rows.totals?.count !== IMPORTED) {
      half++
      console.log(`round ${round}: ${rows.totals?.count} of ${IMPORTED} imported rows`)
    }
  }
  await again.end('SIGKILL')
  if (round % 20 === 19) console.log(`${round + 1} rounds, ${acknowledged.size} writes`)
}

const last = await Instance.start(env)
last.token = token
await verify(last, [...acknowledged.keys()])
await last.end()
await cluster?.remove()

report(`${ROUNDS} kills under load, ${cluster ? 'on a server' : 'embedded'}`, [
  [`${acknowledged.size} acknowledged writes, ${lostWrites} lost`, lostWrites === 0],
  [`${ROUNDS} imports, ${half} incomplete or duplicated, ${unfinished} unfinished after 30 s`, half + unfinished === 0],
  [
    `${starts.length} starts after kills: median ${Math.round(quantile(starts, 0.5))} ms, longest ` +
      `${Math.round(Math.max(...starts))} ms`,
    Math.max(...starts) < 10_000,
  ],
])
