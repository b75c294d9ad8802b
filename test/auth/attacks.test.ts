import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { sessions, users } from '../../db/schema'
import { networkOf } from '../../src/platform/auth/network'
import { normalizeUsername, usernameProblem } from '../../src/platform/auth/usernames'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import type { PageResponse } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HOUR = 3_600_000
const later = (ms: number) => h.clock.set(new Date(h.ctx.clock.now().getTime() + ms))
const BEN = 2

describe('a form submitted without a session', () => {
  const heldOf = ({ location }: PageResponse) => new URLSearchParams(location?.split('?')[1]).get('held')
  const TITLE = { unit_number: '100200', location_id: '1' }
  const expire = () =>
    h.ctx.db
      .update(sessions)
      .set({ last_seen_at: new Date(h.ctx.clock.now().getTime() - 8 * HOUR) })
      .where(eq(sessions.id, String(h.cast.ben.session)))
  const signIn = (username: string, held: string) =>
    h.cast.stranger.submit('/login', { username, password: PASSWORD, next: '/titles', held })

  test('is not preserved for a forged session, an ended session or an inactive user', async () => {
    for (const cookie of ['yardmaster_session=x', `yardmaster_session=${(await h.cast.ben.token())?.slice(0, -3)}abc`])
      expect(heldOf(await h.cast.stranger.submit('/titles/new', TITLE, { cookie }))).toBe(null)
    await expire()
    await h.ctx.db.update(users).set({ is_active: false }).where(eq(users.id, BEN))
    expect(heldOf(await h.cast.ben.submit('/titles/new', TITLE))).toBe(null)
    await h.ctx.db.update(users).set({ is_active: true }).where(eq(users.id, BEN))
    expect(heldOf(await h.cast.ben.submit('/titles/new', TITLE))).not.toBe(null)
    await h.ctx.db.delete(sessions).where(eq(sessions.id, String(h.cast.ben.session)))
    expect(heldOf(await h.cast.ben.submit('/titles/new', TITLE))).toBe(null)
  })

  test('is returned only to the account that submitted it', async () => {
    await expire()
    const held = String(heldOf(await h.cast.ben.submit('/titles/new', TITLE)))
    expect((await signIn('ada', held)).location).toBe('/titles')
    expect((await signIn('ben', held)).find('h1')).toEqual(['You are signed in again'])
  })

  test('is never preserved for account, profile, master data or settings pages', async () => {
    await expire()
    // Signing out also ends an expired session, so no later form of this session is preserved.
    const pages = h.app.routes.filter(
      ({ method, path }) => method === 'POST' && !path.startsWith('/api/') && path !== '/logout',
    )
    const preservedPaths: string[] = []
    for (const { path } of pages) {
      const response = await h.cast.ben.submit(path.replace(/:\w+/g, '1'), { role: 'admin', name: 'x' })
      if (heldOf(response)) preservedPaths.push(path)
    }
    expect(preservedPaths).toContain('/titles/new')
    const areas = new Set(preservedPaths.map((path) => path.split('/')[1]))
    for (const area of ['admin', 'profile', 'settings', 'login', 'logout', 'locations'])
      expect(areas).not.toContain(area)
  })

  test('is not preserved if it is too large', async () => {
    await expire()
    expect(heldOf(await h.cast.ben.submit('/titles/new', { ...TITLE, notes: 'x'.repeat(70_000) }))).toBe(null)
  })
})

