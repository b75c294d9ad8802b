import fc from 'fast-check'
import { STARTS, ZONES } from './calendar'
import { Choices } from './choices'
import { compare, compareAll } from './compare'
import { Difference, Driver, type Start } from './driver'
import { startInProcess } from './program/in-process'
import type { StartProgram } from './program/program'
import { NEXT_DAY, STEPS } from './steps'

/** A step of a run: its place in the list of steps, and the seed of its choices. */
type Action = [step: number, seed: number]

/** Time after which a failing run is not shortened any more, in milliseconds. */
const LIMIT_MS = 120_000

/**
 * Runs actions on the program and the model. Compares them at the end of each simulated day.
 * @throws Difference with the calls of the run
 */
async function run(program: StartProgram, start: Start, actions: Action[]): Promise<void> {
  const driver = await Driver.start(program, start)
  try {
    for (const [index, seed] of actions) {
      const step = STEPS[index] as (typeof STEPS)[number]
      if (step === NEXT_DAY) await compare(driver, new Choices(seed + 1))
      await step(driver, new Choices(seed))
    }
    await compareAll(driver, new Choices(1))
  } catch (error) {
    const calls = [`Time zone ${start.timeZone}`, ...driver.log].join('\n')
    throw new Difference(`${(error as Error).message}\n\nCalls:\n${calls}`, { cause: error })
  } finally {
    await driver.program.close()
  }
}

export type Simulation = {
  seed: number
  length: number
  path?: string
  program?: StartProgram
  /** Called with the first difference, before the run is shortened. */
  onDifference?: (error: unknown) => void
}

/** Generates a run: its first day, its time zone and up to `length` steps. */
const runOf = (length: number) =>
  fc.record({
    day: fc.constantFrom(...STARTS),
    timeZone: fc.constantFrom(...ZONES),
    actions: fc.array(fc.tuple(fc.nat(STEPS.length - 1), fc.nat()), { minLength: 1, maxLength: length, size: 'max' }),
  })

/**
 * Runs one simulation, which follows from the seed. fast-check shortens a failing run to the fewest steps that still
 * fail. Runs with kills depend on the moment of each kill, so they are not shortened.
 * @returns the number of steps
 * @throws Difference with the path for a repetition
 */
export async function simulate(simulation: Simulation): Promise<number> {
  const { seed, length, path, program = startInProcess } = simulation
  let steps = 0
  let { onDifference } = simulation
  let last: Promise<unknown> = Promise.resolve()
  const property = fc.asyncProperty(
    // Without `noBias`, fast-check prefers small numbers in its first runs, and this is the first run.
    fc.noBias(runOf(length)),
    async ({ actions, ...start }) => {
      steps ||= actions.length
      const attempt = run(program, start, actions)
      last = attempt.catch(() => {})
      await attempt.catch((error) => {
        onDifference?.(error)
        onDifference = undefined
        throw error
      })
    },
  )
  const isShortened = program === startInProcess
  const result = await fc.check(property, {
    seed,
    numRuns: 1,
    endOnFailure: !isShortened,
    interruptAfterTimeLimit: LIMIT_MS,
    ...(path ? { path } : {}),
  })
  // After the time limit, a run can still be under way. Without waiting, its steps would change the database of the
  // next seed.
  await last
  if (!result.failed) return steps
  const { errorInstance, counterexamplePath, numShrinks } = result
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  throw new Difference(`${reason}\n\nSeed ${seed}, shortened ${numShrinks} times, path ${counterexamplePath}`)
}
