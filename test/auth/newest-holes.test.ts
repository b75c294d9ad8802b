import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { sessions } from '../../db/schema'
import { readConfig } from '../../src/app/config'
import { clientAddress } from '../../src/platform/http/request'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

/**
 * Tests of security holes that were found and fixed.
 * Examples: access to imports of other users, limits that parallel calls exceeded, and lost log entries.
 */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const MOVES = 'unit_number,location_out,location_in,move_date,transport_company,status,final_cost\n'
const ROW = '100300,PHX,TMP,2026-03-09,Desert Auto Haul,Delivered'
const hideCosts = () => h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })

async function send(path: string, token: string, fields: Record<string, string | File>, headers = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const response = await h.cast.stranger.request(`/api${path}`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as never as Answer }
}
type Answer = { data: { id: number }; errors?: { field: string; message: string }[] }
const csv = (text: string) => new File([text], 'moves.csv')
const tokenOf = async (scope: string, more: object = {}) =>
  (
    (await h.cast.ada.post('/auth/tokens', { current_password: PASSWORD, name: 'Sync', scope, ...more })).body.data as {
      token: string
    }
  ).token

describe('an import with costs', () => {
  test('cannot be seen or discarded by a user without cost access', async () => {
    await hideCosts()
    const { ada, ben } = h.cast
    const waiting = await ada.begin(
      'transports',
      'moves.csv',
      `${MOVES}10030,PHX,TMP,2026-03-09,Desert Auto Haul,Delivered,4321.99\n`,
    )
    const page = await ben.open(`/files/upload?upload=${waiting.id}`)
    expect([page.status, page.text.includes('10030')]).toEqual([403, false])
    const token = (await ben.token()) as string
    const fix = { data_type: 'transports', mends: String(waiting.id), file: csv(`${MOVES}${ROW},1\n`) }
    expect((await send('/files/imports', token, fix)).status).toBe(403)
    const typed = { data_type: 'transports', mends: waiting.id, 'cell.2.unit_number': '100300' }
    expect((await ben.submit('/files/grid', typed)).status).toBe(403)
    expect((await ada.get(`/files/${waiting.id}`)).status).toBe(200)
  })

  test('shows no stored costs and no earlier imports to a token with scope records', async () => {
    const { ada } = h.cast
    expect((await ada.upload('transports', 'moves.csv', `${MOVES}${ROW},258.61\n`)).body).toMatchObject({ imported: 1 })
    await hideCosts()
    const token = await tokenOf('records')
    const update = { data_type: 'transports', existing: 'update', file: csv(`${MOVES}${ROW},1\n`) }
    const { data } = (await send('/files/imports', token, update)).body
    await ada.settled(data.id)
    const read = (path: string) => h.cast.stranger.call('GET', path, undefined, { authorization: `Bearer ${token}` })
    const rows = await read(`/files/${data.id}/rows`)
    expect([rows.status, JSON.stringify(rows.body).includes('258.61')]).toEqual([200, false])
    expect([(await read('/files/1')).status, (await read('/files/1/original')).status]).toEqual([403, 403])
    expect((await ada.get('/files/1')).status).toBe(200)
  })
})

test('parallel wrong codes cannot exceed the limit', async () => {
  const { secret } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
  await h.cast.ben.post('/auth/totp/confirm', { code })
  const { limits } = h.ctx
  const { account } = await limits.keysOf('ben')
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, () => limits.countCode({ account, device: null })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  // A known device can still try a code, although the limit is reached.
  await limits.countCode({ account, device: 'known' })
})

test('sign-ins with a right password and code do not count as failures', async () => {
  const { secret } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
  await h.cast.ben.post('/auth/totp/confirm', { code: code() })
  const signIn = async (more: object = {}) =>
    (await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD, ...more })).status
  const used = async () =>
    (
      await h.database.raw(
        `select coalesce(sum(points), 0)::int as n from rate_limits where key ~ '^(address|account):'`,
        [],
      )
    )[0]
  // One failed sign-in is counted first. The sign-ins below must not change this count.
  expect((await h.cast.stranger.post('/auth/login', { username: 'ada', password: 'Wrong1234' })).status).toBe(401)
  const before = await used()
  for (let n = 0; n < 4; n++) {
    h.clock.set(new Date(h.clock.now().getTime() + 30_000))
    expect([await signIn(), await signIn(), await signIn({ code: code() })]).toEqual([401, 401, 200])
    expect(await used()).toEqual(before)
  }
})

