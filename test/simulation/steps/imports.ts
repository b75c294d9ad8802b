import type { Choices } from '../choices'
import { COMPANIES, Difference, type Driver } from '../driver'
import { Fleet } from '../model/fleet'
import type { FleetRecord, Kind, Title, Transport } from '../model/records'
import { dayNear, type Step, unitOf } from './step'
import { newTransport, storedTransport } from './transports'

type Import = { id: number; status: string; imported: number; file_name: string }

const WORKING = ['reading', 'checking', 'writing', 'undoing']

/** Waits until an import is done. After a kill, the program continues the import by itself. */
async function settled(driver: Driver, id: number): Promise<Import> {
  for (;;) {
    const { data } = await driver.read(`/files/${id}`)
    const found = data as unknown as Import
    if (!WORKING.includes(found.status)) return found
    await Bun.sleep(15)
  }
}

/** Imports lines of text. Looks the import up if the program took the file but its answer was lost. */
async function importLines(driver: Driver, type: Kind, lines: string[]): Promise<Import> {
  const name = `${type}-${driver.log.length}.csv`
  const form = new FormData()
  form.set('data_type', type)
  form.set('commit', 'true')
  form.set('file', new File([lines.join('\n')], name))
  const { data } = await driver.call('POST', '/files/imports', form, { expected: 202 })
  const id = data.id ?? (await lookUp(driver, name))
  const result = await settled(driver, id)
  if (result.status !== 'done') throw new Difference(`An import ended as ${JSON.stringify(result)}`)
  return result
}

async function lookUp(driver: Driver, name: string): Promise<number> {
  const { data } = await driver.get('/files/history')
  const found = (data as unknown as Import[]).find(({ file_name }) => file_name === name)
  if (!found) throw new Difference(`The import of ${name} is not in the history`)
  return found.id
}

/** Finds the new records of an import, and stores them in the model. */
async function storeCreated<Row extends { unit_number: string }>(
  driver: Driver,
  kind: Kind,
  { id, imported }: Import,
  rows: Row[],
  { keyOf, toRecord }: { keyOf: (row: Row) => string; toRecord: (row: Row, id: number) => FleetRecord },
) {
  if (imported !== rows.length) throw new Difference(`${imported} rows were imported instead of ${rows.length}`)
  const { data } = await driver.get(`/${kind}?sort=created_at&order=desc&per_page=100`)
  const created = rows.map((row) => {
    const match = (data as unknown as (Row & { id: number })[]).find(
      (one) => keyOf(one) === keyOf(row) && !driver.fleet.records.has(Fleet.key({ kind, id: one.id })),
    )
    if (!match) throw new Difference(`A row was not imported: ${JSON.stringify(row)}`)
    return driver.changed(toRecord(row, match.id))
  })
  if (imported > 0) driver.lastImport = { id, created, changes: new Map(driver.changes) }
}

/** Returns a name of a location, perhaps one that it has from a merge. */
function placeName({ fleet }: Driver, choices: Choices, id: number): string {
  const names = [...fleet.placeNames].filter(([, place]) => place === id).map(([name]) => name)
  return choices.of(names) as string
}

async function importTransports(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const rows = Array.from({ length: 1 + choices.number(4) }, () => ({
    ...newTransport(driver, choices),
    transport_company_id: fleet.companies[0] as number,
    move_type: 'Fleet',
    estimated_arrival_date: null,
    issue_po: false,
  }))
  const lines = rows.map(({ unit_number, location_out_id, location_in_id, move_date, status }) => {
    const places = [location_out_id, location_in_id].map((id) => placeName(driver, choices, id))
    return [unit_number, ...places, move_date, COMPANIES[0], status].join(',')
  })
  const head = 'unit_number,location_out,location_in,move_date,transport_company,status'
  const result = await importLines(driver, 'transports', [head, ...lines])
  type Key = Pick<Transport, 'unit_number' | 'move_date' | 'location_out_id' | 'location_in_id'>
  const keyOf = (one: Key) => [one.unit_number, one.move_date, one.location_out_id, one.location_in_id].join(' ')
  const existingKeys = new Set(fleet.transports.map(keyOf))
  const created = rows.filter((row) => !existingKeys.has(keyOf(row)) && existingKeys.add(keyOf(row)))
  await storeCreated(driver, 'transports', result, created, { keyOf, toRecord: storedTransport })
}

/** Imports titles. A unit with a pending title is a duplicate, also within the file. */
async function importTitles(driver: Driver, choices: Choices) {
  const { fleet } = driver
  const location_id = fleet.places[0]?.id as number
  const rows = Array.from({ length: 1 + choices.number(4) }, () => ({
    unit_number: unitOf(choices),
    submitted_date: choices.isTrue(70) ? dayNear(driver, choices, 40, 0) : null,
  }))
  const place = placeName(driver, choices, location_id)
  const lines = rows.map((row) => `${row.unit_number},${place},${row.submitted_date ?? ''}`)
  const result = await importLines(driver, 'titles', ['unit_number,location,submitted_date', ...lines])
  const pending = new Set(
    fleet.titles.filter(({ transferred_date }) => !transferred_date).map(({ unit_number }) => unit_number),
  )
  const created = rows.filter(({ unit_number }) => !pending.has(unit_number) && pending.add(unit_number))
  const toRecord = ({ unit_number, submitted_date }: (typeof rows)[number], id: number): Title => ({
    kind: 'titles',
    id,
    unit_number,
    location_id,
    submitted_date: submitted_date ?? fleet.today,
    transferred_date: null,
    next_chase_on: null,
  })
  await storeCreated(driver, 'titles', result, created, { keyOf: ({ unit_number }) => unit_number, toRecord })
}

async function undoImport(driver: Driver) {
  const { lastImport } = driver
  if (!lastImport) return
  driver.lastImport = null
  await driver.call('POST', `/files/${lastImport.id}/undo`, undefined, { expected: 202 })
  await settled(driver, lastImport.id)
  for (const one of lastImport.created) if (driver.isUnchangedSince(one, lastImport.changes)) driver.removed(one)
}

export const IMPORT_STEPS: [number, Step][] = [
  [2, importTransports],
  [1, importTitles],
  [2, undoImport],
]
