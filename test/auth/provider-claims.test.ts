import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { IdentityProvider, ProviderAway } from '../../src/platform/auth/identity-provider'

const CALLBACK = 'http://localhost/api/auth/oidc/callback'
const encode = (value: object | ArrayBuffer) =>
  (value instanceof ArrayBuffer ? Buffer.from(value) : Buffer.from(JSON.stringify(value))).toString('base64url')

/** Claims that the provider sends in the ID token and in the user info. */
let idToken: Record<string, unknown> = {}
let userInfo: Record<string, unknown> = {}
let nonce = ''
/** Replaces parts of the provider's metadata, or its whole text. */
let metadata: object | string = {}
let server: ReturnType<typeof Bun.serve>

/** A provider that sends claims which a real provider would not send. */
beforeAll(async () => {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const generated = { ...algorithm, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(generated, true, ['sign', 'verify'])
  const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kid: 'key', use: 'sig', alg: 'RS256' }
  const signed = async (claims: object) => {
    const text = `${encode({ alg: 'RS256', kid: 'key' })}.${encode(claims)}`
    return `${text}.${encode(await crypto.subtle.sign(algorithm, privateKey, Buffer.from(text)))}`
  }
  server = Bun.serve({
    port: 0,
    async fetch({ url }) {
      const { origin, pathname } = new URL(url)
      const now = Math.floor(Date.now() / 1000)
      const required = { iss: origin, sub: 'u-1', aud: 'yardmaster', nonce, iat: now, exp: now + 60 }
      const answers: Record<string, () => unknown> = {
        '/.well-known/openid-configuration': () =>
          typeof metadata === 'string'
            ? metadata
            : {
                issuer: origin,
                authorization_endpoint: `${origin}/authorize`,
                token_endpoint: `${origin}/token`,
                userinfo_endpoint: `${origin}/userinfo`,
                jwks_uri: `${origin}/keys`,
                ...metadata,
              },
        '/keys': () => ({ keys: [jwk] }),
        '/token': async () => ({
          access_token: 'token',
          token_type: 'Bearer',
          id_token: await signed({ ...required, ...idToken }),
        }),
        '/userinfo': () => ({ sub: 'u-1', ...userInfo }),
      }
      const answer = answers[pathname]
      return answer ? Response.json(await answer()) : new Response('Not found', { status: 404 })
    },
  })
})
afterAll(() => server.stop(true))
afterEach(() => void setSystemTime())

async function personFrom(claims: { idToken?: object; userInfo?: object }) {
  idToken = { ...claims.idToken }
  userInfo = { ...claims.userInfo }
  return finishedBy(newProvider())
}

const newProvider = () =>
  new IdentityProvider({
    issuer: server.url.origin,
    clientId: 'yardmaster',
    clientSecret: 'secret',
  } as ConstructorParameters<typeof IdentityProvider>[0])

async function finishedBy(provider: IdentityProvider, isConfirmation = false) {
  const { checks } = await provider.begin(CALLBACK, isConfirmation)
  nonce = checks.nonce
  return provider.finish(new URL(`${CALLBACK}?code=x&state=${checks.state}`), checks, isConfirmation)
}

test('a confirmation needs a time of the sign-in', async () => {
  // Some providers send microseconds, which are no date.
  idToken = { auth_time: Date.now() * 1e6 }
  userInfo = {}
  const refused = await finishedBy(newProvider(), true).catch((error) => error)
  expect(String(refused)).toContain('did not send the time of the sign-in')
})

const ANN = 'ann@x.example'
test.each([
  ['ID token only', { idToken: { email: ANN, email_verified: true } }, ANN],
  ['user info only', { userInfo: { email: ANN, email_verified: true } }, ANN],
  ['both, verified in one', { idToken: { email: ANN, email_verified: true }, userInfo: { email: ANN } }, ANN],
  [
    'another address in the user info',
    { idToken: { email: 'b@x.example', email_verified: true }, userInfo: { email: ANN } },
    null,
  ],
])('an address counts as verified only by its own source: %s', async (_name, claims, verifiedEmail) => {
  expect(await personFrom(claims)).toMatchObject({ email: ANN, verifiedEmail })
})

test('an address that its source calls unverified is ignored', async () => {
  const claims = { idToken: { email: ANN, email_verified: true }, userInfo: { email: ANN, email_verified: false } }
  expect(await personFrom(claims)).toMatchObject({ email: null, verifiedEmail: null })
})

