import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { apiTokens, sessions, users } from '../../db/schema'
import { updateSettings } from '../../src/features/settings/mutations'
import { createUser, updateUser } from '../../src/features/users/queries'
import { updateProfile } from '../../src/platform/auth/profile'
import { holdSession } from '../../src/platform/auth/session-changes'
import { findSession, type Session } from '../../src/platform/auth/sessions'
import { commandWrite } from '../../src/platform/records/transactions'
import { createWebhook, removeWebhook, rotateSecret, updateWebhook } from '../../src/platform/webhooks/queries'
import { testContext } from '../support/context'
import { refusal } from '../support/embedded'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const BEN = 2
const WEBHOOK = { url: 'https://192.0.2.1/hook', description: null, events: ['*'], is_active: true }

test('a session that was renewed during a request is still open, and an API token until it is revoked', async () => {
  const session = (await findSession(h.ctx.db, String(h.cast.ada.session), h.ctx.clock.now())) as Session
  await h.cast.ada.post('/auth/refresh', {})
  await h.ctx.db.transaction((tx) => holdSession(tx, session))
  const [token] = await h.ctx.db
    .insert(apiTokens)
    .values({ user_id: 1, name: 'Sync', scope: 'write', token_hash: 'x', expires_at: new Date('2030-01-01') })
    .returning()
  const byToken = { ...session, token: { id: Number(token?.id), name: 'Sync', scope: 'write' as const } }
  await h.ctx.db.transaction((tx) => holdSession(tx, byToken))
  await h.ctx.db.delete(apiTokens)
  expect(await refusal(h.ctx.db.transaction((tx) => holdSession(tx, byToken)))).toBe('Please sign in')
})

test('a request is rejected if its user is deactivated before the body arrives', async () => {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode('{"unit_number":"100200","location_id":1'))
      // The admission before the body counts for one second.
      await Bun.sleep(1100)
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

test('an administrator who was deactivated changes no account with a request that was already accepted', async () => {
  const session = (await findSession(h.ctx.db, String(h.cast.ada.session), h.ctx.clock.now())) as Session
  await h.ctx.db.delete(sessions).where(eq(sessions.user_id, session.user.id))
  const write = commandWrite(h.ctx.db)
  const user = { username: 'backdoor', password: 'Cottonwood88', role: 'user' }
  for (const change of [
    () => createUser(h.ctx, write, session, user as never),
    () => updateUser(h.ctx, write, session, BEN, { first_name: 'Bob' }),
    () => updateProfile(h.ctx, write, session, { phone: '555' } as never),
    () => updateSettings(h.ctx, write, session, { po_prefix: 'X' } as never),
    () => createWebhook(h.ctx, write, session, WEBHOOK as never),
    () => updateWebhook(h.ctx, write, session, 1, { version: 1, is_active: false } as never),
    () => rotateSecret(h.ctx, write, session, 1),
    () => removeWebhook(write, session, 1),
  ])
    expect(await refusal(change())).toBe('Please sign in')
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
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
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
