import type { Choices } from '../choices'
import { Difference, type Driver } from '../driver'
import type { Step } from './step'
import { newTransport, storedTransport } from './transports'

/** Real time, in milliseconds, in which Postgres finishes the last statement of a killed instance. */
const LAST_STATEMENT_MS = 500

/** Kills the server during or after the next call. */
async function kill({ program }: Driver, choices: Choices) {
  program.killAtNextCall?.(choices.number(60))
}

/** Creates a record without a key for retries. If the answer is lost, looks up whether the record was created. */
async function createOnce(driver: Driver, choices: Choices) {
  if (!driver.losesAnswers) return
  const external_id = `once ${driver.log.length}`
  const values = newTransport(driver, choices)
  driver.program.killAtNextCall?.(choices.number(30))
  const response = await driver.attempt('POST', '/transports', { ...values, external_id })
  if (response && response.status !== 201) throw new Difference(`A creation answered ${response.status}`)
  if (!response) await Bun.sleep(LAST_STATEMENT_MS)
  const { data } = await driver.get(`/transports?external_id=${encodeURIComponent(external_id)}`)
  const [found, ...others] = data as unknown as { id: number }[]
  if (others.length > 0) throw new Difference('One call created two records')
  if (response && !found) throw new Difference('An acknowledged record is lost')
  if (found) driver.changed(storedTransport(values, found.id))
}

/** Steps that do nothing if the program cannot be killed. */
export const CRASH_STEPS: [number, Step][] = [
  [2, kill],
  [1, createOnce],
]
