import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const call = (token: string, method: string, path: string, body?: unknown) =>
  h.cast.stranger.call(method, path, body, { authorization: `Bearer ${token}` })
const days = (count: number) => new Date(NOON.getTime() + count * 86_400_000)

async function make(values: Record<string, unknown> = {}, who = h.cast.ben) {
  const { status, body } = await who.post('/auth/tokens', {
    current_password: PASSWORD,
    name: 'Nightly export',
    scope: 'read',
    ...values,
  })
  expect([status, body.message]).toEqual([201, undefined])
  return body.data as { id: number; token: string; expires_at: string }
}

describe('an API token', () => {
  test('is accepted only from its allowed addresses', async () => {
    h = await testContext({ trustProxy: true })
    const from = (token: string, address: string) =>
      h.cast.stranger.call('GET', '/transports', undefined, {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': address,
      })
    const allowed_addresses = ['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '203.0.113.0/24']
    const created = await make({ allowed_addresses })
    expect(created).toMatchObject({ allowed_addresses: allowed_addresses.slice(0, 3) })
    for (const address of ['203.0.113.255', '198.51.100.7', '::ffff:198.51.100.7', '2001:db8:1::1'])
      expect([address, (await from(created.token, address)).status]).toEqual([address, 200])
    for (const address of ['203.0.114.1', '198.51.100.8', '2001:db9::1', 'fe80::1%eth0', 'nonsense'])
      expect([address, (await from(created.token, address)).status]).toEqual([address, 403])
    expect((await from(created.token, '192.0.2.1')).body.message).toBe(
      'This API token is not accepted from the address 192.0.2.1',
    )
    // A refused call is not a use of the token.
    const other = await make({ name: 'Unused', allowed_addresses: '203.0.113.7, 203.0.113.8' })
    await from(other.token, '192.0.2.1')
    const tokens = (await h.cast.ben.get('/auth/tokens')).body.data as unknown as { last_used_at: string | null }[]
    expect(tokens[0]).toMatchObject({ allowed_addresses: ['203.0.113.7', '203.0.113.8'], last_used_at: null })
    for (const wrong of ['203.0.113.0/33', '203.0.113.0/24/1', '::1/129', 'example.com', 'fe80::1%eth0', '1.2.3']) {
      const { status, body } = await h.cast.ben.post('/auth/tokens', {
        current_password: PASSWORD,
        name: wrong,
        scope: 'read',
        allowed_addresses: [wrong],
      })
      expect([wrong, status, body.errors?.[0]?.field]).toEqual([wrong, 422, 'allowed_addresses.0'])
    }
  })

  test('is shown once, stored as a hash and expires on time', async () => {
    const { token, expires_at } = await make({ days: 30 })
    expect(token).toMatch(/^ymt_[\w-]{43}$/)
    expect(expires_at).toBe(days(30).toISOString())
    const [stored] = await rows(h.ctx.db, sql`select to_jsonb(t)::text as all from api_tokens t`)
    expect(String(stored?.all)).not.toContain(token)
    expect(JSON.stringify((await h.cast.ben.get('/auth/tokens')).body)).not.toContain(token)
    expect(JSON.stringify((await h.cast.ada.get('/audit?entity=api_tokens')).body.data)).toContain(
      '"token_hash":{"new":"(hidden)","old":null}',
    )
    expect((await call(token, 'GET', '/transports')).status).toBe(200)
    h.clock.set(days(29.99))
    expect((await call(token, 'GET', '/transports')).status).toBe(200)
    h.clock.set(days(30))
    expect((await call(token, 'GET', '/transports')).status).toBe(401)
  })

  test('is limited by its scope and the role of its owner', async () => {
    const { token: reads } = await make()
    const { token: writes } = await make({ name: 'Importer', scope: 'write' })
    const title = { unit_number: '100200', location_id: 1 }
    expect((await call(reads, 'POST', '/titles', title)).body).toMatchObject({
      success: false,
      message: 'This API token can only read data, not change it',
    })
    expect((await call(reads, 'POST', '/vehicles/lookup', { numbers: ['100200'] })).status).toBe(200)
    expect((await call(writes, 'POST', '/titles', title)).status).toBe(201)
    expect((await h.cast.ada.get('/audit?entity=titles')).body.data).toMatchObject([{ actor: 'ben', source: 'api' }])
    expect((await call(writes, 'GET', '/users')).status).toBe(403)
    const { token: admins } = await make({ scope: 'read' }, h.cast.ada)
    expect((await call(admins, 'GET', '/users')).status).toBe(200)
  })

  test('cannot manage credentials, open pages or be sent as a cookie', async () => {
    const { token } = await make({ scope: 'write' })
    expect((await call(token, 'GET', '/auth/verify')).status).toBe(200)
    for (const [method, path, body] of [
      ['POST', '/auth/tokens', { current_password: PASSWORD, name: 'Another', scope: 'write' }],
      ['GET', '/auth/tokens', undefined],
      ['POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Ocotillo77' }],
      ['POST', '/auth/refresh', undefined],
      ['DELETE', '/auth/sessions', undefined],
    ] as const)
      expect([path, (await call(token, method, path, body)).status]).toEqual([path, 403])
    const page = await h.cast.stranger.request('/dashboard', { headers: { authorization: `Bearer ${token}` } })
    expect([page.status, page.headers.get('location')]).toEqual([303, '/login?next=%2Fdashboard'])
    const cookie = await h.cast.stranger.request('/api/transports', {
      headers: { cookie: `yardmaster_session=${token}` },
    })
    expect(cookie.status).toBe(401)
  })

  test('can be revoked only by its owner', async () => {
    const { id, token } = await make()
    expect((await h.cast.ada.delete(`/auth/tokens/${id}`)).status).toBe(404)
    expect((await call(token, 'GET', '/transports')).status).toBe(200)
    const revoked = await h.cast.ben.delete(`/auth/tokens/${id}`)
    expect(revoked.body).toMatchObject({ success: true, message: 'The token was revoked' })
    expect((await call(token, 'GET', '/transports')).status).toBe(401)
  })

  test('is rejected with a missing or duplicate name, unknown scope or excessive term', async () => {
    const wrong = async (values: object) =>
      (await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'A', scope: 'read', ...values })).body
        .errors
    expect(await wrong({ name: ' ' })).toEqual([{ field: 'name', message: 'Name is required' }])
    expect(await wrong({ scope: 'all' })).toEqual([{ field: 'scope', message: 'Must be one of: read, records, write' }])
    expect((await wrong({ days: 367 }))?.[0]?.field).toBe('days')
    await make({ name: 'Same' })
    const { status, body } = await h.cast.ben.post('/auth/tokens', {
      current_password: PASSWORD,
      name: 'SAME',
      scope: 'read',
    })
    expect([status, body.message]).toEqual([409, 'You already have a token with this name'])
  })
})

