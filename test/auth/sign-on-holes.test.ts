import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../db/schema'
import type { Person } from '../../src/platform/auth/identity-provider'
import { signOn } from '../../src/platform/auth/single-sign-on'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'

/** Holes in single sign-on that were found and closed. The provider does not answer in these tests. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext({
    oidc: {
      issuer: 'http://127.0.0.1:1',
      clientId: 'yardmaster',
      clientSecret: 'secret',
      adminGroup: null,
      createsAccounts: true,
      passwordAccounts: null,
    },
  })
})

test.each(['', '?confirm=1'])('a sign-on of a signed-in user cannot be started by another site%s', async (query) => {
  const authorization = `Bearer ${await h.cast.ada.token()}`
  const begin = async (headers: Record<string, string>) =>
    (await h.cast.stranger.request(`/api/auth/oidc${query}`, { headers, redirect: 'manual' })).headers.get('location')
  for (const site of ['cross-site', 'same-site'])
    expect([site, await begin({ authorization, 'sec-fetch-site': site })]).toEqual([site, '/dashboard'])
  for (const site of ['same-origin', 'none'])
    expect([site, await begin({ authorization, 'sec-fetch-site': site })]).toEqual([site, '/login?sso=away'])
  expect(await begin({ 'sec-fetch-site': 'cross-site' })).toBe('/login?sso=away')
})

test('a temporary password is removed even if it need not be changed', async () => {
  const { db } = h.ctx
  const password_expires_at = new Date(h.clock.now().getTime() + 7 * 24 * 3_600_000)
  await db.update(users).set({ single_sign_on: true, password_expires_at }).where(eq(users.username, 'ben'))
  const person: Person = {
    issuer: 'http://127.0.0.1:1',
    subject: 'u-1',
    authenticated: null,
    username: 'ben',
    verifiedEmail: null,
    first_name: null,
    last_name: null,
    email: null,
    groups: [],
  }
  expect(await signOn(h.ctx, person, { address: '127.0.0.1', userAgent: 'test' })).toMatchObject({
    account: { username: 'ben', password_expires_at: null },
  })
  expect((await h.cast.ben.get('/auth/verify')).status).toBe(401)
  expect((await h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })).status).toBe(401)
})
