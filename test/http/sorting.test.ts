import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { seedDemo } from '../../db/seed'
import { testContext } from '../support/context'

type Parameter = { name: string; schema: { enum?: string[] } }
type Row = Record<string, string | number | boolean | null>

/** Required parameters by list. */
const NEEDED: Record<string, string> = {
  '/api/vehicles/search': 'q=10&',
  '/api/osl/completed': 'start_date=2020-01-01&end_date=2026-03-14&',
  '/api/transports/completed': 'start_date=2020-01-01&end_date=2026-03-14&',
}

const isBehind = (a: unknown, b: unknown) =>
  typeof a === 'number' && typeof b === 'number' ? a > b : String(a) > String(b)
const collator = new Intl.Collator('en', { ignorePunctuation: true })
/** True if values are sorted by bytes, or by the collation that a server can have. */
const isSorted = (values: unknown[]) =>
  values.every((value, at) => at === 0 || !isBehind(values[at - 1], value)) ||
  values.every((value, at) => at === 0 || collator.compare(String(values[at - 1]), String(value)) <= 0)

/** Sample fleet, and the sort orders that the API document lists for each list. */
async function sampleFleet() {
  const h = await testContext()
  await h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await seedDemo(h.ctx.db, '2026-03-14')
  const document = (await (await h.cast.ada.request('/api/openapi.json')).json()) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>
  }
  const lists = Object.entries(document.paths).flatMap(([path, { get }]) => {
    const sorts = get?.parameters?.find(({ name }) => name === 'sort')?.schema.enum
    // Totals and files have the same parameters as their list.
    return !sorts || path.includes('{') || path.endsWith('/totals') || path.includes('/export') ? [] : [{ path, sorts }]
  })
  return { h, lists }
}

test('every list sorts by each column in both directions', async () => {
  const { h, lists } = await sampleFleet()
  let tried = 0
  for (const { path, sorts } of lists) {
    for (const sort of sorts) {
      const values: Record<string, unknown[]> = {}
      for (const order of ['asc', 'desc']) {
        const { status, body } = await h.cast.ada.get(
          `${path.slice(4)}?${NEEDED[path] ?? ''}sort=${sort}&order=${order}&per_page=500`,
        )
        expect([path, sort, status]).toEqual([path, sort, 200])
        values[order] = (body.data as unknown as Row[])
          .map((row) => row[sort])
          .filter((value) => value !== null && value !== undefined)
      }
      if (new Set(values.asc).size < 2) continue
      tried++
      expect([path, sort, 'asc', isSorted(values.asc ?? [])]).toEqual([path, sort, 'asc', true])
      expect([path, sort, 'desc', isSorted((values.desc ?? []).toReversed())]).toEqual([path, sort, 'desc', true])
    }
  }
  expect(tried).toBeGreaterThan(40)
}, 600_000)

test('pages far into a list continue the earlier pages in every order', async () => {
  const { h, lists } = await sampleFleet()
  let tried = 0
  for (const { path, sorts } of lists)
    for (const sort of sorts) {
      const read = async (perPage: number, page: number) => {
        const query = `${NEEDED[path] ?? ''}sort=${sort}&order=desc&per_page=${perPage}&page=${page}`
        const { body } = await h.cast.ada.get(`${path.slice(4)}?${query}`)
        return (body.data as unknown as Row[]).map(({ id }) => id)
      }
      // After 500 rows, a page is read in another way: its ids first. The order must be the same.
      const early = (await read(400, 2)).slice(100)
      if (early.length < 100) break
      tried++
      const late = [...(await read(100, 6)), ...(await read(100, 7)), ...(await read(100, 8))]
      expect([path, sort, late.slice(0, early.length)]).toEqual([path, sort, early])
    }
  expect(tried).toBeGreaterThan(20)
}, 600_000)

