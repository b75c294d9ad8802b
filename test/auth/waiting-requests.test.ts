import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { sessions, titles } from '../../db/schema'
import { endSessionsOf, signOut } from '../../src/platform/auth/ending-sessions'
import type { Session } from '../../src/platform/auth/sessions'
import { beginTurn, endTurn } from '../../src/platform/http/turns'
import { PASSWORD } from '../support/cast'
import { NOON, SERVER_URL, testContext } from '../support/context'

/** Requests with the copy of a token that a user has replaced or ended. Ada is an administrator, Ben a user. */
let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const ADA = 1
const HOUR_MS = 3_600_000
const as = (token: string | null) => ({ authorization: `Bearer ${token}` })
const withCookie = (token: string | null) => ({ cookie: `yardmaster_session=${token}`, origin: 'http://localhost' })

/** Sends a request that must wait for a turn until `work` has ended. */
async function whileWaiting<T>(send: () => Promise<T>, work: () => Promise<unknown>): Promise<T> {
  const session = { user: { id: ADA } } as Session
  const running = SERVER_URL === undefined ? 4 : 2
  const requests = Array.from({ length: running }, () => new Request('http://localhost/', { method: 'POST' }))
  for (const request of requests) await beginTurn(h.ctx, session, request)
  const sent = send()
  await Bun.sleep(150)
  await work()
  for (const request of requests) endTurn(request)
  return sent
}

describe('a change that waits', () => {
  test('does not get the password confirmation of a later session', async () => {
    const copy = await h.cast.ada.token()
    h.clock.set(new Date(NOON.getTime() + 2 * HOUR_MS))
    const admin = { username: 'second', temporary_password: true, role: 'admin' }
    const create = () => h.cast.stranger.call('POST', '/users', admin, as(copy))
    expect((await create()).status).toBe(422)
    const waiting = await whileWaiting(create, async () => {
      const confirmed = await h.cast.ada.post('/auth/confirm-password', { current_password: PASSWORD })
      expect(confirmed.status).toBe(200)
    })
    expect(waiting.status).toBe(422)
  })

  test('is refused if two-factor authentication was turned on', async () => {
    const copy = await h.cast.ada.token()
    const setup = (await h.cast.ada.post('/auth/totp', { current_password: PASSWORD })).body.data as { secret: string }
    const totp = new TOTP({ secret: Secret.fromBase32(setup.secret) })
    const title = { unit_number: '999999', location_id: h.cast.phoenix }
    const waiting = await whileWaiting(
      () => h.cast.stranger.call('POST', '/titles', title, as(copy)),
      () =>
        h.cast.ada.submit('/profile/two-factor/confirm', {
          code: totp.generate({ timestamp: h.clock.now().getTime() }),
        }),
    )
    expect(waiting.status).toBe(401)
    expect(await h.ctx.db.$count(titles)).toBe(0)
  })
})

describe('a session that somebody renewed with a stolen token ends', () => {
  const renewed = async (token: string | null) => {
    const { body } = await h.cast.stranger.call('POST', '/auth/refresh', undefined, as(token))
    return (body.data as { token: string }).token
  }
  const isOpen = async (token: string | null) =>
    (await h.cast.stranger.call('GET', '/auth/verify', undefined, as(token))).status === 200

  test('when the owner signs out', async () => {
    const own = await h.cast.ben.token()
    const stolen = await renewed(own)
    expect([await isOpen(own), await isOpen(stolen)]).toEqual([false, true])
    await h.cast.stranger.submit('/logout', {}, withCookie(own))
    expect(await isOpen(stolen)).toBe(false)
  })

  test('when the owner signs in again', async () => {
    const own = await h.cast.ben.token()
    const stolen = await renewed(own)
    const form = { username: 'ben', password: PASSWORD }
    expect((await h.cast.stranger.submit('/login', form, withCookie(own))).status).toBe(303)
    expect(await isOpen(stolen)).toBe(false)
  })

  test('but an ended token cannot be renewed', async () => {
    const own = await h.cast.ben.token()
    await renewed(own)
    expect((await h.cast.stranger.call('POST', '/auth/refresh', undefined, as(own))).status).toBe(401)
  })
})