test('an administrator needs the current password to reset their own password', async () => {
  const { id } = ((await h.cast.ada.get('/auth/verify')).body.data as { user: { id: number } }).user
  const reset = async (more: object = {}) =>
    (await h.cast.ada.post(`/users/${id}/reset-password`, { newPassword: 'Xk9wPq22xyzA', ...more })).body
  expect((await reset()).errors?.[0]?.field).toBe('current_password')
  expect(await reset({ current_password: PASSWORD })).toMatchObject({ success: true })
})

describe('a session and the one that replaced it', () => {
  const as = async (token: string, method: string, path: string) =>
    (await h.cast.stranger.call(method, path, undefined, { authorization: `Bearer ${token}` })).status
  const both = async () => {
    const before = String(await h.cast.ben.token())
    const { token } = (await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })).body.data as {
      token: string
    }
    expect([await as(before, 'GET', '/titles'), await as(token, 'GET', '/titles')]).toEqual([200, 200])
    return [before, token] as const
  }
  const areOpen = async (tokens: readonly string[]) =>
    Promise.all(tokens.map(async (token) => (await as(token, 'GET', '/titles')) === 200))

  test.each([0, 1] as const)('both end with a sign-out of token %i', async (at) => {
    const tokens = await both()
    expect(await as(tokens[at], 'POST', '/auth/logout')).toBe(200)
    expect(await areOpen(tokens)).toEqual([false, false])
  })

  test('differ in what they can change: only the new one can make sensitive changes', async () => {
    const [before, token] = await both()
    const changeMail = async (bearer: string) => {
      const authorization = `Bearer ${bearer}`
      const { status } = await h.cast.stranger.call('PUT', '/auth/profile', { email: 'new@x.com' }, { authorization })
      return status
    }
    expect(await changeMail(before)).toBe(422)
    expect(await changeMail(token)).toBe(200)
  })

  test('expire at the same time, also after a second confirmation with the replaced one', async () => {
    const expiries = async () =>
      (await h.ctx.db.select({ at: sessions.expires_at }).from(sessions).where(eq(sessions.user_id, 2)))
        .map(({ at }) => at.getTime())
        .sort()
    const [before] = await both()
    const latest = Math.max(...(await expiries()))
    const confirm = () =>
      h.cast.stranger.call(
        'POST',
        '/auth/confirm-password',
        { current_password: PASSWORD },
        { authorization: `Bearer ${before}` },
      )
    const { token } = (await confirm()).body.data as { token: string }
    h.clock.set(new Date(h.clock.now().getTime() + 61_000))
    expect(await as(token, 'GET', '/titles')).toBe(200)
    expect(Math.max(...(await expiries()))).toBe(latest)
  })

  test('are one entry in the list of sessions, and both end with it', async () => {
    const tokens = await both()
    const list = (
      await h.cast.stranger.call('GET', '/auth/sessions', undefined, { authorization: `Bearer ${tokens[1]}` })
    ).body.data as { key: string; is_current: boolean }[]
    expect(list.map(({ is_current }) => is_current)).toEqual([true])
    expect(await as(tokens[1], 'DELETE', `/auth/sessions/${list[0]?.key}`)).toBe(200)
    expect(await areOpen(tokens)).toEqual([false, false])
  })

  // A sign-out that arrives after the replacement is refused with an error, because its token has ended.
  test('both end if an accepted sign-out and the replacement arrive together', async () => {
    for (let round = 0; round < 5; round++) {
      const opened = await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })
      const { token } = opened.body.data as { token: string }
      const [refreshed, signedOut] = await Promise.all([
        h.cast.stranger.call('POST', '/auth/refresh', undefined, { authorization: `Bearer ${token}` }),
        as(token, 'POST', '/auth/logout'),
      ])
      const fresh = (refreshed.body.data as { token?: string } | undefined)?.token
      const open = await areOpen([token, ...(fresh ? [fresh] : [])])
      expect([signedOut, ...open]).toEqual(signedOut === 401 ? [401, false, true] : [200, ...open.map(() => false)])
    }
  })
})

test('a retry does not return a document that its user can no longer see', async () => {
  const { ben, ada } = h.cast
  const vendor = (await ada.post('/vendors', { vendor_name: 'Yard', vendor_type: 'Storage' })).body.data as {
    id: number
  }
  const invoice = await ada.post(`/vendors/${vendor.id}/invoices`, {
    number: 'A1',
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    lines: [{ unit_number: '100200', amount: 10 }],
  })
  const path = `/invoices/${(invoice.body.data as { id: number }).id}/documents`
  const token = (await ben.token()) as string
  const file = new File(['%PDF-1.7\n%%EOF'], 'invoice.pdf')
  const add = () => send(path, token, { file }, { 'idempotency-key': 'one' })
  const { status, body } = await add()
  expect(status).toBe(201)
  const restore = () => ben.call('POST', `/documents/${body.data.id}/restore`, undefined, { 'idempotency-key': 'two' })
  await ben.delete(`/documents/${body.data.id}`)
  expect((await restore()).status).toBe(200)
  await hideCosts()
  expect([(await add()).status, (await restore()).status]).toEqual([403, 403])
})

