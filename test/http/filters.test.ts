import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { seedDemo } from '../../db/seed'
import { testContext } from '../support/context'

/** Compares the result of each filter of each list with the values of the rows. */

type Row = Record<string, unknown>
type Documented = { paths: Record<string, { get?: { parameters?: { name: string }[] } }> }

const NEEDED: Record<string, string> = {
  '/api/vehicles/search': 'q=10&',
  '/api/osl/completed': 'start_date=2020-01-01&end_date=2026-03-14&',
  '/api/transports/completed': 'start_date=2020-01-01&end_date=2026-03-14&',
}
/** List parameters without a matching row value, such as the page and the sort order. */
const NO_FILTER = [
  'page',
  'per_page',
  'q',
  'sort',
  'order',
  'format',
  'days',
  'start_date',
  'end_date',
  'due',
  'snoozed',
]
/** Returns the values of a row to compare, for filters whose name is not a field. */
const ROW_VALUES: Record<string, (row: Row) => unknown[]> = {
  type: (row) => [row.location_type ?? row.vendor_type],
  location_id: (row) => ('location_id' in row ? [row.location_id] : [row.location_out_id, row.location_in_id]),
}
const VALUES = 4

let h: Awaited<ReturnType<typeof testContext>>
beforeAll(async () => {
  h = await testContext()
  const { ada, ben } = h.cast
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await seedDemo(h.ctx.db, '2026-03-14')
  for (const path of ['locations', 'transport-companies', 'vendors']) await ada.post(`/${path}/1/deactivate`)
  await ada.post('/users', { username: 'cleo', password: 'Quartz-Vein9', role: 'admin', is_active: false })
  await ben.submit('/titles/1/edit', { dealer_name: 'Typed on a screen', version: 1 })
  await ben.patch('/registrations/1/toggle-received')
  await ben.upload('titles', 'titles.csv', 'unit_number,location\n100950,Tempe\n')
  await ben.upload(
    'osl',
    'osl.csv',
    'unit_number,osl_date,location,problem\n100950,2026-03-01,Tempe,Does not start at all\n',
  )
  await ben.post('/views', { list: 'titles', name: 'Mine', query: '', shared: true })
  await ben.post('/views', { list: 'osl-active', name: 'Mine', query: '', shared: true })
}, 600_000)

async function all(path: string, query: string): Promise<Row[]> {
  const found: Row[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await h.cast.ada.get(
      `${path.slice(4)}?${NEEDED[path] ?? ''}${query}&per_page=500&page=${page}`,
    )
    expect([path, query, status]).toEqual([path, query, 200])
    found.push(...(body.data as unknown as Row[]))
    if (page >= Number(body.meta?.pages ?? 1)) return found
  }
}
const idsOf = (rows: Row[]) => rows.map((row) => `${row.kind ?? ''}${row.id}`).sort()

test('every list filter returns exactly the matching rows', async () => {
  const document = (await (await h.cast.ada.request('/api/openapi.json')).json()) as Documented
  const tried: string[] = []
  for (const [path, { get }] of Object.entries(document.paths)) {
    const names = get?.parameters?.map(({ name }) => name) ?? []
    if (!names.includes('per_page') || path.includes('{') || path.includes('/export')) continue
    // Read once, so that rows written during the test, such as sign-ins, do not count.
    const rows = await all(path, '')
    for (const name of names.filter((name) => !NO_FILTER.includes(name))) {
      const readValues = ROW_VALUES[name] ?? ((row: Row) => [row[name]])
      const values = [...new Set(rows.flatMap(readValues))].filter((value) => value !== null && value !== undefined)
      for (const value of values.slice(0, VALUES)) {
        const expected = rows.filter((row) => readValues(row).includes(value))
        const found = await all(path, `${name}=${encodeURIComponent(String(value))}`)
        expect([path, name, value, idsOf(found)]).toEqual([path, name, value, idsOf(expected)])
        if (expected.length < rows.length) tried.push(`${path.slice(5)} ${name}`)
      }
    }
  }
  const narrowed = [...new Set(tried)]
  for (const expectedFilter of [
    'locations is_active',
    'transport-companies is_active',
    'vendors is_active',
    'users is_active',
    'users role',
    'audit source',
    'audit action',
    'audit actor',
    'audit entity',
    'files/history data_type',
    'views list',
    'due kind',
    'osl vendor_id',
    'osl storage_fees_applicable',
    'registrations registration_type',
    'transports/active location_id',
    'titles/pending unit_number',
    'vehicles current_status',
  ])
    expect(narrowed).toContain(expectedFilter)
}, 600_000)

test('parameters with commas, brackets and braces are read as text', async () => {
  const ids = ['A,7', '[1,2]', '{}', '["x"]', 'a=b&c', '100%']
  for (const external_id of ids) {
    const unit_number = String(300_000 + ids.indexOf(external_id))
    const created = await h.cast.ben.post('/titles', { unit_number, location_id: 1, external_id })
    expect(created.status).toBe(201)
    const found = await h.cast.ben.get(`/titles?external_id=${encodeURIComponent(external_id)}`)
    const units = (found.body.data as unknown as Row[]).map((row) => row.unit_number)
    expect([external_id, found.status, units]).toEqual([external_id, 200, [unit_number]])
  }
  const { status, html } = await h.cast.ben.open('/titles?q=Mesa%2C+AZ')
  expect([status, html.includes('value="Mesa, AZ"')]).toEqual([200, true])
  // A repeated parameter has several values, which a filter with one value refuses.
  expect((await h.cast.ben.get('/titles?q=a&q=b')).status).toBe(422)
})
