import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { externalIdentities, users } from '../../db/schema'
import { signOn } from '../../src/platform/auth/single-sign-on'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { OIDC, PERSON } from '../support/people'

/** Holes in single sign-on that were found and closed. The provider does not answer in these tests. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext({ oidc: OIDC })
})

test.each(['', '?confirm=1'])('a sign-on cannot be started by another site%s', async (query) => {
  const authorization = `Bearer ${await h.cast.ada.token()}`
  const begin = async (headers: Record<string, string>) =>
    (await h.cast.stranger.request(`/api/auth/oidc${query}`, { headers, redirect: 'manual' })).headers.get('location')
  for (const site of ['cross-site', 'same-site'])
    expect([site, await begin({ authorization, 'sec-fetch-site': site })]).toEqual([site, '/dashboard'])
  for (const site of ['same-origin', 'none'])
    expect([site, await begin({ authorization, 'sec-fetch-site': site })]).toEqual([site, '/login?sso=away'])
  expect(await begin({ 'sec-fetch-site': 'cross-site' })).toBe('/login')
  expect(await begin({ 'sec-fetch-site': 'same-origin' })).toBe('/login?sso=away')
})

test.each([
  '/api/auth/oidc?next=/titles',
  '/./api/auth/oidc',
  '/%2e/api/auth/oidc?confirm=1',
  '/x/../api/auth/oidc',
  '/./login?next=/titles',
  '/x/..//example.com',
])('the page to open after a sign-in cannot be %s', async (next) => {
  expect((await h.cast.stranger.submit('/login', { username: 'ada', password: PASSWORD, next })).location).toBe(
    '/dashboard',
  )
})

test('a failed single sign-on is reported to a user who is signed in', async () => {
  const { location, toast } = await h.cast.ben.open('/login?sso=expired')
  expect([location, toast]).toEqual([
    '/dashboard',
    '!The sign-in took too long or was started in another browser. Please try again.',
  ])
})

test('an administrator with a temporary password does not count as the last administrator', async () => {
  h = await testContext({ oidc: { ...OIDC, adminGroup: 'fleet-admins' } })
  await h.cast.ada.post('/users', { username: 'carl', role: 'admin', temporary_password: true })
  await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ada'))
  const visitor = { address: '127.0.0.1', userAgent: 'test' }
  expect(await signOn(h.ctx, { ...PERSON, username: 'ada' }, visitor)).toMatchObject({ account: { role: 'admin' } })
})

test('an administrator of a former provider does not count as the last administrator', async () => {
  h = await testContext({ oidc: { ...OIDC, adminGroup: 'fleet-admins', passwordAccounts: [] } })
  const accounts = await h.ctx.db.update(users).set({ role: 'admin', single_sign_on: true }).returning()
  const carl = accounts.find(({ username }) => username !== 'ben')
  const link = { user_id: carl?.id as number, issuer: 'https://old.example', subject: 'u-9' }
  await h.ctx.db.insert(externalIdentities).values(link)
  const visitor = { address: '127.0.0.1', userAgent: 'test' }
  expect(await signOn(h.ctx, PERSON, visitor)).toMatchObject({ account: { username: 'ben', role: 'admin' } })
})

test('the only administrator cannot get a temporary password', async () => {
  const [ada] = await h.ctx.db.select({ id: users.id }).from(users).where(eq(users.username, 'ada'))
  const reset = (body: object) =>
    h.cast.ada.post(`/users/${ada?.id}/reset-password`, { current_password: PASSWORD, ...body })
  expect(await reset({ temporary_password: true })).toMatchObject({
    status: 422,
    body: { message: 'The only administrator needs a password that does not expire' },
  })
  expect((await reset({ newPassword: 'Copper7Canyon' })).status).toBe(200)
})

test('the only administrator cannot get an expiring password because single sign-on is allowed', async () => {
  const [ada] = await h.ctx.db.update(users).set({ single_sign_on: true }).where(eq(users.username, 'ada')).returning()
  const reset = () =>
    h.cast.ada.post(`/users/${ada?.id}/reset-password`, { temporary_password: true, current_password: PASSWORD })
  const refused = await reset()
  expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'must_change_password'])
  await h.ctx.db.insert(externalIdentities).values({ user_id: ada?.id as number, issuer: OIDC.issuer, subject: 'u-7' })
  expect((await reset()).status).toBe(200)
})

test('the role of an inactive account can be changed only with a fresh password', async () => {
  const [ben] = await h.ctx.db.update(users).set({ is_active: false }).where(eq(users.username, 'ben')).returning()
  h.clock.set(new Date(h.clock.now().getTime() + 2 * 3_600_000))
  const refused = await h.cast.ada.put(`/users/${ben?.id}`, { role: 'admin' })
  expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'current_password'])
})

test('a new password can be required only with a fresh password', async () => {
  const [ben] = await h.ctx.db.select({ id: users.id }).from(users).where(eq(users.username, 'ben'))
  h.clock.set(new Date(h.clock.now().getTime() + 2 * 3_600_000))
  const change = { must_change_password: true }
  const refused = await h.cast.ada.put(`/users/${ben?.id}`, change)
  expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([422, 'current_password'])
  expect((await h.cast.ada.put(`/users/${ben?.id}`, { ...change, current_password: PASSWORD })).status).toBe(200)
})

test('a temporary password is removed even if it need not be changed', async () => {
  const { db } = h.ctx
  const password_expires_at = new Date(h.clock.now().getTime() + 7 * 24 * 3_600_000)
  await db.update(users).set({ single_sign_on: true, password_expires_at }).where(eq(users.username, 'ben'))
  expect(await signOn(h.ctx, PERSON, { address: '127.0.0.1', userAgent: 'test' })).toMatchObject({
    account: { username: 'ben', password_expires_at: null },
  })
  expect((await h.cast.ben.get('/auth/verify')).status).toBe(401)
  expect((await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })).status).toBe(401)
})
