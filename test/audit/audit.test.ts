import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { parse } from 'papaparse'
import { auditEntries } from '../../db/schema'
import { testContext } from '../support/context'
import type { Visitor } from '../support/visitor'

test('administrators can read and filter the audit trail, and users cannot', async () => {
  const { cast } = await testContext()
  const made = await cast.ben.post('/titles', { unit_number: '100200', location_id: cast.phoenix })
  const { id } = made.body.data as { id: number }
  await cast.ada.put(`/titles/${id}`, { dealer_name: 'Valley' })
  const all = await cast.ada.get('/audit')
  expect(all.body.meta).toMatchObject({ total: 3, page: 1 })
  const mine = await cast.ada.get(
    `/audit?entity=titles&entity_id=${id}&actor=ada&action=update&source=api&start_date=2026-03-14&end_date=2026-03-14`,
  )
  expect(mine.body.data).toMatchObject([
    {
      actor: 'ada',
      action: 'update',
      entity: 'titles',
      entity_id: id,
      changes: { dealer_name: { old: null, new: 'Valley' } },
    },
  ])
  expect((await cast.ada.get('/audit?start_date=2026-03-15')).body.meta).toMatchObject({ total: 0 })
  expect((await cast.ben.get('/audit')).status).toBe(403)
})

test('each filter works alone, and screen changes are distinguished from API changes', async () => {
  const { ada, ben, phoenix } = (await testContext()).cast
  const title = { unit_number: '100200', location_id: phoenix }
  await ben.post('/titles', title)
  // A call with the session cookie comes from a page, so its source is the screen.
  const body = JSON.stringify({ ...title, unit_number: '100201' })
  const headers = { ...(await ben.cookieHeaders()), origin: 'http://localhost', 'content-type': 'application/json' }
  expect((await ben.request('/api/titles', { method: 'POST', headers, body })).status).toBe(201)
  await ada.put('/titles/1', { dealer_name: 'Valley' })
  const listEntries = async (query: string) =>
    ((await ada.get(`/audit?order=asc&${query}`)).body.data as unknown as Record<string, unknown>[]).map(
      ({ action, entity, entity_id, source }) => `${action} ${entity} ${entity_id} ${source}`,
    )
  const [first, second, changed] = ['create titles 1 api', 'create titles 2 screen', 'update titles 1 api']
  const [one, two] = ['create vehicles 1 api', 'create vehicles 2 screen']
  const all = [...(await listEntries(''))]
  expect(all.toSorted()).toEqual([first, second, one, two, changed].toSorted() as string[])
  for (const [query, found] of Object.entries({
    'entity=titles': [first, second, changed],
    'entity_id=2': all.filter((line) => line.includes(' 2 ')),
    'actor=ada': [changed],
    'action=update': [changed],
    'source=screen': all.filter((line) => line.endsWith('screen')),
  }))
    expect([query, await listEntries(query)]).toEqual([query, found] as never)
})

test('history pages show booleans, dates and empty values in readable form', async () => {
  const { ada, phoenix } = (await testContext()).cast
  await ada.put(`/locations/${phoenix}`, { is_active: false, phone: '602-555-0100' })
  await ada.post('/osl', {
    unit_number: '100200',
    osl_date: '2026-03-01',
    location_id: phoenix,
    problem: 'Windshield cracked on the left',
    storage_fee_daily_rate: 20,
  })
  const lines = async (entity: string) =>
    (await ada.open(`/history/${entity}/${entity === 'locations' ? phoenix : 1}`)).text
  expect(await lines('locations')).toMatch(/Phone— → 602-555-0100Is activeyes → no/)
  expect(await lines('osl_entries')).toMatch(/Storage fees applicable\s*yes/)
  expect(await lines('osl_entries')).toContain('03/01/2026')
})

test('the history of a deleted record restores it', async () => {
  const { ben, phoenix } = (await testContext()).cast
  await ben.post('/titles', { unit_number: '100200', location_id: phoenix })
  await ben.submit('/titles/1/delete', {})
  expect((await ben.open('/vehicles/100200')).html).toContain('href="/history/titles/1"')
  const historyPage = await ben.open('/history/titles/1')
  expect(historyPage.text).toContain('Title, unit 100200: 2 changes, now deleted')
  expect(historyPage.html).toContain('action="/titles/1/restore"')
  await ben.submit('/titles/1/restore', {})
  expect((await ben.get('/titles/1')).body.data).toMatchObject({ unit_number: '100200' })
  const restored = await ben.open('/history/titles/1')
  expect(restored.html).not.toContain('action="/titles/1/restore"')
  expect(restored.html).toContain('href="/titles/1"')
})

