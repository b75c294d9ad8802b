import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { seedAll } from '../../src/app/demo'
import { ensureAdmin } from '../../src/app/operator/accounts'
import { expireRegistrations } from '../../src/features/registrations/mutations'
import { runDueSchedules } from '../../src/features/reports/runs'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite, scheduleWrite } from '../../src/platform/records/transactions'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { accountSteps } from './account-steps'
import { recordSteps } from './record-steps'
import { MOVE, PLATE } from './step'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** Returns the audit entries that a function adds, oldest first, such as `create transports ben api`. */
async function gained(happens: () => Promise<unknown>): Promise<string[]> {
  const last = sql`select coalesce(max(id), 0)::int as id from audit_entries`
  const [before] = await rows<{ id: number }>(h.ctx.db, last)
  await happens()
  const found = await rows<{ line: string }>(
    h.ctx.db,
    sql`select concat_ws(' ', action, entity, coalesce(actor, 'nobody'), source) as line from audit_entries
      where id > ${before?.id ?? 0} order by id`,
  )
  return found.map(({ line }) => line)
}

/** Calls that change no record in this test. Most of them begin or end sessions, or only compute. */
const NO_CHANGE = [
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/refresh',
  'POST /api/auth/confirm-password',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:key',
  'POST /api/registrations/update-expired',
  'POST /api/titles/update-all-days',
  'POST /api/vehicles/lookup',
  // No passkey exists here; test/auth/passkeys covers their audit entries.
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys',
  'DELETE /api/auth/passkeys/:id',
  // No document exists here; test/records/documents covers their audit entries.
  'DELETE /api/documents/:id',
  'POST /api/documents/:id/restore',
  // The delivery log is not a record.
  'POST /api/webhooks/:id/deliveries/:delivery/replay',
  // No line of these invoices is matched. Accepting a matched line is audited like any other decision.
  'POST /api/vendors/:id/invoices/:invoice/accept-matched',
  'POST /api/transport-companies/:id/invoices/:invoice/accept-matched',
]

