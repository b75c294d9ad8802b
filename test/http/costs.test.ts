import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { seedDemo } from '../../db/seed'
import { REPORTS } from '../../src/features/reports/definitions'
import { runDueSchedules } from '../../src/features/reports/runs'
import { isCost } from '../../src/platform/costs'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import type { Visitor } from '../support/visitor'

/** The value of all stored costs, which occurs nowhere else by chance. */
const COST = 918_273.45
const TELLS_IT = /918,?273/

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const settings = (change: Record<string, unknown>) => h.cast.ada.put('/settings', change)

/**
 * Creates a fleet in which every record has this cost.
 * It includes invoices, budgets, rates, imports and a report that has run.
 */
async function fleetWithCosts() {
  const { db } = h.ctx
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.execute(sql`truncate locations, transport_companies restart identity cascade`)
  })
  await db.transaction((tx) => seedDemo(tx, '2026-03-14'))
  for (const [table, columns] of Object.entries({
    transports: ['estimated_cost', 'final_cost'],
    registrations: ['cost', 'vlt'],
    osl_entries: ['storage_fee_daily_rate'],
    vendors: ['storage_daily_rate'],
  }))
    await db.execute(sql.raw(`update ${table} set ${columns.map((column) => `${column} = ${COST}`).join()}`))
  await db.execute(
    sql`update osl_entries set storage_fees_applicable = true, vendor_id = (select min(id) from vendors)`,
  )
  await h.cast.ada.put('/transports/1', { final_cost: COST + 1 })
  await h.cast.ada.post('/osl/1/rates', { from: '2026-03-13', daily_rate: COST })
  await h.cast.ada.put('/locations/1/budgets/2026', { amounts: Array(12).fill(COST) })
  await h.cast.ada.post('/vendors/1/invoices', {
    number: 'A1',
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    lines: [{ unit_number: '100001', amount: COST }],
  })
  const csv =
    `Unit Number,Plate Number,State Province,Location,Registration Type,Date Issued,Date Expires,Cost\n` +
    `100200,CST1,AZ,PHX,Renewal,2026-01-01,2027-01-01,${COST}\nx,CST2,AZ,PHX,Renewal,2026-01-01,2027-01-01,${COST}\n`
  const upload = await h.cast.ada.upload('registrations', 'costs.csv', csv)
  expect(upload.body).toMatchObject({ imported: 1, failed: 1 })
  const [unit] = await rows<{ unit_number: string }>(
    db,
    sql`select t.unit_number from transports t join osl_entries o using (unit_number)
      join registrations r using (unit_number) limit 1`,
  )
  return { unit: unit?.unit_number ?? '', upload: (upload.body.data as { id: number }).id }
}

/**
 * Returns all addresses for GET requests, with existing ids.
 * Logout, metrics and the event stream are left out.
 */
function addresses({ unit, upload }: { unit: string; upload: number }): string[] {
  const assets = new Set([...h.ctx.assets.files, ...h.ctx.assets.site.routes].map(({ path }) => path))
  const plain = h.app.routes
    .filter(({ method, path }) => method === 'GET' && !assets.has(path) && !/events|logout|metrics/.test(path))
    .map(({ path }) =>
      path
        .replace('/files/imports/:id', `/files/imports/${upload}`)
        .replace('/api/files/:id', `/api/files/${upload}`)
        .replace('/history/:entity', '/history/transports')
        .replace('/api/exports/:name', '/api/exports/transports-completed')
        .replace('/api/reports/:type', '/api/reports/transport_summary')
        .replace(':type', 'Hub')
        .replace(':unit', unit)
        .replace(':name', 'transports.xlsx')
        .replace('/lists/:list', '/lists/transports-completed')
        .replace(':vin', '1FTEW1EP5JFA00001')
        .replace(':year', '2026')
        .replace(/:[a-z]+/g, '1'),
    )
  const period = 'start_date=2025-04-01&end_date=2026-03-31'
  return [
    ...plain,
    ...Object.keys(REPORTS).flatMap((type) => [
      `/reports?generate=1&type=${type}&${period}`,
      `/reports/records?type=${type}&${period}`,
      `/api/reports/${type}?${period}`,
      `/api/reports/${type}?${period}&format=csv`,
      `/api/reports/${type}/records?${period}`,
    ]),
    ...['transports-active', 'osl-active', 'osl-completed', 'registrations-pending', 'registrations-completed'].map(
      (name) => `/api/exports/${name}?format=csv`,
    ),
    `/transports/completed?${period}`,
    `/api/transports/completed?${period}`,
    `/api/transports/completed?${period}&format=csv`,
    '/vehicles/registrations?tab=complete',
    `/vehicles/lookup?q=${unit}`,
    '/history/vendor_invoices/1',
    '/history/budgets/1',
    '/history/osl_entries/1',
    '/api/audit/history/vendor_invoices/1',
    '/api/history/osl_entries/1',
    '/api/history/vendor_invoice_lines/1',
  ]
}

