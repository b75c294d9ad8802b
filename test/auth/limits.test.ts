import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rows } from '../../db/client'
import { createFirstAdmin } from '../../src/platform/auth/accounts'
import { sweepSessions } from '../../src/platform/auth/ending-sessions'
import { randomPassword } from '../../src/platform/auth/passwords'
import { newPassword } from '../../src/platform/auth/rules'
import { openSession, openSessionRoles } from '../../src/platform/auth/sessions'
import { commandWrite } from '../../src/platform/records/transactions'
import { RateLimited } from '../../src/platform/refusals'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HOUR = 3_600_000
const after = (ms: number) => new Date(NOON.getTime() + ms)
const login = (username: string, password = PASSWORD) => h.cast.stranger.post('/auth/login', { username, password })
const signedIn = async () => ((await login('ben')).body.data as { token: string }).token
const as = (token: string, method: string, path: string, body?: unknown) =>
  h.cast.stranger.call(method, path, body, { authorization: `Bearer ${token}` })

test('right passwords of an earlier time window are not subtracted from failed sign-ins of a network', async () => {
  const { limits, database } = h.ctx
  const attempt = (account: string) => ({ account, address: '192.0.2.9', device: null })
  await limits.count(attempt('other'))
  for (let step = 0; step < 9; step++) {
    await limits.count(attempt('own'))
    await limits.countFirstStep(attempt('own'))
  }
  // Ends the time windows `address:` and `account:`, but not the window `first:`.
  await database.raw("update rate_limits set expire = 1 where key like 'address:%' or key like 'account:%'", [])
  for (let guess = 0; guess < 40; guess++) await limits.count(attempt(`guess ${guess}`))
  await limits.count(attempt('own'))
  await limits.succeeded(attempt('own'))
  const [stored] = await database.raw("select points from rate_limits where key like 'address:%'", [])
  expect(Number(stored?.points)).toBe(40)
})

describe('a session', () => {
  test('expires exactly after eight idle hours or one day', async () => {
    for (const [idle, ms, status] of [
      ['idle', 8 * HOUR - 1, 200],
      ['idle', 8 * HOUR, 401],
      ['used', 24 * HOUR - 1, 200],
      ['used', 24 * HOUR, 401],
    ] as const) {
      h.clock.set(NOON)
      const token = await signedIn()
      if (idle === 'used')
        await h.ctx.db.execute(sql`update sessions set last_seen_at = ${after(23 * HOUR).toISOString()}`)
      h.clock.set(after(ms))
      expect([idle, ms, (await as(token, 'GET', '/auth/verify')).status]).toEqual([idle, ms, status])
    }
  })

  test('updates its last use at most once a minute', async () => {
    const token = await signedIn()
    const readLastUse = async (ms: number) => {
      h.clock.set(after(ms))
      await as(token, 'GET', '/auth/verify')
      const [found] = await rows<{ at: string }>(h.ctx.db, sql`select max(last_seen_at)::text as at from sessions`)
      return new Date(found?.at ?? '').getTime() - NOON.getTime()
    }
    expect([await readLastUse(60_000), await readLastUse(60_001), await readLastUse(100_000)]).toEqual([
      0, 60_001, 60_001,
    ])
  })

  test('has a 256-bit ID and truncates long addresses and user agents', async () => {
    const from = { address: 'a'.repeat(70), userAgent: 'b'.repeat(310) }
    const id = await openSession(h.ctx.db, 2, from, NOON)
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const visitor = new Visitor(h.app, h.ctx, id)
    const sessions = (await visitor.get('/auth/sessions')).body.data as unknown as Record<string, unknown>[]
    expect(sessions.find(({ is_current }) => is_current)).toMatchObject({
      key: expect.stringMatching(/^[0-9a-f]{16}$/),
      address: 'a'.repeat(64),
      user_agent: 'b'.repeat(300),
    })
  })

  test('is listed until it expires, most recently used first', async () => {
    const [first, second] = [await signedIn(), await signedIn()]
    h.clock.set(after(HOUR))
    await as(first, 'GET', '/auth/verify')
    const current = async (token: string) =>
      ((await as(token, 'GET', '/auth/sessions')).body.data as unknown as { is_current: boolean }[]).map(
        ({ is_current }) => is_current,
      )
    expect((await current(first))[0]).toBe(true)
    h.clock.set(after(2 * HOUR))
    await as(second, 'GET', '/auth/verify')
    expect((await current(second))[0]).toBe(true)
    h.clock.set(after(9 * HOUR))
    expect(await current(second)).toEqual([true])
  })

  test('is deleted one day after it expires', async () => {
    await h.ctx.db.execute(sql`delete from sessions`)
    await signedIn()
    const countAfterSweep = async (ms: number) => {
      await sweepSessions(h.ctx.db, after(ms))
      return h.ctx.db.$count(sql`sessions`)
    }
    expect([await countAfterSweep(32 * HOUR), await countAfterSweep(32 * HOUR + 1)]).toEqual([1, 0])
  })

  test('is open for live streams until it expires or its account is deactivated', async () => {
    const session = h.cast.ben.session as string
    const isOpen = async (id: string, role: 'user' | 'admin' = 'user', ms = 0) =>
      (await openSessionRoles(h.ctx.db, [id], after(ms))).get(id) === role
    expect([await isOpen(session), await isOpen('nobody'), await isOpen(session, 'admin')]).toEqual([
      true,
      false,
      false,
    ])
    expect([await isOpen(session, 'user', 8 * HOUR - 1), await isOpen(session, 'user', 8 * HOUR)]).toEqual([
      true,
      false,
    ])
    const { id } = (
      await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'Live', scope: 'read', days: 1 })
    ).body.data as {
      id: number
    }
    const token = `token ${id}`
    expect([
      await isOpen(token),
      await isOpen(token, 'user', 24 * HOUR - 1),
      await isOpen(token, 'user', 24 * HOUR),
    ]).toEqual([true, true, false])
    await h.ctx.db.execute(sql`update users set is_active = false where username = 'ben'`)
    expect([await isOpen(session), await isOpen(token)]).toEqual([false, false])
  })

  test('with an unknown key cannot be ended', async () => {
    expect((await h.cast.ben.delete('/auth/sessions/0123456789abcdef')).status).toBe(404)
    expect((await h.cast.ben.submit('/profile/access/sessions/0123456789abcdef/end', {})).status).toBeGreaterThan(300)
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
  })
})

