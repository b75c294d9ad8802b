import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { testContext } from '../support/context'

// Today is 2026-03-14 in all of these.
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
const units = async (kind: string) => (await due(`?kind=${kind}`)).map(({ unit_number }) => unit_number)
const counts = async () => (await h.cast.ben.get('/due/counts')).body.data as unknown as Record<string, number>

const move = async (unit: string, more: object = {}) =>
  (
    (
      await h.cast.ben.post('/transports', {
        unit_number: unit,
        location_out_id: h.cast.phoenix,
        location_in_id: h.cast.tempe,
        transport_company_id: h.cast.desert,
        move_date: '2026-02-01',
        ...more,
      })
    ).body.data as { id: number }
  ).id
const delivered = (unit: string, actual_arrival_date: string, more: object = {}) =>
  move(unit, { status: 'Delivered', actual_arrival_date, ...more })
const plate = async (unit: string, date_expires: string, more: object = {}) =>
  (
    (
      await h.cast.ben.post('/registrations', {
        unit_number: unit,
        location_id: h.cast.phoenix,
        plate_number: `P${unit}`,
        state_province: 'AZ',
        date_issued: '2025-01-01',
        date_expires,
        ...more,
      })
    ).body.data as { id: number }
  ).id
const title = async (unit: string, submitted_date: string) =>
  (
    (await h.cast.ben.post('/titles', { unit_number: unit, location_id: h.cast.phoenix, submitted_date })).body
      .data as { id: number }
  ).id
const outOfService = async (unit: string) =>
  (
    (
      await h.cast.ben.post('/osl', {
        unit_number: unit,
        osl_date: '2026-02-01',
        location_id: h.cast.phoenix,
        problem: 'Transmission slips in third gear',
      })
    ).body.data as { id: number }
  ).id

