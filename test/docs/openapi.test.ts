import { beforeEach, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Secret, TOTP } from 'otpauth'
import { uploads } from '../../db/schema'
import { runDueSchedules } from '../../src/features/reports/runs'
import { Authenticator } from '../support/authenticator'
import { PASSWORD } from '../support/cast'
import { NOON, saveRows, testContext } from '../support/context'
import { answerChecker, createExampleRecords, readDocument } from './answer-checker'

let h: Awaited<ReturnType<typeof testContext>>
beforeEach(async () => {
  h = await testContext()
})

const login = ({ cast }: typeof h) => cast.stranger.post('/auth/login', { username: 'ada', password: PASSWORD })

/** Creates an invoice. It is separate, because a biller with an invoice cannot be deleted. */
const furnishInvoice = (biller: string) =>
  h.cast.ben.post(`/${biller}/1/invoices`, {
    number: 'A-1',
    start_date: '2026-02-01',
    end_date: '2026-02-28',
    lines: [{ unit_number: '100200', amount: 5 }],
  })

/** Creates a finished import, and a preview with a matched location name. */
async function furnishFiles() {
  const { ben, phoenix } = h.cast
  await ben.upload('titles', 'titles.csv', 'unit_number,location\n100300,PHX\n')
  const { id } = await ben.begin('titles', 'more.csv', 'unit_number,location\n100301,Valley\n')
  await ben.put(`/files/${id}`, { names: [{ kind: 'location', name: 'Valley', id: phoenix }] })
  await ben.settled(id)
}

test('every API operation has a summary, a 401 response and a body example', async () => {
  const { paths } = await readDocument(h.cast)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  expect(operations.length).toBeGreaterThan(95)
  for (const { name, operation } of operations) {
    expect([name, operation.summary.length > 5]).toEqual([name, true])
    expect([name, '401' in operation.responses]).toEqual([name, true])
    const json = operation.requestBody?.content['application/json']
    if (json) expect([name, json.example !== undefined]).toEqual([name, true])
  }
})

test('bodies of update calls have no default values', async () => {
  const { paths } = await readDocument(h.cast)
  const changing = Object.entries(paths).flatMap(([path, { put, patch, post }]) =>
    [put, patch, path === '/api/vehicles' ? post : undefined].flatMap((operation) => operation ?? []),
  )
  expect(changing.length).toBeGreaterThan(20)
  for (const { operationId, requestBody } of changing)
    expect([operationId, JSON.stringify(requestBody?.content ?? {})]).toEqual([
      operationId,
      expect.not.stringContaining('"default"'),
    ])
  expect(Object.keys(paths['/api/vehicles']?.post?.responses ?? {})).toEqual(expect.arrayContaining(['200', '201']))
})

