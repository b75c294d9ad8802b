import { beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { idempotencyKeys, secondFactors, sessions, transports, users } from '../../db/schema'
import { changeOwnPassword } from '../../src/platform/auth/accounts'
import { isConfirmed } from '../../src/platform/auth/confirmation'
import { endSessionsOf } from '../../src/platform/auth/ending-sessions'
import { changePassword } from '../../src/platform/auth/own-password'
import { hashPassword, passwordMatches } from '../../src/platform/auth/passwords'
import { confirmSecondFactor, removeOwnSecondFactor } from '../../src/platform/auth/second-factor'
import { accessCheck } from '../../src/platform/auth/session-access'
import { renewSession } from '../../src/platform/auth/session-renewal'
import { findNewestSession, findSession, openSessionRoles, type Session } from '../../src/platform/auth/sessions'
import { findTokenSession } from '../../src/platform/auth/tokens'
import { bytesWhileAllowed, whileAllowed } from '../../src/platform/http/while-allowed'
import { failedWorkbook } from '../../src/platform/imports/downloads/failed-rows'
import { Forbidden, SignedOut } from '../../src/platform/refusals'
import { PASSWORD } from '../support/cast'
import { appWith, testContext } from '../support/context'

/** Tests of access that ends during a request, and of credentials that are no longer valid. */

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const HOUR_MS = 3_600_000
const BEN = 2
const ended = () => Promise.reject(new SignedOut())
const actor = { username: 'ben', hides_costs: false } as never
const sessionOf = async () => (await findSession(h.ctx.db, String(h.cast.ben.session), h.ctx.clock.now())) as Session
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: h.clock.now().getTime() })
/** Begins to set up two-factor authentication for ben. @returns the secret */
const beginSetup = async () => ((await h.cast.ben.post('/auth/totp', {})).body.data as { secret: string }).secret
const requirePassword = () => h.ctx.db.update(users).set({ must_change_password: true }).where(eq(users.id, BEN))

describe('a download', () => {
  test('of a stored file ends, and its source is closed, when the access ends', async () => {
    let isOpen = true
    let isAllowed = true
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel() {
        isOpen = false
      },
    })
    const renewActor = async () => (isAllowed ? actor : ended())
    const reader = bytesWhileAllowed({ actor, renewActor }, source, -1).getReader()
    expect((await reader.read()).value?.length).toBe(10)
    isAllowed = false
    expect(await reader.read().catch((error) => error)).toBeInstanceOf(SignedOut)
    expect(isOpen).toBe(false)
  })

  test('ends when the user may not see costs any more', async () => {
    async function* rows() {
      for (;;) yield [{ final_cost: 1 }]
    }
    const renewActor = async () => ({ username: 'ben', hides_costs: true }) as never
    const read = Array.fromAsync(whileAllowed({ actor, renewActor }, rows(), -1))
    expect(await read.catch((error) => error)).toBeInstanceOf(Forbidden)
  })

  test('of failed rows ends when the user may not see costs any more', async () => {
    const { id } = await h.cast.ben.begin('titles', 'titles.csv', 'unit_number,location\n100001,Nowhere\n')
    const renewActor = async () => ({ username: 'ben', hides_costs: true }) as never
    let now = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => (now += 3000))
    const file = await failedWorkbook({ db: h.ctx.db, actor, renewActor }, id)
    expect(await Array.fromAsync(file).catch((error) => error)).toBeInstanceOf(Forbidden)
    clock.mockRestore()
  })

  test('does not count as activity of the session', async () => {
    const session = await sessionOf()
    const later = new Date(h.clock.now().getTime() + HOUR_MS)
    expect((await findNewestSession(h.ctx.db, session, later))?.id).toBe(session.id)
    const [stored] = await h.ctx.db.select().from(sessions).where(eq(sessions.id, session.id))
    expect(stored?.last_seen_at).toEqual(h.clock.now())
  })
})