test('date filters use business days', async () => {
  const { ctx, cast } = await testContext()
  // Midnight in Phoenix is 07:00 UTC.
  for (const [id, at] of [
    [1, '2026-02-10T06:59:59.999Z'],
    [2, '2026-02-10T07:00:00Z'],
    [3, '2026-02-11T06:59:59.999Z'],
    [4, '2026-02-11T07:00:00Z'],
  ])
    await ctx.db.execute(
      sql`insert into audit_entries (at, actor, source, action, entity, entity_id, changes)
        values (${at}, 'ada', 'api', 'update', 'titles', ${id}, '{}')`,
    )
  const ids = async (query: string) =>
    ((await cast.ada.get(`/audit?entity=titles&${query}`)).body.data as { entity_id: number }[]).map(
      (row) => row.entity_id,
    )
  expect(await ids('start_date=2026-02-10&end_date=2026-02-10')).toEqual([3, 2])
  expect(await ids('end_date=2026-02-10')).toEqual([3, 2, 1])
  expect(await ids('start_date=2026-02-10')).toEqual([4, 3, 2])
})

/** Returns the rows of the exported audit trail without the heading. A row is a list of cells. */
const linesOf = async (who: Visitor, query: string) =>
  parse<string[]>(String((await who.get(`/audit/export?${query}`)).body.text).trim()).data.slice(1)

test('the export formats every value for readers', async () => {
  const { ctx, cast } = await testContext()
  const { phoenix, mesa, copper } = cast
  await cast.ben.post('/titles', { unit_number: '100200', location_id: phoenix })
  await cast.ada.post('/vendors', { vendor_name: 'Sunrise Storage' })
  const exportChanges = async (changes: object, entity = 'titles') => {
    const [{ id } = { id: 0 }] = await ctx.db
      .insert(auditEntries)
      .values({ actor: 'cleo', source: 'api', action: 'update', entity, entity_id: 1, changes: changes as never })
      .returning({ id: auditEntries.id })
    const line = (await linesOf(cast.ada, 'actor=cleo')).find(([first]) => first === String(id))
    return [line?.[8], line?.[10]]
  }
  for (const [field, old, now, text] of [
    ['notes', null, 'called twice', 'notes: – → called twice'],
    ['notes', '', '0', 'notes: – → 0'],
    ['notes', 'gone', null, 'notes: gone → –'],
    ['notes', null, '', ''],
    ['received', false, true, 'received: no → yes'],
    ['mileage', 0, 12, 'mileage: 0 → 12'],
    ['submitted_date', '2026-03-01', '2026-03-14', 'submitted date: 03/01/2026 → 03/14/2026'],
    ['snoozed_at', null, '2026-03-14T19:00:00.000Z', 'snoozed at: – → 03/14/2026, 12:00 PM'],
    [
      'dealer_name',
      '2026-03-01 or so',
      'see 2026-03-14T19:00:00Z',
      'dealer name: 2026-03-01 or so → see 2026-03-14T19:00:00Z',
    ],
    ['names', null, [{ a: 1 }], 'names: – → [{"a":1}]'],
    ['location_id', phoenix, mesa, 'location: Phoenix → Mesa'],
    ['location_in_id', 999, mesa, 'location in: 999 → Mesa'],
    ['transport_company_id', null, copper, 'transport company: – → Copper State Transport'],
    ['vendor_id', null, 1, 'vendor: – → Sunrise Storage'],
    ['schedule_id', null, mesa, 'schedule: – → 3'],
  ] as const)
    expect([text, await exportChanges({ [field]: { old, new: now } })]).toEqual([text, ['100200', text]])
  expect(await exportChanges({}, 'locations')).toEqual(['Phoenix', ''])
  expect(await exportChanges({ unit_number: { old: '100777', new: null } }, 'registrations')).toEqual([
    '100777',
    'unit number: 100777 → –',
  ])
})