test('every operation answers its own example as documented', async () => {
  const document = await readDocument(h.cast)
  const { paths } = document
  const misfits = answerChecker(document)
  // GET calls change nothing, so they come first and use the same records.
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => Number(b.method === 'get') - Number(a.method === 'get'))
  await createExampleRecords(h.cast)
  const restoreRows = await saveRows(h.database)
  let isFurnished = false
  for (const { path, method, operation } of operations) {
    const name = `${method.toUpperCase()} ${path}`
    const sent = operation.requestBody?.content
    if (sent?.['multipart/form-data'] && !sent['application/json']) continue
    // The event stream does not end. test/live tests it.
    if (path === '/api/events') continue
    // These lead a browser to a provider and back; test/auth/single-sign-on.test.ts opens them.
    if (path.startsWith('/api/auth/oidc')) continue
    if (method !== 'get' || !isFurnished) {
      await restoreRows()
      h.clock.set(NOON)
      if (method === 'get' || path.startsWith('/api/files')) await furnishFiles()
      for (const biller of ['vendors', 'transport-companies'])
        if (method === 'get' || path.startsWith(`/api/${biller}/{id}/invoices/`)) await furnishInvoice(biller)
    }
    isFurnished = method === 'get'
    if (path === '/api/reports/runs/{id}/file') {
      h.clock.set(new Date('2026-03-17T00:00:00Z'))
      await runDueSchedules(h.ctx.db, h.clock)
      h.clock.set(new Date('2026-03-24T00:00:00Z'))
      await runDueSchedules(h.ctx.db, h.clock)
      h.clock.set(NOON)
    }
    let session = ''
    if (path === '/api/auth/sessions/{key}') {
      await login(h)
      const found = (await h.cast.ada.get('/auth/sessions')).body.data as { key: string; is_current: boolean }[]
      session = found.find(({ is_current }) => !is_current)?.key ?? ''
    }
    if (path === '/api/auth/tokens/{id}')
      await h.cast.ada.post('/auth/tokens', { current_password: PASSWORD, name: 'Nightly export', scope: 'read' })
    const who = name.startsWith('POST /api/auth') || name.startsWith('PUT /api/auth') ? h.cast.ben : h.cast.ada
    const at = path
      .replace('/api', '')
      .replace('{key}', session)
      // This call takes the id of a vehicle. The others take the unit number.
      .replace('{unit}/documents', '1/documents')
      .replace(/\{(\w+)\}/g, (_, part: string) =>
        String(
          (part === 'invoice' && name.startsWith('GET /api/transport-companies')) ||
            name.includes('/users/{id}') ||
            /(commit|cancel|rows|PUT \/api\/files\/\{id\})$/.test(name)
            ? 2
            : name === 'DELETE /api/locations/{id}' || name === 'DELETE /api/transport-companies/{id}'
              ? 2
              : (operation.parameters.find((parameter) => parameter.name === part)?.example ?? ''),
        ),
      )
    const query = operation.parameters.some(({ name, required }) => name === 'q' && required)
      ? '?q=1002'
      : /osl\/completed$|^\/api\/reports\/\{type\}|\/statement$/.test(path)
        ? '?start_date=2026-01-01&end_date=2026-12-31'
        : ''
    if (name === 'DELETE /api/due/{kind}/{id}/snooze')
      await h.cast.ada.post('/due/title_overdue/1/snooze', { until: '2026-03-20' })
    if (path.startsWith('/api/documents/')) {
      const body = new FormData()
      body.set('file', new File(['%PDF-1.4\n'], 'title.pdf'))
      body.set('thumbnail', new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0])], 'thumbnail.jpg'))
      await h.cast.ada.request('/api/titles/1/documents', {
        method: 'POST',
        headers: { authorization: `Bearer ${await h.cast.ada.token()}` },
        body,
      })
    }
    if (name.endsWith('/restore'))
      await h.cast.ada.delete(
        path
          .replace('/api', '')
          .replace('/restore', '')
          .replace(/\{\w+\}/g, '1'),
      )
    if (path.startsWith('/api/webhooks/')) {
      await h.cast.ada.post('/webhooks', { url: 'https://example.com', events: ['*'] })
      await h.cast.ada.post('/vehicles', { unit_number: '100999' })
    }
    if (path.includes('/merge')) await h.cast.ada.post('/vendors', { vendor_name: 'Second Yard' })
    if (name.startsWith('POST') && path.includes('/merges'))
      await h.cast.ada.post(path.replace('/api', '').replace(/\/merges.*/, '/1/merge'), { into_id: 2 })
    if (name === 'POST /api/bulk/{id}/undo')
      await h.cast.ada.post('/transports/bulk', { ids: [1], set: { status: 'In Transit' } })
    if (name === 'DELETE /api/locations/{id}') await h.cast.ada.delete('/transports/1')
    let body = operation.requestBody?.content['application/json']?.example
    if (/\/auth\/totp(\/confirm)?$/.test(path) && name !== 'POST /api/auth/totp') {
      const { secret } = (await who.post('/auth/totp', {})).body.data as { secret: string }
      const app = new TOTP({ secret: Secret.fromBase32(secret) })
      if (path.endsWith('confirm')) body = { code: app.generate({ timestamp: NOON.getTime() }) }
    }
    if (path.startsWith('/api/auth/passkeys')) {
      const { secret } = (await who.post('/auth/totp', {})).body.data as { secret: string }
      const app = new TOTP({ secret: Secret.fromBase32(secret) })
      await who.post('/auth/totp/confirm', { code: app.generate({ timestamp: NOON.getTime() }) })
      const { options, ticket } = (await who.post('/auth/passkeys/options', {})).body.data as never as {
        options: { challenge: string; rp: { id?: string } }
        ticket: string
      }
      const passkey = { ticket, name: 'Blue key', credential: new Authenticator().create(options) }
      if (name === 'POST /api/auth/passkeys') body = passkey
      else await who.post('/auth/passkeys', passkey)
    }
    if (path.endsWith('/reset-second-factor')) await h.cast.ben.post('/auth/totp', {})
    const answer = await who.call(method.toUpperCase(), at + query, body)
    expect([name, String(answer.status) in operation.responses, answer.status < 300, answer.body.message]).toEqual([
      name,
      true,
      true,
      answer.body.message,
    ])
    expect([name, misfits(operation, answer)]).toEqual([name, []])
    // Waits for running imports, which would disturb the next operation.
    if (path.startsWith('/api/files'))
      for (const { id } of await h.ctx.db.select({ id: uploads.id }).from(uploads)) await h.cast.ada.settled(id)
  }
  await h.database.raw('drop schema saved cascade', [])
}, 600_000)