test('the page of a running import asks for its state without extending the session', async () => {
  const { id } = await h.cast.ben.begin('titles', 'titles.csv', 'unit_number,location\n100001,PHX\n')
  await h.cast.ben.settled(id)
  await h.ctx.db.execute(`update uploads set status = 'writing' where id = ${id}`)
  expect((await h.cast.ben.open(`/files/imports/${id}`)).html).toContain(
    'hx-headers="{&quot;x-background&quot;:&quot;1&quot;}"',
  )
})

test('a slow change is not saved if a new password becomes due, unless it was due before', async () => {
  const check = accessCheck(await sessionOf(), h.clock)
  await requirePassword()
  const checkDuring = accessCheck(await sessionOf(), h.clock)
  await Bun.sleep(150)
  expect(await check(h.ctx.db).catch((error) => error)).toBeInstanceOf(SignedOut)
  expect(await checkDuring(h.ctx.db)).toBeUndefined()
})

describe('a slow change is not saved', () => {
  const settle = (settings: object) => h.cast.ada.put('/settings', { ...settings, current_password: PASSWORD })
  const outcome = async (check: ReturnType<typeof accessCheck>) => {
    await Bun.sleep(150)
    return check(h.ctx.db).then(
      () => 'saved',
      ({ message }) => message,
    )
  }

  test('if its user may not see costs any more', async () => {
    const check = accessCheck(await sessionOf(), h.clock)
    await settle({ cost_viewers: 'Administrators' })
    expect(await outcome(check)).toBe('Only administrators can see costs')
  })

  test('of a token with the scope of records if ordinary users may not see costs any more', async () => {
    const tokenRequest = { name: 'r', scope: 'records', current_password: PASSWORD }
    const { token } = (await h.cast.ada.post('/auth/tokens', tokenRequest)).body.data as { token: string }
    const found = { token, address: '127.0.0.1', onFound: () => {} }
    const session = (await findTokenSession(h.ctx.db, found, h.clock.now())) as Session
    const check = accessCheck(session, h.clock)
    await Bun.sleep(150)
    await check(h.ctx.db)
    await h.cast.ada.put('/settings', { cost_viewers: 'Administrators' })
    expect(await check(h.ctx.db).catch((error) => error)).toBeInstanceOf(Forbidden)
  })

  test('if its user may not decide on invoices any more', async () => {
    await settle({ invoice_deciders: 'Everybody' })
    const [check, other] = [accessCheck(await sessionOf(), h.clock, 'decider'), accessCheck(await sessionOf(), h.clock)]
    await settle({ invoice_deciders: 'Administrators' })
    expect(await outcome(check)).toBe('You do not have permission to access this page.')
    expect(await outcome(other)).toBe('saved')
  })
})

test('a slow change that itself makes a second factor due is saved', async () => {
  const check = accessCheck(await sessionOf(), h.clock)
  await h.cast.ada.put('/settings', { second_factor_required: 'Everybody', current_password: PASSWORD })
  expect((await sessionOf()).user.is_factor_due).toBe(true)
  await Bun.sleep(150)
  expect(await check(h.ctx.db)).toBeUndefined()
})

test('the live stream of a token ends when a new password becomes due', async () => {
  await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'Sync', scope: 'records' })
  const open = async () => [...(await openSessionRoles(h.ctx.db, ['token 1'], h.clock.now()))]
  expect(await open()).toEqual([['token 1', 'user']])
  await requirePassword()
  expect(await open()).toEqual([])
})

test('no password matches a hash of an unknown format', async () => {
  expect(await passwordMatches('Saguaro42', '$5$rounds=5000$salt$hash')).toBe(false)
})

test('an empty password is checked like any other, and never matches', async () => {
  const verify = spyOn(Bun.password, 'verify')
  expect([await passwordMatches('', null), await passwordMatches('', await hashPassword('-'))]).toEqual([false, false])
  expect(verify.mock.calls.map(([text]) => text)).toEqual(['-', '-'])
  verify.mockRestore()
})

