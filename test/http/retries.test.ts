import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { idempotencyKeys, uploads } from '../../db/schema'
import { findSession, type Session } from '../../src/platform/auth/sessions'
import { sweepKeys } from '../../src/platform/http/idempotency'
import { importRunner } from '../../src/platform/imports/job/runner'
import { testContext } from '../support/context'
import { until } from '../support/until'

/** Calls that a client sends again because it does not know whether the first one arrived. */

let h: Awaited<ReturnType<typeof testContext>>
let move: Record<string, unknown>
beforeEach(async () => {
  h = await testContext()
  const list = async (path: string) => (await h.cast.ben.get(path)).body.data as unknown as { id: number }[]
  const [out, to] = await list('/locations')
  const [company] = await list('/transport-companies')
  move = {
    unit_number: '100001',
    location_out_id: out?.id,
    location_in_id: to?.id,
    move_date: '2026-03-01',
    transport_company_id: company?.id,
  }
})

const keyed = (key: string, method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
  h.cast.ben.call(method, path, body, { 'idempotency-key': key, ...more })
const count = async () => ((await h.cast.ben.get('/transports')).body.meta as { total: number }).total

describe('an idempotency key', () => {
  test('makes a retry return the first answer without a second change', async () => {
    const first = await keyed('order-1', 'POST', '/transports', move)
    const again = await keyed('order-1', 'POST', '/transports', move)
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect([first.headers.get('etag'), again.headers.get('etag')]).toEqual(['"1"', '"1"'])
    expect(again.body).toEqual(first.body)
    expect(await count()).toBe(1)
  })

  test('is bound to one account and one request', async () => {
    expect((await keyed('k', 'POST', '/transports', move)).status).toBe(201)
    const other = await keyed('k', 'POST', '/transports', { ...move, unit_number: '100002' })
    expect([other.status, other.body.code, other.body.errors]).toEqual([
      422,
      'key_reused' as never,
      [
        {
          field: 'Idempotency-Key',
          message: 'This idempotency key was already used for a different request. Send a new key.',
        },
      ],
    ])
    const ada = await h.cast.ada.call(
      'POST',
      '/transports',
      { ...move, unit_number: '100003' },
      { 'idempotency-key': 'k' },
    )
    expect(ada.status).toBe(201)
    for (const key of ['', 'x'.repeat(201), 'é'])
      expect((await keyed(key, 'POST', '/transports', move).catch(() => ({ status: 422 }))).status).toBe(422)
  })

  test('can be reused after a rejected call', async () => {
    expect((await keyed('k', 'POST', '/transports', { ...move, move_date: 'soon' })).status).toBe(422)
    const missing = { ...move, location_out_id: 999_999 }
    expect((await keyed('k', 'POST', '/transports', missing)).status).toBe(422)
    expect((await keyed('k', 'POST', '/transports', move)).status).toBe(201)
    expect(await count()).toBe(1)
  })

  test('lets only one of several concurrent calls make the change', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => keyed('rush', 'POST', '/transports', move)))
    expect(all.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
    for (const { status, headers, body } of all.filter(({ status }) => status !== 201))
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'request_under_way' as never, '1'])
    expect(await count()).toBe(1)
  })

  test('returns the stored record when the server died before answering', async () => {
    const first = await keyed('k', 'POST', '/transports', move)
    const { id } = first.body.data as { id: number }
    const patched = await keyed('p', 'PATCH', `/transports/${id}/status`, { status: 'In Transit' })
    expect(patched.status).toBe(200)
    await h.ctx.db.update(idempotencyKeys).set({ status: null, answer: null })
    expect((await keyed('k', 'POST', '/transports', move)).status).toBe(409)
    h.clock.set(new Date(h.clock.now().getTime() + 60_000))
    const again = await keyed('k', 'POST', '/transports', move)
    expect([again.status, (again.body.data as { id: number; status: string }).id]).toEqual([201, id])
    const status = await keyed('p', 'PATCH', `/transports/${id}/status`, { status: 'In Transit' })
    expect(status.body.data).toMatchObject({ id, status: 'In Transit' } as never)
    expect(await count()).toBe(1)
  })

  test('is told that the first upload is running, even if it takes longer than 15 seconds', async () => {
    const gate = Promise.withResolvers<void>()
    const running = spyOn(importRunner(h.ctx), 'run').mockImplementation(() => gate.promise)
    const timers = spyOn(globalThis, 'setInterval')
    const body = () => {
      const form = new FormData()
      form.set('data_type', 'titles')
      form.set('file', new File(['unit_number,location\n100300,Phoenix\n'], 'a.csv'))
      return form
    }
    const headers = { authorization: `Bearer ${await h.cast.ben.token()}`, 'idempotency-key': 'slow' }
    const upload = () => h.cast.ben.request('/api/files/upload', { method: 'POST', headers, body: body() })
    const first = upload()
    await until(() => running.mock.calls.length > 0)
    for (let n = 0; n < 4; n++) {
      h.clock.set(new Date(h.clock.now().getTime() + 5000))
      for (const [work, ms] of timers.mock.calls) if (ms === 5000) (work as () => void)()
      await until(async () => (await upload()).status === 409)
    }
    running.mockRestore()
    timers.mockRestore()
    gate.resolve()
    await first
  })

  test.each(['upload', 'imports'])('returns the import when the answer to POST /files/%s was lost', async (path) => {
    const send = async () => {
      const form = new FormData()
      form.set('data_type', 'titles')
      form.set('file', new File(['unit_number,location\n100001,PHX\n'], 'titles.csv'))
      const headers = { authorization: `Bearer ${await h.cast.ben.token()}`, 'idempotency-key': 'file' }
      const response = await h.cast.ben.request(`/api/files/${path}`, { method: 'POST', headers, body: form })
      return { status: response.status, id: ((await response.json()) as { data: { id: number } }).data?.id }
    }
    const first = await send()
    await h.cast.ben.settled(first.id)
    await h.ctx.db.update(idempotencyKeys).set({ status: null, answer: null })
    h.clock.set(new Date(h.clock.now().getTime() + 60_000))
    const { db } = h.ctx
    await db.update(uploads).set({ status: 'writing', runner_seen_at: new Date() }).where(eq(uploads.id, first.id))
    expect((await send()).status).toBe(path === 'upload' ? 409 : 202)
    // A refused file must not become a success.
    await db.update(uploads).set({ status: 'refused' }).where(eq(uploads.id, first.id))
    expect((await send()).status).toBe(path === 'upload' ? 409 : 202)
    await db.update(uploads).set({ status: 'done' }).where(eq(uploads.id, first.id))
    expect([first.id > 0, await send()]).toEqual([true, first])
  })

  test('passes to a retry when the first request died, which then cannot commit', async () => {
    const { beginAttempt } = await import('../../src/platform/http/idempotency')
    const request = new Request('http://localhost/api/transports', {
      method: 'POST',
      headers: { 'idempotency-key': 'k' },
    })
    const session = (await findSession(h.ctx.db, String(h.cast.ben.session), h.clock.now())) as Session
    const dead = await beginAttempt(h.ctx, { request, route: '/api/transports/', body: move, session })
    h.clock.set(new Date(h.clock.now().getTime() + 60_000))
    const retry = new Request(request)
    const retryAttempt = await beginAttempt(h.ctx, { request: retry, route: '/api/transports/', body: move, session })
    if (!dead || !retryAttempt || dead instanceof Response || retryAttempt instanceof Response)
      throw new Error('Both begin')
    const refused = await h.ctx.db.transaction((tx) => dead.mark(tx)).catch((error: Error) => error.message)
    expect(refused).toContain('still in progress')
    await h.ctx.db.transaction((tx) => retryAttempt.mark(tx))
  })

  test('is ignored by calls that only read', async () => {
    const lookup = () => keyed('lookup', 'POST', '/vehicles/lookup', { numbers: ['100001'] })
    expect([(await lookup()).status, (await lookup()).status]).toEqual([200, 200])
    expect(await h.ctx.db.$count(idempotencyKeys)).toBe(0)
  })

  test('is deleted after a day, and its answer is stored encrypted', async () => {
    await keyed('k', 'POST', '/transports', move)
    const [stored] = await h.ctx.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, 'k'))
    expect(Buffer.from(stored?.answer ?? '', 'base64').toString()).not.toContain('100001')
    h.clock.set(new Date(h.clock.now().getTime() + 25 * 3_600_000))
    await sweepKeys(h.ctx)
    expect(await h.ctx.db.$count(idempotencyKeys)).toBe(0)
  })

  test('replays an answer without costs that were hidden in the meantime', async () => {
    await keyed('k', 'POST', '/transports', { ...move, estimated_cost: 12 })
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
    const again = await keyed('k', 'POST', '/transports', { ...move, estimated_cost: 12 })
    expect([again.status, 'estimated_cost' in (again.body.data as object)]).toEqual([201, false])
  })
})