describe('own sessions', () => {
  const signIn = async () =>
    (
      (await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })).body.data as {
        token: string
      }
    ).token
  type Shown = { key: string; is_current: boolean; user_agent: string }

  test('can be listed and ended, individually or all others at once', async () => {
    const [one, two] = [await signIn(), await signIn()]
    const listed = (await h.cast.ben.get('/auth/sessions')).body.data as Shown[]
    expect(listed.map(({ is_current }) => is_current).sort()).toEqual([false, false, true])
    const mine = (await call(one, 'GET', '/auth/sessions')).body.data as Shown[]
    const ended = await call(two, 'DELETE', `/auth/sessions/${mine.find(({ is_current }) => is_current)?.key}`)
    expect(ended.body).toMatchObject({ success: true, message: 'Session ended' })
    expect((await call(one, 'GET', '/auth/verify')).status).toBe(401)
    const others = await h.cast.ben.delete('/auth/sessions')
    expect(others.body).toMatchObject({ success: true, message: 'All other sessions ended' })
    expect((await call(two, 'GET', '/auth/verify')).status).toBe(401)
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
    expect((await h.cast.ben.post('/auth/logout')).body).toMatchObject({ success: true, message: 'Signed out' })
  })

  test('cannot be ended by another user', async () => {
    const listed = (await h.cast.ben.get('/auth/sessions')).body.data as Shown[]
    expect((await h.cast.ada.delete(`/auth/sessions/${listed[0]?.key}`)).status).toBe(404)
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
  })

  test('share a page with API tokens, where a new token is shown once', async () => {
    await signIn()
    const page = await h.cast.ben.open('/profile/access')
    expect(page.find('h2')).toEqual(['Sessions', 'API tokens', 'New API token', 'Sign-ins'])
    expect(page.text).toContain('This session')
    const made = await h.cast.ben.submit('/profile/access/tokens', {
      name: 'Nightly',
      scope: 'read',
      days: '7',
      current_password: PASSWORD,
    })
    const [token = ''] = made.find('.secret')
    expect((await call(token, 'GET', '/transports')).status).toBe(200)
    expect((await h.cast.ben.open('/profile/access')).html).not.toContain(token)
    expect(
      (await h.cast.ben.submit('/profile/access/tokens', { name: '', scope: 'read', days: '7' })).find('.field-error'),
    ).toEqual(['Name is required'])
    expect((await h.cast.ben.submit('/profile/access/end-others', {})).toast).toBe('All other sessions ended')
    expect((await h.cast.ben.get('/auth/sessions')).body.meta).toMatchObject({ total: 1 })
  })
})

