import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../../db/schema'
import { openSession } from '../../src/platform/auth/sessions'
import { PASSWORD } from '../support/cast'
import { NOON, testContext } from '../support/context'
import { Visitor } from '../support/visitor'

/** Routes that need no session. All other routes must reject visitors without one. */
const OPEN = new Set([
  'GET /login',
  'POST /login',
  'GET /healthz',
  'GET /readyz',
  'POST /api/auth/login',
  'GET /api/auth/oidc',
  'GET /api/auth/oidc/callback',
  'GET /api/openapi.json',
  'GET /api/docs',
])

/** True for routes that the contract reserves for administrators. */
function isForAdmins(method: string, path: string): boolean {
  const isInvoice = path.includes('/invoices')
  const isMasterData = /^\/api\/(locations|transport-companies|vendors)(\/|$)/.test(path) && !isInvoice
  // All users can see and check invoices. Only administrators can decide, delete and restore.
  const isDecision = isInvoice && (method === 'DELETE' || /\/(lines|accept|reopen|delete|restore)/.test(path))
  return (
    path.startsWith('/admin/') ||
    path === '/locations/:id/budget' ||
    path === '/metrics' ||
    path.startsWith('/api/users') ||
    path.startsWith('/api/audit') ||
    path.startsWith('/api/webhooks') ||
    path === '/api/dashboard/admin' ||
    path === '/api/export' ||
    (isMasterData && (method !== 'GET' || path.endsWith('/merges'))) ||
    (path.startsWith('/api/settings') && method !== 'GET') ||
    isDecision
  )
}

const concrete = (path: string) =>
  path
    .replace(':type', 'Hub')
    .replace(':unit', '100200')
    .replace(':name', 'transports.xlsx')
    .replace(':entity', 'transports')
    .replace(/:[a-z]+/g, '999')

const isProgram = (path: string) => path.startsWith('/api/') || path === '/metrics'

/** Creates visitors and tokens of every kind, with and without access. */
async function everybody(h: Awaited<ReturnType<typeof testContext>>) {
  const { db, clock } = h.ctx
  const password_hash = 'nobody signs in with it'
  const account = async (username: string, more: Partial<typeof users.$inferInsert> = {}) => {
    const [made] = await db
      .insert(users)
      .values({ username, password_hash, ...more })
      .returning()
    return openSession(db, made!.id, { address: '127.0.0.1', userAgent: null }, clock.now())
  }
  const holding = (session: string | null) => new Visitor(h.app, h.ctx, session)
  const ended = await account('ended')
  await db.delete(sessions).where(eq(sessions.id, ended))
  const old = await account('old')
  await db.update(sessions).set({ expires_at: clock.now() }).where(eq(sessions.id, old))
  const idle = await account('idle')
  await db
    .update(sessions)
    .set({ last_seen_at: new Date(NOON.getTime() - 8 * 3_600_000) })
    .where(eq(sessions.id, idle))
  const token = async (scope: string, who = h.cast.ada) =>
    (
      (await who.post('/auth/tokens', { current_password: PASSWORD, name: scope, scope })).body.data as {
        id: number
        token: string
      }
    ).token
  const revoked = (
    await h.cast.ada.post('/auth/tokens', { current_password: PASSWORD, name: 'revoked', scope: 'write' })
  ).body.data as {
    id: number
    token: string
  }
  await h.cast.ada.delete(`/auth/tokens/${revoked.id}`)
  return {
    locked: {
      stranger: holding(null),
      deactivated: holding(await account('gone', { is_active: false, role: 'admin' })),
      expired: holding(old),
      idle: holding(idle),
      'signed out': holding(ended),
    },
    due: holding(await account('due', { must_change_password: true, role: 'admin' })),
    reads: await token('read'),
    writes: await token('write'),
    revoked: revoked.token,
  }
}

const doorsOf = ({ app, ctx }: Awaited<ReturnType<typeof testContext>>) => {
  const assets = new Set([...ctx.assets.files, ...ctx.assets.site.routes].map(({ path }) => path))
  const doors = app.routes
    .filter(({ path }) => !assets.has(path))
    .map(({ method, path }) => ({ method, path, door: `${method} ${path}`, at: concrete(path) }))
  return doors.filter(({ door }) => !OPEN.has(door))
}

/** Routes that end or change the session that calls them. */
const ENDS_ITSELF = new Set(['POST /api/auth/logout', 'POST /logout', 'POST /api/auth/refresh'])
/** True for routes that stay available while a password change is required. */
const WHILE_DUE = (path: string) =>
  [
    '/api/auth/verify',
    '/api/auth/refresh',
    '/api/auth/change-password',
    '/api/auth/logout',
    '/profile',
    '/profile/password',
    '/logout',
  ].includes(path)

