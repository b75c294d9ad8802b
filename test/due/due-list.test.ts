import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'
import { makeOsl, makeRegistration, makeTitle, makeTransport } from '../support/entries'

// Today is 2026-03-14 in every test of this file.
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

type Item = {
  kind: string
  entity: string
  id: number
  unit_number: string
  days: number
  due_on: string
  severity: string
}
const due = async (query = '') => (await h.cast.ben.get(`/due${query}`)).body.data as unknown as Item[]
const counts = async () => (await h.cast.ben.get('/due/counts')).body.data as unknown as Record<string, number>

const move = (unit_number: string, more: object = {}) =>
  makeTransport(h.cast, { unit_number, move_date: '2026-02-01', ...more })

const plate = (unit_number: string, date_expires: string, more: object = {}) =>
  makeRegistration(h.cast, { unit_number, plate_number: `P${unit_number}`, date_expires, ...more })
const title = (unit_number: string, submitted_date: string) => makeTitle(h.cast, { unit_number, submitted_date })
const outOfService = (unit_number: string) => makeOsl(h.cast, { unit_number })

describe('the due list', () => {
  test('shows the most urgent items first, with counts per kind and pages', async () => {
    await move('100001', { estimated_arrival_date: '2026-03-10' })
    await move('100002', { estimated_arrival_date: '2026-03-05' })
    await plate('100003', '2026-03-07')
    await plate('100004', '2026-03-20')
    await title('100005', '2026-02-20')
    expect((await due()).map(({ unit_number }) => unit_number)).toEqual([
      '100002',
      '100003',
      '100001',
      '100005',
      '100004',
    ])
    expect(await counts()).toEqual({
      transport_late: 2,
      transport_no_cost: 0,
      transport_no_po: 0,
      osl_stale: 0,
      registration_expired: 1,
      registration_expiring: 1,
      title_overdue: 1,
      title_missing: 0,
      total: 5,
    })
    for (const [kind, count] of Object.entries(await counts()))
      if (kind !== 'total') expect([kind, (await due(`?kind=${kind}`)).length]).toEqual([kind, count])
    const { body } = await h.cast.ben.get('/due?per_page=2&page=3')
    expect([(body.data as unknown as Item[]).map(({ unit_number }) => unit_number), body.meta]).toEqual([
      ['100004'],
      { page: 3, per_page: 2, total: 5, pages: 3 },
    ] as never)
    expect((await due('?q=100003')).length).toBe(1)
    expect((await due('?q=expected')).length).toBe(2)
    expect((await h.cast.ben.get('/due?kind=nonsense')).status).toBe(422)
  })

  test('can be limited to items due by today or before today', async () => {
    await plate('100001', '2026-03-13')
    await plate('100002', '2026-03-14')
    await plate('100003', '2026-03-15')
    const units = async (query: string) => (await due(query)).map(({ unit_number }) => unit_number)
    expect(await units('?when=today')).toEqual(['100001', '100002'])
    expect(await units('?when=overdue')).toEqual(['100001'])
    expect((await h.cast.ben.open('/due?when=today')).text).toContain('2 to do, most urgent first')
    expect((await h.cast.ben.get('/due?when=later')).status).toBe(422)
  })

  test('counts the items of each kind that match the other filters', async () => {
    const { ben } = h.cast
    await plate('100001', '2026-03-13')
    await plate('100002', '2026-03-15')
    await move('100003', { estimated_arrival_date: '2026-03-10' })
    const counted = async (query: string) => (await ben.get(`/due/counts${query}`)).body.data as unknown
    expect(await counted('?when=overdue')).toMatchObject({ registration_expired: 1, transport_late: 1, total: 2 })
    expect(await counted('?q=100002')).toMatchObject({ registration_expiring: 1, transport_late: 0, total: 1 })
    expect(await counted('?snoozed=true')).toMatchObject({ total: 0 })
    expect((await ben.get('/due/counts?when=later')).status).toBe(422)
    const page = await ben.open('/due?when=overdue&kind=transport_late')
    expect(page.find('option')).toContain('Late transports (1)')
    expect(page.text).toContain('To do (3)')
  })

  test('hides snoozed items until their date', async () => {
    const id = await move('100001', { estimated_arrival_date: '2026-03-10' })
    const at = `/due/transport_late/${id}/snooze`
    const put = await h.cast.ben.post(at, { until: '2026-03-16' })
    expect([put.status, put.body.data]).toMatchObject([201, { snoozed_until: '2026-03-16' }])
    expect([await due(), (await counts()).total]).toEqual([[], 0])
    expect(await due('?snoozed=true')).toMatchObject([{ id, snoozed_until: '2026-03-16' }])
    await h.ctx.db.execute(sql`update due_snoozes set until = '2026-03-15'`)
    expect(await due()).toEqual([])
    await h.ctx.db.execute(sql`update due_snoozes set until = '2026-03-14'`)
    expect(await due()).toMatchObject([{ id, snoozed_until: null }])
    expect(await due('?snoozed=true')).toEqual([])
  })

  test('allows a permanent snooze with a reason, and changing or ending it', async () => {
    const id = await move('100001', { estimated_arrival_date: '2026-03-10' })
    const at = `/due/transport_late/${id}/snooze`
    expect((await h.cast.ben.post(at, {})).body.errors?.[0]?.field).toBe('until')
    expect((await h.cast.ben.post(at, { until: '2026-03-14' })).body.errors).toEqual([
      { field: 'until', message: 'Choose a date after today' },
    ])
    await h.cast.ben.post(at, { reason: 'The driver called' })
    expect(await due('?snoozed=true')).toMatchObject([{ snoozed_until: null, snooze_reason: 'The driver called' }])
    await h.cast.ben.post(at, { until: '2026-03-20' })
    expect(await due('?snoozed=true')).toMatchObject([{ snoozed_until: '2026-03-20', snooze_reason: null }])
    expect((await h.cast.ben.delete(at)).status).toBe(200)
    expect((await h.cast.ben.delete(at)).status).toBe(404)
    expect((await due()).length).toBe(1)
    for (const path of ['/due/transport_late/99/snooze', `/due/title_missing/${id}/snooze`, '/due/nonsense/1/snooze'])
      expect([404, 422]).toContain((await h.cast.ben.post(path, { until: '2026-03-20' })).status)
  })
})