describe('the token of a session', () => {
  const isOpen = async () => (await h.cast.ben.open('/titles')).status === 200
  const later = () => h.clock.set(new Date(h.clock.now().getTime() + 61_000))

  test('is replaced by a password change on the screen', async () => {
    const newPassword = 'Ocotillo77'
    const change = { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword }
    const { headers } = await h.cast.ben.submit('/profile/password', change)
    const token = String(/yardmaster_session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1])
    expect(await isOpen()).toBe(true)
    later()
    expect(await isOpen()).toBe(false)
    const { status } = await h.cast.ben.call('GET', '/titles', undefined, { authorization: `Bearer ${token}` })
    expect(status).toBe(200)
  })

  test('stays open after a password change with a token that was just replaced', async () => {
    await h.cast.ben.post('/auth/confirm-password', { current_password: PASSWORD })
    const passwords = { currentPassword: PASSWORD, newPassword: 'Ocotillo77xx', confirmPassword: 'Ocotillo77xx' }
    const changed = await h.cast.ben.submit('/profile/password', passwords)
    const token = /yardmaster_session=([^;]+)/.exec(changed.headers.getSetCookie().join())?.[1]
    h.clock.set(new Date(h.clock.now().getTime() + 61_000))
    const { status } = await h.cast.stranger.call('GET', '/titles', undefined, { authorization: `Bearer ${token}` })
    expect(status).toBe(200)
  })

  test('is replaced when two-factor authentication is turned on on the screen', async () => {
    const code = codeOf(await beginSetup())
    const { html, headers } = await h.cast.ben.submit('/profile/two-factor/confirm', { code })
    expect([html.includes('Recovery codes'), headers.get('set-cookie')?.includes('session=')]).toEqual([true, true])
    expect(await isOpen()).toBe(false)
  })

  test('is replaced without a new password confirmation when two-factor authentication is turned on', async () => {
    const stored = async () => (await h.ctx.db.select().from(sessions).where(eq(sessions.user_id, BEN)))[0]
    const before = (await stored())?.authenticated_at
    const secret = await beginSetup()
    later()
    const code = codeOf(secret)
    await h.cast.ben.submit('/profile/two-factor/confirm', { code })
    expect((await stored())?.authenticated_at).toEqual(before)
  })
})

test('a refused new password does not count as a wrong current password', async () => {
  const change = (newPassword: string, currentPassword = PASSWORD) =>
    h.cast.ben.post('/auth/change-password', { currentPassword, newPassword })
  for (let attempts = 0; attempts < 12; attempts++) expect((await change('Phoenix2026')).status).toBe(422)
  expect((await change('Mesquite77x')).status).toBe(200)
})

describe('a password beside single sign-on', () => {
  test('cannot be changed by an account that can only use single sign-on', async () => {
    const oidc = { ...h.ctx.config, oidc: { passwordAccounts: ['ada'] } as never }
    const change = { currentPassword: PASSWORD, newPassword: 'Ocotillo77', revoke_tokens: true }
    const changed = changePassword({ ...h.ctx, config: oidc }, {} as never, await sessionOf(), change)
    expect(await changed.catch(({ errors }) => errors)).toEqual([
      { field: 'currentPassword', message: 'Your account can only use single sign-on' },
    ])
  })

  test('does not confirm changes of an account that can only use single sign-on', async () => {
    const oidc = { ...h.ctx.config, oidc: { passwordAccounts: ['ada'] } as never }
    const confirm = isConfirmed({ ...h.ctx, config: oidc }, await sessionOf(), PASSWORD)
    expect(await confirm.catch(({ errors }) => errors)).toEqual([
      { field: 'current_password', message: 'Sign in again with single sign-on to confirm this change' },
    ])
  })

  // JavaScript and Postgres write a final sigma differently in lower case.
  test('cannot be used by an account whose name only looks like a named one in lower case', async () => {
    h = await testContext({ oidc: { passwordAccounts: ['νικος'] } as never })
    const user = { username: 'νικοσ', role: 'user', password: PASSWORD }
    expect((await h.cast.ada.post('/users', user)).status).toBe(201)
    for (const username of ['νικοσ', 'ΝΙΚΟΣ', 'νικος'])
      expect((await h.cast.stranger.post('/auth/login', { username, password: PASSWORD })).status).toBe(401)
  })

  test('confirms changes, but does not count as a recent single sign-on', async () => {
    await h.ctx.db.update(sessions).set({ method: 'single_sign_on' }).where(eq(sessions.user_id, BEN))
    const visitor = { address: '127.0.0.1', userAgent: null }
    const { id } = await sessionOf()
    const renewed = await renewSession(h.ctx.db, id, visitor, h.clock.now(), { isConfirmed: true })
    const session = (await findSession(h.ctx.db, String(renewed), h.clock.now())) as Session
    expect([
      await isConfirmed(h.ctx, session, undefined),
      await isConfirmed(h.ctx, session, undefined, { always: true }),
    ]).toEqual([true, false])
  })
})

