import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { apiTokens, sessions, users, webhooks } from '../../db/schema'
import { updateSettings } from '../../src/features/settings/mutations'
import { createUser, updateUser } from '../../src/features/users/queries'
import { admitAgain } from '../../src/platform/auth/admission'
import { endSessionsOf } from '../../src/platform/auth/ending-sessions'
import { updateProfile } from '../../src/platform/auth/profile'
import { beginSecondFactor } from '../../src/platform/auth/second-factor'
import { accessCheck, holdSession } from '../../src/platform/auth/session-access'
import { findSession, type Session } from '../../src/platform/auth/sessions'
import { commandWrite, inTransaction } from '../../src/platform/records/transactions'
import { createRecord } from '../../src/platform/records/write'
import { createWebhook } from '../../src/platform/webhooks/queries'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { refusal } from '../support/embedded'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const BEN = 2
const WEBHOOK = { url: 'https://hook.invalid/', description: null, events: ['*'], is_active: true }

const hold = (session: Session) => h.ctx.db.transaction((db) => holdSession({ db, clock: h.clock }, session))

test('a session that was renewed during a request is still open, and an API token until it is revoked', async () => {
  const session = (await findSession(h.ctx.db, String(h.cast.ada.session), h.ctx.clock.now())) as Session
  await h.cast.ada.post('/auth/refresh', {})
  await hold(session)
  const [token] = await h.ctx.db
    .insert(apiTokens)
    .values({ user_id: 1, name: 'Sync', scope: 'write', token_hash: 'x', expires_at: new Date('2030-01-01') })
    .returning()
  const byToken = { ...session, token: { id: Number(token?.id), name: 'Sync', scope: 'write' as const } }
  await hold(byToken)
  await h.ctx.db.update(apiTokens).set({ expires_at: NOON })
  expect(await refusal(hold(byToken))).toBe('Please sign in')
  await h.ctx.db.update(apiTokens).set({ expires_at: new Date('2030-01-01') })
  await hold(byToken)
  await h.ctx.db.delete(apiTokens)
  expect(await refusal(hold(byToken))).toBe('Please sign in')
})

test('a session that expires or becomes idle during a request is not open any more', async () => {
  const session = (await findSession(h.ctx.db, String(h.cast.ben.session), h.ctx.clock.now())) as Session
  const after = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000)
  await hold(session)
  await h.ctx.db.update(sessions).set({ last_seen_at: after(-8) })
  expect(await refusal(hold(session))).toBe('Please sign in')
  await h.ctx.db.update(sessions).set({ last_seen_at: NOON, expires_at: NOON })
  expect(await refusal(hold(session))).toBe('Please sign in')
})

test('requests that the user did not cause do not extend the session', async () => {
  const readLastSeen = async () =>
    (
      await h.ctx.db
        .select()
        .from(sessions)
        .where(eq(sessions.id, String(h.cast.ben.session)))
    )[0]?.last_seen_at
  const authorization = `Bearer ${await h.cast.ben.token()}`
  const get = (headers: Record<string, string>) =>
    h.cast.ben.request('/api/titles', { headers: { authorization, ...headers } })
  const later = new Date(NOON.getTime() + 3_600_000)
  h.clock.set(later)
  await get({ 'x-background': '1' })
  await get({ accept: 'text/event-stream' })
  expect(await readLastSeen()).toEqual(NOON)
  await get({})
  expect(await readLastSeen()).toEqual(later)
})

test('a request is rejected if its user is deactivated before the body arrives', async () => {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"unit_number":"100200","location_id":1'))
      await Bun.sleep(300)
      controller.enqueue(new TextEncoder().encode('}'))
      controller.close()
    },
  })
  const parked = h.cast.ben.request('/api/titles', {
    method: 'POST',
    headers: { authorization: `Bearer ${await h.cast.ben.token()}`, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit)
  await Bun.sleep(100)
  await h.cast.ada.post(`/users/${BEN}/deactivate`, {})
  expect((await parked).status).toBe(401)
})