test('due items can be assigned to active users and filtered by owner', async () => {
  const id = await title('100001', '2026-02-01')
  await title('100002', '2026-02-01')
  const assign = (assigned_to: unknown, of = id) => h.cast.ben.post(`/due/title_overdue/${of}/assign`, { assigned_to })
  expect((await assign('ADA')).body.data).toMatchObject({ id, assigned_to: 'ada' })
  expect(await due('?assigned_to=ada')).toMatchObject([{ unit_number: '100001' }])
  expect(await due('?assigned_to=-')).toMatchObject([{ unit_number: '100002' }])
  expect(await due('?assigned_to=ben')).toEqual([])
  expect((await assign('nobody-here')).body.errors).toEqual([
    { field: 'assigned_to', message: 'There is no active user nobody-here' },
  ])
  expect((await assign('ada', 999)).status).toBe(404)
  expect((await assign('ben')).body.data).toMatchObject({ assigned_to: 'ben' })
  expect((await assign(null)).body.data).toMatchObject({ assigned_to: null })
  await h.ctx.db.execute(sql`update users set is_active = false where username = 'ada'`)
  expect((await assign('ada')).status).toBe(422)
})

test('an OSL item belongs to the entry owner unless assigned to someone else', async () => {
  const id = await outOfService('100001')
  await h.cast.ben.put(`/osl/${id}`, { owner: 'ben' })
  await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-03-01T12:00:00Z'`)
  const listAssignees = async () =>
    (await due('?kind=osl_stale')).map((item) => (item as unknown as { assigned_to: string }).assigned_to)
  expect(await listAssignees()).toEqual(['ben'])
  await h.cast.ben.post(`/due/osl_stale/${id}/assign`, { assigned_to: 'ada' })
  expect(await listAssignees()).toEqual(['ada'])
  await h.cast.ben.post(`/due/osl_stale/${id}/assign`, { assigned_to: null })
  expect(await listAssignees()).toEqual(['ben'])
})

test('the due page shows actions and snoozes, and the dashboard shows due counts', async () => {
  const late = await move('100001', { estimated_arrival_date: '2026-03-10' })
  await plate('100003', '2026-03-07')
  const page = await h.cast.ben.open('/due')
  expect(page.find('.tabs a')).toEqual(['To do (2)', 'Snoozed'])
  expect(page.find('tbody td:nth-child(2)')).toEqual(['7 days late', '4 days late'])
  expect(page.find('tbody td.sum a')).toEqual(['Renew', 'Update'])
  expect(page.find('.row-actions > a')).toEqual(['Snooze…', 'Assign', 'Snooze…', 'Assign'])
  expect(page.html).toContain('name="until" value="2026-03-21"')
  expect((await h.cast.ben.open('/dashboard')).find('.due-panel h2, .due-panel h3')).toEqual([
    'Due: 2',
    '1 Late transports',
    '1 Expired registrations',
  ])
  const snooze = `/due/transport_late/${late}/snooze`
  expect((await h.cast.ben.open(snooze)).find('h1')).toEqual(['Snooze unit 100001'])
  expect((await h.cast.ben.submit(snooze, { until: '2026-03-14' })).find('.field-error')).toEqual([
    'Choose a date after today',
  ])
  expect((await h.cast.ben.submit(snooze, { until: '2026-03-21' })).toast).toBe('Unit 100001 snoozed until 03/21/2026')
  expect((await h.cast.ben.open('/due?snoozed=true')).find('tbody button')).toEqual(['Unsnooze'])
  expect((await h.cast.ben.submit(`/due/transport_late/${late}/unsnooze`, {})).toast).toBe(
    'Snooze ended. Unit 100001 is due again.',
  )
  expect((await h.cast.ben.open('/due')).find('.tabs a')[0]).toBe('To do (2)')
})

test('the dashboard shows the three most overdue items of a kind and counts all', async () => {
  for (const day of ['04', '01', '05', '02', '03'])
    await move(`1000${day}`, { estimated_arrival_date: `2026-03-${day}` })
  const page = await h.cast.ben.open('/dashboard')
  expect(page.find('.due-panel h3')).toEqual(['5 Late transports'])
  expect(page.find('.due-panel li a:first-child')).toEqual(['100001', '100002', '100003'])
})

test('a page beyond the last is empty and still reports the total', async () => {
  for (const day of ['01', '02', '03']) await move(`1000${day}`, { estimated_arrival_date: `2026-03-${day}` })
  const page = async (query: string) => {
    const { body } = await h.cast.ben.get(`/due?${query}`)
    return [(body.data as unknown as Item[]).length, body.meta?.total]
  }
  expect([
    await page('per_page=2&page=2'),
    await page('per_page=3&page=1'),
    await page('per_page=3&page=2'),
    await page('per_page=2&page=9&kind=transport_no_po'),
    await page('kind=transport_no_po'),
  ]).toEqual([
    [1, 3],
    [3, 3],
    [0, 3],
    [0, 0],
    [0, 0],
  ])
})
