import { expect, test } from 'bun:test'
import { house } from '../support/house'

/** What a stranger may open; everything else must send them away. */
const OPEN = new Set(['GET /login', 'POST /login', 'GET /healthz', 'GET /readyz', 'POST /api/auth/login', 'GET /api/openapi.json', 'GET /api/docs'])

/** What only an administrator may do, in the words of the contract. */
function isForAdmins(method: string, path: string): boolean {
  const isMasterData = /^\/api\/(locations|transport-companies|vendors)(\/|$)/.test(path)
  return (
    path.startsWith('/admin/') ||
    path.startsWith('/api/users') ||
    path.startsWith('/api/audit') ||
    path === '/api/dashboard/admin' ||
    (isMasterData && method !== 'GET')
  )
}

const concrete = (path: string) =>
  path
    .replace(':type', 'Hub')
    .replace(':unit', '100200')
    .replace(':name', 'transports.xlsx')
    .replace(/:[a-z]+/g, '999')

test('every door is locked for strangers, and the admin doors for staff', async () => {
  const { app, cast, office } = await house()
  const assets = new Set(office.assets.files.map((file) => file.path))
  const doors = app.routes.filter(({ path }) => !assets.has(path))
  expect(doors.length).toBeGreaterThan(60)

  const enter = async (who: typeof cast.ben, method: string, path: string) => {
    const headers: Record<string, string> = path.startsWith('/api/')
      ? { authorization: `Bearer ${await who.token()}` }
      : { ...(await who.cookieHeaders()), origin: 'http://localhost' }
    return who.request(path, { method, headers })
  }
  for (const { method, path } of doors) {
    const door = `${method} ${path}`
    if (OPEN.has(door) || door === 'POST /api/auth/logout' || door === 'POST /logout' || door === 'POST /api/auth/refresh') continue
    const at = concrete(path)
    const strangers = await enter(cast.stranger, method, at)
    const turnedAway = path.startsWith('/api/') ? strangers.status === 401 : strangers.status === 303 && strangers.headers.get('location')?.startsWith('/login')
    expect([door, 'stranger', Boolean(turnedAway)]).toEqual([door, 'stranger', true])
    const staff = await enter(cast.ben, method, at)
    expect([door, 'staff', staff.status === 403]).toEqual([door, 'staff', isForAdmins(method, path)])
    const admin = await enter(cast.ada, method, at)
    expect([door, 'admin', [401, 403].includes(admin.status), admin.status >= 500]).toEqual([door, 'admin', false, false])
  }
})

test('a page for admins tells staff so, within the layout', async () => {
  const { cast } = await house()
  const page = await cast.ben.open('/admin/locations')
  expect(page.status).toBe(403)
  expect(page.find('h1')).toEqual(['Access Denied'])
  expect(page.text).toContain('You do not have permission to access this page.')
  expect(page.find('.sidebar').length).toBe(1)
})

test('an unknown path leads to the dashboard, an unknown call is 404, a wrong method 405', async () => {
  const { cast } = await house()
  expect((await cast.ben.open('/nowhere')).location).toBe('/dashboard')
  expect((await cast.ben.open('/')).location).toBe('/dashboard')
  expect((await cast.stranger.open('/dashboard')).location).toBe('/login?next=%2Fdashboard')
  expect((await cast.ben.get('/nowhere')).status).toBe(404)
  const wrong = await cast.ben.call('DELETE', '/transports')
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, POST'])
})

test('a change that another site asks for is refused', async () => {
  const { cast } = await house()
  const fields = { location_code: 'X', location_name: 'X', location_type: 'Hub' }
  expect((await cast.ada.submit('/admin/locations/new', fields, { origin: 'http://evil.example' })).status).toBe(403)
  expect((await cast.ada.submit('/admin/locations/new', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const cookie = await cast.ada.cookieHeaders()
  const silent = await cast.ada.request('/api/locations', {
    method: 'POST',
    body: JSON.stringify(fields),
    headers: { 'content-type': 'application/json', ...cookie },
  })
  expect(silent.status).toBe(403)
  expect((await cast.ada.get('/locations')).body.meta).toMatchObject({ total: 3 })
})

test('every answer carries the security headers, and errors carry nothing of what was sent', async () => {
  const { cast } = await house()
  for (const path of ['/login', '/dashboard', '/nowhere', '/healthz']) {
    const { headers } = await cast.ben.open(path)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  }
  const refused = await cast.stranger.post('/auth/login', { username: 'ben', password: 'hunter2-secret' })
  expect(JSON.stringify(refused.body)).not.toContain('hunter2')
})

test('what cannot be read is a clear no, never a fault', async () => {
  const { cast } = await house()
  const cases: [string, string, string | undefined, Record<string, string>, number][] = [
    ['POST', '/transports', '{"unit_number"', { 'content-type': 'application/json' }, 400],
    ['POST', '/transports', '['.repeat(100_000), { 'content-type': 'application/json' }, 400],
    ['POST', '/transports', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['POST', '/transports', '<x/>', { 'content-type': 'text/xml' }, 415],
    ['POST', '/transports', '[]', { 'content-type': 'application/json' }, 400],
    ['POST', '/transports', 'null', { 'content-type': 'application/json' }, 400],
    ['POST', '/auth/login', 'null', { 'content-type': 'application/json' }, 422],
    ['POST', '/locations', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, { 'content-type': 'application/json' }, 403],
    ['POST', '/transports', JSON.stringify({ unit_number: '100200', notes: 'a\u0000b' }), { 'content-type': 'application/json' }, 422],
    ['POST', '/transports', '{"unit_number":"100200","notes":"\\ud800"}', { 'content-type': 'application/json' }, 422],
    ['GET', '/transports/0', undefined, {}, 404],
    ['GET', '/transports/99999999999999999999', undefined, {}, 404],
    ['GET', '/transports/abc', undefined, {}, 404],
    ['GET', '/transports?page=1&page=2', undefined, {}, 422],
    ['GET', '/transports?q=%00', undefined, {}, 422],
    ['GET', '/transports?page=10000000&per_page=500', undefined, {}, 200],
    ['POST', '/files/upload', '{}', { 'content-type': 'application/json' }, 415],
  ]
  for (const [method, path, body, headers, status] of cases) {
    const answer = await cast.ben.call(method, path, body, headers)
    expect([method, path, answer.status]).toEqual([method, path, status])
    if (status >= 400) expect(answer.body.success).toBe(false)
  }
})