test('records of the same date are listed newest entry first, without overlap between pages', async () => {
  const h = await testContext()
  const { ben, phoenix, tempe, desert } = h.cast
  await h.cast.ada.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  const place = { location_id: phoenix }
  const bodies: Record<string, object> = {
    transports: {
      location_out_id: phoenix,
      location_in_id: tempe,
      transport_company_id: desert,
      move_date: '2026-03-10',
    },
    osl: { ...place, osl_date: '2026-03-10', problem: 'Transmission slips in third gear', status: 'Completed' },
    registrations: {
      ...place,
      plate_number: 'AZ 100',
      state_province: 'AZ',
      date_issued: '2026-03-10',
      date_expires: '2027-03-10',
    },
    titles: { ...place, submitted_date: '2026-03-10', transferred_date: '2026-03-11' },
  }
  const ids: Record<string, number[]> = {}
  for (const [kind, body] of Object.entries(bodies)) {
    ids[kind] = []
    for (let n = 0; n < 5; n++) {
      const { status, body: answer } = await ben.post(`/${kind}`, { unit_number: '100200', ...body })
      expect([kind, answer.errors, status]).toEqual([kind, undefined, 201])
      ids[kind].unshift((answer.data as { id: number }).id)
    }
  }
  const read = async (path: string) => ((await ben.get(path)).body.data as { id: number }[]).map(({ id }) => id)
  for (const [path, kind] of [
    ['/transports/vehicle/100200', 'transports'],
    [`/transports/location/${phoenix}`, 'transports'],
    [`/transports/location/${tempe}`, 'transports'],
    ['/osl/vehicle/100200', 'osl'],
    [`/osl/location/${phoenix}`, 'osl'],
    [`/registrations/location/${phoenix}`, 'registrations'],
    ['/titles/vehicle/100200', 'titles'],
    ['/titles/vin/1HGCM82633A004352', 'titles'],
    [`/titles/hub/${phoenix}`, 'titles'],
  ] as const)
    expect([path, await read(path)]).toEqual([path, ids[kind] as number[]])
  for (const kind of Object.keys(bodies))
    for (const order of ['asc', 'desc']) {
      const sort =
        kind === 'registrations'
          ? 'date_expires'
          : kind === 'titles'
            ? 'submitted_date'
            : kind === 'osl'
              ? 'osl_date'
              : 'move_date'
      const pages = await Promise.all(
        [1, 2, 3].map((page) => read(`/${kind}?sort=${sort}&order=${order}&per_page=2&page=${page}`)),
      )
      const expectedIds = order === 'desc' ? ids[kind] : ids[kind]?.toReversed()
      expect([kind, order, pages.flat()]).toEqual([kind, order, expectedIds as number[]])
    }
})

test('lists of a unit or location are sorted newest first', async () => {
  const { cast } = await testContext()
  const { ben, phoenix, tempe, desert } = cast
  await cast.ada.post('/vehicles', { unit_number: '100200', vin: '1HGCM82633A004352' })
  const unit = { unit_number: '100200' }
  const days = ['2026-02-02', '2026-02-04', '2026-02-01', '2026-02-03']
  for (const day of days) {
    const move = { location_out_id: phoenix, location_in_id: tempe, transport_company_id: desert, move_date: day }
    await ben.post('/transports', { ...unit, ...move })
    await ben.post('/osl', {
      ...unit,
      location_id: phoenix,
      osl_date: day,
      problem: 'Transmission slips in third gear',
    })
    const plate = { plate_number: 'AZ 100', state_province: 'AZ', date_issued: '2026-01-01' }
    await ben.post('/registrations', {
      ...unit,
      location_id: phoenix,
      ...plate,
      date_expires: day.replace('2026', '2027'),
    })
    await ben.post('/titles', { ...unit, location_id: phoenix, submitted_date: day })
  }
  const newest = [...days].sort().reverse()
  for (const [path, field] of [
    ['/transports/vehicle/100200', 'move_date'],
    [`/transports/location/${phoenix}`, 'move_date'],
    ['/osl/vehicle/100200', 'osl_date'],
    [`/osl/location/${phoenix}`, 'osl_date'],
    [`/registrations/location/${phoenix}`, 'date_expires'],
    ['/titles/vehicle/100200', 'submitted_date'],
    ['/titles/vin/1HGCM82633A004352', 'submitted_date'],
    [`/titles/hub/${phoenix}`, 'submitted_date'],
  ] as const) {
    const rows = (await ben.get(path)).body.data as Record<string, string>[]
    expect([path, rows.map((row) => row[field]?.replace('2027', '2026'))]).toEqual([path, newest])
  }
})

test('a form redirects only to pages of this site', async () => {
  const { ben, phoenix } = (await testContext()).cast
  const title = { unit_number: '100200', location_id: phoenix, submitted_date: '2026-03-01' }
  for (const [back, to] of [
    ['/titles?q=100200', '/titles?q=100200'],
    ['https://elsewhere.example/titles', '/titles'],
    ['//elsewhere.example', '/titles'],
    ['/\\elsewhere.example', '/titles'],
    ['javascript:alert(1)', '/titles'],
    ['', '/titles'],
  ] as const) {
    const saved = await ben.submitAnyway('/titles/new', { ...title, back })
    expect([back, saved.status, saved.location]).toEqual([back, 303, to])
  }
})
