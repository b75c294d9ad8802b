import { afterAll, expect, test } from 'bun:test'
import { temporaryFolder as folder, JSON_TYPE, removeFolders, serving } from '../support/program'

afterAll(removeFolders)

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type CollectedSpan = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attribute[] }
type Batch = { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }

/** A collector that keeps all spans it receives. */
function collector(status = 200) {
  const spans: CollectedSpan[] = []
  const keys: (string | null)[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const batch = (await request.json()) as Batch
      keys.push(request.headers.get('x-key'))
      spans.push(...batch.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
      return new Response('{}', { status, headers: JSON_TYPE })
    },
  })
  return { spans, keys, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

const attributes = (span: CollectedSpan | undefined) =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

const ADMIN_PASSWORD = 'Tracing-Test-1'
const signIn = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
  })

const PARENT = { id: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }

test('requests and their statements are sent to the collector as traces', async () => {
  const { spans, keys, url: endpoint, stop } = collector()
  const { child, url, output } = await serving({
    DATA_DIR: folder(),
    ADMIN_PASSWORD,
    TRUST_PROXY: 'on',
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
  })
  const { data } = (await (await signIn(url)).json()) as { data: { token: string } }
  const headers = { authorization: `Bearer ${data.token}`, traceparent: `00-${PARENT.id}-${PARENT.span}-01` }
  const answers = await Promise.all([
    fetch(`${url}/api/transports/active?q=zebra77`, { headers }),
    fetch(`${url}/api/transports/4711`, { headers }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 404])
  for (const path of ['/healthz', '/readyz', '/metrics']) await fetch(url + path, { headers })
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  stop()

  const roots = spans.filter(({ attributes }) => attributes.some(({ key }) => key === 'http.route'))
  expect(roots.map(({ name }) => name).sort()).toEqual([
    'GET /api/transports/:id',
    'GET /api/transports/active',
    'POST /api/auth/login',
  ])
  const list = roots.find(({ name }) => name.endsWith('/active'))
  expect([list?.traceId, list?.parentSpanId]).toEqual([PARENT.id, PARENT.span])
  expect(attributes(list)).toMatchObject({ 'http.route': '/api/transports/active', 'http.response.status_code': 200 })
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === list?.spanId)
  expect(statements.map(({ name }) => name)).toContain('select')
  expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([PARENT.id]))
  // Statements contain no values, and the addresses of requests contain no query.
  expect(JSON.stringify(spans)).not.toContain('zebra77')
  expect(new Set(keys)).toEqual(new Set(['a secret']))
  const lines = (await output()).split('\n').filter((line) => line.includes('/api/transports/active'))
  expect(lines.map((line) => (JSON.parse(line) as { trace?: string }).trace)).toEqual([PARENT.id])
})

test('an unavailable collector affects no request, and clients do not choose trace ids', async () => {
  const { spans, url: endpoint, stop } = collector(400)
  const { child, url } = await serving({ DATA_DIR: folder(), ADMIN_PASSWORD, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  expect((await signIn(url, { traceparent: `00-${PARENT.id}-${PARENT.span}-01` })).status).toBe(200)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  stop()
  expect(spans.length).toBeGreaterThan(0)
  expect(spans.filter(({ traceId }) => traceId === PARENT.id)).toEqual([])
  expect(await new Response(child.stderr).text()).toContain('traces could not be exported')
})