describe('due items', () => {
  test('include transports past their estimated arrival until delivery', async () => {
    await move('100001', { estimated_arrival_date: '2026-03-14' })
    const id = await move('100002', { estimated_arrival_date: '2026-03-13' })
    await move('100003')
    await delivered('100004', '2026-03-13', { estimated_arrival_date: '2026-03-01' })
    expect(await due('?kind=transport_late')).toMatchObject([
      {
        kind: 'transport_late',
        entity: 'transports',
        id,
        unit_number: '100002',
        text: 'Phoenix to Tempe, Awaiting Pickup, expected 03/13/2026',
        due_on: '2026-03-13',
        days: 1,
        severity: 'danger',
        snoozed_until: null,
      },
    ])
    await h.cast.ben.patch(`/transports/${id}/status`, { status: 'Delivered' })
    expect(await units('transport_late')).toEqual([])
  })

  test('include deliveries without a final cost after seven days', async () => {
    await delivered('100001', '2026-03-07')
    await delivered('100002', '2026-03-08')
    await delivered('100003', '2026-03-01', { final_cost: 0 })
    await move('100004', { status: 'In Transit' })
    expect(await units('transport_no_cost')).toEqual(['100001'])
  })

  test('include transports with a PO to issue but no number', async () => {
    await move('100001', { issue_po: true })
    await move('100002', { issue_po: true, po_number: 'PO-1' })
    await move('100003')
    await delivered('100004', '2026-03-01', { issue_po: true })
    expect(await units('transport_no_po')).toEqual(['100001', '100004'])
  })

  test('include active OSL entries without activity for seven days', async () => {
    const [stale, noted, changed, done, fresh] = [
      await outOfService('100001'),
      await outOfService('100002'),
      await outOfService('100003'),
      await outOfService('100004'),
      await outOfService('100005'),
    ]
    // The evening of the 7th in Phoenix, which is the 8th in Greenwich.
    await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-03-08T05:00:00Z' where id <> ${fresh}`)
    await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-03-08T08:00:00Z' where id = ${fresh}`)
    await h.cast.ben.post(`/osl/${noted}/notes`, { note_text: 'Parts ordered' })
    await h.cast.ben.put(`/osl/${changed}`, { ra_number: 'R1' })
    await h.cast.ben.patch(`/osl/${done}/status`, { status: 'Completed' })
    expect(await due('?kind=osl_stale')).toMatchObject([
      { id: stale, unit_number: '100001', days: 7, due_on: '2026-03-14' },
    ])
  })

  test('include active OSL entries from their next action date', async () => {
    const [ahead, today, past, done] = [
      await outOfService('100001'),
      await outOfService('100002'),
      await outOfService('100003'),
      await outOfService('100004'),
    ]
    const plan = (id: number, next_action_on: string, more: object = {}) =>
      h.cast.ben.put(`/osl/${id}`, { next_action: 'Call the yard', next_action_on, ...more })
    await plan(ahead, '2026-03-15')
    await plan(today, '2026-03-14', { waiting_on: 'Parts', owner: 'BEN' })
    await plan(past, '2026-03-10')
    await plan(done, '2026-03-10', { status: 'Completed' })
    // However long nothing was noted: what is planned is not forgotten.
    await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-02-01T12:00:00Z'`)
    expect(await due('?kind=osl_stale')).toMatchObject([
      { unit_number: '100003', due_on: '2026-03-10', days: 4, assigned_to: null },
      {
        unit_number: '100002',
        text: 'Phoenix, Out of Service, waiting for parts, 03/14/2026: Call the yard',
        due_on: '2026-03-14',
        days: 0,
        assigned_to: 'ben',
      },
    ])
  })

  test('include expired or expiring registrations without a later one', async () => {
    await plate('100001', '2026-03-13')
    await plate('100002', '2026-03-14')
    const last = await plate('100003', '2026-04-13')
    await plate('100004', '2026-04-14')
    await plate('100005', '2026-03-01')
    await plate('100005', '2027-03-01', { plate_number: 'NEW1' })
    expect(await units('registration_expired')).toEqual(['100001'])
    expect(await due('?kind=registration_expiring')).toMatchObject([
      { unit_number: '100002', days: 0, severity: 'warning' },
      { unit_number: '100003', days: 30 },
    ])
    await h.cast.ben.post(`/registrations/${last}/renew`, {})
    expect(await units('registration_expiring')).toEqual(['100002'])
  })

  test('include titles pending over 14 days, urgent after 30', async () => {
    await title('100001', '2026-02-28')
    await title('100002', '2026-02-27')
    await title('100003', '2026-02-12')
    await title('100004', '2026-02-11')
    expect(
      (await due('?kind=title_overdue')).map(({ unit_number, days, severity }) => [unit_number, days, severity]),
    ).toEqual([
      ['100004', 31, 'danger'],
      ['100003', 30, 'warning'],
      ['100002', 15, 'warning'],
    ])
  })

  test('include one item for delivered sales of a unit without a title', async () => {
    await delivered('100001', '2026-03-01', { move_type: 'Sales' })
    const newest = await delivered('100001', '2026-03-02', { move_type: 'Sales' })
    await delivered('100002', '2026-03-01', { move_type: 'Sales' })
    await title('100002', '2026-03-10')
    await move('100003', { move_type: 'Sales' })
    await delivered('100004', '2026-03-01')
    expect(await due('?kind=title_missing')).toMatchObject([{ id: newest, unit_number: '100001' }])
  })
})

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
  const whose = async () =>
    (await due('?kind=osl_stale')).map((item) => (item as unknown as { assigned_to: string }).assigned_to)
  expect(await whose()).toEqual(['ben'])
  await h.cast.ben.post(`/due/osl_stale/${id}/assign`, { assigned_to: 'ada' })
  expect(await whose()).toEqual(['ada'])
  await h.cast.ben.post(`/due/osl_stale/${id}/assign`, { assigned_to: null })
  expect(await whose()).toEqual(['ben'])
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
    'Snooze ended. The item is due again.',
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

