import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { testContext } from '../support/context'
import { startProvider } from '../support/oidc-provider'
import { ORIGIN, signOnBrowser } from '../support/sign-on-browser'

/** Limits on the responses of the single sign-on provider. */

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider(`${ORIGIN}/api/auth/oidc/callback`)
})
afterAll(() => provider.stop())

let h: Awaited<ReturnType<typeof testContext>>
const jane = { sub: 'u-1', preferred_username: 'jane', given_name: 'Jane', email: 'jane@example.com' }
beforeEach(async () => {
  h = await testContext({
    oidc: { ...provider.config, adminGroup: null, createsAccounts: true, passwordAccounts: null },
  })
  provider.state.person = jane
})

const browser = () => signOnBrowser((request) => h.app.handle(request))

test('asks the provider at most three times for the responses to one attempt', async () => {
  provider.state.person = jane
  const own = browser()
  const callback = (await own.follow('/api/auth/oidc', '/callback?')).slice(ORIGIN.length)
  const savedCookies = new Map(own.jars.get(ORIGIN))
  const guesses = []
  for (let tries = 0; tries < 5; tries++) {
    own.jars.set(ORIGIN, new Map(savedCookies))
    guesses.push(await own.follow(callback.replace(/code=[^&]*/, 'code=guess')))
  }
  own.jars.set(ORIGIN, new Map(savedCookies))
  expect([...new Set(guesses), await own.follow(callback)]).toEqual(['/login?sso=refused', '/login?sso=refused'])
})

test('only one response to an attempt succeeds, even if the provider accepts its code repeatedly', async () => {
  const successes = await Promise.all(Array.from({ length: 3 }, () => h.ctx.limits.callbackSucceeded('state')))
  expect(successes.filter(Boolean)).toHaveLength(1)
})

test('refuses responses from a network after 50 failed ones, except on known devices', async () => {
  const known = browser()
  await known.follow('/api/auth/oidc')
  for (let failures = 0; failures < 50; failures++) {
    const own = browser()
    const callback = (await own.follow('/api/auth/oidc', '/callback?')).slice(ORIGIN.length)
    expect(await own.follow(callback.replace(/code=[^&]*/, 'code=guess'))).toBe('/login?sso=refused')
  }
  expect(await browser().follow('/api/auth/oidc')).toBe('/login?sso=limited')
  expect(await known.follow('/api/auth/oidc')).toBe('/dashboard')
})

test('responses without a code do not count for the network, because they do not reach the provider', async () => {
  for (let failures = 0; failures < 55; failures++) {
    const own = browser()
    const callback = (await own.follow('/api/auth/oidc', '/callback?')).slice(ORIGIN.length)
    expect(await own.follow(callback.replace(/code=[^&]*/, 'error=access_denied'))).toBe('/login?sso=refused')
  }
  expect(await browser().follow('/api/auth/oidc')).toBe('/dashboard')
})