test('the HTML page lists every operation and references no external URL', async () => {
  const page = await h.cast.stranger.open('/api/docs')
  const { paths } = await readDocument(h.cast)
  expect(page.find('.call').length).toBe(Object.values(paths).flatMap(Object.keys).length)
  expect(
    [...page.html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to]) => to).filter((to) => !/^[/#]/.test(to as string)),
  ).toEqual([])
})

test('failure responses match their documented schemas', async () => {
  const document = await readDocument(h.cast)
  const misfits = answerChecker(document)
  const calls: [string, string, Promise<{ status: number; headers: Headers; body: unknown }>][] = [
    ['/api/transports', 'get', h.cast.stranger.get('/transports')],
    ['/api/users', 'get', h.cast.ben.get('/users')],
    ['/api/transports/{id}', 'get', h.cast.ben.get('/transports/999')],
    ['/api/transports', 'post', h.cast.ben.post('/transports', { unit_number: 'x' })],
    ['/api/transports', 'post', h.cast.ben.post('/transports', '{')],
    ['/api/osl/completed', 'get', h.cast.ben.get('/osl/completed')],
    ['/api/users', 'post', h.cast.ada.post('/users', { username: 'ben', password: 'Ocotillo77', role: 'user' })],
  ]
  for (const [path, method, responsePromise] of calls) {
    const answer = await responsePromise
    expect([path, answer.status, misfits(document.paths[path]?.[method] as never, answer)]).toEqual([
      path,
      answer.status,
      [],
    ])
  }
})

test('operations have unique IDs, one known tag and correct required fields', async () => {
  const { paths, tags } = await readDocument(h.cast)
  const ids: string[] = []
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      ids.push(operation.operationId)
      expect([
        path,
        operation.tags.every((tag) => tags.some(({ name }) => name === tag)) && operation.tags.length === 1,
      ]).toEqual([path, true])
      if (method !== 'post')
        expect([path, method, JSON.stringify(operation.requestBody ?? {}).includes('"default"')]).toEqual([
          path,
          method,
          false,
        ])
    }
  }
  expect(new Set(ids).size).toBe(ids.length)
  const required = (path: string) =>
    paths[path]?.get?.parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name }) => name)
  expect([required('/api/transports'), required('/api/audit'), required('/api/vehicles/search')]).toEqual([
    [],
    [],
    ['q'],
  ])
  const body = paths['/api/transports']?.post?.requestBody?.content['application/json'] as unknown as {
    schema: { required: string[] }
  }
  expect(body.schema.required).toEqual([
    'unit_number',
    'location_out_id',
    'location_in_id',
    'move_date',
    'transport_company_id',
  ])
})

test('every list takes a page and a page size', async () => {
  const { paths } = await readDocument(h.cast)
  const lists = Object.entries(paths).filter(([, { get }]) => JSON.stringify(get?.responses ?? {}).includes('"meta":{'))
  expect(lists.length).toBeGreaterThan(45)
  for (const [path, { get }] of lists)
    expect([path, get?.parameters.map(({ name }) => name)]).toEqual([
      path,
      expect.arrayContaining(['page', 'per_page']),
    ])
})

test('the API document passes the linter without errors', async () => {
  const source = JSON.stringify(await readDocument(h.cast))
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } })
  const problems = await lintFromString({ source, config })
  expect(
    problems
      .filter(({ severity }) => severity === 'error')
      .map(({ message, location }) => `${location[0]?.pointer} ${message}`),
  ).toEqual([])
})

test('the document gives the commit field of imports a default of false', async () => {
  const { paths } = (await readDocument(h.cast)) as unknown as {
    paths: Record<string, { post?: { requestBody?: { content: Record<string, { schema: unknown }> } } }>
  }
  const { schema } = paths['/api/files/imports']?.post?.requestBody?.content['multipart/form-data'] ?? {}
  expect(schema).toMatchObject({ properties: { commit: { type: 'boolean', default: false } } } as never)
})