test.each([
  ['for another program', { azp: 'shop' }, 'The ID token was issued to another program'],
  ['issued at an impossible time', { iat: 1e300 }, 'a time in the future'],
  ['issued in the future', { iat: Math.floor(Date.now() / 1000) + 600 }, 'a time in the future'],
  ['of a sign-in in the future', { auth_time: Math.floor(Date.now() / 1000) + 86_400 }, 'a time in the future'],
])('an ID token %s is refused', async (_name, idToken, message) => {
  expect(String(await personFrom({ idToken }).catch((error) => error))).toContain(message)
  expect(await personFrom({ idToken: { azp: 'yardmaster' } })).toMatchObject({ subject: 'u-1' })
})

test('a sign-in at the provider that is older than a day is refused', async () => {
  const now = Math.floor(Date.now() / 1000)
  const old = personFrom({ idToken: { auth_time: now - 25 * 3600 } })
  expect(String(await old.catch((error) => error))).toContain('The sign-in at the provider is too old')
  expect(await personFrom({ idToken: { auth_time: now - 23 * 3600 } })).toMatchObject({ subject: 'u-1' })
  expect(await personFrom({})).toMatchObject({ subject: 'u-1', authenticated: null })
})

describe('metadata with wrong addresses', () => {
  test.each([
    ['authorization_endpoint', 'idp.example/auth'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['token_endpoint', 'ftp://idp.example/token'],
    ['userinfo_endpoint', ['https://idp.example/userinfo']],
    ['issuer', ''],
  ])('means that the provider is away until they are corrected: %s %s', async (name, address) => {
    const provider = newProvider()
    metadata = { [name]: address }
    const failed = await provider.begin(CALLBACK, false).catch((error) => error)
    expect([failed instanceof ProviderAway, String(failed.cause)]).toEqual([true, expect.any(String)])
    metadata = {}
    // Outsiders must not make the program send many requests to the provider.
    expect(await provider.begin(CALLBACK, false).catch((error) => error)).toBeInstanceOf(ProviderAway)
    setSystemTime(new Date(Date.now() + 2001))
    expect((await provider.begin(CALLBACK, false)).url.pathname).toBe('/authorize')
  })

  test('must name the issuer exactly as OIDC_ISSUER does', async () => {
    const { origin } = server.url
    const provider = new IdentityProvider({ ...newProvider().config, issuer: `${origin}/` })
    const failed = await provider.check().catch((error) => error)
    expect(failed).toBeInstanceOf(ProviderAway)
    expect(String(failed.cause.message)).toBe(
      `Set OIDC_ISSUER to ${origin}, which is the issuer's name at the provider`,
    )
  })

  test.each([
    ['https://idp.example/realms/a', "Set OIDC_ISSUER to https://idp.example/realms/a, which is the issuer's name"],
    ['https://idp.example/{tenantid}', 'OIDC_ISSUER must name one tenant'],
  ])('name the right issuer if it is another one: %s', async (issuer, message) => {
    metadata = { issuer }
    const failed = await newProvider()
      .check()
      .catch((error) => error)
    metadata = {}
    expect(String(failed.cause.message)).toContain(message)
  })

  test('are loaded again after a failed request', async () => {
    const provider = newProvider()
    metadata = { token_endpoint: `${server.url.origin}/moved` }
    const fails = async () => (await finishedBy(provider).catch((error) => error)) instanceof ProviderAway
    expect(await fails()).toBe(true)
    metadata = {}
    // The metadata are used for at least a minute.
    expect(await fails()).toBe(true)
    setSystemTime(new Date(Date.now() + 60_001))
    expect(await fails()).toBe(true)
    expect(await finishedBy(provider)).toMatchObject({ subject: 'u-1' })
  })
})

test('metadata of more than 1 MB is not read', async () => {
  metadata = ' '.repeat(2_000_000)
  const failed = await newProvider()
    .begin(CALLBACK, false)
    .catch((error) => error)
  metadata = {}
  expect([failed instanceof ProviderAway, String(failed.cause.cause ?? failed.cause)]).toEqual([
    true,
    expect.stringContaining('too large'),
  ])
})

test.each([
  ['user info as one text', { userInfo: { groups: 'admins' }, idToken: { groups: [] } }, ['admins']],
  ['user info takes precedence', { userInfo: { groups: 'staff' }, idToken: { groups: ['admins'] } }, ['staff']],
  ['user info without groups', { userInfo: { groups: null }, idToken: { groups: ['admins'] } }, []],
  ['ID token only', { idToken: { groups: ['admins', 7] } }, ['admins']],
])('groups: %s', async (_name, claims, groups) => {
  expect((await personFrom(claims)).groups).toEqual(groups)
})
