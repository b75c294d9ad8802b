import { beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { apiTokens, externalIdentities, sessions, users } from '../../db/schema'
import { ensureAdmin } from '../../src/app/operator/accounts'
import { signOn } from '../../src/platform/auth/single-sign-on'
import { inSignOnTurn } from '../../src/platform/http/turns'
import { RateLimited, SignedOut } from '../../src/platform/refusals'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { OIDC, PERSON } from '../support/people'
import { Visitor } from '../support/visitor'

/** Limits of one account, and links between accounts and people at the single sign-on provider. */

const VISITOR = { address: '127.0.0.1', userAgent: 'test' }

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext({ oidc: OIDC })
})

const ben = async () => {
  const [found] = await h.ctx.db.select().from(users).where(eq(users.username, 'ben'))
  return found as typeof users.$inferSelect
}
const signIn = async () => {
  const { body } = await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })
  const { token } = body.data as { token: string }
  return (method: string, path: string, values?: unknown) =>
    h.cast.stranger.call(method, path, values, { authorization: `Bearer ${token}` })
}

test('create-admin finds an account by a name with other characters', async () => {
  const { id } = await ben()
  for (const name of ['ben ', 'ｂen', 'BEN']) await ensureAdmin(h.ctx.db, name)
  expect(await h.ctx.db.$count(users, eq(users.role, 'admin'))).toBe(2)
  expect((await ben()).id).toBe(id)
})

test('password checks of one account take turns, and strangers do not block its known devices', async () => {
  const { account } = await h.ctx.limits.keysOf('ben')
  const signIn = (cookie = '', username = 'ben') =>
    h.cast.stranger.submit('/login', { username, password: PASSWORD }, { cookie })
  const devices = (await Promise.all([signIn(), signIn()])).map(
    ({ headers }) =>
      headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('yardmaster_device='))
        ?.split(';')[0],
  )
  const gate = Promise.withResolvers<boolean>()
  const check = (work: () => Promise<boolean>) =>
    h.ctx.limits.checkInTurn({ account, address: '192.0.2.1', device: 'x' }, work)
  const first = check(() => gate.promise)
  let waiting = 2
  const sent = devices.map((device) => signIn(device).finally(() => waiting--))
  for (const username of ['ben', 'ada']) expect((await signIn('', username)).location).toBe('/dashboard')
  expect(waiting).toBe(2)
  const others = Array.from({ length: 18 }, () => check(async () => true))
  // Refused attempts do not count as failed. Otherwise, the device would be blocked after ten of them.
  for (let n = 0; n < 12; n++) expect((await signIn(devices[0])).status).toBe(429)
  gate.resolve(true)
  await Promise.all([first, ...others])
  expect((await Promise.all(sent)).map(({ location }) => location)).toEqual(['/dashboard', '/dashboard'])
  expect((await signIn(devices[0])).location).toBe('/dashboard')
})

test('checks for unknown devices leave one place free for known devices', async () => {
  const gate = Promise.withResolvers<boolean>()
  const started: string[] = []
  const check = (account: string, device: string | null) =>
    h.ctx.limits.checkInTurn({ account, address: '192.0.2.1', device }, () => {
      started.push(account)
      return gate.promise
    })
  const strangers = ['one', 'two', 'three'].map((account) => check(account, null))
  const owner = check('owner', 'x')
  await Bun.sleep(1)
  expect(started).toEqual(['one', 'owner'])
  gate.resolve(true)
  await Promise.all([...strangers, owner])
  expect(started).toHaveLength(4)
})

test('single sign-ons of one person take turns', async () => {
  const gate = Promise.withResolvers<void>()
  let started = 0
  const work = () => {
    started++
    return gate.promise
  }
  const sent = Array.from({ length: 21 }, () => inSignOnTurn(h.ctx, PERSON, work).catch((error) => error))
  const other = inSignOnTurn(h.ctx, { ...PERSON, subject: 'u-2' }, work)
  expect(await sent.at(-1)).toBeInstanceOf(RateLimited)
  expect(started).toBe(2)
  gate.resolve()
  await Promise.all([...sent, other])
  expect(started).toBe(21)
})

