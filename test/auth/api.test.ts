import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema'
import { PASSWORD } from '../support/cast'
import { appWith, NOON, testContext } from '../support/context'
import { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const login = (username: string, password = PASSWORD) => h.cast.stranger.post('/auth/login', { username, password })
const verify = async (token: string) =>
  (await h.cast.stranger.call('GET', '/auth/verify', undefined, { authorization: `Bearer ${token}` })).status
const signedIn = async (username = 'ben', password = PASSWORD) =>
  ((await login(username, password)).body.data as { token: string }).token
const as = (token: string, method: string, path: string, body?: unknown) =>
  h.cast.stranger.call(method, path, body, { authorization: `Bearer ${token}` })
const hours = (count: number) => new Date(NOON.getTime() + count * 3_600_000)

describe('a sign-in', () => {
  test('returns the account and a token, but no password hash', async () => {
    const { status, body } = await login('BEN')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ user: { username: 'ben', role: 'user', first_name: 'Ben', is_active: true } })
    expect(JSON.stringify(body)).not.toContain('argon2')
    expect(await verify((body.data as { token: string }).token)).toBe(200)
  })

  test('requires a username and a password', async () => {
    for (const typed of [{ username: '', password: 'x' }, { username: 'ben', password: '' }, {}]) {
      const { status, body } = await h.cast.stranger.post('/auth/login', typed)
      expect([status, body.message]).toEqual([422, 'Please enter username and password'])
    }
  })

  test('fails with the same error for a wrong password, unknown account or inactive account', async () => {
    await h.cast.ada.post('/users/2/deactivate')
    const answers = [await login('ada', 'Wrong1234'), await login('nobody'), await login('ben')]
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      Array(3).fill([401, 'Invalid username or password']),
    )
  })

  test('verifies an equally costly hash for unknown usernames', async () => {
    const [ada] = await h.ctx.db.select({ hash: users.password_hash }).from(users)
    expect(ada?.hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    await login('nobody')
    const verified = spyOn(Bun.password, 'verify')
    try {
      await login('nobody', 'Wrong1234')
      await login('ada', 'Wrong1234')
      expect(verified.mock.calls.map(([, hash]) => String(hash).replace(/[^$]+\$[^$]+$/, ''))).toEqual(
        Array(2).fill('$argon2id$v=19$m=19456,t=2,p=1$'),
      )
    } finally {
      verified.mockRestore()
    }
  })

  test('is blocked after ten failures for one username, across instances', async () => {
    const other = new Visitor(appWith(h.ctx, {}).app, h.ctx, null)
    for (let n = 0; n < 10; n++)
      expect(
        (await (n % 2 ? other : h.cast.stranger).post('/auth/login', { username: 'ben', password: 'Wrong1234' }))
          .status,
      ).toBe(401)
    const stopped = await other.post('/auth/login', { username: 'Ben', password: PASSWORD })
    expect([stopped.status, stopped.body.message]).toEqual([429, 'Rate limit exceeded. Please try again later.'])
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await login('ada')).status).toBe(200)
  })

  test('is blocked after fifty failures from one address, whatever the usernames', async () => {
    expect((await login('ben')).status).toBe(200)
    for (let n = 0; n < 50; n++) expect((await login(`nobody${n}`, 'Wrong1234')).status).toBe(401)
    expect((await login('ada')).status).toBe(429)
  })

  test('is blocked after ten concurrent failures', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => login('ben', 'Wrong1234')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  })
})

describe('a session', () => {
  test('ends immediately on logout', async () => {
    const token = await signedIn()
    expect((await as(token, 'POST', '/auth/logout')).status).toBe(200)
    expect(await verify(token)).toBe(401)
  })

  test('gets a new token on refresh, and the old token is rejected', async () => {
    const old = await signedIn()
    const { body } = await as(old, 'POST', '/auth/refresh')
    expect([await verify(old), await verify((body.data as { token: string }).token)]).toEqual([401, 200])
  })

  test('expires after eight idle hours, and after one day of use', async () => {
    const token = await signedIn()
    h.clock.set(hours(7.9))
    expect(await verify(token)).toBe(200)
    h.clock.set(hours(15.8))
    expect(await verify(token)).toBe(200)
    h.clock.set(hours(23.7))
    expect(await verify(token)).toBe(200)
    h.clock.set(hours(24.1))
    expect(await verify(token)).toBe(401)
    h.clock.set(NOON)
    const idle = await signedIn()
    h.clock.set(hours(8.1))
    expect(await verify(idle)).toBe(401)
  })

  test('ends on deactivation, password reset and role change', async () => {
    for (const end of [
      () => h.cast.ada.post('/users/2/deactivate'),
      () => h.cast.ada.post('/users/2/reset-password', { newPassword: 'Ocotillo77' }),
      () => h.cast.ada.put('/users/2', { role: 'admin' }),
    ]) {
      await h.cast.ada.post('/users/2/activate')
      await h.cast.ada.post('/users/2/reset-password', { newPassword: PASSWORD })
      const token = await signedIn()
      expect((await end()).status).toBe(200)
      expect(await verify(token)).toBe(401)
    }
  })

  test('is not opened by a tampered or malformed token', async () => {
    const token = await signedIn()
    const [head, body] = token.split('.')
    for (const forged of [`${token}x`, `${head}.${body}.`, `${head}.${btoa('{"sid":"1"}')}.xyz`, 'nonsense', ''])
      expect(await verify(forged)).toBe(401)
  })
})

