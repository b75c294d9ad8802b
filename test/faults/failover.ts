/**
 * Kills the primary under load and promotes its synchronous standby.
 * DATABASE_URL names both. No acknowledged write may be lost, and the program must switch to the new primary by itself.
 *
 *   bun test/faults/failover.ts [--rounds 3]
 */
import { Instance, newFolder, option, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const ROUNDS = option('rounds', 3)
let [written, lostWrites] = [0, 0]
const outages: number[] = []
const others: number[] = []

for (let round = 0; round < ROUNDS; round++) {
  const primary = await Cluster.create()
  await primary.start()
  const first = await Instance.start({ DATA_DIR: newFolder(), DATABASE_URL: primary.url })
  await (await first.signIn()).furnish()
  await first.end()
  await primary.stop()
  const standby = Cluster.copyOf(primary)
  await primary.start('synchronous_standby_names=*', 'synchronous_commit=on')
  await standby.start(`primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`)
  const sql = new Bun.SQL(primary.url)
  for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(50)) {
    const [state] = await sql`select sync_state from pg_stat_replication`
    if (state?.sync_state === 'sync') break
  }
  await sql.close()

  const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`
  const testContext = await (await Instance.start({ DATA_DIR: newFolder(), DATABASE_URL: both })).signIn()
  const acknowledged = new Map<number, number>()
  const responses: { at: number; status: number }[] = []
  let isOver = false
  let next = 0
  const clients = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const mine = next++
      const { status, data } = await testContext.call('POST', '/transports', transport(mine))
      responses.push({ at: performance.now(), status })
      if (status === 201) acknowledged.set(data.id, mine)
      await Bun.sleep(10)
    }
  })
  await Bun.sleep(3000)
  const killedAt = performance.now()
  await primary.stop('SIGKILL')
  await standby.promote()
  await Bun.sleep(12_000)
  isOver = true
  await Promise.all(clients)
  const back = responses.find(({ at, status }) => status === 201 && at > killedAt + 50)?.at ?? Number.POSITIVE_INFINITY
  const failures = responses.filter(({ at, status }) => at > killedAt && status !== 201)
  outages.push(Math.max(back, ...failures.map(({ at }) => at)) - killedAt)
  others.push(...failures.map(({ status }) => status).filter((status) => status !== 503))
  for (const [id, mileage] of acknowledged)
    if ((await testContext.call('GET', `/transports/${id}`)).data.mileage !== mileage) lostWrites++
  written += acknowledged.size
  await testContext.end()
  await standby.remove()
  await primary.remove()
}

report(`Primary killed and standby promoted ${ROUNDS} times`, [
  [`${written} acknowledged writes with synchronous replication, ${lostWrites} lost`, lostWrites === 0],
  [
    `writing again for good after ${outages.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`,
    Math.max(...outages) < 10_000,
  ],
  [`${others.length} failed requests without status 503`, others.length === 0],
])
