import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema'
import { endPasswordSessions } from '../../src/platform/auth/ending-sessions'
import type { OidcConfig } from '../../src/platform/config'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { startProvider } from '../support/oidc-provider'
import { ORIGIN, signOnBrowser } from '../support/sign-on-browser'

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider(`${ORIGIN}/api/auth/oidc/callback`)
})
afterAll(() => provider.stop())

let h: Awaited<ReturnType<typeof testContext>>
const start = async (options: Partial<OidcConfig> = {}) => {
  h = await testContext({
    oidc: {
      ...provider.config,
      adminGroup: null,
      createsAccounts: true,
      passwordAccounts: null,
      ...options,
    },
  })
}
beforeEach(() => start())

const browser = () => signOnBrowser((request) => h.app.handle(request))
const jane = { sub: 'u-1', preferred_username: 'jane', given_name: 'Jane', email: 'jane@example.com' }

describe('single sign-on', () => {
  test('creates an account at the first sign-on, and finds it by its person afterwards', async () => {
    provider.state.person = jane
    expect(await browser().follow('/api/auth/oidc?next=/titles')).toBe('/titles')
    provider.state.person = { ...jane, preferred_username: 'renamed' }
    const again = browser()
    expect(await again.follow('/api/auth/oidc')).toBe('/dashboard')
    expect((await again.verify()).data?.user).toMatchObject({ username: 'jane', role: 'user', first_name: 'Jane' })
    // Nobody can sign in to the account with a password.
    for (const password of ['', '!', 'Saguaro42'])
      expect((await h.cast.stranger.post('/auth/login', { username: 'jane', password })).status).not.toBe(200)
    const audit = (await h.cast.ada.get('/audit?q=jane')).body as unknown as { data: object[] }
    expect(audit.data).toContainEqual(expect.objectContaining({ entity: 'users', action: 'create', actor: 'jane' }))
  })

  test('opens an existing account only if an administrator allows it, and never by e-mail address', async () => {
    await h.cast.ada.post('/users', { username: 'jane', password: 'Saguaro42', email: 'boss@example.com' })
    await h.cast.ada.post('/users', { username: 'boss', password: 'Saguaro42', email: 'jane@example.com' })
    provider.state.person = jane
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=taken')
    const { data } = (await h.cast.ada.get('/users?q=jane')).body as unknown as {
      data: { id: number; username: string }[]
    }
    const { id } = data.find(({ username }) => username === 'jane') as { id: number }
    expect((await h.cast.ada.put(`/users/${id}`, { single_sign_on: true })).status).toBe(200)
    const own = browser()
    expect(await own.follow('/api/auth/oidc')).toBe('/dashboard')
    expect((await own.verify()).data?.user.username).toBe('jane')
    // Another person with the same username does not get in any more.
    provider.state.person = { ...jane, sub: 'u-2' }
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=taken')
  })

  test('refuses people without an account, inactive accounts and unusable usernames', async () => {
    await start({ createsAccounts: false })
    provider.state.person = jane
    const page = browser()
    expect(await page.follow('/api/auth/oidc')).toBe('/login?sso=no-account')
    expect(await (await page.open(`${ORIGIN}/login?sso=no-account`)).text()).toContain('You have no account here.')
    await start()
    provider.state.person = { sub: 'u-3', preferred_username: 'аdmin' }
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=no-username')
    provider.state.person = { sub: 'u-4', email: 'x@example.com', email_verified: false }
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=no-username')
    provider.state.person = jane
    await browser().follow('/api/auth/oidc')
    const { data } = (await h.cast.ada.get('/users?q=jane')).body as unknown as { data: { id: number }[] }
    await h.cast.ada.post(`/users/${data[0]?.id}/deactivate`)
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=inactive')
  })

  test('gives the role of the group, ends sessions when it changes, and keeps the last administrator', async () => {
    await start({ adminGroup: 'fleet-admins' })
    provider.state.person = { ...jane, groups: ['fleet-admins'] }
    const first = browser()
    await first.follow('/api/auth/oidc')
    expect((await first.verify()).data?.user.role).toBe('admin')
    provider.state.person = { ...jane, groups: ['drivers'] }
    const second = browser()
    await second.follow('/api/auth/oidc')
    expect((await second.verify()).data?.user.role).toBe('user')
    expect((await first.open(`${ORIGIN}/api/auth/verify`)).status).toBe(401)
    // Many providers omit the claim `groups` if the person has no groups.
    provider.state.person = { ...jane, groups: ['fleet-admins'] }
    await browser().follow('/api/auth/oidc')
    provider.state.person = jane
    const third = browser()
    await third.follow('/api/auth/oidc')
    expect((await third.verify()).data?.user.role).toBe('user')
    // Ada is the only administrator left, so she stays one.
    const { data } = (await h.cast.ada.get('/users?q=ada')).body as unknown as { data: { id: number }[] }
    await h.cast.ada.put(`/users/${data[0]?.id}`, { single_sign_on: true })
    provider.state.person = { sub: 'u-ada', preferred_username: 'ada', groups: [] }
    const ada = browser()
    await ada.follow('/api/auth/oidc')
    expect((await ada.verify()).data?.user).toMatchObject({ username: 'ada', role: 'admin' })
  })

  test('keeps the last administrator who can sign in', async () => {
    await start({ adminGroup: 'fleet-admins', passwordAccounts: ['admin'] })
    provider.state.person = { ...jane, groups: ['fleet-admins'] }
    await browser().follow('/api/auth/oidc')
    // Ada is an administrator too, but can neither use a password nor single sign-on.
    provider.state.person = jane
    const own = browser()
    await own.follow('/api/auth/oidc')
    expect((await own.verify()).data?.user.role).toBe('admin')
  })

  test('accepts a response once, in the browser that started the sign-in, and only with its state', async () => {
    provider.state.person = jane
    const own = browser()
    const callback = await own.follow('/api/auth/oidc', '/callback?')
    expect(await browser().follow(callback.slice(ORIGIN.length))).toBe('/login?sso=expired')
    expect(
      await own.follow(
        callback.replace(/state=./, (start) => (start.endsWith('A') ? 'state=B' : 'state=A')).slice(ORIGIN.length),
      ),
    ).toBe('/login?sso=expired')
    const next = browser()
    const fresh = (await next.follow('/api/auth/oidc', '/callback?')).slice(ORIGIN.length)
    const savedCookies = new Map(next.jars.get(ORIGIN))
    expect(await next.follow(fresh)).toBe('/dashboard')
    next.jars.set(ORIGIN, savedCookies)
    expect(await next.follow(fresh)).toBe('/login?sso=refused')
    const late = browser()
    const slow = (await late.follow('/api/auth/oidc', '/callback?')).slice(ORIGIN.length)
    h.clock.set(new Date(h.clock.now().getTime() + 16 * 60_000))
    expect(await late.follow(slow)).toBe('/login?sso=expired')
  })

  test('finishes in the tab that started last, after another tab has failed', async () => {
    provider.state.person = jane
    const own = browser()
    const first = (await own.follow('/api/auth/oidc', '/callback?')).slice(ORIGIN.length)
    const second = (await own.follow('/api/auth/oidc?next=/titles', '/callback?')).slice(ORIGIN.length)
    expect(await own.follow(first)).toBe('/login?sso=expired')
    expect(await own.follow(second)).toBe('/titles')
  })

  test('opens no account for a username that only looks like its own', async () => {
    const carla = { username: 'carla', role: 'user', single_sign_on: true, password: PASSWORD }
    expect((await h.cast.ada.post('/users', carla)).status).toBe(201)
    for (const preferred_username of ['ｃａｒｌａ', ' carla ', 'carla\n']) {
      provider.state.person = { sub: `x-${preferred_username.length}`, preferred_username }
      expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=no-username')
    }
  })

  test.each([
    ['мама', 'mama'],
    ['ηορε', 'nope'],
    ['ẝrank', 'frank'],
  ])('creates no account %s beside %s', async (preferred_username, username) => {
    await h.cast.ada.post('/users', { username, role: 'user', password: PASSWORD })
    provider.state.person = { sub: 'x', preferred_username }
    expect(await browser().follow('/api/auth/oidc')).toMatch(/sso=(similar|no-username)$/)
  })

  test('opens no account whose name Postgres and JavaScript write differently in lower case', async () => {
    const bill = { username: 'bill', role: 'admin', single_sign_on: true, password: PASSWORD }
    expect((await h.cast.ada.post('/users', bill)).status).toBe(201)
    provider.state.person = { sub: 'x', preferred_username: 'bİll' }
    expect(await browser().follow('/api/auth/oidc')).toStartWith('/login?sso=')
  })

  test('opens a Greek name with either form of the letter sigma', async () => {
    await h.cast.ada.post('/users', { username: 'ΝΙΚΟΣ', role: 'user', single_sign_on: true, password: PASSWORD })
    provider.state.person = { sub: 'nikos', preferred_username: 'νικοσ' }
    expect(await browser().follow('/api/auth/oidc')).toBe('/dashboard')
  })

  test('creates no account for an e-mail address that looks like a username', async () => {
    await h.cast.ada.post('/users', { username: 'bill@corp.com', role: 'user', password: PASSWORD })
    provider.state.person = { sub: 'x', email: 'biIl@corp.com', email_verified: true }
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=similar')
  })

  const CARLAS = ['CarIa', 'car1a', 'c.a.r.l.a', '@carla', 'carłá', 'cárla'].map((name) => ['carla', name] as const)
  const OTHERS = [
    ['зіна', 'зӏна'],
    ['зина', '3ина'],
    ['へい太', 'ヘい太'],
    ['یوسف', 'يوسف'],
    ['タナカ', '夕ナカ'],
    ['daniel', 'claniel'],
  ] as const
  test.each([...CARLAS, ...OTHERS])('creates no account that looks like %s: %s', async (username, name) => {
    await h.cast.ada.post('/users', { username, role: 'user', password: PASSWORD })
    provider.state.person = { sub: name, preferred_username: name }
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=similar')
  })

  test('creates an account whose name differs by a digit that looks like no letter of it', async () => {
    await h.cast.ada.post('/users', { username: 'carla', role: 'user', password: PASSWORD })
    provider.state.person = { sub: 'c4rIa', preferred_username: 'c4rIa' }
    expect(await browser().follow('/api/auth/oidc')).toBe('/dashboard')
  })

  test('requires fresh credentials for sensitive changes, also without a password', async () => {
    provider.state.person = jane
    // The provider's session begins now. The program's clock is then set three hours ahead.
    const own = browser()
    await own.follow('/api/auth/oidc')
    h.clock.set(new Date(Date.now() + 3 * 3_600_000))
    await own.follow('/api/auth/oidc')
    const post = async (path: string, body: object) => {
      const cookie = [...(own.jars.get(ORIGIN) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, origin: ORIGIN, 'content-type': 'application/json' }
      const request = new Request(`${ORIGIN}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await h.app.handle(request)).status
    }
    expect(await post('/auth/tokens', { name: 'robot', scope: 'read' })).toBe(422)
    expect(await post('/auth/confirm-password', {})).toBe(422)
    own.forget(new URL(provider.issuer).origin)
    h.clock.set(new Date())
    await own.follow('/api/auth/oidc?confirm=1')
    expect(await post('/auth/confirm-password', {})).toBe(422)
    expect(await post('/auth/tokens', { name: 'robot', scope: 'read' })).toBe(201)
  })

  test('ends when an administrator withdraws it, and the account is free for another person', async () => {
    provider.state.person = jane
    const own = browser()
    await own.follow('/api/auth/oidc')
    const { data } = (await h.cast.ada.get('/users?q=jane')).body as unknown as { data: { id: number }[] }
    const allow = (single_sign_on: boolean) => h.cast.ada.put(`/users/${data[0]?.id}`, { single_sign_on })
    expect((await allow(false)).status).toBe(200)
    expect((await own.open(`${ORIGIN}/api/auth/verify`)).status).toBe(401)
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=taken')
    await allow(true)
    provider.state.person = { ...jane, sub: 'u-7' }
    expect(await browser().follow('/api/auth/oidc')).toBe('/dashboard')
  })

  test('opens a prepared account although its temporary password was never changed', async () => {
    await h.cast.ada.post('/users', { username: 'jane', temporary_password: true, single_sign_on: true })
    provider.state.person = jane
    const own = browser()
    expect(await own.follow('/api/auth/oidc')).toBe('/dashboard')
    expect((await own.open(`${ORIGIN}/titles`)).status).toBe(200)
  })

  test('ends the sessions that were opened with a temporary password', async () => {
    const user = { username: 'jane', password: PASSWORD, must_change_password: true, single_sign_on: true }
    await h.cast.ada.post('/users', user)
    const { body } = await h.cast.stranger.post('/auth/login', { username: 'jane', password: PASSWORD })
    const { token } = body.data as { token: string }
    provider.state.person = jane
    await browser().follow('/api/auth/oidc')
    const { status } = await h.cast.stranger.request('/api/titles', { headers: { authorization: `Bearer ${token}` } })
    expect(status).toBe(401)
  })

  test('revokes API tokens with the temporary password, and keeps a password that the user chose', async () => {
    const user = { username: 'jane', password: PASSWORD, single_sign_on: true }
    const { id } = (await h.cast.ada.post('/users', user)).body.data as { id: number }
    const signedIn = (await h.cast.stranger.post('/auth/login', { username: 'jane', password: PASSWORD })).body.data
    const authorization = `Bearer ${(signedIn as { token: string }).token}`
    const tokenRequest = { name: 'r', scope: 'read', current_password: PASSWORD }
    const made = await h.cast.stranger.call('POST', '/auth/tokens', tokenRequest, { authorization })
    const { token } = made.body.data as { token: string }
    const status = async () =>
      (await h.cast.stranger.request('/api/titles', { headers: { authorization: `Bearer ${token}` } })).status
    expect((await h.cast.ada.put(`/users/${id}`, { must_change_password: true })).status).toBe(200)
    provider.state.person = { sub: 'u-1', preferred_username: 'jane' }
    expect(await browser().follow('/api/auth/oidc')).toBe('/dashboard')
    expect(await status()).toBe(403)
    const again = await h.cast.stranger.post('/auth/login', { username: 'jane', password: PASSWORD })
    expect(again.status).toBe(200)
    await h.cast.ada.post(`/users/${id}/reset-password`, { newPassword: 'Mesquite77x', must_change_password: true })
    expect(await browser().follow('/api/auth/oidc')).toBe('/dashboard')
    expect(await status()).toBe(401)
  })

  test('keeps an administrator who can sign in when another one is demoted or unlinked', async () => {
    await start({ passwordAccounts: ['admin'] })
    await h.ctx.db.insert(users).values({ username: 'jane', password_hash: '!', role: 'admin', single_sign_on: true })
    provider.state.person = jane
    const own = browser()
    await own.follow('/api/auth/oidc')
    const [stored] = await h.ctx.db.select().from(users).where(eq(users.username, 'jane'))
    // Ada is an administrator too, but cannot sign in any more. Her session is still open.
    for (const change of [{ role: 'user' }, { single_sign_on: false }, { is_active: false }]) {
      const { status, body } = await h.cast.ada.put(`/users/${stored?.id}`, { ...change, version: stored?.version })
      expect([status, body.message]).toEqual([422, 'At least one administrator must stay active'])
    }
  })

  test('ignores claims that a form would refuse', async () => {
    for (const preferred_username of ['a\u200bda', 'ada\u00ad', 'j'.repeat(51), 'ja\u0000ne']) {
      provider.state.person = { sub: 'u-5', preferred_username }
      expect([preferred_username, await browser().follow('/api/auth/oidc')]).toEqual([
        preferred_username,
        expect.stringMatching(/^\/login\?sso=(no-username|taken)$/),
      ])
    }
    provider.state.person = { ...jane, given_name: 'J'.repeat(60), email: 'not an address' }
    const own = browser()
    await own.follow('/api/auth/oidc')
    expect((await own.verify()).data?.user).toMatchObject({ first_name: null, email: null })
    // A verified e-mail address becomes the username of a new account, but opens no existing account.
    await h.cast.ada.post('/users', { username: 'boss@x.example', password: PASSWORD, single_sign_on: true })
    provider.state.person = { sub: 'u-6', email: 'boss@x.example', email_verified: true }
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=taken')
    for (const reason of ['__proto__', 'constructor', 'x'])
      expect((await browser().open(`${ORIGIN}/login?sso=${reason}`)).status).toBe(200)
  })

  test('never redirects to another site', async () => {
    provider.state.person = jane
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])
      expect(await browser().follow(`/api/auth/oidc?next=${encodeURIComponent(next)}`)).toBe('/dashboard')
  })

  test('confirms a sensitive change, but only for the same person', async () => {
    provider.state.person = jane
    const own = browser()
    await own.follow('/api/auth/oidc')
    h.clock.set(new Date(h.clock.now().getTime() + 2 * 3_600_000))
    const token = () =>
      own
        .open(`${ORIGIN}/profile/confirm?next=/profile/access`)
        .then(async (response) => (await response.text()).includes('Confirm with single sign-on'))
    expect(await token()).toBe(true)
    provider.state.person = { sub: 'u-9', preferred_username: 'other' }
    own.forget(new URL(provider.issuer).origin)
    expect(await own.follow('/api/auth/oidc?confirm=1&next=/profile/access')).toBe(
      '/profile/confirm?next=%2Fprofile%2Faccess',
    )
    provider.state.person = jane
    own.forget(new URL(provider.issuer).origin)
    expect(await own.follow('/api/auth/oidc?confirm=1&next=/profile/access')).toBe('/profile/access')
    expect((await own.verify()).data?.user.username).toBe('jane')
  })

  test('lets only named accounts use a password, also when the provider is down', async () => {
    await start({ issuer: 'http://127.0.0.1:9', passwordAccounts: ['ada'] })
    expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=away')
    const login = (username: string) => h.cast.stranger.post('/auth/login', { username, password: PASSWORD })
    expect((await login('ada')).status).toBe(200)
    // The error does not show which accounts can use a password.
    const wrong = await h.cast.stranger.post('/auth/login', { username: 'ada', password: 'Wrong1234' })
    for (const refused of [await login('ben'), await login('nobody'), wrong])
      expect([refused.status, refused.body.message]).toEqual([
        401,
        'Invalid username or password. Most accounts use single sign-on.',
      ])
    expect((await h.cast.stranger.open('/login')).text).toContain('Sign in with single sign-on')
  })
})

test('password sessions of other accounts end when only named accounts can use a password', async () => {
  await endPasswordSessions(h.ctx.db, ['ada'])
  expect((await h.cast.ada.get('/titles')).status).toBe(200)
  expect((await h.cast.ben.get('/titles')).status).toBe(401)
})

test('without a provider there is no single sign-on', async () => {
  h = await testContext()
  expect((await browser().open(`${ORIGIN}/api/auth/oidc`)).status).toBe(404)
  expect((await h.cast.stranger.open('/login')).text).not.toContain('single sign-on')
})