describe('a password change', () => {
  test('requires the current password and a strong new one, and ends other sessions', async () => {
    const [mine, other] = [await signedIn(), await signedIn()]
    const wrong = await as(mine, 'POST', '/auth/change-password', {
      currentPassword: 'Wrong1234',
      newPassword: 'Ocotillo77',
    })
    expect([wrong.status, wrong.body.message]).toEqual([422, 'Current password is incorrect'])
    const short = await as(mine, 'POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Ab1' })
    expect([short.status, short.body.message]).toEqual([422, 'Password must be at least 8 characters'])
    expect(
      (await as(mine, 'POST', '/auth/change-password', { currentPassword: PASSWORD, newPassword: 'alllowercase1' }))
        .status,
    ).toBe(422)
    const done = await as(mine, 'POST', '/auth/change-password', {
      currentPassword: PASSWORD,
      newPassword: 'Ocotillo77',
    })
    expect(done.body).toMatchObject({ success: true, message: 'Password changed successfully!' })
    expect([await verify(mine), await verify(other)]).toEqual([200, 401])
    expect([(await login('ben')).status, (await login('ben', 'Ocotillo77')).status]).toEqual([401, 200])
  })

  test('is rejected if an administrator resets the password at the same time', async () => {
    const mine = await signedIn()
    const { hash } = Bun.password
    const hashed = spyOn(Bun.password, 'hash')
    const given = await hash('Ironwood88')
    hashed.mockImplementationOnce(async (password) => {
      await h.ctx.db.update(users).set({ password_hash: given }).where(eq(users.username, 'ben'))
      return hash(password)
    })
    try {
      const change = { currentPassword: PASSWORD, newPassword: 'Ocotillo77' }
      const { status, body } = await as(mine, 'POST', '/auth/change-password', change)
      expect([status, body.message]).toEqual([422, 'Current password is incorrect'])
    } finally {
      hashed.mockRestore()
    }
    expect([(await login('ben', 'Ocotillo77')).status, (await login('ben', 'Ironwood88')).status]).toEqual([401, 200])
  })

  test('must come first if must_change_password is set', async () => {
    await h.cast.ada.post('/users', {
      username: 'cleo',
      password: 'Ocotillo77',
      role: 'user',
      must_change_password: true,
    })
    const token = await signedIn('cleo', 'Ocotillo77')
    expect((await as(token, 'GET', '/transports')).status).toBe(403)
    expect((await as(token, 'GET', '/auth/verify')).status).toBe(200)
    await as(token, 'POST', '/auth/change-password', { currentPassword: 'Ocotillo77', newPassword: 'Ironwood88' })
    expect((await as(token, 'GET', '/transports')).status).toBe(200)
  })
})

test('users can change only their own name and contact details', async () => {
  const { body } = await h.cast.ben.put('/auth/profile', {
    first_name: 'Benjamin',
    email: 'ben@example.com',
    role: 'admin',
    is_active: false,
    username: 'root',
  })
  expect(body.data).toMatchObject({
    username: 'ben',
    role: 'user',
    is_active: true,
    first_name: 'Benjamin',
    last_name: 'Carter',
    email: 'ben@example.com',
  })
  expect((await h.cast.ben.put('/auth/profile', { phone: '1'.repeat(21) })).status).toBe(422)
})

test('clock jumps never extend a session beyond its limits', async () => {
  const token = await signedIn()
  h.clock.set(hours(-3))
  expect(await verify(token)).toBe(200)
  h.clock.set(hours(7.9))
  expect(await verify(token)).toBe(200)
  h.clock.set(hours(25))
  expect(await verify(token)).toBe(401)
  h.clock.set(hours(30 * 24))
  expect(await verify(token)).toBe(401)
})

test('a sign-in with an unknown field is refused and names the field', async () => {
  const credentials = { username: 'ben', password: PASSWORD }
  const { status, body } = await h.cast.stranger.post('/auth/login', { ...credentials, remember: true })
  expect([status, body.errors]).toEqual([422, [{ field: 'remember', message: 'There is no such field' }]])
  expect((await h.cast.stranger.post('/auth/login', credentials)).status).toBe(200)
})
