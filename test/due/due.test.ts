import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { type DueRule, dueRules } from '../../src/platform/records/kind'
import { NOON, testContext } from '../support/context'
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
const units = async (kind: string) => (await due(`?kind=${kind}`)).map(({ unit_number }) => unit_number)
const counts = async () => (await h.cast.ben.get('/due/counts')).body.data as unknown as Record<string, number>

const move = (unit_number: string, more: object = {}) =>
  makeTransport(h.cast, { unit_number, move_date: '2026-02-01', ...more })
const delivered = (unit: string, actual_arrival_date: string, more: object = {}) =>
  move(unit, { status: 'Delivered', actual_arrival_date, ...more })
const plate = (unit_number: string, date_expires: string, more: object = {}) =>
  makeRegistration(h.cast, { unit_number, plate_number: `P${unit_number}`, date_expires, ...more })
const title = (unit_number: string, submitted_date: string) => makeTitle(h.cast, { unit_number, submitted_date })
const outOfService = (unit_number: string) => makeOsl(h.cast, { unit_number })

/** Returns the number of rows of a table that the query for one kind of due items reads. */
async function rowsReadFor(kind: string, table: string) {
  const rule = dueRules().find(({ name }) => name === kind) as DueRule
  const calendar = { today: () => '2026-03-14', timeZone: 'UTC', lead: { osl_days: 7, registration_days: 30 } }
  const { from } = rule.items(calendar as never)
  return h.ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from ${from}`)
    const [found] = await rows<{ count: number }>(
      tx,
      sql`select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = ${table}`,
    )
    return found?.count
  })
}

describe('due items', () => {
  test('include only the latest sale of a unit, and read each sale once', async () => {
    const sales = 200
    await h.cast.ben.post('/vehicles', { unit_number: '100001' })
    await h.ctx.db.execute(sql`insert into transports (unit_number, location_out_id, location_in_id,
        transport_company_id, move_date, actual_arrival_date, move_type, status)
      select '100001', (select min(id) from locations), (select max(id) from locations),
        (select min(id) from transport_companies), date '2025-01-01' + n, date '2025-01-01' + n, 'Sales', 'Delivered'
      from generate_series(1, ${sales}) n`)
    expect(await due('?kind=title_missing')).toMatchObject([{ unit_number: '100001', due_on: '2025-07-20' }])
    expect(await rowsReadFor('title_missing', 'transports')).toBeLessThan(4 * sales)
  })

  test('include only the latest registration of a unit, without comparing its registrations', async () => {
    const plates = 300
    await h.cast.ben.post('/vehicles', { unit_number: '100001' })
    await h.ctx.db.execute(sql`insert into registrations (unit_number, location_id, plate_number, state_province,
        date_issued, date_expires, status)
      select '100001', (select min(id) from locations), 'P' || n, 'AZ', date '2025-01-01', date '2026-03-20', 'Complete'
      from generate_series(1, ${plates}) n`)
    await plate('100001', '2026-03-21')
    expect(await due('?kind=registration_expiring')).toMatchObject([{ unit_number: '100001', due_on: '2026-03-21' }])
    expect(await rowsReadFor('registration_expiring', 'registrations')).toBeLessThan(10 * plates)
  })

  test('do not change when a location is merged, or when the merge is undone', async () => {
    h.clock.set(new Date('2026-02-20T19:00:00Z'))
    const { ada, mesa, tempe, phoenix } = h.cast
    await makeOsl(h.cast, { unit_number: '100001', location_id: mesa })
    h.clock.set(NOON)
    const stale = () => units('osl_stale')
    expect(await stale()).toEqual(['100001'])
    const merges = []
    for (const [from, into_id] of [
      [mesa, tempe],
      [tempe, phoenix],
    ]) {
      const { status, body } = await ada.post(`/locations/${from}/merge`, { into_id })
      merges.push({ status, id: (body.data as { id: number }).id })
      expect([status, await stale()]).toEqual([200, ['100001']])
    }
    const { status } = await ada.post(`/locations/merges/${merges[1]?.id}/undo`)
    expect([status, await stale()]).toEqual([200, ['100001']])
  })

  test('find the latest note of an OSL entry without reading its other notes', async () => {
    const entries = 100
    const id = await outOfService('100000')
    await h.ctx.db.execute(sql`insert into osl_notes (osl_id, note_text, created_by)
      select ${id}::int, 'Called the shop', 'ben' from generate_series(1, 3000)`)
    await h.ctx.db.execute(sql`insert into vehicles (unit_number) select (100000 + n)::text
      from generate_series(1, ${entries}) n`)
    await h.ctx.db.execute(sql`insert into osl_entries (unit_number, osl_date, location_id, problem, status, updated_at)
      select (100000 + n)::text, date '2026-01-01', (select min(id) from locations), 'Flat tire', 'Out of Service',
        timestamptz '2026-01-01' from generate_series(1, ${entries}) n`)
    await h.ctx.db.execute(sql`analyze osl_notes, osl_entries`)
    expect((await due('?kind=osl_stale')).length).toBeGreaterThan(40)
    expect(await rowsReadFor('osl_stale', 'osl_notes')).toBeLessThan(2 * entries)
  })

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
    // An entry with a planned action stays due, however old its last note is.
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

test('two registrations that expired on one day produce one item, for the newer', async () => {
  await plate('100001', '2026-03-01', { received: true })
  const id = await plate('100001', '2026-03-01', { received: true, plate_number: 'NEWER' })
  expect(await due('?kind=registration_expired')).toMatchObject([{ id, unit_number: '100001', days: 13 }])
})

test('items of one kind and date keep entry order, and each describes its record', async () => {
  const late = [await move('100002', { estimated_arrival_date: '2026-03-10' })]
  late.push(await move('100001', { estimated_arrival_date: '2026-03-10', location_in_id: h.cast.mesa }))
  expect((await due('?kind=transport_late')).map(({ id }) => id)).toEqual(late)
  await plate('100003', '2026-03-13')
  await plate('100004', '2026-03-20')
  await title('100005', '2026-02-20')
  const followedUpId = await title('100006', '2026-01-20')
  await h.cast.ben.post(`/titles/${followedUpId}/chase`, { note_text: 'Called the bank' })
  await delivered('100007', '2026-03-01', { move_type: 'Sales', final_cost: 1 })
  await delivered('100008', '2026-03-01', { issue_po: true })
  await outOfService('100009')
  await h.ctx.db.execute(sql`update osl_entries set updated_at = '2026-03-01T12:00:00Z'`)
  const dueItems = (await due()) as unknown as (Item & { text: string })[]
  expect(dueItems.map(({ kind, unit_number, text, due_on, days }) => [kind, unit_number, text, due_on, days])).toEqual([
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
