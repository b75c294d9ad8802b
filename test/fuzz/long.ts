/**
 * Sends 20,000 generated requests, each with a fault, to a program with its own database.
 * The requests are made from the API document. A failure prints the seed and the path that repeat it.
 *
 *   bun run fuzz [COUNT] [SEED] [PATH]
 */
import { closeTestContext } from '../support/context'
import { fuzz } from './fuzz'

const count = Number(process.argv[2] ?? 20_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const began = performance.now()
const { broken, statuses, slowest, sent } = await fuzz({ count, seed, path: process.argv[4] })
if (broken) console.log(`\n${broken.name}\n  ${broken.what}\n  ${broken.why}\n  Again: ${broken.again}`)
console.log(
  `\n${sent} requests (seed ${seed}) in ${Math.round((performance.now() - began) / 1000)} s, slowest ` +
    `${Math.round(slowest)} ms, ${broken ? 'one broken' : 'none broken'}; ` +
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', '),
)
await closeTestContext()
process.exit(broken ? 1 : 0)