const read = async (who: Visitor, path: string) => {
  const headers: Record<string, string> = path.startsWith('/api/')
    ? { authorization: `Bearer ${await who.token()}` }
    : await who.cookieHeaders()
  const answer = await who.request(path, { headers })
  const isText = /json|html|csv/.test(answer.headers.get('content-type') ?? '')
  // Removes the example of an amount from the import guidelines.
  return { status: answer.status, text: isText ? (await answer.text()).replaceAll('$1,250.50', '') : '' }
}

/** Returns the names of cost fields in a response of the API. */
function costsIn(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(costsIn)
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) => (isCost(name) ? [name] : costsIn(value)))
}

test('users without cost access see no costs at any address', async () => {
  const paths = addresses(await fleetWithCosts())
  const findCostPaths = async (who: Visitor) => {
    const found: string[] = []
    for (const path of paths) {
      const { status, text } = await read(who, path)
      expect([path, status >= 500]).toEqual([path, false])
      const isPage = !path.startsWith('/api/')
      const isJson = !isPage && text.startsWith('{') && !/openapi|docs/.test(path)
      if (TELLS_IT.test(text) || (isPage && /\$\d/.test(text))) found.push(path)
      else if (isJson && costsIn(JSON.parse(text)).length > 0) found.push(`${path}: ${costsIn(JSON.parse(text))[0]}`)
    }
    return found
  }
  // First checks that this search finds costs if Ben can see them.
  expect((await findCostPaths(h.cast.ben)).length).toBeGreaterThan(60)
  await settings({ cost_viewers: 'Administrators' })
  expect(await findCostPaths(h.cast.ben)).toEqual([])
  expect((await findCostPaths(h.cast.ada)).length).toBeGreaterThan(60)
}, 600_000)

test('every money column in a report counts as a cost', () => {
  for (const [type, { columns }] of Object.entries(REPORTS))
    for (const { key, kind } of columns)
      if (kind === 'money') expect([type, key, isCost(key)]).toEqual([type, key, true])
})

const MOVE = {
  unit_number: '100200',
  move_date: '2026-03-10',
  move_type: 'Fleet',
  status: 'Delivered',
  actual_arrival_date: '2026-03-11',
}
const move = async (more: Record<string, unknown> = {}) => {
  const { phoenix: location_out_id, tempe: location_in_id, desert: transport_company_id } = h.cast
  return (
    await h.cast.ada.post('/transports', { ...MOVE, location_out_id, location_in_id, transport_company_id, ...more })
  ).body.data as { id: number; version: number }
}
const stored = async (id: number) => (await h.cast.ada.get(`/transports/${id}`)).body.data as Record<string, unknown>

test('users without cost access cannot sort or filter by costs', async () => {
  await settings({ cost_viewers: 'Administrators' })
  // Parameters ignore invisible characters, so a name with such characters must be refused too.
  const hiddenSorts = ['%E2%80%8B', '%C2%AD', '%EF%BB%BF'].flatMap((mark) =>
    [`${mark}final_cost`, `final${mark}_cost`, `final_cost${mark}`].map((name) => `sort=${name}`),
  )
  const queries = ['sort=final_cost', 'sort=estimated_cost', 'sort=%20final_cost%09', 'over_estimate=true']
  for (const query of [...queries, ...hiddenSorts]) {
    expect([query, (await h.cast.ben.get(`/transports/completed?${query}`)).status]).toEqual([query, 403])
    expect([query, (await h.cast.ada.get(`/transports/completed?${query}`)).status]).toEqual([query, 200])
    expect([query, (await h.cast.ben.open(`/transports/completed?${query}`)).status]).toEqual([query, 403])
  }
  expect((await h.cast.ben.get('/transports/completed?sort=move_date')).status).toBe(200)
  for (const figure of ['final_cost', 'final_cost%E2%80%8B']) {
    const path = `/reports/transport_summary/records?start_date=2026-03-01&end_date=2026-03-31&figure=${figure}`
    expect((await h.cast.ben.get(path)).status).toBe(403)
  }
  expect((await h.cast.ben.get('/exports/transports-active?sort=estimated_cost%E2%80%8B')).status).toBe(403)
  const token = { current_password: PASSWORD, name: 'Sync', scope: 'records' }
  const secret = ((await h.cast.ada.post('/auth/tokens', token)).body.data as { token: string }).token
  const sorted = await h.cast.stranger.call('GET', '/transports?sort=final_cost%E2%80%8B', undefined, {
    authorization: `Bearer ${secret}`,
  })
  expect(sorted.status).toBe(403)
})