test('an account can have at most 50 API tokens', async () => {
  const { id: user_id } = await ben()
  const expires_at = new Date(h.clock.now().getTime() + 86_400_000)
  const token = (n: number) => ({ user_id, name: `Token ${n}`, scope: 'read' as const, expires_at, token_hash: `${n}` })
  await h.ctx.db.insert(apiTokens).values(Array.from({ length: 49 }, (_, n) => token(n)))
  const create = (name: string) => h.cast.ben.post('/auth/tokens', { name, scope: 'read', current_password: PASSWORD })
  expect((await create('Last')).status).toBe(201)
  expect(await create('Too many')).toMatchObject({
    status: 409,
    body: { message: 'An account can have at most 50 API tokens. Revoke one first.' },
  })
})

test('the list of sessions is limited, but contains the current one, and all of them can be ended', async () => {
  const { id } = await ben()
  const now = h.clock.now().toISOString()
  const call = await signIn()
  await h.ctx.db.execute(sql`
    insert into sessions (id, user_id, created_at, last_seen_at, authenticated_at, expires_at, method)
    select 'other-' || n, ${id}, ${now}::timestamptz, ${now}::timestamptz + interval '1 second', ${now}::timestamptz,
      ${now}::timestamptz + interval '1 hour', 'password' from generate_series(1, 700) n`)
  const listed = (await call('GET', '/auth/sessions')).body.data as unknown as { key: string; is_current: boolean }[]
  expect([listed.length, listed.filter(({ is_current }) => is_current).length]).toEqual([500, 1])
  const other = listed.find(({ is_current }) => !is_current)
  expect((await call('DELETE', `/auth/sessions/${other?.key}`)).status).toBe(200)
  expect((await call('DELETE', '/auth/sessions')).status).toBe(200)
  expect(await h.ctx.db.$count(sessions, eq(sessions.user_id, id))).toBe(1)
})

test('wrong passwords in one session do not block the password change in another session', async () => {
  const [thief, owner] = [await signIn(), await signIn()]
  const change = (call: typeof thief, currentPassword: string) =>
    call('POST', '/auth/change-password', { currentPassword, newPassword: 'Copper7Canyon' })
  const guesses = []
  for (let guess = 0; guess < 11; guess++) guesses.push((await change(thief, `Wrong${guess}Guess`)).status)
  expect(guesses.slice(9)).toEqual([422, 429])
  // Another sign-in by the owner gives the thief no new attempts.
  await signIn()
  expect((await change(thief, PASSWORD)).status).toBe(429)
  expect((await change(owner, PASSWORD)).status).toBe(200)
  expect((await thief('GET', '/auth/verify')).status).toBe(401)
})

test('wrong codes in one session do not block the setup of a second factor in another session', async () => {
  const [thief, owner] = [await signIn(), await signIn()]
  for (let guess = 0; guess < 11; guess++) await thief('POST', '/auth/totp/confirm', { code: '000000' })
  expect((await thief('POST', '/auth/totp/confirm', { code: '000000' })).status).toBe(429)
  await owner('POST', '/auth/totp', { current_password: PASSWORD })
  expect((await owner('POST', '/auth/totp/confirm', { code: '000000' })).status).toBe(422)
})

test('guesses of the own password are counted together for all single sign-ons', async () => {
  await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ben'))
  const guess = async () => {
    const opened = (await signOn(h.ctx, PERSON, VISITOR)) as { session: string }
    const visitor = new Visitor(h.app, h.ctx, opened.session)
    return (await visitor.post('/auth/confirm-password', { current_password: 'Wrong1234' })).status
  }
  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push(await guess())
  expect(statuses.slice(9)).toEqual([422, 429])
})