test('a deactivated administrator cannot change accounts with a request that was already accepted', async () => {
  const session = (await findSession(h.ctx.db, String(h.cast.ada.session), h.ctx.clock.now())) as Session
  await h.ctx.db.delete(sessions).where(eq(sessions.user_id, session.user.id))
  const write = commandWrite(h.ctx.db, h.clock)
  const user = { username: 'backdoor', password: 'Cottonwood88', role: 'user' }
  for (const change of [
    () => createUser(h.ctx, write, session, user as never),
    () => updateUser(h.ctx, write, session, BEN, { first_name: 'Bob' }),
    () => updateProfile(h.ctx, write, session, { phone: '555' } as never),
    () => updateSettings(h.ctx, write, session, { po_prefix: 'X' } as never),
    () => beginSecondFactor(h.ctx, write, session, PASSWORD),
  ])
    expect(await refusal(change())).toBe('Please sign in')
})

test('a session that was renewed during a download still has access', async () => {
  const { ctx } = h
  const session = (await findSession(ctx.db, String(h.cast.ben.session), ctx.clock.now())) as Session
  const arrival = {
    request: new Request('http://fleet/api/exports/titles-pending'),
    route: undefined,
    set: { headers: {} },
  }
  await h.cast.ben.post('/auth/refresh', {})
  expect((await admitAgain(ctx, session, arrival).catch(({ message }) => message)).user?.username).toBe('ben')
  await h.ctx.db.update(users).set({ must_change_password: true }).where(eq(users.id, BEN))
  const titles = { ...arrival, request: new Request('http://fleet/api/titles'), route: '/api/titles/' }
  expect(await refusal(admitAgain(ctx, session, titles))).toBe('Please choose a new password first')
  await h.cast.ada.post(`/users/${BEN}/deactivate`, {})
  expect(await refusal(admitAgain(ctx, session, arrival))).toBe('Please sign in')
})

test('a slow change is not saved if its session ends in the meantime', async () => {
  const session = (await findSession(h.ctx.db, String(h.cast.ben.session), h.ctx.clock.now())) as Session
  const slow = () => ({ ...commandWrite(h.ctx.db, h.clock), checkAccess: accessCheck(session, h.clock) })
  const write = slow()
  await Bun.sleep(150)
  expect((await createWebhook(h.ctx, write, WEBHOOK)).url).toBe(WEBHOOK.url)
  const change = inTransaction(slow(), async (write) => {
    await createRecord(write, webhooks, { ...WEBHOOK, secret: 'x' })
    await endSessionsOf(write.db, BEN)
    await Bun.sleep(150)
  })
  expect(await refusal(change)).toBe('Please sign in')
  expect(await h.ctx.db.$count(webhooks)).toBe(1)
})

test('concurrent changes cannot create an active administrator without the password', async () => {
  await h.ctx.db.update(users).set({ is_active: false }).where(eq(users.id, BEN))
  await h.ctx.db
    .update(sessions)
    .set({ authenticated_at: new Date(h.ctx.clock.now().getTime() - 2 * 3_600_000) })
    .where(eq(sessions.id, String(h.cast.ada.session)))
  const answers = await Promise.all([
    h.cast.ada.put(`/users/${BEN}`, { role: 'admin' }),
    h.cast.ada.put(`/users/${BEN}`, { is_active: true }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([422, 422])
  const [ben] = await h.ctx.db.select().from(users).where(eq(users.id, BEN))
  expect(ben?.role === 'admin' && ben.is_active).toBe(false)
})

test('sign-in attempts from a blocked network write no more rate limit rows', async () => {
  const rows = () => h.ctx.database.raw('select count(*)::int as n from rate_limits', [])
  const guess = (n: number) => h.cast.stranger.post('/auth/login', { username: `nobody${n}`, password: 'Wrong1234' })
  for (let n = 0; n < 51; n++) await guess(n)
  const before = await rows()
  for (let n = 100; n < 120; n++) expect((await guess(n)).status).toBe(429)
  expect(await rows()).toEqual(before)
})