test('two registrations that expired on one day produce one item, for the newer', async () => {
  await plate('100001', '2026-03-01', { received: true })
  const id = await plate('100001', '2026-03-01', { received: true, plate_number: 'NEWER' })
  expect(await due('?kind=registration_expired')).toMatchObject([{ id, unit_number: '100001', days: 13 }])
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

test('items of one kind and date keep entry order, and each describes its record', async () => {
  const late = [await move('100002', { estimated_arrival_date: '2026-03-10' })]
  late.push(await move('100001', { estimated_arrival_date: '2026-03-10', location_in_id: h.cast.mesa }))
  expect((await due('?kind=transport_late')).map(({ id }) => id)).toEqual(late)
  await plate('100003', '2026-03-13')
  await plate('100004', '2026-03-20')
  await title('100005', '2026-02-20')
  const asked = await title('100006', '2026-01-20')
  await h.cast.ben.post(`/titles/${asked}/chase`, { note_text: 'Called the bank' })
  await delivered('100007', '2026-03-01', { move_type: 'Sales', final_cost: 1 })
  await delivered('100008', '2026-03-01', { issue_po: true })
  await outOfService('100009')
  await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-03-01T12:00:00Z'`)
  const told = (await due()) as unknown as (Item & { text: string })[]
  expect(told.map(({ kind, unit_number, text, due_on, days }) => [kind, unit_number, text, due_on, days])).toEqual([
    ['title_overdue', '100006', 'Pending since 01/20/2026, last follow-up 03/14/2026', '2026-02-03', 53],
    ['title_missing', '100007', 'Sold, delivered 03/01/2026, no title on record', '2026-03-01', 13],
    ['transport_late', '100002', 'Phoenix to Tempe, Awaiting Pickup, expected 03/10/2026', '2026-03-10', 4],
    ['transport_late', '100001', 'Phoenix to Mesa, Awaiting Pickup, expected 03/10/2026', '2026-03-10', 4],
    ['registration_expired', '100003', 'P100003, AZ, expired 03/13/2026', '2026-03-13', 1],
    ['transport_no_po', '100008', 'Phoenix to Tempe, moved 02/01/2026, PO to be issued', '2026-02-01', 41],
    ['title_overdue', '100005', 'Pending since 02/20/2026', '2026-03-06', 22],
    ['osl_stale', '100009', 'Phoenix, Out of Service, no activity since 03/01/2026', '2026-03-08', 13],
    ['transport_no_cost', '100008', 'Phoenix to Tempe, delivered 03/01/2026 without a final cost', '2026-03-08', 13],
    ['registration_expiring', '100004', 'P100004, AZ, expires 03/20/2026', '2026-03-20', 6],
  ])
})

test('snoozing or assigning an item affects no other record or kind', async () => {
  const both = await delivered('100001', '2026-03-01', { issue_po: true })
  const other = await delivered('100002', '2026-03-01', { issue_po: true })
  await h.cast.ben.post(`/due/transport_no_po/${both}/snooze`, { until: '2026-03-15', reason: 'x'.repeat(255) })
  await h.cast.ben.post(`/due/transport_no_po/${other}/assign`, { assigned_to: 'ada' })
  const state = (await due()) as unknown as (Item & { assigned_to: string | null })[]
  expect(state.map(({ kind, id, assigned_to }) => [kind, id, assigned_to])).toEqual([
    ['transport_no_po', other, 'ada'],
    ['transport_no_cost', both, null],
    ['transport_no_cost', other, null],
  ])
  expect((await counts()).total).toBe(3)
  const long = await h.cast.ben.post(`/due/transport_no_po/${both}/snooze`, { reason: 'x'.repeat(256) })
  expect(long.body.errors?.[0]?.field).toBe('reason')
  expect((await h.cast.ben.post(`/due/transport_no_po/${both}/assign`, { assigned_to: 'x'.repeat(51) })).status).toBe(
    422,
  )
  expect((await h.cast.ben.delete(`/due/transport_no_cost/${both}/snooze`)).status).toBe(404)
})
