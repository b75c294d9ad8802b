import type { Choices } from '../choices'
import { Difference, type Driver } from '../driver'
import type { FleetRecord } from '../model/records'
import type { Step } from './step'

const COLUMNS = ['location_out_id', 'location_in_id', 'location_id'] as const
type Column = (typeof COLUMNS)[number]
type Reference = { key: string; column: Column }

const placeIn = (record: FleetRecord, column: Column) => (record as Partial<Record<Column, number>>)[column]

/** Changes references from one location to another, also those of deleted records. Returns the changed ones. */
function move(driver: Driver, references: Reference[], from: number, into: number): Reference[] {
  const moved = references.filter(({ key, column }) => {
    const record = driver.fleet.records.get(key)
    return record !== undefined && placeIn(record, column) === from
  })
  for (const { key, column } of moved)
    driver.moved({ ...(driver.fleet.records.get(key) as FleetRecord), [column]: into } as FleetRecord)
  return moved
}

async function mergePlaces(driver: Driver, choices: Choices) {
  const { fleet } = driver
  if (fleet.places.length < 3) return
  const [from, into] = [choices.of(fleet.places)?.id as number, choices.of(fleet.places)?.id as number]
  if (from === into) {
    await driver.call('POST', `/locations/${from}/merge`, { into_id: into }, { expected: 422 })
    return
  }
  const { data } = await driver.call('POST', `/locations/${from}/merge`, { into_id: into })
  const all = [...fleet.records.keys()].flatMap((key) => COLUMNS.map((column) => ({ key, column })))
  const place = fleet.removePlace(from, into)
  const moved = move(driver, all, from, into)
  driver.lastMerge = { id: data.id, place, into, moved, at: driver.now }
}

async function undoMerge(driver: Driver) {
  const { fleet, lastMerge } = driver
  if (lastMerge?.id === undefined) return
  const { id, place, into, moved, at } = lastMerge
  driver.lastMerge = null
  const path = `/locations/merges/${id}/undo`
  if (driver.now.getTime() - at.getTime() > DAY_MS) {
    await driver.call('POST', path, undefined, { expected: 409 })
    return
  }
  await driver.call('POST', path)
  fleet.restorePlace(place)
  move(driver, moved, into, place.id)
}

const DAY_MS = 86_400_000

/** Creates, changes and deletes a location that nothing refers to. A location in use cannot be deleted. */
async function deletePlace(driver: Driver, choices: Choices) {
  const used = driver.fleet.places.find(({ id }) => driver.fleet.usageOf(id).total > 0)
  if (used) await driver.call('DELETE', `/locations/${used.id}`, undefined, { expected: 409 })
  const code = `S${choices.number(100_000)}`
  const values = { location_code: code, location_name: `Storage ${code}`, location_type: 'Hub' }
  const { data } = await driver.call('POST', '/locations', values, { expected: 201 })
  const renamed = await driver.call('PUT', `/locations/${data.id}`, { location_name: `Lot ${code}` })
  if (renamed.data.location_name !== `Lot ${code}`) throw new Difference('A location did not get its new name')
  await driver.call('DELETE', `/locations/${data.id}`)
}

export const PLACE_STEPS: [number, Step][] = [
  [1, mergePlaces],
  [1, undoMerge],
  [1, deletePlace],
]