test('a guess of the own password is not checked after the session has ended', async () => {
  const { id, username } = await ben()
  const session = { id: 'ended', first_id: 'ended', user: { id, username } } as never
  const refused = await h.ctx.limits.countOwn(session).catch((error) => error)
  expect(refused).toBeInstanceOf(SignedOut)
})

test('a device with a single sign-on is not a known device for the password', async () => {
  const { device, signOnDevice } = await h.ctx.limits.keysOf('ben')
  expect(signOnDevice).not.toBe(device)
  // It stays the same when the password changes.
  await h.ctx.db.update(users).set({ password_hash: 'other' }).where(eq(users.username, 'ben'))
  const after = await h.ctx.limits.keysOf('ben')
  expect([after.signOnDevice === signOnDevice, after.device === device]).toEqual([true, false])
})

test('a person whose account was deactivated cannot get a new account, even with another name', async () => {
  await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ben'))
  await signOn(h.ctx, PERSON, VISITOR)
  const { id } = await ben()
  const renamed = { ...PERSON, username: 'benjamin' }
  expect((await h.cast.ada.put(`/users/${id}`, { is_active: false, single_sign_on: false })).status).toBe(200)
  expect(await signOn(h.ctx, renamed, VISITOR)).toBe('inactive')
  expect((await h.cast.ada.put(`/users/${id}`, { is_active: true })).status).toBe(200)
  expect(await signOn(h.ctx, renamed, VISITOR)).toMatchObject({ account: { username: 'benjamin' } })
})

test('an account whose single sign-on is allowed again is not linked to its former person', async () => {
  await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ben'))
  await signOn(h.ctx, PERSON, VISITOR)
  const { id } = await ben()
  await h.cast.ada.put(`/users/${id}`, { is_active: false, single_sign_on: false })
  await h.cast.ada.put(`/users/${id}`, { is_active: true, single_sign_on: true })
  const successor = { ...PERSON, subject: 'u-9' }
  expect(await signOn(h.ctx, successor, VISITOR)).toMatchObject({ account: { id } })
  expect(await signOn(h.ctx, PERSON, VISITOR)).toBe('taken')
})

test('a sign-on during create-admin does not keep a session', async () => {
  await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ben'))
  for (let round = 0; round < 3; round++) {
    await Promise.all([
      signOn(h.ctx, PERSON, VISITOR),
      ensureAdmin(h.ctx.db, 'ben'),
      signOn(h.ctx, PERSON, VISITOR),
      signOn(h.ctx, PERSON, VISITOR),
    ])
    const { id } = await ben()
    expect(await h.ctx.db.$count(sessions, eq(sessions.user_id, id))).toBe(0)
    await h.ctx.db.update(users).set({ single_sign_on: true, role: 'user' }).where(eq(users.id, id))
  }
})

test('the command create-admin unlinks an inactive account that has kept its link', async () => {
  await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ben'))
  await signOn(h.ctx, PERSON, VISITOR)
  const { id } = await ben()
  await h.cast.ada.put(`/users/${id}`, { is_active: false, single_sign_on: false })
  await ensureAdmin(h.ctx.db, 'ben')
  expect(await h.ctx.db.$count(externalIdentities)).toBe(0)
})

test('the command create-admin unlinks an account that it promotes, but not an administrator', async () => {
  await h.ctx.db.update(users).set({ single_sign_on: true })
  await signOn(h.ctx, PERSON, VISITOR)
  await signOn(h.ctx, { ...PERSON, subject: 'u-2', username: 'ada' }, VISITOR)
  expect((await ensureAdmin(h.ctx.db, 'ben')).isUnlinked).toBe(true)
  expect((await ensureAdmin(h.ctx.db, 'ada')).isUnlinked).toBe(false)
  expect(await signOn(h.ctx, PERSON, VISITOR)).toBe('taken')
  const links = await h.ctx.db.select({ subject: externalIdentities.subject }).from(externalIdentities)
  expect(links).toEqual([{ subject: 'u-2' }])
})
