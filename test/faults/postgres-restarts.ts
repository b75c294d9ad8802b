/**
 * Stops Postgres under load and starts it again: fast, immediate and with SIGKILL by turns.
 * Requests during the gap must get 503 at once. Soon afterwards, all requests must succeed, and no connection may be
 * left over.
 *
 *   bun test/faults/postgres-restarts.ts [--rounds 12]
 */
import { Instance, newFolder, option, quantile, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const ROUNDS = option('rounds', 12)
const GAP_MS = 1500
const CLIENTS = 16

const cluster = await Cluster.create()
await cluster.start()
const testContext = await (
  await (await Instance.start({ DATA_DIR: newFolder(), DATABASE_URL: cluster.url, LOG_LEVEL: 'error' })).signIn()
).furnish()

const acknowledged = new Map<number, number>()
let isOver = false
let next = 0
type TimedResponse = { at: number; status: number; ms: number }
const responses: TimedResponse[] = []
const client = async (n: number) => {
  while (!isOver) {
    const mine = next++
    const answer = await (n % 2
      ? testContext.call('POST', '/transports', transport(mine))
      : testContext.call('GET', '/transports/active?per_page=5'))
    responses.push({ at: performance.now(), status: answer.status, ms: answer.ms })
    if (answer.status === 201) acknowledged.set(answer.data.id, mine)
    await Bun.sleep(10)
  }
}
const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))

const gaps: { from: number; back: number }[] = []
for (let round = 0; round < ROUNDS; round++) {
  await Bun.sleep(2500)
  const from = performance.now()
  await cluster.stop((['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)[round % 3])
  await Bun.sleep(GAP_MS)
  await cluster.start()
  gaps.push({ from, back: performance.now() })
}
await Bun.sleep(3000)
isOver = true
await Promise.all(clients)

const during = gaps.flatMap(({ from, back }) => responses.filter(({ at }) => at > from && at < back))
const healed = gaps.map(({ back }) => {
  const bad = responses.filter(({ at, status }) => at > back && at < back + 2400 && (status === 0 || status >= 500))
  return bad.length ? Math.max(...bad.map(({ at }) => at - back)) : 0
})
const wrong = responses.filter(({ status }) => ![200, 201, 503].includes(status))
let lostWrites = 0
for (const [id, mileage] of acknowledged)
  if ((await testContext.call('GET', `/transports/${id}`)).data.mileage !== mileage) lostWrites++
const connections = await new Bun.SQL(
  cluster.url,
)`select count(*)::int as n from pg_stat_activity where application_name = 'yardmaster'`
await testContext.end()
await cluster.remove()

const slowest = Math.round(Math.max(...during.map(({ ms }) => ms)))
report(`Postgres stopped and started ${ROUNDS} times under ${CLIENTS} clients`, [
  [
    `${during.length} requests during the gaps: median ${Math.round(
      quantile(
        during.map(({ ms }) => ms),
        0.5,
      ),
    )} ms, slowest ${slowest} ms`,
    slowest < 2500,
  ],
  [`${responses.length} requests, ${wrong.length} with a status other than 200, 201 or 503`, wrong.length === 0],
  [
    `all well ${Math.round(Math.max(...healed))} ms after the server is back, at the latest`,
    Math.max(...healed) <= 2000,
  ],
  [`${acknowledged.size} acknowledged writes, ${lostWrites} lost`, lostWrites === 0],
  [`${connections[0].n} connections at the end`, connections[0].n <= 10],
])
