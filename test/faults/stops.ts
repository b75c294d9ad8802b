/**
 * Stops the program with SIGTERM under load, again and again.
 * Every accepted request must be completed, no acknowledged write may be lost, and the program must exit by itself.
 *
 *   bun test/faults/stops.ts [--rounds 20] [--server]
 */
import { Instance, newFolder, option, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const ROUNDS = option('rounds', 20)
const cluster = process.argv.includes('--server') ? await Cluster.create() : null
await cluster?.start()
const env = { DATA_DIR: newFolder(), ...(cluster ? { DATABASE_URL: cluster.url } : {}) }

const acknowledged = new Map<number, number>()
const ends: number[] = []
let [cut, badEnds, next, token] = [0, 0, 0, '']
for (let round = 0; round < ROUNDS; round++) {
  const testContext = await Instance.start(env)
  testContext.token = token
  if (round === 0) {
    await (await testContext.signIn()).furnish()
    token = testContext.token
  }
  let stoppedAt = Number.POSITIVE_INFINITY
  const client = async () => {
    while (performance.now() < stoppedAt) {
      const mine = next++
      const began = performance.now()
      const { status, data } = await testContext.call('POST', '/transports', transport(mine))
      if (status === 201) acknowledged.set(data.id, mine)
      // This request was sent 50 ms or more before the signal, so it should have been answered.
      else if (began < stoppedAt - 50) cut++
    }
  }
  const clients = Array.from({ length: 8 }, client)
  await Bun.sleep(300 + Math.random() * 500)
  stoppedAt = performance.now()
  if ((await testContext.end('SIGTERM')) !== 0) badEnds++
  ends.push(performance.now() - stoppedAt)
  await Promise.all(clients)
}
const last = await Instance.start(env)
last.token = token
let lostWrites = 0
for (const [id, mileage] of acknowledged)
  if ((await last.call('GET', `/transports/${id}`)).data.mileage !== mileage) lostWrites++
await last.end()
await cluster?.remove()
report(`${ROUNDS} stops under load, ${cluster ? 'on a server' : 'embedded'}`, [
  [`${acknowledged.size} acknowledged writes, ${lostWrites} lost`, lostWrites === 0],
  [`${cut} accepted requests were not answered`, cut === 0],
  [
    `stopped within ${Math.round(Math.max(...ends))} ms, ${badEnds} times with a nonzero exit code`,
    badEnds === 0 && Math.max(...ends) < 10_000,
  ],
])
