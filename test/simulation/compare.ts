import { expect } from 'bun:test'
import type { Choices } from './choices'
import { Difference, type Driver } from './driver'
import { figuresOf, listsOf } from './model/figures'
import { dollars, sum } from './model/fleet'
import { addDays, type Kind } from './model/records'

/** Percentage of the checks that run at the end of each simulated day. All checks run at the end of a run. */
const DAILY_PERCENT = 30

type Row = Record<string, unknown> & { id: number }
type Check = (driver: Driver, choices: Choices) => Promise<void>

const data = async (driver: Driver, path: string) =>
  (await driver.read(path)).data as unknown as Record<string, unknown>

/** Reads all pages of a list. */
async function rowsOf(driver: Driver, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await driver.read(`${path}${path.includes('?') ? '&' : '?'}per_page=500&page=${page}`)
    rows.push(...(data as unknown as Row[]))
    if (rows.length >= (meta as unknown as { total: number }).total) return rows
  }
}

/** Reads a whole list by cursor, deleted records included. */
async function rowsByCursor(driver: Driver, kind: Kind): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, meta } = await driver.read(`/${kind}?per_page=50&include_deleted=true&cursor=${cursor}`)
    rows.push(...(data as unknown as Row[]))
    cursor = (meta as unknown as { next_cursor: string | null }).next_cursor
  }
  return rows
}

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)
const byId = <Value>(rows: Row[], value: (row: Row) => Value) =>
  Object.fromEntries(rows.map((row) => [row.id, value(row)]))

export function same(what: string, found: unknown, expected: unknown) {
  try {
    expect(found).toEqual(expected)
  } catch (error) {
    throw new Difference(`${what} differs from the model:\n${(error as Error).message}`)
  }
}

const list =
  (at: number): Check =>
  async (driver) => {
    const [path, expected] = Object.entries(listsOf(driver.fleet))[at] as [string, number[]]
    same(path, ids(await rowsOf(driver, path)), expected)
  }

const transportTotals: Check = async (driver) => {
  const { today } = driver.fleet
  const path = `/transports/totals?start_date=${addDays(today, -60)}&end_date=${today}&status=Delivered`
  type Total = { move_type: string; count: number; total_cost: number }
  const totals = ((await data(driver, path)) as unknown as Total[]).filter(({ count }) => count > 0)
  const found = Object.fromEntries(totals.map(({ move_type, ...rest }) => [move_type, rest]))
  same('Totals of transports', found, figuresOf(driver.fleet).transports)
}

const osl: Check = async (driver) => {
  const found = byId(await rowsOf(driver, '/osl'), ({ days_out_of_service, storage_fees_total, completed_on }) => ({
    days_out_of_service,
    storage_fees_total,
    completed_on,
  }))
  same('Days and fees of OSL entries', found, figuresOf(driver.fleet).osl)
}

const totals =
  (kind: 'registrations' | 'titles'): Check =>
  async (driver) =>
    same(`Totals of ${kind}`, await data(driver, `/${kind}/totals`), figuresOf(driver.fleet)[kind])

const titleDays: Check = async (driver) => {
  const found = byId(await rowsOf(driver, '/titles'), ({ days_pending }) => days_pending)
  same('Days of titles', found, figuresOf(driver.fleet).days_pending)
}

const dashboard: Check = async (driver) => {
  const { recent_transports, recent_osl, expiring_registrations, ...found } = await data(driver, '/dashboard/admin')
  const expected = figuresOf(driver.fleet).dashboard
  same('Dashboard', found, expected)
  same('Storage fees', (await data(driver, '/osl/storage-fees')).total, expected.storage_fees_total)
}

const due: Check = async (driver) => {
  const expected = figuresOf(driver.fleet).due
  const found = await data(driver, '/due/counts')
  same('Due', Object.fromEntries(Object.keys(expected).map((kind) => [kind, found[kind]])), expected)
}

const usage: Check = async (driver, choices) => {
  const place = choices.of(driver.fleet.places)?.id as number
  same('Usage of a location', await data(driver, `/locations/${place}/usage`), driver.fleet.usageOf(place))
}

const statement: Check = async (driver, choices) => {
  const { fleet } = driver
  const id = choices.of(fleet.vendors)?.id as number
  const from = addDays(fleet.today, -choices.number(40))
  const to = addDays(from, choices.number(30))
  const { total } = await data(driver, `/vendors/${id}/statement?start_date=${from}&end_date=${to}`)
  const expected = dollars(sum([...fleet.charges(id, from, to).values()]))
  same(`Statement of vendor ${id} for ${from} to ${to}`, total, expected)
}

const vehicles: Check = async (driver) => {
  const statuses = driver.fleet.statuses()
  const units = Object.keys(statuses)
  const rows = await rowsOf(driver, '/vehicles')
  const stored = new Map(rows.map((row) => [row.unit_number, row]))
  const found = units.map((unit) => [unit, stored.get(unit)?.current_status])
  same('Statuses of vehicles', Object.fromEntries(found), statuses)
  const mileages = units.map((unit) => [unit, stored.get(unit)?.current_mileage ?? null])
  same('Mileages of vehicles', Object.fromEntries(mileages), driver.fleet.mileages(units))
}

const byCursor =
  (kind: Kind): Check =>
  async (driver) => {
    const { records, deleted } = driver.fleet
    const modelRecords = [...records.values()].filter((record) => record.kind === kind)
    const found = await rowsByCursor(driver, kind)
    same(`All ${kind} by cursor`, ids(found), ids(modelRecords))
    const isDeleted = ({ id }: { id: number }) => deleted.has(`${kind} ${id}`)
    same(`Deleted ${kind}`, ids(found.filter(({ deleted_at }) => deleted_at)), ids(modelRecords.filter(isDeleted)))
  }

const LISTS = 10
const CHECKS: Check[] = [
  ...Array.from({ length: LISTS }, (_, at) => list(at)),
  transportTotals,
  osl,
  totals('registrations'),
  totals('titles'),
  titleDays,
  dashboard,
  due,
  usage,
  statement,
  vehicles,
  byCursor('transports'),
  byCursor('osl'),
  byCursor('registrations'),
  byCursor('titles'),
]

/** Compares the program with the model at the end of a day. `choices` draws the checks, periods and places. */
export async function compare(driver: Driver, choices: Choices): Promise<void> {
  for (const check of CHECKS) if (choices.isTrue(DAILY_PERCENT)) await check(driver, choices)
}

/** Compares every list and figure of the program with the model. */
export async function compareAll(driver: Driver, choices: Choices): Promise<void> {
  for (const check of CHECKS) await check(driver, choices)
}