describe('a record version', () => {
  const create = async () => (await h.cast.ben.post('/transports', move)).body.data as { id: number; version: number }

  test('that is stale is rejected with the stored record, unless nothing changes', async () => {
    const { id } = await create()
    await h.cast.ben.put(`/transports/${id}`, { version: 1, ra_number: 'RA1' })
    const same = await h.cast.ben.put(`/transports/${id}`, { version: 1, ra_number: 'RA1' })
    expect([same.status, same.body.data]).toEqual([200, expect.objectContaining({ version: 2 }) as never])
    const stale = await h.cast.ben.put(`/transports/${id}`, { version: 1, ra_number: 'RA2' })
    const stored = (await h.cast.ben.get(`/transports/${id}`)).body.data
    expect(stale.body).toEqual({
      success: false,
      code: 'stale',
      message: 'This record has changed since you opened it',
      data: stored,
    } as never)
    const status = await h.cast.ben.patch(`/transports/${id}/status`, { version: 1, status: 'Delivered' })
    expect([status.status, status.body.data]).toEqual([409, stored])
  })

  test('that is newer than the stored one is rejected', async () => {
    const { id } = await create()
    const refused = await h.cast.ben.put(`/transports/${id}`, { version: 9, ra_number: 'RA1' })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'version', message: 'Is newer than the stored version 1' }],
    ])
    // Values that are stored already are accepted with any version.
    const same = await h.cast.ben.put(`/transports/${id}`, { version: 9, ra_number: null })
    expect([same.status, same.body.data]).toEqual([200, expect.objectContaining({ version: 1 }) as never])
  })

  test('is sent as the ETag and checked with If-Match', async () => {
    const { id } = await create()
    expect((await h.cast.ben.get(`/transports/${id}`)).headers.get('etag')).toBe('"1"')
    const put = (etag: string, body: object) => h.cast.ben.call('PUT', `/transports/${id}`, body, { 'if-match': etag })
    const changed = await put('"1"', { ra_number: 'RA1' })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect((await put('"1"', { ra_number: 'RA2' })).status).toBe(409)
    expect((await put('*', { ra_number: 'RA3' })).status).toBe(200)
    // `If-Match` and `version` must both match the stored version.
    expect((await put('"1"', { ra_number: 'RA4', version: 3 })).status).toBe(409)
    expect((await put('"3"', { ra_number: 'RA4', version: 1 })).status).toBe(409)
    expect((await put('one', { ra_number: 'RA4' })).body.errors).toEqual([
      { field: 'If-Match', message: 'Must be the version tag (ETag) of this record' },
    ])
  })

  test('that is stale is answered with the stored record, also if no GET request returns it', async () => {
    const { ada } = h.cast
    const stale = async (method: string, path: string, body: object) => {
      const { status, body: answered } = await ada.call(method, path, { ...body, version: 1 })
      return [path, status, answered.data as unknown] as const
    }
    const vehicle = (await ada.post('/vehicles', { unit_number: '100201' })).body.data as { id: number }
    await ada.patch(`/vehicles/${vehicle.id}/status`, { mileage: 10 })
    const stored = { id: vehicle.id, unit_number: '100201', current_mileage: 10, version: 2 }
    expect(await stale('PATCH', `/vehicles/${vehicle.id}/status`, { mileage: 20 })).toEqual([
      expect.any(String),
      409,
      expect.objectContaining(stored),
    ])
    expect((await stale('POST', '/vehicles', { unit_number: '100201', current_mileage: 30 })).slice(1)).toEqual([
      409,
      expect.objectContaining(stored),
    ])
    const amounts = (amount: number) => ({ year: 2025, amounts: Array(12).fill(amount) })
    for (const amount of [1, 2]) await ada.put(`/locations/${h.cast.phoenix}/budget`, amounts(amount))
    expect((await stale('PUT', `/locations/${h.cast.phoenix}/budget`, amounts(3))).slice(1)).toEqual([
      409,
      expect.objectContaining({ year: 2025, version: 2, amounts: Array(12).fill(2) }),
    ])
    for (const path of ['/settings', '/auth/profile']) {
      const own = path === '/settings' ? { company_name: 'A' } : { first_name: 'Ada' }
      const changed = (name: string) => Object.fromEntries(Object.keys(own).map((field) => [field, name]))
      const { version } = (await ada.put(path, changed('Adele'))).body.data as { version: number }
      const [, status, data] = await stale('PUT', path, changed('Zoe'))
      expect([path, status, data]).toEqual([path, 409, expect.objectContaining({ ...changed('Adele'), version })])
    }
  })

  test('that is stale on an account reveals no password hash', async () => {
    const users = (await h.cast.ada.get('/users')).body.data as unknown as { id: number; version: number }[]
    const ben = users.find(({ id }) => id === 2)
    await h.cast.ada.put('/users/2', { first_name: 'Benjamin', version: ben?.version })
    const stale = await h.cast.ada.put('/users/2', { first_name: 'Bob', version: 1 })
    expect([stale.status, JSON.stringify(stale.body).includes('password_hash')]).toEqual([409, false])
  })
})