describe('failed sign-ins', () => {
  const fail = (from: string, username = 'ben') =>
    h.cast.stranger.submit('/login', { username, password: 'Wrong1234' }, { 'x-forwarded-for': from })
  const signIn = (from: string, cookie = '') =>
    h.cast.stranger.submit('/login', { username: 'ben', password: PASSWORD }, { 'x-forwarded-for': from, cookie })
  const device = ({ headers }: PageResponse) =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('yardmaster_device='))
      ?.split(';')[0] as string
  beforeEach(async () => {
    h = await testContext({ trustProxy: true })
  })

  test('lock an account only for the address they come from', async () => {
    for (let n = 0; n < 10; n++) expect((await fail('203.0.113.1')).status).toBe(401)
    expect([(await signIn('203.0.113.1')).status, (await signIn('203.0.113.2')).status]).toEqual([429, 303])
    // With IPv6, one customer usually has a whole /64 network.
    for (let n = 0; n < 10; n++) expect((await fail(`2001:db8:1:2::${n}`)).status).toBe(401)
    expect([(await signIn('2001:db8:1:2:ffff::1')).status, (await signIn('2001:db8:1:3::1')).status]).toEqual([
      429, 303,
    ])
  })

  test('from many addresses do not lock out a known device', async () => {
    const cookie = device(await signIn('198.51.100.7'))
    for (let n = 0; n < 100; n++) await fail(`203.0.113.${n >> 3}`)
    expect((await signIn('198.51.100.200')).status).toBe(429)
    for (let n = 0; n < 50; n++) await fail('198.51.100.7', `nobody${n}`)
    expect((await signIn('198.51.100.7', cookie)).status).toBe(303)
    // A known device has a limit of its own, which is ten failures too.
    const guess = () =>
      h.cast.stranger.submit(
        '/login',
        { username: 'ben', password: 'Wrong1234' },
        { cookie, 'x-forwarded-for': '192.0.2.9' },
      )
    for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(401)
    expect((await signIn('192.0.2.9', cookie)).status).toBe(429)
  })

  test('lock out known devices as well after a password change', async () => {
    const cookie = device(await signIn('198.51.100.7'))
    await h.cast.ben.post('/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Ocotillo77' })
    for (let n = 0; n < 10; n++)
      await h.cast.stranger.submit(
        '/login',
        { username: 'ben', password: PASSWORD },
        { cookie, 'x-forwarded-for': '198.51.100.7' },
      )
    const after = { username: 'ben', password: 'Ocotillo77' }
    expect((await h.cast.stranger.submit('/login', after, { cookie, 'x-forwarded-for': '198.51.100.7' })).status).toBe(
      429,
    )
    expect((await h.cast.stranger.submit('/login', after, { cookie, 'x-forwarded-for': '198.51.100.8' })).status).toBe(
      303,
    )
  })

  test('lock out forged device cookies and devices of other accounts', async () => {
    const cookie = device(await signIn('198.51.100.7'))
    const forged = cookie.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))
    const ada = await h.cast.stranger.submit('/login', { username: 'ada', password: PASSWORD })
    for (let n = 0; n < 10; n++) await fail('198.51.100.7')
    for (const other of [forged, device(ada), 'yardmaster_device=x.y.z'])
      expect((await signIn('198.51.100.7', other)).status).toBe(429)
    expect((await signIn('198.51.100.7', cookie)).status).toBe(303)
  })
})