test('the export contains all filtered entries in either order', async () => {
  const { ctx, cast } = await testContext()
  await ctx.db.execute(
    sql`insert into audit_entries (actor, source, action, entity, entity_id, changes)
      select 'cleo', 'api', 'update', 'titles', n, '{}' from generate_series(1, 2000) n`,
  )
  const ids = async (query: string) => (await linesOf(cast.ada, query)).map((line) => Number(line[7]))
  const all = Array.from({ length: 2000 }, (_, at) => at + 1)
  expect(await ids('actor=cleo&order=asc')).toEqual(all)
  expect(await ids('actor=cleo')).toEqual(all.toReversed())
  expect(await ids('entity_id=1500')).toEqual([1500])
  expect(await ids('entity=titles&q=1500')).toEqual([1500])
  for (const query of [`entity=${'x'.repeat(41)}`, `actor=${'x'.repeat(51)}`])
    expect([query, (await cast.ada.get(`/audit?${query}`)).status]).toEqual([query, 422])
  for (const query of [`entity=${'x'.repeat(40)}`, `actor=${'x'.repeat(50)}`])
    expect([query, (await cast.ada.get(`/audit?${query}`)).body.meta?.total]).toEqual([query, 0])
})

test('search finds entries by unit, VIN, plate, name, code and user, also of deleted records', async () => {
  const { ada, ben, phoenix } = (await testContext()).cast
  await ben.post('/vehicles', { unit_number: '100200', vin: '1M8GDM9AXKP042788' })
  const plate = { plate_number: 'AZ 4711', state_province: 'AZ', date_issued: '2026-01-01', date_expires: '2026-12-31' }
  const made = await ben.post('/registrations', { unit_number: '100200', location_id: phoenix, ...plate })
  await ben.post('/titles', { unit_number: '100201', location_id: phoenix })
  const lot = { location_code: 'LOT9', location_name: 'Lucky lot', location_type: 'Hub' }
  const place = await ada.post('/locations', lot)
  const searchEntries = async (q: string) =>
    ((await ada.get(`/audit?order=asc&q=${encodeURIComponent(q)}`)).body.data as unknown as Record<string, unknown>[])
      .map(({ action, entity }) => `${action} ${entity}`)
      .sort()
  const ofUnit = ['create registrations', 'create vehicles']
  for (const q of ['100200', 'KP042788', '1M8GDM9AXKP042788']) expect([q, await searchEntries(q)]).toEqual([q, ofUnit])
  expect(await searchEntries('az-4711')).toEqual(['create registrations'])
  for (const q of ['lot9', 'Lucky']) expect([q, await searchEntries(q)]).toEqual([q, ['create locations']])
  expect(await searchEntries('ada')).toEqual(['create locations'])
  expect(await searchEntries('nothing like it')).toEqual([])
  await ben.delete(`/registrations/${(made.body.data as { id: number }).id}`)
  await ada.delete(`/locations/${(place.body.data as { id: number }).id}`)
  expect(await searchEntries('100200')).toEqual([...ofUnit, 'delete registrations'].sort())
  expect(await searchEntries('Lucky')).toEqual(['create locations', 'delete locations'])
})

test('a search finds deleted records by plate and RA number', async () => {
  const { ben, ada } = (await testContext()).cast
  const dates = { date_issued: '2026-01-01', date_expires: '2027-01-01' }
  await ben.post('/registrations', {
    unit_number: '100200',
    location_id: 1,
    plate_number: 'QQ7711',
    state_province: 'AZ',
    ...dates,
  })
  await ben.post('/osl', {
    unit_number: '100200',
    osl_date: '2026-03-01',
    location_id: 1,
    problem: 'Brakes grinding badly',
    ra_number: 'RA77',
  })
  for (const path of ['/registrations/1', '/osl/1']) await ben.delete(path)
  const found = async (q: string) =>
    ((await ada.get(`/audit?q=${q}`)).body.data as unknown as { entity: string; action: string }[]).map(
      ({ entity, action }) => `${action} ${entity}`,
    )
  expect(await found('QQ7711')).toEqual(['delete registrations', 'create registrations'])
  expect(await found('RA77')).toEqual(['delete osl_entries', 'create osl_entries'])
})
