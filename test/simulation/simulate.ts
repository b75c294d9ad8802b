import fc from 'fast-check'
import { compare } from './compare'
import { Choices, Difference, Driver } from './driver'
import { NEXT_DAY, STEPS } from './steps'

/** A step of a run: its place in the list of steps, and the seed of its choices. */
type Action = [step: number, seed: number]

/**
 * Runs actions on the program and the model. Compares them at the end of each simulated day.
 * @throws Difference with the calls of the run
 */
export async function run(actions: Action[]): Promise<void> {
  const driver = await Driver.start()
  try {
    for (const [index, seed] of actions) {
      const step = STEPS[index] as (typeof STEPS)[number]
      if (step === NEXT_DAY) await compare(driver, new Choices(seed + 1))
      await step(driver, new Choices(seed))
    }
    await compare(driver, new Choices(1))
  } catch (error) {
    throw new Difference(`${(error as Error).message}\n\nCalls:\n${driver.log.join('\n')}`, { cause: error })
  }
}

/**
 * Runs the simulation with `runs` random lists of actions, which follow from the seed. fast-check shortens a failing
 * list to the fewest actions that still fail, and reports the seed and path for a repetition.
 */
export const simulate = ({ seed, runs, length, path }: { seed: number; runs: number; length: number; path?: string }) =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(STEPS.length - 1), fc.nat()), { minLength: length / 2, maxLength: length, size: 'max' }),
      run,
    ),
    { seed, numRuns: runs, ...(path ? { path } : {}), endOnFailure: false },
  )
