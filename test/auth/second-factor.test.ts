import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { secondFactors, users } from '../../db/schema'
import { resetAccountFactor } from '../../src/app/operator/accounts'
import { openSession } from '../../src/platform/auth/sessions'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { Visitor } from '../support/visitor'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const PERIOD_MS = 30_000
const PROMPT = 'Enter the code from your authenticator app'

/** The code that the app shows now, or after a number of 30-second periods. */
const codeOf = (secret: string, periods = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() + periods * PERIOD_MS })
const wait = (periods: number) => h.clock.set(new Date(h.clock.now().getTime() + periods * PERIOD_MS))
const signIn = async (more: object = {}) => {
  const { status, body } = await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD, ...more })
  return {
    status,
    message: body.message,
    field: body.errors?.[0]?.field,
    token: (body.data as { token?: string })?.token,
  }
}
async function turnOn() {
  const { secret, url } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string; url: string }
  const { status, body } = await h.cast.ben.post('/auth/totp/confirm', { code: codeOf(secret) })
  expect([status, body.message]).toEqual([200, undefined])
  return { secret, url, codes: (body.data as { recovery_codes: string[] }).recovery_codes }
}

describe('Setting up a second factor', () => {
  test('with a required change of the password, changes the password first', async () => {
    await h.cast.ada.put('/settings', { second_factor_required: 'Everybody', current_password: PASSWORD })
    await h.ctx.db.update(users).set({ must_change_password: true }).where(eq(users.username, 'ben'))
    expect((await h.cast.ben.open('/titles')).location).toBe('/profile/password')
    expect((await h.cast.ben.open('/profile/password')).status).toBe(200)
    const change = { currentPassword: PASSWORD, newPassword: 'Cottonwood88' }
    expect((await h.cast.ben.post('/auth/change-password', change)).status).toBe(200)
    expect((await h.cast.ben.open('/titles')).location).toBe('/profile/two-factor')
  })

  test('is finished only in the session that began it, within an hour', async () => {
    const { secret } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
    const other = await signIn()
    const confirm = (token?: string) =>
      h.cast.ben.call(
        'POST',
        '/auth/totp/confirm',
        { code: codeOf(secret) },
        token ? { authorization: `Bearer ${token}` } : {},
      )
    expect((await confirm(other.token)).status).toBe(409)
    const page = await h.cast.ben.submit(
      '/profile/two-factor/confirm',
      { code: '000000' },
      { authorization: `Bearer ${other.token}` },
    )
    expect(page.html).not.toContain(secret.slice(0, 4))
    wait(125)
    expect((await confirm()).status).toBe(409)
  })

  test('shows its secret only on the page that began it, also after a wrong code', async () => {
    const { ben } = h.cast
    const setupPage = await ben.submit('/profile/two-factor/begin', { current_password: PASSWORD })
    const secretIn = (html: string) => /class="secret">([A-Z2-7 ]+)</.exec(html)?.[1]
    const setup = /name="setup" value="([^"]+)"/.exec(setupPage.html)?.[1] ?? ''
    const confirm = (more: object) => ben.submit('/profile/two-factor/confirm', { code: '000000', ...more })
    const withoutSetup = await confirm({})
    expect(secretIn(withoutSetup.html)).toBeUndefined()
    expect([withoutSetup.status, withoutSetup.text.includes('The setup has expired. Start again.')]).toEqual([
      409,
      true,
    ])
    expect(secretIn((await confirm({ setup: 'x' })).html)).toBeUndefined()
    const again = await confirm({ setup })
    expect(secretIn(again.html)).toBe(secretIn(setupPage.html) ?? 'no secret')
    expect(/name="setup" value="([^"]+)"/.exec(again.html)?.[1]).toBe(setup)
  })

  test('cannot be finished with a replaced token', async () => {
    const { secret } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
    await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
    expect((await h.cast.ben.post('/auth/totp/confirm', { code: codeOf(secret) })).status).toBe(409)
  })

  test('does not clear the count of wrong passwords', async () => {
    const guess = async () =>
      (await h.cast.ben.post('/auth/confirm-password', { current_password: 'Wrong1234' })).status
    for (let tries = 0; tries < 9; tries++) expect(await guess()).toBe(422)
    await turnOn()
    expect([await guess(), await guess()]).toEqual([422, 429])
  })
})