async function enter(who: Visitor, method: string, path: string, more: Record<string, string> = {}) {
  const own: Record<string, string> = isProgram(path)
    ? { authorization: `Bearer ${await who.token()}` }
    : { ...(await who.cookieHeaders()), origin: 'http://localhost' }
  return who.request(path, { method, headers: { ...own, ...more } })
}
const withToken = (who: Visitor, token: string, method: string, path: string) =>
  who.request(path, { method, headers: { authorization: `Bearer ${token}` } })

const isTurnedAway = (path: string, { status, headers }: Response) =>
  isProgram(path) ? status === 401 : status === 303 && Boolean(headers.get('location')?.startsWith('/login'))

test('every protected route rejects visitors without a valid session or token', async () => {
  const h = await testContext()
  const { locked, revoked } = await everybody(h)
  const doors = doorsOf(h)
  expect(doors.length).toBeGreaterThan(150)
  for (const { method, path, door, at } of doors) {
    for (const [who, visitor] of Object.entries(locked)) {
      const answer = await enter(visitor, method, at)
      expect([door, who, isTurnedAway(path, answer)]).toEqual([door, who, true])
    }
    expect([
      door,
      'a revoked token',
      isTurnedAway(path, await withToken(h.cast.stranger, revoked, method, at)),
    ]).toEqual([door, 'a revoked token', true])
    // Changes a character in the middle, because the last one of a signature has unused bits.
    const forged = (await h.cast.ada.token())?.replace(/(?<=\..*\..{20})./, (sign) => (sign === 'x' ? 'y' : 'x'))
    expect([
      door,
      'a forged token',
      isTurnedAway(path, await withToken(h.cast.stranger, String(forged), method, at)),
    ]).toEqual([door, 'a forged token', true])
  }
})

test('administrator routes return 403 to users, and administrators can call every route', async () => {
  const h = await testContext()
  const { writes } = await everybody(h)
  for (const { method, path, door, at } of doorsOf(h)) {
    if (ENDS_ITSELF.has(door) || path.startsWith('/api/auth/sessions') || path.startsWith('/profile/access')) continue
    const staff = await enter(h.cast.ben, method, at)
    expect([door, 'staff', staff.status === 403]).toEqual([door, 'staff', isForAdmins(method, path)])
    const admin = await enter(h.cast.ada, method, at)
    expect([door, 'admin', [401, 403].includes(admin.status), admin.status >= 500]).toEqual([
      door,
      'admin',
      false,
      false,
    ])
    const token = await withToken(h.cast.stranger, writes, method, at)
    const isAccounts = path.startsWith('/api/users') && method !== 'GET'
    const isClosed = isProgram(path)
      ? isAccounts || (path.startsWith('/api/auth/') && path !== '/api/auth/verify')
      : true
    expect([door, 'a token', [303, 401, 403].includes(token.status)]).toEqual([door, 'a token', isClosed])
  }
})

test('every route rejects changes from other sites and from read-only tokens', async () => {
  const h = await testContext()
  const { reads } = await everybody(h)
  for (const { method, path, door, at } of doorsOf(h)) {
    if (['GET', 'HEAD'].includes(method)) continue
    const cookies = await h.cast.ada.cookieHeaders()
    for (const more of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
      {},
    ] as Record<string, string>[]) {
      const foreign = await h.cast.ada.request(at, { method, headers: { ...cookies, ...more } })
      expect([door, more, foreign.status]).toEqual([door, more, 403])
    }
    // This lookup only reads, so a read-only token can call it.
    if (isProgram(path) && path !== '/api/vehicles/lookup')
      expect([door, 'reads', (await withToken(h.cast.stranger, reads, method, at)).status]).toEqual([
        door,
        'reads',
        403,
      ])
  }
})

test('a required password change blocks every route outside its allowlist', async () => {
  const h = await testContext()
  const { due } = await everybody(h)
  for (const { method, path, door, at } of doorsOf(h)) {
    if (ENDS_ITSELF.has(door) || path.startsWith('/api/auth/sessions')) continue
    const answer = await enter(due, method, at)
    const isStopped = isProgram(path) ? answer.status === 403 : answer.headers.get('location') === '/profile/password'
    expect([door, isStopped]).toEqual([door, !WHILE_DUE(path) || door === 'POST /profile'])
  }
})

test('an administrator page shows users "Access Denied" within the layout', async () => {
  const { cast } = await testContext()
  const page = await cast.ben.open('/admin/locations')
  expect(page.status).toBe(403)
  expect(page.find('h1')).toEqual(['Access Denied'])
  expect(page.text).toContain('You do not have permission to access this page.')
  expect(page.find('.sidebar').length).toBe(1)
})

test('unknown pages redirect to the dashboard, unknown calls return 404, wrong methods 405', async () => {
  const { cast } = await testContext()
  expect((await cast.ben.open('/nowhere')).location).toBe('/dashboard')
  expect((await cast.ben.open('/')).location).toBe('/dashboard')
  expect((await cast.stranger.open('/dashboard')).location).toBe('/login?next=%2Fdashboard')
  expect((await cast.ben.get('/nowhere')).status).toBe(404)
  const wrong = await cast.ben.call('DELETE', '/transports')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST'])
})
