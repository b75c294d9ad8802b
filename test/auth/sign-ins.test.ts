import { afterEach, beforeEach, expect, test } from 'bun:test'
import { signIns } from '../../db/schema'
import { sweepSignIns } from '../../src/platform/auth/sign-in-log'
import { PASSWORD } from '../support/cast'
import { testContext } from '../support/context'
import { mailServer } from '../support/mail-server'

let mail: Awaited<ReturnType<typeof mailServer>>
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  mail = await mailServer()
  h = await testContext({ mail: { url: mail.url, from: 'yard@example.com' } })
})
afterEach(() => mail.close())

const signIn = (password: string) => h.cast.stranger.post('/auth/login', { username: 'BEN', password })

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
  await sweepSignIns(h.ctx.db, new Date(h.clock.now().getTime() + 91 * 86_400_000))
  expect(await h.ctx.db.$count(signIns)).toBe(0)
})

test('a sign-in from a new device sends a mail, except the first of an account', async () => {
  await h.cast.ben.put('/auth/profile', { email: 'ben@example.com', current_password: PASSWORD })
  await signIn(PASSWORD)
  await signIn('Wrong1234')
  await signIn(PASSWORD)
  for (let tries = 0; tries < 100 && mail.received.length === 0; tries++) await Bun.sleep(20)
  expect(mail.received).toHaveLength(1)
  expect(mail.received[0]?.to).toEqual(['ben@example.com'])
  expect(mail.received[0]?.text).toContain('Your account ben was used to sign in on a new device.')
})
