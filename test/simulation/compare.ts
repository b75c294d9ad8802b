import { expect } from 'bun:test'
import { type Choices, Difference, type Driver } from './driver'
import { addDays, type Kind } from './model'

const KINDS: Kind[] = ['transports', 'osl', 'registrations', 'titles']

type Row = Record<string, unknown> & { id: number }

const read = async ({ h }: Driver, path: string) => {
  const { status, body } = await h.cast.ada.get(path)
  if (status !== 200) throw new Difference(`GET ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}
const data = async (driver: Driver, path: string) =>
  (await read(driver, path)).data as unknown as Record<string, unknown>

/** Reads all pages of a list. */
async function rowsOf(driver: Driver, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await read(driver, `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
    rows.push(...(data as unknown as Row[]))
    if (rows.length >= (meta as unknown as { total: number }).total) return rows
  }
}

/** Reads a whole list by cursor, deleted records included. */
async function rowsByCursor(driver: Driver, kind: Kind): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, meta } = await read(driver, `/${kind}?per_page=50&include_deleted=true&cursor=${cursor}`)
    rows.push(...(data as unknown as Row[]))
    cursor = (meta as unknown as { next_cursor: string | null }).next_cursor
  }
  return rows
}

const ids = (rows: { id: number }[]) => rows.map(({ id }) => id).sort((a, b) => a - b)

function same(what: string, found: unknown, expected: unknown) {
  try {
    expect(found).toEqual(expected)
  } catch (error) {
    throw new Difference(`${what} differs from the model:\n${(error as Error).message}`)
  }
}

/** Compares every list and figure of the program with the model. `choices` draws the periods and places to ask about. */
export async function compare(driver: Driver, choices: Choices): Promise<void> {
  const { fleet } = driver
  const figures = fleet.figures()
  for (const [path, expected] of Object.entries(fleet.lists())) same(path, ids(await rowsOf(driver, path)), expected)

  const start = addDays(fleet.today, -60)
  const totals = (await data(
    driver,
    `/transports/totals?start_date=${start}&end_date=${fleet.today}&status=Delivered`,
  )) as unknown as {
    move_type: string
    count: number
    total_cost: number
  }[]
  same(
    'Totals of transports',
    Object.fromEntries(totals.filter(({ count }) => count > 0).map(({ move_type, ...rest }) => [move_type, rest])),
    figures.transports,
  )
  const entries = await rowsOf(driver, '/osl')
  same(
    'Days and fees of OSL entries',
    Object.fromEntries(
      entries.map(({ id, days_out_of_service, storage_fees_total, completed_on }) => [
        id,
        { days_out_of_service, storage_fees_total, completed_on },
      ]),
    ),
    figures.osl,
  )
  same('Totals of registrations', await data(driver, '/registrations/totals'), figures.registrations)
  same('Totals of titles', await data(driver, '/titles/totals'), figures.titles)
  same(
    'Days of titles',
    Object.fromEntries((await rowsOf(driver, '/titles')).map(({ id, days_pending }) => [id, days_pending])),
    figures.days_pending,
  )
  const { recent_transports, recent_osl, expiring_registrations, ...dashboard } = await data(driver, '/dashboard/admin')
  same('Dashboard', dashboard, figures.dashboard)
  const due = await data(driver, '/due/counts')
  same('Due', Object.fromEntries(Object.keys(figures.due).map((kind) => [kind, due[kind]])), figures.due)
  same('Storage fees', (await data(driver, '/osl/storage-fees')).total, figures.dashboard.storage_fees_total)

  const place = choices.of(driver.places) as number
  same('Usage of a location', await data(driver, `/locations/${place}/usage`), fleet.usageOf(place))
  const [from, days] = [addDays(fleet.today, -choices.number(40)), choices.number(30)]
  for (const { id } of fleet.vendors) {
    const period = [from, addDays(from, days)] as const
    const { total } = await data(driver, `/vendors/${id}/statement?start_date=${period[0]}&end_date=${period[1]}`)
    same(`Statement of vendor ${id} for ${period.join(' to ')}`, total, fleet.statement(id, ...period))
  }
  const statuses = fleet.statuses()
  const vehicles = new Map(
    (await rowsOf(driver, '/vehicles')).map(({ unit_number, current_status }) => [unit_number, current_status]),
  )
  same(
    'Statuses of vehicles',
    Object.fromEntries(Object.keys(statuses).map((unit) => [unit, vehicles.get(unit)])),
    statuses,
  )
  for (const kind of KINDS) {
    const known = [...fleet.records.values()].filter((record) => record.kind === kind)
    const found = await rowsByCursor(driver, kind)
    same(`All ${kind} by cursor`, ids(found), ids(known))
    const isDeleted = ({ id }: { id: number }) => fleet.deleted.has(`${kind} ${id}`)
    same(`Deleted ${kind}`, ids(found.filter(({ deleted_at }) => deleted_at)), ids(known.filter(isDeleted)))
  }
}
