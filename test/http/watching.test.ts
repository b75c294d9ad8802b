import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openServer } from '../../db/server'
import { diskOf } from '../../src/platform/disk'
import { jsonLog } from '../../src/platform/log'
import { newMetrics } from '../../src/platform/metrics/metrics'
import { PASSWORD } from '../support/cast'
import { appWith, SERVER_URL, testContext } from '../support/context'
import { Visitor } from '../support/visitor'

type Line = { level: string; message: string } & Record<string, unknown>

/** Creates a program whose log lines are collected in `lines`. */
async function overheard() {
  const h = await testContext()
  const lines: Line[] = []
  const metrics = newMetrics()
  const { app } = appWith(h.ctx, {
    metrics,
    log: (level, message, fields) => lines.push({ level, message, ...fields }),
  })
  const as = (session: string | null) => new Visitor(app, h.ctx, session)
  return { ...h, lines, app, ben: as(h.cast.ben.session), ada: as(h.cast.ada.session), stranger: as(null) }
}

/** Waits for log lines, some of which are written shortly after the response. */
async function written(lines: Line[], count: number) {
  for (let tries = 0; lines.length < count && tries < 100; tries++) await Bun.sleep(5)
  return lines
}

test('every request is logged once with ID, user and status, but without input', async () => {
  const { ben, stranger, lines } = await overheard()
  const answer = await ben.get('/transports?q=secret-search')
  const refused = await stranger.post('/auth/login', { username: 'ben', password: 'Hunter2Hunter2' })
  await ben.get('/users')
  expect(await written(lines, 4)).toMatchObject([
    {
      level: 'info',
      message: 'request',
      id: answer.headers.get('x-request-id'),
      method: 'GET',
      path: '/api/transports',
      status: 200,
      address: 'unknown',
      username: 'ben',
    },
    {
      level: 'warn',
      message: 'sign-in refused',
      id: refused.headers.get('x-request-id'),
      address: 'unknown',
      username: 'ben',
    },
    { message: 'request', path: '/api/auth/login', status: 401 },
    { message: 'request', path: '/api/users', status: 403, username: 'ben' },
  ])
  const all = JSON.stringify(lines)
  for (const secret of ['secret-search', 'Hunter2', String(await ben.token())]) expect(all).not.toContain(secret)
})

test('an unexpected error is logged once with the ID shown to the user', async () => {
  const { app, ada, lines, ctx } = await overheard()
  const log = (level: string, message: string, fields?: Record<string, unknown>) =>
    lines.push({ level, message, ...fields })
  const broken = appWith(ctx, {
    log,
    db: new Proxy(ctx.db, {
      get: (target, key) =>
        key === 'execute' ? () => Promise.reject(new Error('kaputt at /home/secret')) : Reflect.get(target, key),
    }),
  })
  const visitor = new Visitor(broken.app, broken.ctx, ada.session)
  const { status, body } = await visitor.get('/transports')
  expect(app).toBeDefined()
  const fault = (await written(lines, 2)).find(({ level }) => level === 'error')
  expect([status, body.message]).toEqual([
    500,
    `Something went wrong on our side. Please tell your administrator this number: ${fault?.id}`,
  ])
  expect(String(fault?.error)).toContain('kaputt')
})

test('a cross-origin change is logged with its origin and the expected one', async () => {
  const { ben, lines } = await overheard()
  const origin = `http://evil.example/${'x'.repeat(300)}`
  await ben.submit('/titles/new', {}, { origin })
  await ben.submit('/titles/new', {}, { origin: 'http://evil.example', host: 'y'.repeat(300) })
  const refused = (await written(lines, 2)).filter(({ level, origin }) => level === 'warn' && origin !== undefined)
  expect(refused.map(({ message, origin: from, expected }) => [message, from, expected])).toEqual([
    ['a cross-origin request was refused; behind a proxy, set TRUST_PROXY', origin.slice(0, 200), 'http://localhost'],
    [
      'a cross-origin request was refused; behind a proxy, set TRUST_PROXY',
      'http://evil.example',
      `http://${'y'.repeat(193)}`,
    ],
  ])
})