test('users without cost access cannot use cost filters in bulk edits or saved views', async () => {
  await settings({ cost_viewers: 'Administrators' })
  await move({ estimated_cost: 100, final_cost: 200 })
  const filters = { over_estimate: true }
  const bulk = { filters, expected: 1_000_000, note: 'x' }
  expect((await h.cast.ben.post('/transports/bulk', bulk)).status).toBe(403)
  expect((await h.cast.ada.post('/transports/bulk', bulk)).status).toBe(409)
  const form = { all: '1', filters: JSON.stringify(filters), expected: '1000000', note: 'x' }
  expect((await h.cast.ben.submit('/bulk/change/transports', form)).status).toBe(403)
  for (const who of [h.cast.ada, h.cast.ben])
    await who.post('/views', { list: 'transports-completed', name: 'dear', query: 'over_estimate=true' })
  const countsOf = async (who: Visitor) =>
    ((await who.get('/views/counts')).body.data as { count: number | null }[]).map(({ count }) => count)
  expect([await countsOf(h.cast.ada), await countsOf(h.cast.ben)]).toEqual([[1], [null]])
})

test('import messages and deletion history hide costs from users without cost access', async () => {
  await settings({ cost_viewers: 'Administrators' })
  await move({ final_cost: 918_273.45 })
  const csv =
    'Unit Number,Location Out,Location In,Move Date,Transport Company,Status,Final Cost,Mileage\n' +
    '100200,Phoenix,Tempe,2026-03-10,Desert Auto Haul,Delivered,5,900\n'
  const messages = async (who: Visitor) => {
    const { id } = await who.begin('transports', 'moves.csv', csv, { existing: 'update' })
    await who.settled(id)
    return ((await who.get(`/files/${id}/rows`)).body.data as { message: string }[]).map(({ message }) => message)
  }
  expect(await messages(h.cast.ben)).toEqual(['mileage blank becomes 900; final cost changes'])
  expect(await messages(h.cast.ada)).toEqual(['mileage blank becomes 900; final cost 918273.45 becomes 5'])
  const entry = {
    unit_number: '100200',
    osl_date: '2026-03-01',
    location_id: h.cast.phoenix,
    problem: 'Does not start at all',
  }
  const fees = { storage_fees_applicable: true, storage_fee_daily_rate: 918_273.45 }
  const made = await h.cast.ada.post('/osl', { ...entry, ...fees })
  const { id } = made.body.data as { id: number }
  await h.cast.ada.post(`/osl/${id}/rates`, { from: '2026-03-05', daily_rate: 918_273.45 })
  await h.cast.ada.delete(`/osl/${id}`)
  const history = async (who: Visitor) => TELLS_IT.test((await who.open(`/history/osl_entries/${id}`)).html)
  expect([await history(h.cast.ada), await history(h.cast.ben)]).toEqual([true, false])
})

test('users without cost access can enter costs, and blanks keep stored values', async () => {
  await settings({ cost_viewers: 'Administrators' })
  const { id } = await move({ estimated_cost: 100, final_cost: 120 })
  const answer = await h.cast.ben.put(`/transports/${id}`, { final_cost: 130 })
  expect([answer.status, Object.keys(answer.body.data as object).filter(isCost)]).toEqual([200, []])
  expect(await stored(id)).toMatchObject({ estimated_cost: 100, final_cost: 130 })
  const form = { ...(await stored(id)), estimated_cost: '', final_cost: '140.50', notes: 'by ben' }
  const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value ?? '')]))
  expect((await h.cast.ben.submit(`/transports/${id}/edit`, fields)).status).toBe(303)
  expect(await stored(id)).toMatchObject({ estimated_cost: 100, final_cost: 140.5, notes: 'by ben' })
  // A rejected form shows the entered cost, but no stored cost.
  const refused = await h.cast.ben.submit(`/transports/${id}/edit`, {
    ...fields,
    version: '',
    move_date: 'never',
    final_cost: '77',
  })
  expect([refused.status, refused.html.includes('value="77"'), /140\.5|value="100"/.test(refused.html)]).toEqual([
    422,
    true,
    false,
  ])
  // A stale form shows the changes of other users, but no cost.
  await h.cast.ada.put(`/transports/${id}`, { final_cost: 918_273.45, notes: 'by ada' })
  const stale = await h.cast.ben.submit(`/transports/${id}/edit`, { ...fields, final_cost: '', notes: 'mine' })
  expect([stale.status, stale.text.includes('by ada'), TELLS_IT.test(stale.html)]).toEqual([409, true, false])
})

