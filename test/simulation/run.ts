/**
 * Runs the simulation with a seed of your choice: `bun run simulate [SEED] [RUNS] [LENGTH] [PATH]`. By default, 100 runs
 * of up to 120 steps with a random seed. A failure prints the seed, the path and the calls; repeat it with the same seed
 * and path. `SUITE_DATABASE_URL` runs it on a Postgres server.
 */
import { simulate } from './simulate'

const [seed, runs, length, path] = process.argv.slice(2)
const options = {
  seed: Number(seed ?? Math.floor(Math.random() * 2 ** 31)),
  runs: Number(runs ?? 100),
  length: Number(length ?? 120),
  ...(path ? { path } : {}),
}
console.log(`Seed ${options.seed}, ${options.runs} runs of up to ${options.length} steps`)
try {
  await simulate(options)
  console.log('No difference from the model')
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