describe('audit entries', () => {
  test('are written once per changed record by every API call', async () => {
    const done = new Set<string>(NO_CHANGE)
    for (const [call, act, entries] of [...recordSteps(h.cast), ...accountSteps(h)]) {
      expect([call, (await gained(act)).sort()]).toEqual([call, [...entries].sort()])
      done.add(call)
    }
    const calls = h.app.routes.filter(
      ({ method, path }) => path.startsWith('/api/') && !['GET', 'HEAD', 'OPTIONS'].includes(method),
    )
    expect(
      calls.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`).filter((call) => !done.has(call)),
    ).toEqual([])
  })

  test('of changes made on screens have the source screen', async () => {
    expect(
      await gained(() =>
        h.cast.ben.submitAnyway('/transports/new', { ...MOVE, move_type: 'Fleet', status: 'Awaiting Pickup' }),
      ),
    ).toEqual(['create vehicles ben screen', 'create transports ben screen'])
    expect(await gained(() => h.cast.ben.submit('/transports/1/status', { status: 'In Transit' }))).toEqual([
      'update transports ben screen',
      'update vehicles ben screen',
    ])
    expect(await gained(() => h.cast.ben.submit('/transports/1/delete', {}))).toEqual([
      'delete transports ben screen',
      'update vehicles ben screen',
    ])
    expect(
      await gained(() =>
        h.cast.ben.submit('/profile/access/tokens', {
          name: 'Nightly',
          scope: 'read',
          days: '',
          current_password: PASSWORD,
        }),
      ),
    ).toEqual(['create api_tokens ben screen'])
    expect(await gained(() => h.cast.ben.submit('/profile/access/tokens/1/revoke', {}))).toEqual([
      'delete api_tokens ben screen',
    ])
  })

  test('of commands and scheduled jobs have their own sources', async () => {
    const { db } = h.ctx
    expect(await gained(() => ensureAdmin(db, 'dora'))).toEqual(['create users nobody command'])
    expect(await gained(() => ensureAdmin(db, 'dora'))).toEqual(['update users nobody command'])
    await h.cast.ben.post('/registrations', {
      ...PLATE,
      date_expires: '2026-03-14',
      received: true,
      status: 'Complete',
    })
    h.clock.set(new Date('2026-03-15T19:00:00Z'))
    expect(await gained(() => expireRegistrations(scheduleWrite(db, h.clock)))).toEqual([
      'update registrations nobody schedule',
    ])
    h.clock.set(NOON)
    await runDueSchedules(db, h.clock)
    h.clock.set(new Date('2026-03-16T14:00:00Z'))
    expect(await gained(() => runDueSchedules(db, h.clock))).toEqual([
      'update report_schedules nobody schedule',
      'create report_runs nobody schedule',
    ])
  })

  test('are written by the first start and the sample data', async () => {
    const { db } = h.ctx
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(sql`truncate users, locations, transport_companies restart identity cascade`)
    })
    expect(await gained(() => createFirstAdmin(commandWrite(db), 'Saguaro42'))).toEqual(['create users nobody command'])
    const originalLog = console.log
    console.log = () => {}
    const seeded = await gained(() => seedAll(db, '2026-03-14')).finally(() => {
      console.log = originalLog
    })
    const [stored] = await rows<{ n: number }>(
      db,
      sql`select (select count(*) from users) - 1 + (select count(*) from locations) + (select count(*)
        from transport_companies) + (select count(*) from vendors)
        + (select count(*) from vehicles) + (select count(*) from transports) + (select count(*)
        from osl_entries) + (select count(*) from registrations)
        + (select count(*) from titles) as n`,
    )
    expect(seeded.length).toBe(Number(stored?.n))
  })

  test('cannot be updated, deleted or truncated', async () => {
    const { db } = h.ctx
    await h.cast.ben.post('/transports', MOVE)
    for (const attempt of [
      sql`update audit_entries set actor = 'eve'`,
      sql`delete from audit_entries`,
      sql`truncate audit_entries`,
    ]) {
      const failure = await db.execute(attempt).then(
        () => 'went through',
        (error) => String(error.cause ?? error),
      )
      expect(failure).toContain('append-only')
    }
  })
})

test('administrators can filter and export the audit trail; everyone can read record histories', async () => {
  await h.cast.ben.post('/transports', MOVE)
  await h.cast.ada.put('/transports/1', { location_in_id: 3, status: 'In Transit' })
  const page = await h.cast.ada.open('/admin/audit?entity=transports&action=update')
  expect(page.find('#list tbody td')).toEqual([
    '03/14/2026, 12:00 PM',
    'ada',
    'API',
    'Changed',
    'Transport, unit 100200',
    expect.stringMatching(/Tempe → Mesa/),
  ])
  expect(page.find('#list tbody dd')).toEqual(['Awaiting Pickup → In Transit', 'Tempe → Mesa'])
  expect((await h.cast.ben.open('/admin/audit')).status).toBe(403)
  const history = await h.cast.ben.open('/history/transports/1')
  expect(history.find('#list tbody tr').length).toBe(2)
  expect((await h.cast.ben.open('/transports/1/edit')).html).toContain('href="/history/transports/1"')
  expect((await h.cast.ben.get('/history/transports/1')).body.meta).toMatchObject({ total: 2 })
  expect([
    (await h.cast.ben.get('/history/users/1')).status,
    (await h.cast.ben.open('/history/users/1')).status,
  ]).toEqual([404, 404])
  const file = (await h.cast.ada.get('/audit/export?entity=transports&order=asc')).body as unknown as { text: string }
  expect(file.text.split('\r\n').length).toBeGreaterThan(2)
  expect(file.text).toContain('location in: Tempe → Mesa')
  expect((await h.cast.ben.get('/audit/export')).status).toBe(403)
})