test('a setup can be finished after the session was renewed', async () => {
  const { token } = await signIn()
  const call = (path: string, body: object, bearer = token) =>
    h.cast.stranger.call('POST', path, body, { authorization: `Bearer ${bearer}` })
  const { secret } = (await call('/auth/totp', {})).body.data as { secret: string }
  const renewed = (await call('/auth/confirm-password', { current_password: PASSWORD })).body.data as { token: string }
  expect((await call('/auth/totp/confirm', { code: codeOf(secret) }, renewed.token)).status).toBe(200)
  expect((await call('/auth/confirm-password', { current_password: PASSWORD }, renewed.token)).status).toBe(200)
})

describe('Turning on a second factor', () => {
  test('ends the session that a password confirmation has replaced', async () => {
    const confirmed = await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
    const authorization = `Bearer ${(confirmed.body.data as { token: string }).token}`
    const call = (path: string, body: object) => h.cast.stranger.call('POST', path, body, { authorization })
    const { secret } = (await call('/auth/totp', {})).body.data as { secret: string }
    expect((await h.cast.ben.get('/titles')).status).toBe(200)
    expect((await call('/auth/totp/confirm', { code: codeOf(secret) })).status).toBe(200)
    expect((await h.cast.ben.get('/titles')).status).toBe(401)
  })

  test('ends the other sessions, which were opened without a code', async () => {
    const { token } = await signIn()
    const read = () => h.cast.stranger.call('GET', '/titles', undefined, { authorization: `Bearer ${token}` })
    expect((await read()).status).toBe(200)
    await turnOn()
    expect((await read()).status).toBe(401)
    expect((await h.cast.ben.get('/titles')).status).toBe(200)
  })

  test('makes known devices unknown, because they have never sent a code', async () => {
    const { device, account } = await h.ctx.limits.keysOf('BEN')
    expect((await h.ctx.limits.keysOf('ben')).device).toBe(device)
    await turnOn()
    const keys = await h.ctx.limits.keysOf('ben')
    expect([keys.account, keys.device === device]).toEqual([account, false])
  })
})

test('two sign-ins at the same time do not raise the number of allowed attempts', async () => {
  const attempt = { account: 'account', address: '192.0.2.1', device: null }
  for (let n = 0; n < 5; n++) {
    await h.ctx.limits.count(attempt)
    await h.ctx.limits.countFirstStep(attempt)
  }
  await Promise.all([h.ctx.limits.succeeded(attempt), h.ctx.limits.succeeded(attempt)])
  // Attempts of an earlier window are not subtracted from the counts of this one.
  await h.ctx.limits.countFirstStep({ ...attempt, account: 'other' })
  await h.ctx.database.raw("update rate_limits set expire = 1 where key like 'first:%'", [])
  for (let n = 0; n < 4; n++) await h.ctx.limits.count({ ...attempt, account: 'other' })
  await h.ctx.limits.succeeded({ ...attempt, account: 'other' })
  const [own] = await h.ctx.database.raw("select points from rate_limits where key = 'account:other'", [])
  expect(Number(own?.points)).toBe(3)
  const counts = await h.ctx.database.raw('select points from rate_limits where points < 0', [])
  expect(counts).toEqual([])
})

