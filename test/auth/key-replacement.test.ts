import { beforeEach, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { settings } from '../../db/schema'
import { reencryptSecrets } from '../../src/platform/auth/reencryption'
import { PASSWORD } from '../support/cast'
import { appWith, testContext } from '../support/context'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const NEW_KEY = 'another key of the tests'
const codeOf = (secret: string, periods = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() + periods * 30_000 })

async function turnOnFactor() {
  const { secret } = (await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }
  const { body } = await h.cast.ben.post('/auth/totp/confirm', { code: codeOf(secret) })
  return { secret, codes: (body.data as { recovery_codes: string[] }).recovery_codes }
}

/** Signs in as ben to a program with the new signing key. Returns the HTTP status. */
async function signIn(code?: string) {
  const { app } = appWith(h.ctx, { signingKey: NEW_KEY })
  const answer = await app.handle(
    new Request('http://localhost/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'ben', password: PASSWORD, code }),
    }),
  )
  return answer.status
}

const replaceKey = (previousJwtSecret: string | null) =>
  reencryptSecrets({ ...h.ctx, signingKey: NEW_KEY, config: { ...h.ctx.config, previousJwtSecret } })

test('without the previous signing key, recovery codes work and codes of the app are refused', async () => {
  const { secret, codes } = await turnOnFactor()
  expect(await replaceKey(null)).toEqual({ changed: 0, unreadable: 1 })
  expect([await signIn(), await signIn(codeOf(secret, 1)), await signIn(codes[0])]).toEqual([401, 401, 200])
})

test('secrets are encrypted again with the new signing key', async () => {
  const { secret } = await turnOnFactor()
  const webhook = { url: 'https://example.com/hook', events: ['transport.created'] }
  expect((await h.cast.ada.post('/webhooks', webhook)).status).toBe(201)
  expect(await replaceKey(h.ctx.signingKey)).toEqual({ changed: 2, unreadable: 0 })
  expect(await replaceKey(null)).toEqual({ changed: 0, unreadable: 0 })
  expect(await signIn(codeOf(secret, 1))).toBe(200)
})

test('secrets encrypted with the key in the database are encrypted again with the new one', async () => {
  await turnOnFactor()
  await h.ctx.db.insert(settings).values({ key: 'signing_key', value: h.ctx.signingKey })
  expect(await replaceKey(null)).toEqual({ changed: 1, unreadable: 0 })
})