describe('failed sign-ins', () => {
  test('block a username for 15 minutes, and a success resets the count', async () => {
    for (let n = 0; n < 9; n++) await login('ben', 'Wrong1234')
    expect((await login('ben')).status).toBe(200)
    for (let n = 0; n < 10; n++) expect([n, (await login('ben', 'Wrong1234')).status]).toEqual([n, 401])
    const { status, headers } = await login('ben')
    const wait = Number(headers.get('retry-after'))
    expect([status, wait > 890, wait <= 900]).toEqual([429, true, true])
    const page = await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD })
    expect([page.status, Number(page.headers.get('retry-after')) > 890, page.find('[role=alert]')]).toEqual([
      429,
      true,
      ['Rate limit exceeded. Please try again later.'],
    ])
  })

  test('with an API token do not block the owner', async () => {
    const created = await h.cast.ada.post('/auth/tokens', { name: 'ERP', scope: 'write', current_password: PASSWORD })
    const authorization = `Bearer ${(created.body.data as { token: string }).token}`
    for (let tries = 0; tries < 12; tries++) {
      const change = { second_factor_required: 'Nobody', current_password: 'Wrong1234' }
      const refused = await h.cast.stranger.call('PUT', '/settings', change, { authorization })
      expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'current_password'])
    }
    expect((await h.cast.ada.post('/auth/confirm-password', { current_password: PASSWORD })).status).toBe(200)
  })

  test('are counted separately from wrong passwords in password changes', async () => {
    const [stolen, own] = [await signedIn(), await signedIn()]
    const change = (token: string, currentPassword: string) =>
      as(token, 'POST', '/auth/change-password', { currentPassword, newPassword: 'Ocotillo77' })
    for (let n = 0; n < 10; n++) expect([n, (await change(stolen, 'Wrong1234')).status]).toEqual([n, 422])
    expect((await change(stolen, PASSWORD)).status).toBe(429)
    // Somebody with a stolen session cannot keep the owner from changing the password.
    expect((await login('ben')).status).toBe(200)
    expect((await change(own, PASSWORD)).status).toBe(200)
  })

  test('do not block an account whose password an administrator has reset', async () => {
    for (let n = 0; n < 10; n++) expect((await login('ben', 'Wrong1234')).status).toBe(401)
    expect((await login('ben')).status).toBe(429)
    expect((await h.cast.ada.post('/users/2/reset-password', { newPassword: 'Ocotillo77' })).status).toBe(200)
    expect((await login('ben', 'Ocotillo77')).status).toBe(200)
  })
})