describe('Resetting the second factor of another user', () => {
  test('needs a confirmed password, and is refused for the own account', async () => {
    await turnOn()
    const { ada, ben } = h.cast
    const users = (await ada.get('/users')).body.data as unknown as { id: number; username: string }[]
    const reset = (name: string, body: object = {}) =>
      ada.post(`/users/${users.find(({ username }) => username === name)?.id}/reset-second-factor`, body)
    expect((await reset('ada')).body.errors?.[0]?.message).toBe(
      'Turn off your own two-factor authentication in your profile',
    )
    await ada.token()
    h.clock.set(new Date(h.clock.now().getTime() + 61 * 60_000))
    expect((await reset('ben')).body.errors?.[0]?.field).toBe('current_password')
    expect((await reset('ben', { current_password: PASSWORD })).status).toBe(200)
    // A thief can have set up the second factor, so all sessions end.
    expect((await ben.get('/auth/verify')).status).toBe(401)
  })
})

describe('Sign-in with two-factor authentication', () => {
  test('requires a code, and accepts each code once', async () => {
    const { secret, url, codes } = await turnOn()
    expect(url).toStartWith('otpauth://totp/Yardmaster:ben?')
    expect([codes.length, new Set(codes).size]).toEqual([10, 10])
    expect(await signIn()).toMatchObject({ status: 401, message: PROMPT, field: 'code' })
    // The code that turned two-factor authentication on cannot be used again.
    expect(await signIn({ code: codeOf(secret) })).toMatchObject({ status: 401, field: 'code' })
    wait(1)
    const code = codeOf(secret)
    expect((await signIn({ code })).status).toBe(200)
    expect(await signIn({ code })).toMatchObject({ status: 401, message: PROMPT, field: 'code' })
    wait(1)
    expect((await signIn({ code: ` ${codeOf(secret).slice(0, 3)} ${codeOf(secret).slice(3)} ` })).status).toBe(200)
  })

  test('accepts one of two concurrent sign-ins with one code', async () => {
    const { secret } = await turnOn()
    wait(1)
    const code = codeOf(secret)
    const answers = await Promise.all([signIn({ code }), signIn({ code })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  test('accepts codes of one period before and after, and none beyond', async () => {
    const { secret } = await turnOn()
    wait(10)
    for (const periods of [-2, 2]) expect((await signIn({ code: codeOf(secret, periods) })).status).toBe(401)
    expect((await signIn({ code: codeOf(secret, -1) })).status).toBe(200)
    expect((await signIn({ code: codeOf(secret, 1) })).status).toBe(200)
    // This code is older than the last accepted one.
    expect((await signIn({ code: codeOf(secret) })).status).toBe(401)
  })

  test('accepts each recovery code once', async () => {
    const { codes } = await turnOn()
    const [first = '', second = ''] = codes
    expect((await signIn({ code: first.toLowerCase() })).status).toBe(200)
    expect((await signIn({ code: first })).status).toBe(401)
    expect((await signIn({ code: second.replaceAll('-', '') })).status).toBe(200)
  })

  test('does not reveal that a password is wrong by asking for a code', async () => {
    const { secret } = await turnOn()
    wait(1)
    for (const code of [undefined, codeOf(secret), '000000'])
      expect(await signIn({ password: 'Wrong1234', code })).toMatchObject({
        status: 401,
        message: 'Invalid username or password',
        field: undefined,
      })
  })

  test('limits guesses of codes', async () => {
    await turnOn()
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries++) statuses.push((await signIn({ code: '000000' })).status)
    expect(statuses.slice(0, 9)).toEqual(Array(9).fill(401))
    expect(statuses.at(-1)).toBe(429)
  })

  test('is not blocked by somebody without the password', async () => {
    const { secret } = await turnOn()
    wait(1)
    for (let tries = 0; tries < 9; tries++) await signIn({ password: 'Wrong1234', code: '000000' })
    expect((await signIn({ code: codeOf(secret) })).status).toBe(200)
    const { body } = await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
    expect(body.success).toBe(true)
  })

  test('is not required until the first code was confirmed', async () => {
    const { secret } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
    expect((await signIn()).status).toBe(200)
    const wrong = await h.cast.ben.post('/auth/totp/confirm', { code: '000000' })
    expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([422, 'code'])
    expect((await signIn()).status).toBe(200)
    const again = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
    expect(again.secret).not.toBe(secret)
    expect((await h.cast.ben.post('/auth/totp/confirm', { code: codeOf(secret) })).status).toBe(422)
    expect((await h.cast.ben.post('/auth/totp/confirm', { code: codeOf(again.secret) })).status).toBe(200)
    for (const path of ['/auth/totp', '/auth/totp/confirm'])
      expect([path, (await h.cast.ben.post(path, { code: codeOf(again.secret) } as never)).status]).toEqual([
        path,
        path.endsWith('confirm') ? 409 : 422,
      ])
    expect((await h.cast.ben.post('/auth/totp', {})).status).toBe(409)
  })
})

describe('Two-factor authentication', () => {
  test('is turned off with the password, and by an administrator', async () => {
    await turnOn()
    expect((await h.cast.ben.call('DELETE', '/auth/totp', {})).status).toBe(422)
    expect((await h.cast.ben.call('DELETE', '/auth/totp', { current_password: 'Wrong1234' })).status).toBe(422)
    const { user } = (await h.cast.ben.get('/auth/verify')).body.data as { user: { id: number } }
    const other = await openSession(h.ctx.db, user.id, { address: '127.0.0.1', userAgent: 'test' }, h.clock.now())
    expect((await h.cast.ben.call('DELETE', '/auth/totp', { current_password: PASSWORD })).status).toBe(200)
    expect((await new Visitor(h.app, h.ctx, other).get('/auth/verify')).status).toBe(401)
    expect((await signIn()).status).toBe(200)
    await turnOn()
    const { data } = (await h.cast.ada.get('/users?q=ben')).body
    const [{ id }] = data as [{ id: number }]
    expect((await h.cast.ben.post(`/users/${id}/reset-second-factor`)).status).toBe(403)
    expect((await h.cast.ada.post(`/users/${id}/reset-second-factor`)).status).toBe(200)
    expect((await h.cast.ada.post(`/users/${id}/reset-second-factor`)).status).toBe(404)
    expect((await signIn()).status).toBe(200)
    const sessionId = await openSession(h.ctx.db, id, { address: '127.0.0.1', userAgent: 'test' }, h.clock.now())
    h.cast.ben = new Visitor(h.app, h.ctx, sessionId)
    await turnOn()
    expect(await resetAccountFactor(h.database, 'BEN')).toEqual({ username: 'ben' })
    expect((await h.cast.ben.get('/auth/verify')).status).toBe(401)
    expect((await signIn()).status).toBe(200)
  })

  test('is audited without its secret and codes, which are stored encrypted and hashed', async () => {
    const { secret, codes } = await turnOn()
    const { body } = await h.cast.ada.get('/audit?entity=second_factors')
    const entries = body.data as { action: string; actor: string }[]
    expect(entries.map(({ action, actor }) => `${action} ${actor}`)).toEqual(['update ben', 'create ben'])
    const all = JSON.stringify([entries, await h.ctx.db.select().from(secondFactors)])
    for (const word of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(all).not.toContain(word)
  })

  test('is not needed by API tokens, which cannot change it', async () => {
    const { body } = await h.cast.ben.post('/auth/tokens', { name: 'Feed', scope: 'write', current_password: PASSWORD })
    const { token } = body.data as { token: string }
    await turnOn()
    const withToken = (method: string, path: string) =>
      h.cast.stranger.call(method, path, method === 'GET' ? undefined : {}, { authorization: `Bearer ${token}` })
    expect((await withToken('GET', '/titles')).status).toBe(200)
    for (const [method, path] of [
      ['POST', '/auth/totp'],
      ['POST', '/auth/totp/confirm'],
      ['DELETE', '/auth/totp'],
    ] as const)
      expect([method, path, (await withToken(method, path)).status]).toEqual([method, path, 403])
  })
})

describe('The pages without scripts', () => {
  test('set it up, ask for the code at sign-in, and turn it off', async () => {
    const { ben, stranger } = h.cast
    expect((await ben.open('/profile/two-factor')).text).toContain('Set up')
    const setup = await ben.submit('/profile/two-factor/begin', { current_password: PASSWORD })
    const secret = /([A-Z2-7]{4} ){7}[A-Z2-7]{4}/.exec(setup.text)?.[0].replaceAll(' ', '') ?? ''
    expect(setup.html).toContain('data:image/svg+xml')
    const sealed = /name="setup" value="([^"]+)"/.exec(setup.html)?.[1] ?? ''
    const wrong = await ben.submit('/profile/two-factor/confirm', { code: '000000', setup: sealed })
    expect([wrong.status, wrong.find('.field-error').length]).toEqual([422, 1])
    const codes = await ben.submit('/profile/two-factor/confirm', { code: codeOf(secret) })
    expect(codes.text.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g)).toHaveLength(10)
    const renewed = { cookie: String(codes.headers.get('set-cookie')) }
    expect((await ben.open('/profile/two-factor', renewed)).text).toContain('10 unused recovery codes')
    const promptPage = await stranger.submit('/login', { username: 'ben', password: PASSWORD, next: '/titles' })
    expect([promptPage.status, promptPage.text.includes(PROMPT), promptPage.html.includes(PASSWORD)]).toEqual([
      401,
      true,
      false,
    ])
    const ticket = /name="ticket" value="([^"]+)"/.exec(promptPage.html)?.[1] ?? ''
    const refused = await stranger.submit('/login', { ticket, code: '000000', next: '/titles' })
    expect([refused.status, refused.text.includes('The code is wrong or has expired')]).toEqual([401, true])
    wait(1)
    const entered = await stranger.submit('/login', { ticket, code: codeOf(secret), next: '/titles' })
    expect([entered.status, entered.location]).toEqual([303, '/titles'])
    wait(1)
    expect((await stranger.submit('/login', { ticket: `x${ticket}`, code: codeOf(secret) })).status).not.toBe(303)
    // A ticket expires after five minutes.
    wait(11)
    const expired = await stranger.submit('/login', { ticket, code: codeOf(secret) })
    expect([expired.status, expired.text.includes('The time for the second step has expired')]).toEqual([401, true])
    const off = await ben.submit('/profile/two-factor/remove', { current_password: PASSWORD }, renewed)
    expect(off.toast).toBe('Two-factor authentication is off')
  })

  test('let administrators reset it', async () => {
    await turnOn()
    const { data } = (await h.cast.ada.get('/users?q=ben')).body
    const [{ id }] = data as [{ id: number }]
    const at = `/admin/users/${id}/reset-second-factor`
    expect((await h.cast.ada.open(at)).text).toContain('Reset two-factor authentication?')
    expect((await h.cast.ada.submit(at, {})).toast).toBe('Two-factor authentication is off for this user')
    expect((await signIn()).status).toBe(200)
  })
})

test('a setting requires a second factor for a role, before anything else', async () => {
  const requireFactor = (second_factor_required: string) =>
    h.cast.ada.put('/settings', { second_factor_required, current_password: PASSWORD })
  expect((await requireFactor('Everybody')).status).toBe(200)
  const due = await h.cast.ben.get('/titles')
  expect([due.status, (due.body as { code?: string }).code]).toEqual([403, 'second_factor_required'])
  expect((await h.cast.ben.open('/titles')).location).toBe('/profile/two-factor')
  expect((await h.cast.ben.open('/profile/two-factor')).status).toBe(200)
  // A session that has shown only a password cannot change the account.
  const [profile, password] = [{ email: 'x@example.com' }, { currentPassword: PASSWORD, newPassword: 'Cottonwood88' }]
  expect((await h.cast.ben.submit('/profile', profile)).location).toBe('/profile/two-factor')
  expect((await h.cast.ben.post('/auth/change-password', password)).status).toBe(403)
  expect((await h.cast.ben.get('/auth/verify')).status).toBe(200)
  // The setting also applies to the administrator who changed it.
  expect((await requireFactor('Nobody')).status).toBe(403)
  await turnOn()
  expect((await h.cast.ben.get('/titles')).status).toBe(200)
})