describe('an easily guessed password', () => {
  test('is rejected on user creation, reset and password change', async () => {
    const common = 'This is one of the most common passwords. Choose another password.'
    const created = await h.cast.ada.post('/users', { username: 'cleo', password: 'Password1', role: 'user' })
    expect([created.status, created.body.errors]).toEqual([422, [{ field: 'password', message: common }]])
    const own = await h.cast.ada.post('/users', { username: 'cleo.reyes', password: 'CleoReyes2026', role: 'user' })
    expect(own.body.errors).toEqual([{ field: 'password', message: 'The password is too similar to the username' }])
    expect((await h.cast.ada.post('/users/2/reset-password', { newPassword: 'Qwerty123' })).body.message).toBe(common)
    for (const newPassword of ['Password2026!', 'Admin2026!'])
      expect((await h.cast.ada.post('/users/2/reset-password', { newPassword })).body.message).toBe(
        'The password is a name or word that others can guess. Choose another password.',
      )
    expect(
      (await h.cast.ben.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Yardmaster1' })).body
        .message,
    ).toBe('The password is a name or word that others can guess. Choose another password.')
    expect(
      (await h.cast.ben.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Ocotillo77' })).status,
    ).toBe(200)
  })
})

describe('account security', () => {
  test('resets, role changes and deactivation revoke tokens; required password changes block new ones', async () => {
    for (const [change, undo] of [
      [() => h.cast.ada.post('/users/2/reset-password', { newPassword: 'Ironwood88' }), null],
      [() => h.cast.ada.put('/users/2', { role: 'admin' }), () => h.cast.ada.put('/users/2', { role: 'user' })],
      [() => h.cast.ada.post('/users/2/deactivate'), () => h.cast.ada.post('/users/2/activate')],
    ] as const) {
      h = await testContext()
      const { token } = await make({ scope: 'write' })
      expect((await change()).status).toBe(200)
      await undo?.()
      expect((await call(token, 'GET', '/transports')).status).toBe(401)
    }
    h = await testContext()
    await h.cast.ada.put('/users/2', { must_change_password: true })
    expect(
      (await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'Backdoor', scope: 'write' })).status,
    ).toBe(403)
  })

  test('an administrator token cannot create accounts or reset passwords', async () => {
    const { token } = await make({ scope: 'write' }, h.cast.ada)
    expect((await call(token, 'POST', '/users/1/reset-password', { newPassword: 'Ironwood88' })).status).toBe(403)
    expect(
      (await call(token, 'POST', '/users', { username: 'eve', password: 'Ironwood88', role: 'admin' })).status,
    ).toBe(403)
  })
})

test('username locks ignore case, as folded by the database', async () => {
  await h.cast.ada.post('/users', { username: 'İvan', password: 'Ironwood88', role: 'user' })
  const guess = (username: string) => h.cast.stranger.post('/auth/login', { username, password: 'Wrong1234' })
  for (let n = 0; n < 10; n++) expect((await guess('İVAN')).status).toBe(401)
  expect((await guess('İvan')).status).toBe(429)
})

test('a non-ASCII return path falls back to the dashboard after sign-in', async () => {
  const back = await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD, next: '/日本' })
  expect([back.status, back.location]).toEqual([303, '/dashboard'])
})