describe('an API token', () => {
  const make = async (body: object) =>
    (await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, scope: 'read', ...body })).body
  type Token = { id: number; token: string; expires_at: string; last_used_at: string | null }

  test('expires after 90 days by default and 366 days at most', async () => {
    const days = async (body: object) => {
      const { data } = (await make(body)) as never as { data?: Token }
      return data ? (new Date(data.expires_at).getTime() - NOON.getTime()) / 86_400_000 : null
    }
    expect([
      await days({ name: 'a' }),
      await days({ name: 'b', days: '' }),
      await days({ name: 'c', days: 1 }),
      await days({ name: 'd', days: 366 }),
      await days({ name: 'e', days: 367 }),
      await days({ name: 'x'.repeat(100) }),
      await days({ name: 'x'.repeat(101) }),
    ]).toEqual([90, 90, 1, 366, null, 90, null])
    expect((await h.cast.ben.open('/profile/access')).html).toMatch(/name="days"[^>]*value="90"/)
  })

  test('updates its last use at most once a minute and is listed newest first', async () => {
    const { token, id } = (await make({ name: 'one' })).data as unknown as Token
    const { id: second } = (await make({ name: 'two' })).data as unknown as Token
    const used = async (ms: number) => {
      h.clock.set(after(ms))
      expect((await as(token, 'GET', '/transports')).status).toBe(200)
      const listed = (await h.cast.ben.get('/auth/tokens')).body.data as unknown as Token[]
      expect(listed.map((one) => one.id)).toEqual([second, id])
      return new Date(listed[1]?.last_used_at ?? '').getTime() - NOON.getTime()
    }
    expect([await used(0), await used(60_000), await used(60_001)]).toEqual([0, 0, 60_001])
  })

  test('can be revoked only by its owner on the access page', async () => {
    const { id } = (await make({ name: 'one' })).data as unknown as Token
    const revoke = async (who = h.cast.ben) => (await who.submit(`/profile/access/tokens/${id}/revoke`, {})).toast
    const alreadyRevoked = 'The token was already revoked'
    expect([await revoke(h.cast.ada), await revoke(), await revoke()]).toEqual([
      alreadyRevoked,
      'Token revoked',
      alreadyRevoked,
    ])
  })
})

describe('a password', () => {
  // test/auth/password-rule tests the setting that requires letters and digits.
  test('must have 8 to 200 storable characters and not be common', () => {
    const checkPassword = (password: unknown) => newPassword.safeParse(password).error?.issues[0]?.message ?? null
    for (const [password, message] of [
      ['', 'Password is required'],
      [undefined, 'Password is required'],
      ['a', 'Password must be at least 8 characters'],
      ['Ocotil7', 'Password must be at least 8 characters'],
      ['Ocotill7', null],
      [`Oc7${'x'.repeat(197)}`, null],
      [`Oc7${'x'.repeat(198)}`, 'At most 200 characters'],
      ['Ocotillo7\0', 'Contains characters that cannot be stored'],
      ['Ocotillo7\ud800', 'Contains characters that cannot be stored'],
      ['Qwerty123', 'This is one of the most common passwords. Choose another password.'],
    ])
      expect([password, checkPassword(password)]).toEqual([password, message] as never)
  })

  test('generated by the program is valid and avoids ambiguous characters', () => {
    const made = Array.from({ length: 50 }, randomPassword)
    for (const password of made) {
      expect(password).toMatch(/^Ym7-[a-hjkmnp-zA-HJ-NP-Z2-9]{23}$/)
      expect(newPassword.safeParse(password).success).toBe(true)
    }
    expect(new Set(made).size).toBe(50)
  })

  test('need not be changed again; the current password field accepts 1,000 characters', async () => {
    await h.cast.ada.put('/users/2', { must_change_password: true })
    const change = (currentPassword: string) =>
      h.cast.ben.post('/auth/change-password', { currentPassword, newPassword: 'Ocotillo77' })
    expect((await change('x'.repeat(1000))).body.message).toBe('Current password is incorrect')
    expect((await change('x'.repeat(1001))).body.errors?.[0]?.field).toBe('currentPassword')
    expect((await change('x')).body.message).toBe('Current password is incorrect')
    expect((await change(PASSWORD)).status).toBe(200)
    expect((await h.cast.ben.get('/auth/verify')).body.data).toMatchObject({ user: { must_change_password: false } })
  })

  test('for the first administrator is set only if no account exists', async () => {
    const make = () => createFirstAdmin(commandWrite(h.ctx.db), 'Ocotillo77')
    expect(await make()).toBe(false)
    await h.ctx.db.execute(sql`truncate users restart identity cascade`)
    expect([await make(), await make()]).toEqual([true, false])
    expect((await login('admin', 'Ocotillo77')).body.data).toMatchObject({ user: { role: 'admin' } })
  })
})

