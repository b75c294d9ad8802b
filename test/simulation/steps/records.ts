import type { Choices } from '../choices'
import type { Driver } from '../driver'
import { path, type Step } from './step'

async function remove(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.live)
  if (!one) return
  await driver.call('DELETE', path(one))
  driver.removed(one)
}

async function restore(driver: Driver, choices: Choices) {
  const key = choices.of([...driver.fleet.deleted])
  const one = key && driver.fleet.records.get(key)
  if (!one) return
  await driver.call('POST', `${path(one)}/restore`)
  driver.restored(one)
}

/** Calls that must be refused and change nothing. */
async function refused(driver: Driver, choices: Choices) {
  const one = choices.of(driver.fleet.live)
  if (!one) return
  const { data } = await driver.call('GET', path(one))
  const version = Number(data.version)
  if (version > 1)
    await driver.call('PUT', path(one), { unit_number: '100999', version: version - 1 }, { expected: 409 })
  await driver.call('PUT', path(one), { unit_number: '10099', version }, { expected: 422 })
  await driver.call('PUT', path(one), { location_id: 999_999, location_in_id: 999_999, version }, { expected: 422 })
}

export const RECORD_STEPS: [number, Step][] = [
  [4, remove],
  [3, restore],
  [2, refused],
]