test('a token that was replaced in the last minute of its session leaves no held form', async () => {
  for (const hours of [7, 14, 21, 23.99]) {
    h.clock.set(new Date(NOON.getTime() + hours * HOUR_MS))
    await h.cast.ben.get('/auth/verify')
  }
  const old = await h.cast.ben.token()
  expect((await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })).status).toBe(200)
  h.clock.set(new Date(NOON.getTime() + 24 * HOUR_MS + 60_000))
  const sent = await h.cast.stranger.submit('/titles/new', { unit_number: '1' }, withCookie(old))
  expect([sent.status, sent.location?.includes('held=')]).toEqual([303, false])
})

describe('the sign-in of a user', () => {
  const isOpen = async (token: string | null) =>
    (await h.cast.stranger.call('GET', '/auth/verify', undefined, as(token))).status === 200

  test('keeps its newest session when a replaced token ends all others', async () => {
    const old = await h.cast.ben.token()
    const confirmed = await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
    const { token } = confirmed.body.data as unknown as { token: string }
    const session = { user: { id: 2 } } as Session
    const [stored] = await h.ctx.db
      .select()
      .from(sessions)
      .where(eq(sessions.id, String(h.cast.ben.session)))
    expect(stored).toBeDefined()
    await endSessionsOf(h.ctx.db, 2, { ...session, id: stored?.id ?? '', first_id: stored?.id ?? '' })
    expect([await isOpen(old), await isOpen(token)]).toEqual([false, true])
  })

  test('keeps the rows of only a few replaced sessions', async () => {
    let token = await h.cast.ben.token()
    for (let round = 0; round < 12; round++) {
      const { body } = await h.cast.stranger.call('POST', '/auth/refresh', undefined, as(token))
      token = (body.data as unknown as { token: string }).token
    }
    expect(await isOpen(token)).toBe(true)
    expect(await h.ctx.db.$count(sessions, eq(sessions.user_id, 2))).toBeLessThan(8)
  })
})

describe('a stolen session', () => {
  const isOpen = async (token: string) =>
    (await h.cast.stranger.call('GET', '/auth/verify', undefined, as(token))).status === 200
  const refreshed = async (own: string | null, rounds: number) => {
    let token = own
    for (let round = 0; round < rounds; round++) {
      const { body } = await h.cast.stranger.call('POST', '/auth/refresh', undefined, as(token))
      token = (body.data as unknown as { token: string }).token
    }
    return token as string
  }

  test.each(['/logout', '/login'])('ends at %s, however often it was renewed', async (path) => {
    const own = await h.cast.ben.token()
    const stolen = await refreshed(own, 12)
    expect(await isOpen(stolen)).toBe(true)
    const form = path === '/login' ? { username: 'ben', password: PASSWORD } : {}
    expect((await h.cast.stranger.submit(path, form, withCookie(own))).status).toBe(303)
    expect(await isOpen(stolen)).toBe(false)
  })

  test('does not make the browser forget the cookie with which the sign-in can be ended', async () => {
    const own = await h.cast.ben.token()
    const stolen = await refreshed(own, 1)
    const page = await h.cast.stranger.open('/titles', withCookie(own))
    expect([page.status, page.headers.getSetCookie().join()]).toEqual([303, ''])
    await h.cast.stranger.submit('/logout', {}, withCookie(own))
    expect(await isOpen(stolen)).toBe(false)
    const later = await h.cast.stranger.open('/titles', withCookie(own))
    expect(later.headers.getSetCookie().join()).toContain('yardmaster_session=;')
  })
})

test('of two sessions of a sign-in that expire at the same time, the own one stays open', async () => {
  const own = await h.cast.ben.token()
  const confirm = async () => {
    const { body } = await h.cast.stranger.call(
      'POST',
      '/auth/confirm-password',
      { current_password: PASSWORD },
      as(own),
    )
    return (body.data as unknown as { token: string }).token
  }
  const first = await confirm()
  const second = await confirm()
  const status = async (token: string) =>
    (await h.cast.stranger.call('GET', '/auth/verify', undefined, as(token))).status
  expect((await h.cast.stranger.call('DELETE', '/auth/sessions', undefined, as(first))).status).toBe(200)
  expect([await status(first), await status(second)]).toEqual([200, 401])
})

test('sign-outs of one sign-in at the same time share a transaction', async () => {
  let count = 0
  const transaction = async () => {
    count++
    await Bun.sleep(5)
  }
  const leave = (first_id: string) => signOut({ transaction } as never, { user: { id: ADA }, first_id })
  // The first one runs at once. The others share the next one, because the first may miss a session that was renewed.
  await Promise.all(Array.from({ length: 20 }, () => leave('one')))
  expect(count).toBe(2)
  await Promise.all([leave('one'), leave('two')])
  expect(count).toBe(4)
})
