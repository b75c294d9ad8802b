/**
 * Freezes Postgres, as when its host or network fails: connections stay open without a response.
 * Users must get an error, and the program must work again once Postgres is back.
 *
 *   bun test/faults/black-hole.ts
 */
import { Instance, newFolder, quantile, report, transport } from './support/instance'
import { Cluster } from './support/postgres'

const SILENT_MS = 45_000
const CLIENTS = 16

const cluster = await Cluster.create()
await cluster.start()
const testContext = await (
  await (await Instance.start({ DATA_DIR: newFolder(), DATABASE_URL: cluster.url })).signIn()
).furnish()
for (let n = 0; n < 20; n++) await testContext.call('POST', '/transports', transport(n))

cluster.freeze()
const silentSince = performance.now()
const answers: { status: number; ms: number }[] = []
const asking = async () => {
  while (performance.now() - silentSince < SILENT_MS) {
    const { status, ms } = await testContext.call('GET', '/transports/active')
    answers.push({ status, ms })
    await Bun.sleep(200)
  }
}
await Promise.all(Array.from({ length: CLIENTS }, asking))
const readyz = (await fetch(`${testContext.url}/readyz`)).status
cluster.thaw()
const backAt = performance.now()
let well = 0
for (; well < CLIENTS && performance.now() - backAt < 60_000; ) {
  const all = await Promise.all(Array.from({ length: CLIENTS }, () => testContext.call('GET', '/transports/active')))
  well = all.filter(({ status }) => status === 200).length
}
const wellAfter = performance.now() - backAt
const written = (await testContext.call('POST', '/transports', transport(99))).status
await testContext.end()
await cluster.remove()

const slowest = Math.max(...answers.map(({ ms }) => ms))
const refused = answers.filter(({ status }) => status === 503)
const cutOff = answers.filter(({ status }) => status === 0)
report(`Postgres silent for ${SILENT_MS / 1000} s under ${CLIENTS} clients`, [
  [
    `${answers.length} requests meanwhile: median ${(
      quantile(
        answers.map(({ ms }) => ms),
        0.5,
      ) / 1000
    ).toFixed(1)} s, slowest ${(slowest / 1000).toFixed(1)} s`,
    slowest < 40_000,
  ],
  [
    `${refused.length} told to come back, ${cutOff.length} cut off by the limit of a request, none answered otherwise`,
    refused.length + cutOff.length === answers.length && cutOff.length <= CLIENTS,
  ],
  [`readiness during the outage: ${readyz}`, readyz === 503],
  [`ready ${Math.round(wellAfter)} ms after Postgres is back, write: ${written}`, wellAfter < 5000 && written === 201],
])
