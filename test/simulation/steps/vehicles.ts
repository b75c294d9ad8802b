import type { Choices } from '../choices'
import { same } from '../compare'
import type { Driver } from '../driver'
import type { Step } from './step'

const HOUR_MS = 3_600_000

/**
 * Sends readings of different units in any order of time. A reading is ignored if an older one of the unit is higher,
 * or if it is stored already.
 */
async function sendReadings(driver: Driver, choices: Choices) {
  const { fleet, now } = driver
  const units = [...new Set(fleet.live.map(({ unit_number }) => unit_number))].filter(() => choices.isTrue(30))
  if (units.length === 0) return
  const given = units.map((unit_number) => {
    const at = new Date(now.getTime() - choices.number(200) * HOUR_MS).toISOString()
    return { unit_number, at, mileage: 20_000 + choices.number(5000) }
  })
  const { data } = await driver.call('POST', '/vehicles/readings', {
    readings: [...given, { unit_number: '999999', at: now.toISOString(), mileage: 1 }],
  })
  let accepted = 0
  for (const { unit_number, ...reading } of given) {
    const stored = fleet.readings.get(unit_number) ?? []
    fleet.readings.set(unit_number, stored)
    if (stored.some(({ at }) => at === reading.at)) continue
    if (!stored.some(({ at, mileage }) => at < reading.at && mileage > reading.mileage)) accepted++
    stored.push(reading)
  }
  // Without data, the answer was lost.
  if (data.accepted === undefined) return
  const errors = [{ index: given.length, message: 'Vehicle not found' }]
  same('The answer to readings', data, { accepted, ignored: given.length - accepted, errors })
}

export const VEHICLE_STEPS: [number, Step][] = [[2, sendReadings]]