test('the toggle-received call accepts an explicit value', async () => {
  const { id } = (
    await h.cast.ben.post('/registrations', {
      unit_number: '100001',
      location_id: move.location_out_id,
      plate_number: 'ABC1',
      state_province: 'AZ',
      date_issued: '2026-01-01',
      date_expires: '2027-01-01',
    })
  ).body.data as { id: number }
  const set = async (received?: boolean) =>
    (
      (
        await h.cast.ben.patch(
          `/registrations/${id}/toggle-received`,
          received === undefined ? undefined : { received },
        )
      ).body.data as { received: boolean }
    ).received
  expect([await set(true), await set(true), await set(false), await set()]).toEqual([true, true, false, true])
})

describe('unknown fields and parameters', () => {
  test('are rejected by name, also in nested records', async () => {
    const wrong = async (method: string, path: string, body?: unknown) => {
      const { status, body: answer } = await h.cast.ben.call(method, path, body)
      return [status, answer.errors?.map(({ field, message }) => `${field}: ${message}`)]
    }
    for (const list of ['/transports', '/exports/transports-all'])
      expect(await wrong('GET', `${list}?statsu=Delivered`)).toEqual([422, ['statsu: There is no such parameter']])
    expect(await wrong('POST', '/transports', { ...move, ra: 'RA1' })).toEqual([422, ['ra: There is no such field']])
    expect(await wrong('PUT', '/transports/1', { ra: 'RA1' })).toEqual([422, ['ra: There is no such field']])
    // Calls without a body refuse them too.
    for (const path of ['/transports/1/restore', '/titles/update-all-days', '/auth/refresh'])
      expect([path, await wrong('POST', path, { ra: 'RA1' })]).toEqual([path, [422, ['ra: There is no such field']]])
    const { body } = await h.cast.ben.post('/registrations/batch', { registrations: [{ plate: 'A' }] })
    expect((body.data as { errors: object[] }).errors).toEqual([
      {
        index: 0,
        message: 'plate: There is no such field',
        errors: [{ field: 'plate', message: 'There is no such field' }],
      },
    ])
    expect(await count()).toBe(0)
  })

  test('are not reported when a stored record is sent back', async () => {
    const created = (await h.cast.ben.post('/transports', move)).body.data as { id: number }
    const stored = (await h.cast.ben.get(`/transports/${created.id}`)).body.data as object
    expect((await h.cast.ben.put(`/transports/${created.id}`, { ...stored, ra_number: 'RA1' })).status).toBe(200)
  })

  test('are not reported to signed-out callers', async () => {
    const stranger = await h.app.handle(new Request('http://localhost/api/transports?statsu=x'))
    expect(stranger.status).toBe(401)
  })
})

