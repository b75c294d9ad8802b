/**
 * Runs the simulation: `bun run simulate [SEED] [RUNS] [--length STEPS] [--postgres] [--kills] [--path PATH]`. By
 * default, 100 runs of up to 200 steps, a month on average, with the seeds from a random one on. `--postgres` uses two
 * instances on a Postgres server instead of one on the embedded database. `--kills` runs them as processes that are
 * killed and restarted. A failure prints its seed, its path and the calls. Repeat it with the same seed and path.
 */
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres-server'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    length: { type: 'string', default: '200' },
    path: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    kills: { type: 'boolean', default: false },
  },
})
const first = Number(positionals[0] ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(positionals[1] ?? 100)
const length = Number(values.length)

const postgres = values.postgres ? await startPostgres() : undefined
// The test context reads this variable when it is loaded.
if (postgres) process.env.SUITE_DATABASE_URL = postgres.url
const { simulate } = await import('./simulate')
const { startProcesses } = await import('./program/processes')
const options = {
  length,
  ...(values.path ? { path: values.path } : {}),
  ...(values.kills ? { program: startProcesses(postgres?.url) } : {}),
}

const engine = postgres ? 'a Postgres server, two instances' : 'the embedded database'
console.log(`${runs} runs of up to ${length} steps on ${engine}${values.kills ? ', with kills' : ''}`)
const secondsSince = (begin: number) => ((performance.now() - begin) / 1000).toFixed(1)
const begin = performance.now()
let [steps, failures] = [0, 0]
for (let seed = first; seed < first + runs; seed++) {
  const began = performance.now()
  try {
    const onDifference = () => console.log(`seed ${seed}: differs from the model after ${secondsSince(began)} s`)
    const count = await simulate({ ...options, seed, onDifference })
    steps += count
    console.log(`seed ${seed}: ${count} steps, ${secondsSince(began)} s`)
  } catch (error) {
    failures++
    console.error(error instanceof Error ? error.message : error)
  }
}
console.log(`${runs - failures} of ${runs} runs agree with the model: ${steps} steps, ${secondsSince(begin)} s`)
await postgres?.stop()
process.exit(failures > 0 ? 1 : 0)
