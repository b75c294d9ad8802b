import { afterAll, test } from 'bun:test'
import { SERVER_URL } from '../support/context'
import { closeSecondInstance } from './program/in-process'
import { startProcesses } from './program/processes'
import { simulate } from './simulate'

afterAll(closeSecondInstance)

// `bun run simulate` runs more and longer simulations with other seeds.
for (let seed = 1; seed <= 10; seed++)
  test(`simulated weeks agree with the model after every day: seed ${seed}`, async () => {
    await simulate({ seed, length: 60 })
  })

/** Restarts take most of the time, and a busy machine needs seconds for each. */
const KILLS_LIMIT_MS = 300_000

test(
  'nothing is lost when the program is killed',
  async () => {
    await simulate({ seed: 1, length: 60, program: startProcesses(SERVER_URL) })
  },
  KILLS_LIMIT_MS,
)