test('the history of report schedules is closed to users without cost access', async () => {
  await hideCosts()
  const schedule = {
    name: 'Monthly',
    report_type: 'title_aging',
    period: 'last 30 days',
    frequency: 'monthly',
    day_of_month: 5,
    hour: 7,
  }
  const { id } = (await h.cast.ada.post('/reports/schedules', { ...schedule, mail_to: 'cfo@example.com' })).body
    .data as {
    id: number
  }
  const history = async (who: typeof h.cast.ada) => (await who.get(`/history/report_schedules/${id}`)).status
  expect([await history(h.cast.ada), await history(h.cast.ben)]).toEqual([200, 403])
})

test('a token confirmed with the old password is not created after the password changes', async () => {
  const { ada } = h.cast
  const token = (name: string) => ada.post('/auth/tokens', { current_password: PASSWORD, name, scope: 'read' })
  const change = ada.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Ocotillo77' })
  const made = await Promise.all(['a', 'b', 'c', 'd'].map(token))
  expect((await change).status).toBe(200)
  for (const { body } of made) {
    const { token } = (body.data ?? {}) as { token?: string }
    const headers = { authorization: `Bearer ${token}` }
    if (token) expect((await h.cast.stranger.request('/api/titles', { headers })).status).toBe(401)
  }
})

test('the key of a refused upload can be used again', async () => {
  const headers = { 'idempotency-key': 'k' }
  const token = (await h.cast.ben.token()) as string
  const upload = (text: string) => send('/files/upload', token, { data_type: 'transports', file: csv(text) }, headers)
  for (let attempt = 0; attempt < 2; attempt++) expect((await upload('foo,bar\n1,2\n')).status).toBe(422)
  expect((await upload(`${MOVES}${ROW},1\n`)).status).toBe(200)
  expect((await upload(`${MOVES}${ROW},1\n`)).headers.get('idempotent-replayed')).toBe('true')
})

describe('uploads', () => {
  test('refuse fields that do not exist', async () => {
    const token = (await h.cast.ben.token()) as string
    const { status, body } = await send('/files/imports', token, { data_type: 'titles', file: csv('x'), zzz: '1' })
    expect([status, body.errors]).toEqual([422, [{ field: 'zzz', message: 'There is no such field' }]])
  })

  test('of invoices: another file with the same key is no retry, and too many sheets are refused', async () => {
    const token = (await h.cast.ada.token()) as string
    const { id } = (await h.cast.ada.post('/vendors', { vendor_name: 'Axle Works Yard' })).body.data as { id: number }
    const period = { number: 'A-1', start_date: '2026-02-01', end_date: '2026-02-28' }
    const invoice = (text: string, key: string, more = {}) =>
      send(
        `/vendors/${id}/invoices`,
        token,
        { ...period, ...more, file: new File([text], 'bill.csv') },
        { 'idempotency-key': key },
      )
    const text = 'Unit,Amount\n100300,35\n'
    expect((await invoice(text, 'one')).status).toBe(201)
    expect((await invoice(text, 'one')).headers.get('idempotent-replayed')).toBe('true')
    expect((await invoice('Unit,Amount,Note\n100300,35,x\n', 'one')).status).toBe(422)
    const sheet = Array.from({ length: 13 }, (_, at) => `s${at}`).join(',')
    expect((await invoice(text, 'two', { number: 'A-2', sheet })).body.errors?.[0]?.field).toBe('sheet')
  })
})

test('an unreadable client address from a trusted proxy counts as unknown', () => {
  const config = readConfig({ TRUST_PROXY: 'on' })
  const server = { requestIP: () => ({ address: '127.0.0.1' }) } as never
  const from = (address?: string) =>
    clientAddress(
      new Request('http://x/', address === undefined ? {} : { headers: { 'x-forwarded-for': address } }),
      server,
      config,
    )
  expect([from('203.0.113.9, garbage'), from('203.0.113.9,'), from('unknown'), from()]).toEqual([
    'unknown',
    'unknown',
    'unknown',
    '127.0.0.1',
  ])
})

test('a list of allowed addresses with separators only is refused', async () => {
  const body = { current_password: PASSWORD, name: 'Sync', scope: 'read', allowed_addresses: ' , ' }
  expect((await h.cast.ben.post('/auth/tokens', body)).status).toBe(422)
})