test('users without cost access cannot decide invoices or receive costs in scheduled reports', async () => {
  await settings({ cost_viewers: 'Administrators', invoice_deciders: 'Everybody' })
  expect((await h.cast.ben.post('/vendors/1/invoices/1/accept-matched')).status).toBe(403)
  await settings({ cost_viewers: 'Everybody' })
  await move({ final_cost: 918_273.45 })
  const schedule = { name: 'Moves', frequency: 'weekly', weekday: 1, hour: 6, period: 'last month', format: 'csv' }
  for (const report_type of ['transport_company_performance', 'transport_costs'])
    expect((await h.cast.ben.post('/reports/schedules', { ...schedule, name: report_type, report_type })).status).toBe(
      201,
    )
  await settings({ cost_viewers: 'Administrators' })
  h.clock.set(new Date('2026-04-06T19:00:00Z'))
  await runDueSchedules(h.ctx.db, h.clock)
  const runs = await rows<{ error: string | null; content: Uint8Array | null }>(
    h.ctx.db,
    sql`select r.error, r.content from report_runs r join report_schedules s on s.id = r.schedule_id
      where s.created_by = 'ben' order by s.name`,
  )
  const outcomes = runs.map(({ error, content }) => [
    error,
    content && new TextDecoder().decode(content).includes('Final cost'),
  ])
  expect(outcomes).toEqual([
    [null, false],
    ['Only administrators can see costs', null],
  ])
})

describe('a guessed cost', () => {
  const MOVED = { unit_number: '100001', move_date: '2026-03-01' }

  /** Creates a delivered transport in version 2, whose cost Ben cannot see. Returns its id. */
  async function hidden() {
    const { phoenix, tempe, desert, ada } = h.cast
    const places = { location_out_id: phoenix, location_in_id: tempe, transport_company_id: desert }
    const { body } = await ada.post('/transports', { ...MOVED, ...places, status: 'Delivered', final_cost: COST })
    const { id } = body.data as { id: number }
    await ada.put(`/transports/${id}`, { notes: 'second version' })
    await settings({ cost_viewers: 'Administrators' })
    return id
  }
  const versionOf = async (id: number) =>
    ((await h.cast.ada.get(`/transports/${id}`)).body.data as { version: number }).version

  test('is not confirmed by a stale version', async () => {
    const path = `/transports/${await hidden()}`
    const guess = async (who: Visitor, change: object) => (await who.put(path, { version: 1, ...change })).status
    const { ada, ben } = h.cast
    expect([await guess(ben, { final_cost: 1 }), await guess(ben, { final_cost: COST })]).toEqual([409, 409])
    expect([await guess(ben, { notes: 'second version' }), await guess(ada, { final_cost: COST })]).toEqual([200, 200])
  })

  test('is not confirmed by the new version of the record', async () => {
    const id = await hidden()
    const right = await h.cast.ben.put(`/transports/${id}`, { version: 2, final_cost: COST })
    expect([right.status, await versionOf(id)]).toEqual([200, 3])
    await h.cast.ben.put(`/transports/${id}`, { version: 3, final_cost: 1 })
    expect(await versionOf(id)).toBe(4)
    await h.cast.ben.put(`/transports/${id}`, { version: 4, notes: 'second version' })
    expect(await versionOf(id)).toBe(4)
    await h.cast.ada.put(`/transports/${id}`, { version: 4, final_cost: 1 })
    expect(await versionOf(id)).toBe(4)
  })

  test('is not confirmed by a bulk edit', async () => {
    const id = await hidden()
    const guess = async (final_cost: number) =>
      (await h.cast.ben.post('/transports/bulk', { ids: [id], set: { final_cost } })).body.data
    expect([await guess(COST), await guess(1)]).toMatchObject([
      { changed: 1, skipped: [] },
      { changed: 1, skipped: [] },
    ])
  })

  test('is not confirmed by an import', async () => {
    const id = await hidden()
    const guess = async (cost: number) => {
      const text =
        `unit_number,location_out,location_in,move_date,transport_company,status,final_cost\n` +
        `100001,PHX,TMP,2026-03-01,Desert Auto Haul,Delivered,${cost}\n`
      const { updated, duplicates } = (await h.cast.ben.upload('transports', 'm.csv', text, { existing: 'update' }))
        .body as { updated?: number; duplicates?: number }
      return [updated, duplicates]
    }
    expect([await guess(COST), await guess(1)]).toEqual([
      [1, 0],
      [1, 0],
    ])
    expect(await versionOf(id)).toBe(4)
  })
})
