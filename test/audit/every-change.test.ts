import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { rows } from '../../db/client'
import { DOCUMENT_OWNERS } from '../../db/vocabulary'
import { seedAll } from '../../src/app/demo'
import { ensureAdmin } from '../../src/app/operator/accounts'
import { expireRegistrations } from '../../src/features/registrations/mutations'
import { runDueSchedules } from '../../src/features/reports/runs'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { commandWrite, scheduleWrite } from '../../src/platform/records/transactions'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import type { Told } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

/** What the trail gained while something happened: `create transports ben api`, oldest first. */
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

const MOVE = {
  unit_number: '100200',
  move_date: '2026-03-10',
  location_out_id: 1,
  location_in_id: 2,
  transport_company_id: 1,
}
const PLATE = {
  unit_number: '100200',
  location_id: 1,
  plate_number: 'CDA4821',
  state_province: 'AZ',
  date_issued: '2026-01-01',
  date_expires: '2026-12-31',
}
const TITLES = 'unit_number,location\n100200,PHX\n'

/** The vehicle follows what its record says now. */
const FOLLOWS = 'update vehicles ben api'

type Step = [call: string, act: () => Promise<Told | unknown>, entries: string[]]

/** One change of every kind, in an order in which each finds what it needs. */
const steps = (): Step[] => {
  const { ada, ben } = h.cast
  const on =
    (method: string, path: string, body?: unknown, who = ben) =>
    async () => {
      const { status, body: answer } = await who.call(method, path, body)
      expect([method, path, status < 300, answer.message]).toEqual([method, path, true, answer.message])
    }
  const by = (method: string, path: string, body?: unknown) => on(method, path, body, ada)
  const waiting = async (csv = TITLES) => (await ben.begin('titles', 'titles.csv', csv)).id
  let upload = 0
  return [
    ['POST /api/vehicles', on('POST', '/vehicles', { unit_number: '100200' }), ['create vehicles ben api']],
    ['PATCH /api/vehicles/:id/status', on('PATCH', '/vehicles/1/status', { mileage: 10 }), ['update vehicles ben api']],
    [
      'POST /api/vehicles/readings',
      on('POST', '/vehicles/readings', {
        readings: [{ unit_number: '100200', at: '2026-03-10T08:00:00Z', mileage: 11 }],
      }),
      ['update vehicles ben api'],
    ],
    ['POST /api/transports', on('POST', '/transports', MOVE), ['create transports ben api']],
    ['PUT /api/transports/:id', on('PUT', '/transports/1', { mileage: 5 }), ['update transports ben api']],
    [
      'PATCH /api/transports/:id/status',
      on('PATCH', '/transports/1/status', { status: 'In Transit' }),
      ['update transports ben api', FOLLOWS],
    ],
    [
      'POST /api/transports/bulk',
      on('POST', '/transports/bulk', { ids: [1], set: { status: 'Delivered' } }),
      ['update transports ben api', FOLLOWS],
    ],
    ['POST /api/bulk/:id/undo', on('POST', '/bulk/1/undo'), ['update transports ben api', FOLLOWS]],
    ['POST /api/transports/:id/po', on('POST', '/transports/1/po'), ['update transports ben api']],
    ['DELETE /api/transports/:id', on('DELETE', '/transports/1'), ['delete transports ben api', FOLLOWS]],
    ['POST /api/transports/:id/restore', on('POST', '/transports/1/restore'), ['restore transports ben api', FOLLOWS]],
    [
      'POST /api/osl',
      on('POST', '/osl', {
        unit_number: '100200',
        osl_date: '2026-03-01',
        location_id: 1,
        problem: 'Windshield cracked',
      }),
      ['create osl_entries ben api', FOLLOWS],
    ],
    ['PUT /api/osl/:id', on('PUT', '/osl/1', { ra_number: 'R1' }), ['update osl_entries ben api']],
    ['PATCH /api/osl/:id/status', on('PATCH', '/osl/1/status', { status: 'Ready' }), ['update osl_entries ben api']],
    ['POST /api/osl/bulk', on('POST', '/osl/bulk', { ids: [1], note: 'Asked' }), ['create osl_notes ben api']],
    ['POST /api/osl/:id/notes', on('POST', '/osl/1/notes', { note_text: 'Called' }), ['create osl_notes ben api']],
    [
      'POST /api/osl/:id/rates',
      on('POST', '/osl/1/rates', { from: '2026-03-05', daily_rate: 30 }),
      ['create osl_rates ben api', 'update osl_entries ben api'],
    ],
    ['DELETE /api/osl/:id/rates/:rate', on('DELETE', '/osl/1/rates/1'), ['delete osl_rates ben api']],
    ['DELETE /api/osl/:id', on('DELETE', '/osl/1'), ['delete osl_entries ben api', FOLLOWS]],
    ['POST /api/osl/:id/restore', on('POST', '/osl/1/restore'), ['restore osl_entries ben api', FOLLOWS]],
    [
      'POST /api/scan',
      async () => {
        await ben.post('/transports', { ...MOVE, status: 'In Transit' })
        const { status } = await ben.post('/scan', { unit: '100200', as: 'delivered', on: '2026-03-12' })
        expect(status).toBe(201)
      },
      ['create transports ben api', 'update transports ben api', FOLLOWS],
    ],
    [
      'POST /api/views',
      on('POST', '/views', { list: 'osl-active', name: 'Ready', query: 'status=Ready' }),
      ['create saved_views ben api'],
    ],
    ['PUT /api/views/:id', on('PUT', '/views/1', { shared: true }), ['update saved_views ben api']],
    [
      'PUT /api/lists/:list/layout',
      on('PUT', '/lists/titles/layout', { hidden: ['Contact'] }),
      ['update list_layouts ben api'],
    ],
    ['DELETE /api/lists/:list/layout', on('DELETE', '/lists/titles/layout'), ['delete list_layouts ben api']],
    ['DELETE /api/views/:id', on('DELETE', '/views/1'), ['delete saved_views ben api']],
    ['POST /api/registrations', on('POST', '/registrations', PLATE), ['create registrations ben api']],
    ['PUT /api/registrations/:id', on('PUT', '/registrations/1', { cost: 5 }), ['update registrations ben api']],
    [
      'PATCH /api/registrations/:id/status',
      on('PATCH', '/registrations/1/status', { status: 'Complete' }),
      ['update registrations ben api'],
    ],
    [
      'PATCH /api/registrations/:id/toggle-received',
      on('PATCH', '/registrations/1/toggle-received'),
      ['update registrations ben api'],
    ],
    [
      'POST /api/registrations/bulk',
      on('POST', '/registrations/bulk', { ids: [1], set: { received: true } }),
      ['update registrations ben api'],
    ],
    ['POST /api/registrations/:id/renew', on('POST', '/registrations/1/renew', {}), ['create registrations ben api']],
    [
      'POST /api/registrations/renew',
      on('POST', '/registrations/renew', { ids: [1] }),
      ['create registrations ben api'],
    ],
    ['DELETE /api/registrations/:id', on('DELETE', '/registrations/1'), ['delete registrations ben api']],
    ['POST /api/registrations/:id/restore', on('POST', '/registrations/1/restore'), ['restore registrations ben api']],
    [
      'POST /api/registrations/batch',
      on('POST', '/registrations/batch', {
        registrations: [
          { ...PLATE, plate_number: 'OLD', date_expires: '2026-02-01', received: true, status: 'Complete' },
        ],
      }),
      ['create registrations ben api'],
    ],
    ['POST /api/titles', on('POST', '/titles', { unit_number: '100200', location_id: 1 }), ['create titles ben api']],
    ['PUT /api/titles/:id', on('PUT', '/titles/1', { dealer_name: 'Valley' }), ['update titles ben api']],
    ['PATCH /api/titles/:id/transfer', on('PATCH', '/titles/1/transfer', {}), ['update titles ben api']],
    ['PATCH /api/titles/:id/reopen', on('PATCH', '/titles/1/reopen', {}), ['update titles ben api']],
    [
      'POST /api/due/:kind/:id/snooze',
      async () => {
        await ben.put('/titles/1', { submitted_date: '2026-02-01' })
        await ben.post('/due/title_overdue/1/snooze', { until: '2026-03-20' })
      },
      ['create due_snoozes ben api', 'update titles ben api'],
    ],
    ['PUT /api/settings', by('PUT', '/settings', { phone: '602-555-0100' }), ['update company_settings ada api']],
    [
      'POST /api/due/:kind/:id/assign',
      on('POST', '/due/title_overdue/1/assign', { assigned_to: 'ada' }),
      ['create due_assignments ben api'],
    ],
    ['DELETE /api/due/:kind/:id/snooze', on('DELETE', '/due/title_overdue/1/snooze'), ['delete due_snoozes ben api']],
    [
      'POST /api/titles/:id/notes',
      on('POST', '/titles/1/notes', { note_text: 'Called' }),
      ['create title_notes ben api'],
    ],
    [
      'POST /api/titles/:id/chase',
      on('POST', '/titles/1/chase', { note_text: 'Called again' }),
      ['create title_notes ben api', 'update titles ben api'],
    ],
    [
      'POST /api/titles/bulk',
      on('POST', '/titles/bulk', { ids: [1], set: { transferred_date: '2026-03-14' } }),
      ['update titles ben api'],
    ],
    ['DELETE /api/titles/:id', on('DELETE', '/titles/1'), ['delete titles ben api']],
    ['POST /api/titles/:id/restore', on('POST', '/titles/1/restore'), ['restore titles ben api']],
    ...(
      [
        ['locations', { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }, { phone: '1' }, 4],
        ['transport-companies', { company_name: 'Saguaro' }, { phone: '1' }, 3],
        ['vendors', { vendor_name: 'Axle' }, { phone: '1' }, 1],
      ] as const
    ).flatMap(([noun, created, changed, id]): Step[] => {
      const entity = noun.replace('-', '_')
      return [
        [`POST /api/${noun}`, by('POST', `/${noun}`, created), [`create ${entity} ada api`]],
        [`PUT /api/${noun}/:id`, by('PUT', `/${noun}/${id}`, changed), [`update ${entity} ada api`]],
        [`POST /api/${noun}/:id/deactivate`, by('POST', `/${noun}/${id}/deactivate`), [`update ${entity} ada api`]],
        [`POST /api/${noun}/:id/activate`, by('POST', `/${noun}/${id}/activate`), [`update ${entity} ada api`]],
        [`DELETE /api/${noun}/:id`, by('DELETE', `/${noun}/${id}`), [`delete ${entity} ada api`]],
      ]
    }),
    [
      'POST /api/locations/import',
      by('POST', '/locations/import', {
        existing: 'update',
        rows: [
          { location_code: 'TUC', location_name: 'Tucson', location_type: 'Hub' },
          { location_code: 'PHX', location_name: 'Phoenix', phone: '602-555-0100' },
        ],
      }),
      ['create locations ada api', 'update locations ada api'],
    ],
    [
      'POST /api/transport-companies/import',
      by('POST', '/transport-companies/import', { rows: [{ company_name: 'Verde' }] }),
      ['create transport_companies ada api'],
    ],
    [
      'POST /api/vendors/import',
      by('POST', '/vendors/import', { rows: [{ vendor_name: 'Pima' }] }),
      ['create vendors ada api'],
    ],
    ['POST /api/vendors', by('POST', '/vendors', { vendor_name: 'Bolt' }), ['create vendors ada api']],
    ...(
      [
        ['locations', { location_code: 'MSA', location_name: 'Mesa', location_type: 'Hub' }, 5, 1],
        ['transport-companies', { company_name: 'Cactus' }, 4, 1],
        ['vendors', { vendor_name: 'Cactus' }, 3, 2],
      ] as const
    ).flatMap(([noun, created, id, into_id], at): Step[] => {
      const entity = noun.replace('-', '_')
      return [
        [`POST /api/${noun}`, by('POST', `/${noun}`, created), [`create ${entity} ada api`]],
        [
          `POST /api/${noun}/:id/merge`,
          by('POST', `/${noun}/${id}/merge`, { into_id }),
          [`delete ${entity} ada api`, `update ${entity} ada api`],
        ],
        [
          `POST /api/${noun}/merges/:id/undo`,
          by('POST', `/${noun}/merges/${at + 1}/undo`),
          [`restore ${entity} ada api`, `update ${entity} ada api`],
        ],
      ]
    }),
    [
      'POST /api/vendors/:id/invoices',
      on('POST', '/vendors/2/invoices', {
        number: 'A-1',
        start_date: '2026-02-01',
        end_date: '2026-02-28',
        lines: [{ unit_number: '100200', amount: 5 }],
      }),
      ['create vendor_invoices ben api'],
    ],
    [
      'PATCH /api/vendors/:id/invoices/:invoice/lines/:line',
      by('PATCH', '/vendors/2/invoices/1/lines/1', { decision: 'disputed' }),
      ['update vendor_invoice_lines ada api'],
    ],
    [
      'DELETE /api/vendors/:id/invoices/:invoice',
      by('DELETE', '/vendors/2/invoices/1'),
      ['delete vendor_invoices ada api'],
    ],
    [
      'POST /api/vendors/:id/invoices/:invoice/restore',
      by('POST', '/vendors/2/invoices/1/restore'),
      ['restore vendor_invoices ada api'],
    ],
    [
      'PUT /api/locations/:id/budget',
      by('PUT', '/locations/1/budget', { year: 2026, amounts: Array.from({ length: 12 }, () => 100) }),
      ['create budgets ada api'],
    ],
    [
      'POST /api/transport-companies/:id/invoices',
      on('POST', '/transport-companies/2/invoices', {
        number: 'T-1',
        start_date: '2026-02-01',
        end_date: '2026-02-28',
        lines: [{ unit_number: '100200', amount: 5 }],
      }),
      ['create vendor_invoices ben api'],
    ],
    [
      'PATCH /api/transport-companies/:id/invoices/:invoice/lines/:line',
      by('PATCH', '/transport-companies/2/invoices/2/lines/2', { decision: 'disputed' }),
      ['update vendor_invoice_lines ada api'],
    ],
    [
      'DELETE /api/transport-companies/:id/invoices/:invoice',
      by('DELETE', '/transport-companies/2/invoices/2'),
      ['delete vendor_invoices ada api'],
    ],
    [
      'POST /api/transport-companies/:id/invoices/:invoice/restore',
      by('POST', '/transport-companies/2/invoices/2/restore'),
      ['restore vendor_invoices ada api'],
    ],
    [
      'POST /api/users',
      by('POST', '/users', { username: 'cleo', password: 'Ocotillo77', role: 'user' }),
      ['create users ada api'],
    ],
    ['PUT /api/users/:id', by('PUT', '/users/3', { first_name: 'Cleo' }), ['update users ada api']],
    [
      'POST /api/users/:id/reset-password',
      by('POST', '/users/3/reset-password', { newPassword: 'Ironwood88' }),
      ['update users ada api'],
    ],
    ['POST /api/users/:id/deactivate', by('POST', '/users/3/deactivate'), ['update users ada api']],
    ['POST /api/users/:id/activate', by('POST', '/users/3/activate'), ['update users ada api']],
    [
      'DELETE /api/users/:id/sessions/:key',
      async () => {
        const cleo = { username: 'cleo', password: 'Ironwood88' }
        await h.cast.stranger.post('/auth/login', cleo)
        await h.cast.stranger.post('/auth/login', cleo)
        const [open] = (await ada.get('/users/3/sessions')).body.data as unknown as [{ key: string }]
        await ada.delete(`/users/3/sessions/${open.key}`)
      },
      ['update users ada api'],
    ],
    ['DELETE /api/users/:id/sessions', by('DELETE', '/users/3/sessions'), ['update users ada api']],
    ['PUT /api/auth/profile', on('PUT', '/auth/profile', { phone: '602' }), ['update users ben api']],
    [
      'POST /api/auth/change-password',
      on('POST', '/auth/change-password', { currentPassword: 'Saguaro42', newPassword: 'Ocotillo77' }),
      ['update users ben api'],
    ],
    [
      'POST /api/auth/tokens',
      on('POST', '/auth/tokens', { current_password: 'Ocotillo77', name: 'Nightly', scope: 'read' }),
      ['create api_tokens ben api'],
    ],
    ['DELETE /api/auth/tokens/:id', on('DELETE', '/auth/tokens/1'), ['delete api_tokens ben api']],
    [
      'POST /api/reports/schedules',
      on('POST', '/reports/schedules', {
        name: 'Ageing',
        report_type: 'title_aging',
        frequency: 'monthly',
        day_of_month: 5,
      }),
      ['create report_schedules ben api'],
    ],
    [
      'PUT /api/reports/schedules/:id',
      on('PUT', '/reports/schedules/3', { name: 'Age' }),
      ['update report_schedules ben api'],
    ],
    ['DELETE /api/reports/schedules/:id', on('DELETE', '/reports/schedules/3'), ['delete report_schedules ben api']],
    [
      'POST /api/files/upload',
      () => ben.upload('titles', 'new.csv', 'unit_number,location\n100201,PHX\n'),
      ['create uploads ben api', 'create vehicles ben import', 'create titles ben import'],
    ],
    [
      'POST /api/files/imports',
      async () => {
        upload = await waiting('unit_number,location\n100202,Nowhere\n')
      },
      ['create uploads ben api'],
    ],
    [
      'PUT /api/files/:id',
      async () => {
        await ben.put(`/files/${upload}`, { names: [{ kind: 'location', name: 'Nowhere', id: 1 }] })
        await ben.settled(upload)
      },
      ['create import_aliases ben api', 'update uploads ben api'],
    ],
    [
      'POST /api/files/:id/commit',
      async () => {
        await ben.post(`/files/${upload}/commit`)
        await ben.settled(upload)
      },
      ['update uploads ben api', 'create vehicles ben import', 'create titles ben import'],
    ],
    [
      'POST /api/files/:id/undo',
      async () => {
        await ben.post(`/files/${upload}/undo`)
        await ben.settled(upload)
      },
      ['update uploads ben api', 'delete titles ben import', 'delete vehicles ben import'],
    ],
    [
      'POST /api/files/:id/cancel',
      async () => ben.post(`/files/${await waiting()}/cancel`),
      ['create uploads ben api', 'delete uploads ben api'],
    ],
    ...Object.keys(DOCUMENT_OWNERS).map(
      (owner): Step => [
        `POST /api/${owner}/:${owner === 'vehicles' ? 'unit' : 'id'}/documents`,
        // Without a file nothing is written; test/records/documents adds files.
        async () => ben.call('POST', `/${owner}/1/documents`),
        [],
      ],
    ),
    ['POST /api/auth/totp', on('POST', '/auth/totp', {}), ['create second_factors ben api']],
    [
      'POST /api/auth/totp/confirm',
      async () => {
        const { secret } = (await ben.post('/auth/totp', {})).body.data as { secret: string }
        const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
        await ben.post('/auth/totp/confirm', { code })
      },
      ['update second_factors ben api', 'update second_factors ben api'],
    ],
    [
      'POST /api/users/:id/reset-second-factor',
      by('POST', '/users/2/reset-second-factor'),
      ['delete second_factors ada api'],
    ],
    [
      'DELETE /api/auth/totp',
      async () => {
        await ben.post('/auth/totp', {})
        await ben.call('DELETE', '/auth/totp', { current_password: 'Ocotillo77' })
      },
      ['create second_factors ben api', 'delete second_factors ben api'],
    ],
    [
      'POST /api/webhooks',
      by('POST', '/webhooks', { url: 'https://example.com', events: ['vendor.created'] }),
      ['create webhooks ada api'],
    ],
    ['PUT /api/webhooks/:id', by('PUT', '/webhooks/1', { events: ['*'] }), ['update webhooks ada api']],
    ['POST /api/webhooks/:id/rotate-secret', by('POST', '/webhooks/1/rotate-secret'), ['update webhooks ada api']],
    ['DELETE /api/webhooks/:id', by('DELETE', '/webhooks/1'), ['delete webhooks ada api']],
    ['DELETE /api/files/aliases/:id', on('DELETE', '/files/aliases/1'), ['delete import_aliases ben api']],
  ]
}

/** These change no record: they begin and end sessions, or only compute. */
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
  // Nothing matches here; a line that does is changed like any other.
  'POST /api/vendors/:id/invoices/:invoice/accept-matched',
  'POST /api/transport-companies/:id/invoices/:invoice/accept-matched',
]

describe('audit entries', () => {
  test('are written once per changed record by every API call', async () => {
    const done = new Set<string>(NO_CHANGE)
    for (const [call, act, entries] of steps()) {
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
    const said = console.log
    console.log = () => {}
    const seeded = await gained(() => seedAll(db, '2026-03-14')).finally(() => {
      console.log = said
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