describe('the login screen', () => {
  const cookies = (headers: Headers) => headers.getSetCookie()
  const submit = async (headers: Record<string, string> = {}) =>
    h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD }, headers)

  test('sets a one-day cookie and ends the session it replaces', async () => {
    const first = await submit()
    expect(cookies(first.headers)).toEqual([
      expect.stringMatching(/^yardmaster_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/),
      expect.stringMatching(/^yardmaster_device=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/),
    ])
    const cookie = cookies(first.headers)[0]?.split(';')[0] as string
    const count = () => h.ctx.db.$count(sql`sessions`)
    const before = await count()
    await submit({ cookie })
    expect(await count()).toBe(before)
  })

  test('ends a session left while offline and clears the leaving cookie', async () => {
    const cookie = `${(await h.cast.ben.cookieHeaders()).cookie}; yardmaster_leaving=1`
    const page = await h.cast.ben.open('/login', { cookie })
    const clearedCookies = ['yardmaster_session', 'yardmaster_leaving'].map(
      (name) => `${name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`,
    )
    expect([page.status, cookies(page.headers)]).toEqual([200, clearedCookies])
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(401)
    expect(cookies((await submit({ cookie: 'yardmaster_leaving=1' })).headers).at(-1)).toBe(clearedCookies[1] as string)
    // This cookie ends only browser sessions. A call with a token ignores it.
    const api = await h.cast.ada.call('GET', '/auth/verify', undefined, { cookie: 'yardmaster_leaving=1' })
    expect(api.status).toBe(200)
  })

  test('rejects cross-site forms and handles malformed bodies', async () => {
    expect((await submit({ origin: 'http://evil.example' })).status).toBe(403)
    const foreign = await h.cast.stranger.call(
      'POST',
      '/auth/login',
      { username: 'ben', password: PASSWORD },
      { origin: 'http://evil.example' },
    )
    expect(foreign.status).toBe(403)
    for (const body of ['[]', '5', '"x"', '{"username":5,"password":["x"]}']) {
      const { status, body: responseBody } = await h.cast.stranger.call('POST', '/auth/login', body)
      expect([body, [400, 422].includes(status), responseBody.success]).toEqual([body, true, false])
    }
    expect((await login('be\0n')).status).toBe(401)
    expect((await login(' ben ')).status).toBe(200)
  })

  test('redirects to the password page if a password change is required', async () => {
    await h.cast.ada.put('/users/2', { must_change_password: true })
    const page = await h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD, next: '/titles' })
    expect(page.location).toBe('/profile/password')
    for (const [path, open] of [
      ['/profile', true],
      ['/profile/password', true],
      ['/profile/access', false],
    ] as const)
      expect([path, (await h.cast.ben.open(path)).status === 200]).toEqual([path, open])
    const script = await h.cast.ben.open('/titles', { 'hx-request': 'true' })
    expect([script.status, script.headers.get('hx-redirect')]).toEqual([403, '/profile/password'])
    expect((await h.cast.ben.submit('/logout', {})).location).toBe('/login')
  })
})

test('many right passwords at the same time do not lock out their network', async () => {
  const { limits, database } = h.ctx
  const attempt = (n: number) => ({ account: `account ${n}`, address: '192.0.2.9', device: null })
  const attempts = Array.from({ length: 60 }, (_, n) => attempt(n))
  const counted = await Promise.allSettled(attempts.map((one) => limits.count(one)))
  const accepted = attempts.filter((_, n) => counted[n]?.status === 'fulfilled')
  expect(accepted).toHaveLength(50)
  await Promise.all(accepted.map((one) => limits.succeeded(one)))
  expect(await database.raw('select key from rate_limits where points > 0', [])).toEqual([])
})

test('a sign-in that the database could not complete does not count as failed', async () => {
  const h = await testContext()
  const attempt = { account: 'ben', address: '203.0.113.9', device: null }
  for (let round = 0; round < 30; round++) {
    await h.ctx.limits.count(attempt)
    await h.ctx.limits.notCompleted(attempt, false)
  }
  for (let round = 0; round < 10; round++) await h.ctx.limits.count(attempt)
  expect(await h.ctx.limits.count(attempt).catch((error) => error)).toBeInstanceOf(RateLimited)
})