test('every failure has a stable code', async () => {
  const { ben } = h.cast
  const code = async (answer: Promise<{ body: object }>) => ((await answer).body as { code?: string }).code
  expect(
    await Promise.all([
      code(ben.get('/transports/999')),
      code(ben.post('/transports', {})),
      code(ben.get('/users')),
      code(ben.call('POST', '/transports', '{')),
      code(ben.call('PUT', '/transports')),
      code(ben.get('/nothing')),
    ]),
  ).toEqual(['not_found', 'invalid', 'forbidden', 'malformed_request', 'method_not_allowed', 'not_found'])
})

test('a change keeps fields with defaults that it leaves out, and refuses an empty type', async () => {
  const move = {
    unit_number: '100200',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
  }
  const plate = {
    unit_number: '100200',
    location_id: h.cast.mesa,
    plate_number: 'ABC1',
    state_province: 'AZ',
    date_issued: '2026-01-01',
    date_expires: '2027-01-01',
  }
  for (const [path, values, type, value] of [
    ['/transports', move, 'move_type', 'OSL'],
    ['/registrations', plate, 'registration_type', 'New'],
  ] as const) {
    const made = await h.cast.ben.post(path, { ...values, [type]: value })
    const { id } = made.body.data as { id: number }
    const changed = await h.cast.ben.put(`${path}/${id}`, { notes: 'Two keys' })
    expect([path, (changed.body.data as Record<string, unknown>)[type]]).toEqual([path, value])
    for (const answer of [
      await h.cast.ben.put(`${path}/${id}`, { [type]: '' }),
      await h.cast.ben.post(path, { ...values, [type]: ' ' }),
    ])
      expect([path, answer.status, answer.body.errors?.[0]?.field]).toEqual([path, 422, type])
    const usual = (await h.cast.ben.post(path, values)).body.data as Record<string, unknown>
    expect([path, usual[type]]).toEqual([path, path === '/transports' ? 'Fleet' : 'Renewal'])
  }
})