test('a retry after the signing key was replaced gets the record, and creates no second one', async () => {
  const created = await h.cast.ben.post('/auth/tokens', { current_password: PASSWORD, name: 'Sync', scope: 'write' })
  const { token } = created.body.data as { token: string }
  const move = {
    unit_number: '100200',
    location_out_id: h.cast.phoenix,
    location_in_id: h.cast.tempe,
    transport_company_id: h.cast.desert,
    move_date: '2026-03-10',
    status: 'In Transit',
  }
  const app = (signingKey: string, previousJwtSecret: string | null) =>
    appWith(h.ctx, { signingKey, config: { ...h.ctx.config, previousJwtSecret } }).app
  const send = async (at: ReturnType<typeof app>, key: string) => {
    const response = await at.handle(
      new Request('http://localhost/api/transports', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(move),
      }),
    )
    const body = (await response.json()) as { data?: { id: number }; message?: string }
    return [response.status, body.data?.id ?? body.message]
  }
  expect(await send(app(h.ctx.signingKey, null), 'order-1')).toEqual([201, 1])
  const replaced = app('another key of the tests', h.ctx.signingKey)
  expect(await send(replaced, 'order-1')).toEqual([201, 1])
  expect(await h.ctx.db.$count(transports)).toBe(1)
  // The program stopped before it carried out the first request.
  await h.ctx.db.update(idempotencyKeys).set({ status: null, answer: null, is_written: false })
  h.clock.set(new Date(h.clock.now().getTime() + 60_000))
  expect((await send(replaced, 'order-1'))[0]).toBe(409)
  expect((await send(replaced, 'order-1'))[0]).toBe(201)
})

describe('A session that has ended in the meantime', () => {
  /** Ends all sessions after the request was admitted, as another request can do. */
  const afterEnd = async (act: (session: Session) => Promise<unknown>) => {
    const session = await sessionOf()
    await endSessionsOf(h.ctx.db, session.user.id)
    return act(session).then(
      () => 'done',
      (error: { status?: number }) => error.status,
    )
  }
  const signIn = () => h.cast.stranger.post('/auth/login', { username: 'ben', password: PASSWORD })
  const write = (username: string) => ({
    db: h.ctx.db,
    clock: h.clock,
    actor: { username, source: 'api' as const, address: null, now: h.clock.now() },
  })

  test('cannot finish the setup of a second factor', async () => {
    const code = codeOf(await beginSetup())
    expect(await afterEnd((own) => confirmSecondFactor(h.ctx, write('ben'), own, code))).toBe(401)
    expect((await signIn()).status).toBe(200)
  })

  test('cannot turn the second factor off', async () => {
    await h.cast.ben.post('/auth/totp/confirm', { code: codeOf(await beginSetup()) })
    // The password is right, but the session ends while it is checked.
    const session = await sessionOf()
    const removal = removeOwnSecondFactor(h.ctx, write('ben'), session, PASSWORD).catch(({ status }) => status)
    await h.ctx.db.delete(sessions)
    expect([401, 422]).toContain((await removal) as number)
    expect(await h.ctx.db.$count(secondFactors)).toBe(1)
  })

  test('cannot change the password', async () => {
    const change = { currentPassword: PASSWORD, newPassword: 'Cottonwood88', revoke_tokens: true }
    expect(await afterEnd((own) => changeOwnPassword(write('ben'), own, change, h.ctx.limits))).toBe(401)
    expect((await signIn()).status).toBe(200)
  })
})