test('of a foreign referrer, only the origin is logged', async () => {
  const { ben, lines } = await overheard()
  await ben.submit('/titles/new', {}, { origin: '', referer: 'https://evil.example/transports?q=secret' })
  const [refused] = (await written(lines, 1)).filter(({ level }) => level === 'warn')
  expect([refused?.origin, JSON.stringify(refused).includes('secret')]).toEqual(['https://evil.example', false])
})

test('log lines are UTC JSON, filtered by level, and cannot be forged', () => {
  const logLines: string[] = []
  const write = (_: string, line: string) => logLines.push(line)
  jsonLog('info', () => new Date('2026-03-14T19:00:00Z'), write)('info', 'request', { path: '/a\n{"level":"error"}' })
  jsonLog('warn', undefined, write)('info', 'not worth it')
  expect(logLines).toEqual([
    '{"at":"2026-03-14T19:00:00.000Z","level":"info","message":"request","path":"/a\\n{\\"level\\":\\"error\\"}"}',
  ])
})

test('metrics require an administrator and count requests and sign-ins', async () => {
  const { ada, ben, stranger } = await overheard()
  expect([(await stranger.request('/metrics')).status, (await ben.open('/metrics')).status]).toEqual([401, 403])
  const { token } = (await ada.post('/auth/tokens', { current_password: PASSWORD, name: 'Prometheus', scope: 'read' }))
    .body.data as {
    token: string
  }
  await stranger.post('/auth/login', { username: 'ben', password: 'Saguaro42' })
  await ben.get('/titles/77')
  await Bun.sleep(20)
  const answer = await stranger.request('/metrics', { headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(text).toContain('yardmaster_http_requests_total{method="GET",route="/api/titles/:id",status="404"} 1\n')
  expect(text).toContain('yardmaster_sign_ins_total{outcome="accepted"} 1\n')
  expect(text).toMatch(/yardmaster_http_request_seconds_bucket\{le="\+Inf",door="api"\} \d+\n/)
  expect(text).toMatch(/yardmaster_sessions 3\n/)
  expect(text).toMatch(/yardmaster_disk_free_bytes [1-9]\d+/)
  expect(text).toContain('yardmaster_imports_at_work 0\n')
  for (const line of text.split('\n').filter(Boolean))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^{}]*\})? [\d.e+-]+)$/)
})

test.if(Boolean(SERVER_URL))('a slow statement is reported with its duration and without its values', async () => {
  const statements: [string, number][] = []
  const database = openServer(SERVER_URL as string, { watch: (statement, ms) => statements.push([statement, ms]) })
  await database.db.execute(sql`select pg_sleep(0.1), ${'private'}::text`)
  await database.db.transaction((tx) => tx.execute(sql`select 1 as one`))
  await database.close()
  const slow = statements.find(([, ms]) => ms >= 100)
  expect(slow?.[0]).toBe('select pg_sleep(0.1), $1::text')
  expect(statements.some(([statement]) => statement === 'select 1 as one')).toBe(true)
})

test('a disk below its reserve is logged once', () => {
  const logEntries: unknown[] = []
  const disk = diskOf('.', 1e15, (level, message, fields) => logEntries.push([level, message, fields]))
  expect(disk.watch()).toBeGreaterThan(0)
  disk.watch()
  expect(logEntries).toEqual([
    [
      'warn',
      'free disk space is below MIN_FREE_MB: changes are refused',
      expect.objectContaining({ free_mb: expect.any(Number) }),
    ],
  ])
})

test.if(!SERVER_URL)('a full disk blocks writes but not reads and sign-out', async () => {
  const { cast } = await testContext({ minFreeBytes: 1e15 })
  const refused = await cast.ben.post('/titles', { unit_number: '100200', location_id: 1 })
  expect([refused.status, refused.body.message]).toEqual([
    507,
    'The disk of the server is full, so nothing can be saved now. Please tell your administrator.',
  ])
  const form = await cast.ben.submitAnyway('/titles/new', { unit_number: '100200', location_id: 1 })
  expect([form.status, form.text.includes('nothing can be saved now')]).toEqual([507, true])
  expect([(await cast.ben.get('/titles')).status, (await cast.ben.post('/auth/logout')).status]).toEqual([200, 200])
})