test('networkOf maps IPv4 to the address and IPv6 to its /64 prefix', () => {
  for (const [address, network] of [
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['64:ff9b::cb00:7105', '203.0.113.5'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:0DB8::5', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ] as const)
    expect([address, networkOf(address)]).toEqual([address, network])
})

describe('a username', () => {
  test('with confusable characters is rejected', async () => {
    expect(usernameProblem('-rf')).toBe('A username cannot begin with a hyphen')
    const isFine = (name: string) => usernameProblem(normalizeUsername(name)) === null
    for (const name of ['ada', 'ben.carter', 'm-o_1@yard', 'José', 'Müller', 'Zoë', 'Łukasz', '张伟', 'Ольга', '123'])
      expect([name, isFine(name)]).toEqual([name, true])
    for (const name of [
      'аdа', // Cyrillic а among Latin letters
      'раура', // only Cyrillic letters that look Latin
      'ad\u200ba', // zero-width space
      'ada\u202e', // right-to-left override
      'a\u00adda', // soft hyphen
      'ɑdmin',
      'ᴀdmin',
      'admın',
      'Ⅸnine',
      'ben carter',
      '\u0301ada',
      'ada😀',
      'ΒΕΝ',
      'ТОМ',
      'ben\u0332',
      'ɓen',
      '...',
    ])
      expect([name, isFine(name)]).toEqual([name, false])
  })

  test('with full-width letters or combining accents is normalized', async () => {
    const create = (username: string) => h.cast.ada.post('/users', { username, password: 'Quartz-9x' })
    expect((await create('ｂｅｎ')).body.message).toBe('Username already exists')
    expect((await create('Jose\u0301')).body.data).toMatchObject({ username: 'Jos\u00e9' })
    expect((await create('jos\u00e9')).status).toBe(409)
    const login = (username: string) => h.cast.stranger.post('/auth/login', { username, password: 'Quartz-9x' })
    expect([(await login('jose\u0301')).status, (await login('ＪＯＳ\u00c9')).status]).toEqual([200, 200])
    expect((await create('bе\u006e')).body.errors).toEqual([
      { field: 'username', message: 'Use letters of one alphabet only' },
    ])
  })
})

test('passwords based on a location, company, season, user or product name are rejected', async () => {
  await h.ctx.db.execute(
    sql`insert into vendors (vendor_name, vendor_type) values ('Roadrunner Towing & Storage', 'Towing')`,
  )
  const change = async (newPassword: string) =>
    (await h.cast.ben.post('/auth/change-password', { currentPassword: PASSWORD, newPassword })).status
  for (const password of [
    'Fleet2026!',
    'Phoenix2026',
    '2026-Tempe!',
    'Phx202611',
    'CopperState-Transport1',
    'Desert-2026',
    'Roadrunner1',
    'Summer2026!',
    'Yardmaster1',
    'Fleet-Management-1',
    'Carter-2026',
    'BenCarter1',
  ]) {
    await h.ctx.limits.unlock('ben')
    expect([password, await change(password)]).toEqual([password, 422])
  }
  expect(await change('Ocotillo-Phoenix-7')).toBe(200)
})

test('signing out clears browser storage', async () => {
  const out = await h.cast.ben.submit('/logout', {})
  expect([out.location, out.headers.get('clear-site-data')]).toEqual(['/login', '"storage"'])
})

describe('a temporary password', () => {
  const DAY = 24 * HOUR
  const login = (password: string) => h.cast.stranger.post('/auth/login', { username: 'ben', password })

  test('expires after a week unless the user replaces it', async () => {
    const reset = await h.cast.ada.post('/users/2/reset-password', { temporary_password: true })
    const password = String((reset.body as { temporary_password?: string }).temporary_password)
    expect(password).toMatch(/^Ym7-\w{23}$/)
    later(7 * DAY - 1)
    const { token } = (await login(password)).body.data as { token: string }
    later(1)
    const expired = await login(password)
    expect([expired.status, expired.body.message]).toEqual([
      401,
      'Your temporary password has expired. Ask an administrator for a new password.',
    ])
    const change = { currentPassword: password, newPassword: 'Ocotillo77' }
    const headers = { authorization: `Bearer ${token}` }
    expect((await h.cast.stranger.call('POST', '/auth/change-password', change, headers)).status).toBe(200)
    later(30 * DAY)
    expect((await login('Ocotillo77')).status).toBe(200)
  })

  test('does not open the profile for a new e-mail address', async () => {
    await h.cast.ada.post('/users/2/reset-password', { newPassword: 'Cottonwood88', must_change_password: true })
    const { body } = await h.cast.stranger.post('/auth/login', { username: 'ben', password: 'Cottonwood88' })
    const { token } = body.data as { token: string }
    const { headers } = await h.cast.stranger.request('/profile', {
      method: 'POST',
      body: new URLSearchParams({ email: 'x@example.com' }),
      headers: { cookie: `yardmaster_session=${token}`, origin: 'http://localhost' },
    })
    expect(headers.get('location')).toBe('/profile/password')
    const users = (await h.cast.ada.get('/users/2')).body.data as { email?: string | null }
    expect(users.email).not.toBe('x@example.com')
  })

  test('cannot be made permanent by an administrator', async () => {
    await h.cast.ada.post('/users/2/reset-password', { temporary_password: true })
    expect((await h.cast.ada.put('/users/2', { must_change_password: false })).body.errors).toEqual([
      {
        field: 'must_change_password',
        message: 'The user must choose a new password before you can turn off this setting',
      },
    ])
  })

  test('of an administrator is announced in a banner', async () => {
    await h.ctx.db
      .update(users)
      .set({ password_expires_at: new Date('2026-03-21T19:00:00Z') })
      .where(eq(users.id, 1))
    expect((await h.cast.ada.open('/titles')).find('.banner-warning')).toEqual([
      'Your password is temporary and works until 03/21/2026, 12:00 PM. Choose a new password',
    ])
  })
})

test('a session token signed with another algorithm is rejected', async () => {
  const { jwt } = await import('@elysiajs/jwt')
  const signer = jwt({ name: 'other', secret: h.ctx.signingKey, alg: 'HS512' }).decorator.other
  const token = await signer.sign({ sid: String(h.cast.ada.session) })
  const answer = await h.cast.stranger.call('GET', '/auth/verify', undefined, { authorization: `Bearer ${token}` })
  expect(answer.status).toBe(401)
})
