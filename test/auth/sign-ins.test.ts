import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { secondFactors, signIns } from '../../db/schema'
import { recordSignIn } from '../../src/platform/auth/sign-in-log'
import { applyRetention } from '../../src/platform/retention'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { mailServer } from '../support/mail-server'

let mail: Awaited<ReturnType<typeof mailServer>>
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  mail = await mailServer()
  h = await testContext({ mail: { url: mail.url, from: 'yard@example.com' } })
})
afterEach(() => mail.close())

const signIn = (password: string, userAgent = 'Mozilla/5.0 (Windows) Chrome/120.0') =>
  h.cast.stranger.call('POST', '/auth/login', { username: 'BEN', password }, { 'user-agent': userAgent })

test('every account sees its own sign-ins and failed attempts', async () => {
  await signIn('Wrong1234')
  await signIn(PASSWORD)
  await h.cast.stranger.post('/auth/login', { username: 'nobody', password: PASSWORD })
  const { data } = (await h.cast.ben.get('/auth/sign-ins')).body as unknown as { data: object[] }
  expect(data).toMatchObject([
    { is_accepted: true, method: 'password', at: h.clock.now().toISOString() },
    { is_accepted: false, method: 'password' },
  ])
  expect((await h.cast.ada.get('/auth/sign-ins')).body.data).toEqual([] as never)
  const page = (await h.cast.ben.open('/profile/access')).text
  expect(page).toContain('Failed')
  expect(page).toContain('Signed in')
  const after = async (days: number) => {
    h.clock.set(new Date(NOON.getTime() + days * 86_400_000))
    await applyRetention(h.ctx)
    return h.ctx.db.$count(signIns)
  }
  expect([await after(90), await after(91)]).toEqual([2, 0])
})

describe('a right password without a code', () => {
  let secret: string
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
  const wait = (ms: number) => h.clock.set(new Date(h.clock.now().getTime() + ms))
  beforeEach(async () => {
    secret = ((await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }).secret
    expect((await h.cast.ben.post('/auth/totp/confirm', { code: code() })).status).toBe(200)
    wait(60_000)
  })
  const submit = async (fields: Record<string, string>) => {
    const { html, status } = await h.cast.stranger.submit('/login', fields)
    return { status, ticket: /name="ticket" value="([^"]*)"/.exec(html)?.[1] ?? '' }
  }
  const outcomes = async () =>
    ((await h.cast.ben.get('/auth/sign-ins')).body.data as unknown as { is_accepted: boolean }[]).map(
      ({ is_accepted }) => is_accepted,
    )

  test('is listed as failed until the code follows', async () => {
    const { ticket } = await submit({ username: 'ben', password: PASSWORD })
    expect(await outcomes()).toEqual([false])
    await submit({ ticket })
    expect(await outcomes()).toEqual([false])
    expect((await submit({ ticket, code: code() })).status).toBe(303)
    expect(await outcomes()).toEqual([true])
  })

  test('is listed as accepted if the second factor is turned off before the form is sent again', async () => {
    const { ticket } = await submit({ username: 'ben', password: PASSWORD })
    await h.ctx.db.delete(secondFactors)
    expect((await submit({ ticket })).status).toBe(303)
    expect(await outcomes()).toEqual([true])
  })

  test('is valid for five minutes, even if the form is sent again without a code', async () => {
    const first = await submit({ username: 'ben', password: PASSWORD })
    wait(280_000)
    const second = await submit({ ticket: first.ticket })
    expect(second.ticket).not.toBe('')
    wait(40_000)
    expect((await submit({ ticket: second.ticket, code: code() })).status).toBe(401)
  })
})

test('a sign-in from a new browser or program sends one mail, except the first of an account', async () => {
  await h.cast.ben.put('/auth/profile', { email: 'ben@example.com', current_password: PASSWORD })
  await signIn(PASSWORD)
  await signIn('Wrong1234')
  await signIn(PASSWORD)
  await signIn(PASSWORD, 'sync/1.0 Visit https://evil.example')
  await signIn(PASSWORD, 'sync/1.0 Visit https://evil.example')
  for (let tries = 0; tries < 100 && mail.received.length === 0; tries++) await Bun.sleep(20)
  expect(mail.received).toHaveLength(1)
  expect(mail.received[0]?.to).toEqual(['ben@example.com'])
  expect(mail.received[0]?.text).toContain('Your account ben was used to sign in on a new device.')
  expect(mail.received[0]?.text).toContain('Browser: sync\r\n')
})

test('failed sign-ins do not push accepted ones out of the list', async () => {
  await signIn(PASSWORD)
  for (let tries = 0; tries < 30; tries++)
    await recordSignIn(
      h.ctx.db,
      'ben',
      { address: '10.0.0.1', userAgent: null },
      { at: NOON, method: 'password', isAccepted: false },
    )
  const { data } = (await h.cast.ben.get('/auth/sign-ins')).body as unknown as { data: { is_accepted: boolean }[] }
  expect([data.length, data.filter(({ is_accepted }) => is_accepted).length]).toEqual([26, 1])
})
