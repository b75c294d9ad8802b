import { expect, test } from 'bun:test'
import { testContext } from '../support/context'

test('a cross-site change is rejected and stores nothing', async () => {
  const { cast } = await testContext()
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

test('every response has security headers, and errors do not echo passwords', async () => {
  const { cast } = await testContext()
  for (const path of ['/login', '/dashboard', '/nowhere', '/healthz']) {
    const { headers } = await cast.ben.open(path)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect([
      headers.get('content-security-policy')?.includes("frame-ancestors 'none'"),
      headers.get('x-frame-options'),
    ]).toEqual([true, 'DENY'])
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  const refused = await cast.stranger.post('/auth/login', { username: 'ben', password: 'hunter2-secret' })
  expect(JSON.stringify(refused.body)).not.toContain('hunter2')
})

test('HTML in stored input and search terms is shown as text', async () => {
  const { cast } = await testContext()
  const markup = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`
  const made = await cast.ada.post('/locations', {
    location_code: '<b>X</b>',
    location_name: markup,
    location_type: 'Hub',
  })
  const place = (made.body.data as { id: number }).id
  const move = {
    unit_number: '100001',
    move_date: '2026-03-01',
    location_out_id: place,
    location_in_id: place,
    transport_company_id: cast.desert,
    notes: markup,
  }
  await cast.ada.post('/transports', move)
  await cast.ada.post('/osl', { unit_number: '100001', osl_date: '2026-03-01', location_id: place, problem: markup })
  const paths = [
    '/transports/active',
    '/transports/1/edit',
    '/osl/active',
    '/osl/1',
    '/admin/locations',
    '/vehicles/100001',
    '/admin/audit',
    '/history/transports/1',
  ]
  const search = `/transports/active?q=${encodeURIComponent(markup)}`
  for (const path of [...paths, search]) {
    const { status, html, text } = await cast.ada.open(path)
    expect([path, status, text.includes('alert(1)')]).toEqual([path, 200, true])
    expect([path, /<script>|<img src=x/.test(html)]).toEqual([path, false])
  }
})

test('malformed requests return the expected status and never a server error', async () => {
  const { cast } = await testContext()
  const cases: [string, string, string | undefined, Record<string, string>, number][] = [
    ['POST', '/transports', '{"unit_number"', { 'content-type': 'application/json' }, 400],
    ['POST', '/transports', '['.repeat(100_000), { 'content-type': 'application/json' }, 400],
    ['POST', '/transports', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['POST', '/transports', '<x/>', { 'content-type': 'text/xml' }, 415],
    ['POST', '/transports', '[]', { 'content-type': 'application/json' }, 400],
    ['POST', '/transports', 'null', { 'content-type': 'application/json' }, 400],
    ['POST', '/auth/login', 'null', { 'content-type': 'application/json' }, 422],
    ['POST', '/locations', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, { 'content-type': 'application/json' }, 403],
    [
      'POST',
      '/transports',
      JSON.stringify({ unit_number: '100200', notes: 'a\u0000b' }),
      { 'content-type': 'application/json' },
      422,
    ],
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

test('a cross-site form is rejected and does not end the session', async () => {
  const { cast } = await testContext()
  for (const [path, headers] of [
    ['/logout', { origin: 'http://evil.example' }],
    ['/transports/new', { origin: 'null' }],
    ['/api/auth/logout', { 'sec-fetch-site': 'cross-site' }],
    ['/api/auth/verify', {}],
  ] as const) {
    const answer = await cast.stranger.request(path, { method: path.endsWith('verify') ? 'GET' : 'POST', headers })
    expect([path, answer.status, answer.headers.getSetCookie()]).toEqual([
      path,
      path.endsWith('verify') ? 401 : 403,
      [],
    ])
  }
})

test('a malformed, missing or repeated Host header returns 400 and the server keeps running', async () => {
  const { app } = await testContext()
  const server = app.listen({ port: 0, hostname: '127.0.0.1' }).server
  const port = server?.port ?? 0
  const raw = async (text: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    let response = ''
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        data: (_, data) => {
          response += data.toString()
          if (response.includes('\r\n')) resolve(response)
        },
        close: () => resolve(response),
        open: (opened) => void opened.write(text),
      },
    })
    await Promise.race([promise, Bun.sleep(20_000)])
    socket.terminate()
    return response.split('\r\n')[0]
  }
  for (const host of ['', '[', 'a b', 'a:b:c', '127.0.0.1:99999', 'user@h', 'é', '%', 'a/b', ':3399']) {
    expect([host, await raw(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)]).toEqual([
      host,
      expect.stringMatching(/^HTTP\/1\.1 400/),
    ])
    expect([
      host,
      await raw(`POST /api/files/upload HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`),
    ]).toEqual([host, expect.stringMatching(/^HTTP\/1\.1 40[01]/)])
  }
  for (const hosts of ['Host: a.example\r\nHost: b.example', 'Host: a.example\r\nHost: a.example'])
    expect(await raw(`GET /login HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400/)
  // Otherwise a relative address is routed by the part behind its second slash.
  expect(await raw('GET /public/aaaa/login HTTP/1.1\r\nHost: u@a.example\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/)
  for (const [path, status] of [
    ['/healthz', 200],
    ['/readyz', 200],
    ['/login', 400],
  ] as const)
    expect([path, await raw(`GET ${path} HTTP/1.0\r\n\r\n`)]).toEqual([
      path,
      expect.stringMatching(new RegExp(`^HTTP/1\\.[01] ${status}`)),
    ])
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  await server?.stop(true)
})

test('a deeply nested JSON body is rejected, but brackets in text are not', async () => {
  const { cast } = await testContext()
  for (const body of [
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `{"unit_number":${'['.repeat(99_000)}${']'.repeat(99_000)}}`,
  ]) {
    expect((await cast.ben.call('POST', '/vehicles', body)).status).toBe(400)
  }
  // Brackets in a text are no nesting.
  expect(
    (await cast.ben.post('/vehicles', { unit_number: '100200', current_location: '[[[[[[[[[[[[[[[[[[[[[[[[[' })).status,
  ).toBe(201)
})
