/**
 * 20,000 requests made from the API's own document, each with something wrong in it, on a database of its own.
 *
 *   bun run fuzz [COUNT] [SEED]
 */
import { closeTestContext, testContext } from '../support/context'
import { fuzz, lastingToken } from './fuzz'

const count = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const began = performance.now()
const h = await testContext()
await h.cast.ben.post('/transports', {
  unit_number: '100200',
  location_out_id: 1,
  location_in_id: 2,
  move_date: '2026-03-10',
  transport_company_id: 1,
})
const { broken, statuses, slowest } = await fuzz(h.app, seed, await lastingToken(h), count)
for (const { name, what, why } of broken.slice(0, 20)) console.log(`\n${name}\n  ${what}\n  ${why}`)
console.log(
  `\n${count} requests (seed ${seed}) in ${Math.round((performance.now() - began) / 1000)} s, slowest ${Math.round(slowest)} ms, ${broken.length} broken; ` +
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', '),
)
await closeTestContext()
process.exit(broken.length ? 1 : 0)
