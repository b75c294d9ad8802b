import { beforeEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { sessions, users } from '../../db/schema'
import { networkOf } from '../../src/platform/auth/network'
import { normalizeUsername, usernameProblem } from '../../src/platform/auth/usernames'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import type { Seen, Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HOUR = 3_600_000
const later = (ms: number) => h.clock.set(new Date(h.ctx.clock.now().getTime() + ms))
const BEN = 2

describe('a form submitted without a session', () => {
  const heldOf = ({ location }: Seen) => new URLSearchParams(location?.split('?')[1]).get('held')
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
    const pages = h.app.routes.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/'))
    const held: string[] = []
    for (const { path } of pages) {
      const seen = await h.cast.ben.submit(path.replace(/:\w+/g, '1'), { role: 'admin', name: 'x' })
      if (heldOf(seen)) held.push(path)
    }
    expect(held).toContain('/titles/new')
    const areas = new Set(held.map((path) => path.split('/')[1]))
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
  const device = ({ headers }: Seen) =>
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
    // One customer has a whole /64 of IPv6.
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
    // It has an allowance of its own, which is no larger.
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

describe('an API token', () => {
  const create = (values: object, who = h.cast.ada) =>
    who.post('/auth/tokens', { name: 'ERP', scope: 'write', ...values })
  const made = async (values: object = {}, who = h.cast.ada) => {
    const { status, body } = await create({ current_password: PASSWORD, ...values }, who)
    expect(status).toBe(201)
    return (body.data as { token: string }).token
  }
  const call = (token: string, method: string, path: string, body?: unknown) =>
    h.cast.stranger.call(method, path, body, { authorization: `Bearer ${token}` })
  const isAlive = async (token: string) => (await call(token, 'GET', '/auth/verify')).status === 200

  test('requires the current password even in a fresh session', async () => {
    expect((await create({})).body.errors).toEqual([
      { field: 'current_password', message: 'Enter your current password to confirm this change' },
    ])
    expect((await create({ current_password: 'Wrong1234' })).body.errors).toEqual([
      { field: 'current_password', message: 'Current password is incorrect' },
    ])
    const page = await h.cast.ada.submit('/profile/access/tokens', { name: 'ERP', scope: 'read' })
    expect([page.status, page.find('.field-error')]).toEqual([
      422,
      ['Enter your current password to confirm this change'],
    ])
    for (let n = 0; n < 9; n++) await create({ current_password: 'Wrong1234' })
    expect((await create({ current_password: PASSWORD })).status).toBe(429)
  })

  test('is revoked on password change or ending other sessions, unless its owner opts out', async () => {
    const change = (more: object, current = PASSWORD, next = 'Ocotillo77') =>
      h.cast.ada.post('/auth/change-password', { currentPassword: current, newPassword: next, ...more })
    const token = await made()
    expect([(await change({ revoke_tokens: false })).status, await isAlive(token)]).toEqual([200, true])
    expect([(await change({}, 'Ocotillo77', PASSWORD)).status, await isAlive(token)]).toEqual([200, false])
    const kept = await made()
    await h.cast.ada.delete('/auth/sessions?revoke_tokens=false')
    expect(await isAlive(kept)).toBe(true)
    await h.cast.ada.delete('/auth/sessions')
    expect(await isAlive(kept)).toBe(false)
    const ticked = await made()
    await h.cast.ada.submit('/profile/access/end-others', {})
    expect(await isAlive(ticked)).toBe(true)
    await h.cast.ada.submit('/profile/access/end-others', { revoke_tokens: 'true' })
    expect(await isAlive(ticked)).toBe(false)
  })

  test('with scope records can change records, but not master data or admin resources', async () => {
    const token = await made({ scope: 'records' })
    const title = { unit_number: '100200', location_id: 1 }
    expect((await call(token, 'POST', '/titles', title)).status).toBe(201)
    expect((await call(token, 'GET', '/locations/active')).status).toBe(200)
    const place = { location_code: 'GLB', location_name: 'Gilbert', location_type: 'Hub' }
    for (const [method, path, body] of [
      ['POST', '/locations', place],
      ['POST', '/vendors/1/deactivate', {}],
      ['GET', '/users', undefined],
      ['GET', '/audit', undefined],
      ['PUT', '/settings', {}],
      ['GET', '/dashboard/admin', undefined],
      ['POST', '/reports/schedules', { name: 'x', report_type: 'transport_costs', mail_to: 'x@evil.example' }],
    ] as const)
      expect([path, (await call(token, method, path, body)).status]).toEqual([path, 403])
  })

  test('with scope records sees costs only if everyone can', async () => {
    const token = await made({ scope: 'records' })
    expect((await call(token, 'GET', '/budgets')).status).toBe(200)
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
    expect((await call(token, 'GET', '/budgets')).status).toBe(403)
    expect((await h.cast.ada.get('/budgets')).status).toBe(200)
  })

  test('with scope records cannot create locations through an import', async () => {
    const token = await made({ scope: 'records' })
    const form = new FormData()
    form.set('data_type', 'titles')
    form.set('file', new File(['unit_number,location\n100300,Evilville\n'], 'titles.csv'))
    const headers = { authorization: `Bearer ${token}` }
    const begun = await h.cast.stranger.request('/api/files/imports', { method: 'POST', body: form, headers })
    const { data } = (await begun.json()) as { data: { id: number } }
    await h.cast.ada.settled(data.id)
    const names = [{ kind: 'location', name: 'Evilville', create: true }]
    expect((await call(token, 'PUT', `/files/${data.id}`, { names })).status).toBe(403)
  })

  test('is named in the audit trail, including for imports', async () => {
    const token = await made()
    await call(token, 'POST', '/titles', { unit_number: '100200', location_id: 1 })
    const form = new FormData()
    form.set('data_type', 'titles')
    form.set('file', new File(['unit_number,location\n100300,Phoenix\n'], 'titles.csv'))
    await h.cast.stranger.request('/api/files/upload', {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${token}` },
    })
    await h.cast.ada.post('/titles', { unit_number: '100400', location_id: 1 })
    const entries = (await h.cast.ada.get('/audit?entity=titles')).body.data as { token_name: string | null }[]
    expect(entries.map(({ token_name }) => token_name)).toEqual([null, 'ERP', 'ERP'])
    expect((await h.cast.ada.open('/admin/audit?entity=titles')).text).toContain('API, token ERP')
  })
})

describe('a sensitive change', () => {
  const CONFIRM = { field: 'current_password', message: 'Enter your current password to confirm this change' }
  const ada = () => h.cast.ada
  const CHANGES: [what: string, change: (more: object) => ReturnType<Visitor['post']>][] = [
    ['another e-mail address', (more) => ada().put('/auth/profile', { email: 'ada@yard.example', ...more })],
    [
      'a new administrator',
      (more) => ada().post('/users', { username: 'cleo', password: 'Quartz-9x', role: 'admin', ...more }),
    ],
    ['the role of an administrator', (more) => ada().put('/users/2', { role: 'admin', ...more })],
    ['another e-mail address of a user', (more) => ada().put('/users/2', { email: 'x@evil.example', ...more })],
    ['who sees costs', (more) => ada().put('/settings', { cost_viewers: 'Administrators', ...more })],
    ['a reset password', (more) => ada().post('/users/2/reset-password', { newPassword: 'Quartz-9x', ...more })],
  ]

  test('requires the password again after one hour', async () => {
    for (const [what, change] of CHANGES) {
      h = await testContext()
      later(HOUR)
      expect([what, (await change({})).body.errors]).toEqual([what, [CONFIRM]])
      expect([what, (await change({ current_password: 'Wrong1234' })).status]).toEqual([what, 422])
      expect([what, (await change({ current_password: PASSWORD })).body.success]).toEqual([what, true])
    }
  })

  test('needs no password within one hour of sign-in or confirmation', async () => {
    for (const [what, change] of CHANGES) {
      h = await testContext()
      later(HOUR - 1)
      expect([what, (await change({})).body.success]).toEqual([what, true])
    }
    later(HOUR)
    expect((await ada().delete('/auth/sessions')).body.errors).toEqual([CONFIRM])
    expect((await ada().delete('/users/2/sessions')).body.errors).toEqual([CONFIRM])
    expect((await ada().post('/auth/confirm-password', {})).body.errors).toEqual([CONFIRM])
    const confirmed = await ada().post('/auth/confirm-password', { current_password: PASSWORD })
    const { token } = confirmed.body.data as { token: string }
    // The token from before serves requests under way for a minute.
    later(59_999)
    expect((await ada().get('/auth/verify')).status).toBe(200)
    later(1)
    expect((await ada().get('/auth/verify')).status).toBe(401)
    const renewed = { authorization: `Bearer ${token}` }
    expect((await h.cast.stranger.call('DELETE', '/auth/sessions', undefined, renewed)).status).toBe(200)
  })

  test('is the activation of an administrator, but not of a user', async () => {
    await h.ctx.db.update(users).set({ is_active: false, role: 'admin' }).where(eq(users.id, BEN))
    later(HOUR)
    expect((await ada().post('/users/2/activate')).body.errors).toEqual([CONFIRM])
    await h.ctx.db.update(users).set({ role: 'user' }).where(eq(users.id, BEN))
    expect((await ada().post('/users/2/activate')).status).toBe(200)
  })

  test('still requires the password after a token refresh', async () => {
    later(HOUR)
    const { token } = (await ada().post('/auth/refresh')).body.data as { token: string }
    const renewed = await h.cast.stranger.call('DELETE', '/auth/sessions', undefined, {
      authorization: `Bearer ${token}`,
    })
    expect(renewed.body.errors).toEqual([CONFIRM])
  })

  test('shows the password field in the rejected form and keeps the input', async () => {
    later(HOUR)
    const refused = await ada().submit('/profile', { first_name: 'Adela', email: 'ada@yard.example' })
    expect([refused.status, refused.find('.field-error')]).toEqual([422, [CONFIRM.message]])
    expect(refused.html).toMatch(/name="first_name"[^>]*value="Adela"/)
    expect(refused.html).toMatch(/name="current_password"/)
    const saved = await ada().submit('/profile', {
      first_name: 'Adela',
      email: 'ada@yard.example',
      current_password: PASSWORD,
    })
    expect(saved.toast).toBe('Profile updated successfully!')
  })

  test('started by a button redirects to a password page and back', async () => {
    later(HOUR)
    const sent = await ada().submit('/profile/access/end-others', {})
    expect(sent.location).toBe('/profile/confirm?next=%2Fprofile%2Faccess')
    const wrong = await ada().submit('/profile/confirm', { next: '/profile/access', current_password: 'Wrong1234' })
    expect([wrong.status, wrong.find('.field-error')]).toEqual([422, ['Current password is incorrect']])
    const right = await ada().submit('/profile/confirm', { next: 'https://evil.example/', current_password: PASSWORD })
    const cookie = right.headers
      .getSetCookie()
      .find((one) => one.startsWith('yardmaster_session='))
      ?.split(';')[0]
    expect([right.status, right.location]).toEqual([303, '/profile/access'])
    const ended = await h.cast.stranger.submit('/profile/access/end-others', {}, { cookie: String(cookie) })
    expect(ended.toast).toBe('All other sessions ended')
  })
})

describe('a username', () => {
  test('with confusable characters is rejected', async () => {
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
        message: 'This requirement ends only when the user chooses a new password',
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
