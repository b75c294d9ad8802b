import { beforeEach, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config'
import { bearer, cookie, isCrossOrigin, isSameOrigin, isSecure, ownOrigin } from '../../src/platform/http/request'
import { testContext } from '../support/context'

const makeRequest = (headers: Record<string, string>, url = 'http://yard.example/titles') =>
  new Request(url, { headers })
const alone = readConfig({})
const proxied = readConfig({ TRUST_PROXY: 'on' })

describe('request headers', () => {
  test('a cookie is found by its full name, and a malformed value is ignored', () => {
    const request = makeRequest({ cookie: '=x; ab=1; b=2; spaced = a%20b ;bad=%E0%A4; c=x=y' })
    expect(['ab', 'b', 'spaced', 'bad', 'c', 'a', 'none'].map((name) => cookie(request, name))).toEqual([
      '1',
      '2',
      'a b',
      null,
      'x=y',
      null,
      null,
    ])
    expect([cookie(makeRequest({ cookie: 'a=1' }), 'a'), cookie(makeRequest({}), 'a')]).toEqual(['1', null])
  })

  test('a cookie header with a million spaces is parsed in linear time', () => {
    expect(cookie(makeRequest({ cookie: `x${' '.repeat(1_000_000)}y=1; a=2` }), 'a')).toBe('2')
    expect(cookie(makeRequest({ cookie: '\u00a0a=1' }), 'a')).toBe(null)
  })

  test('a bearer token is read whatever the case of its scheme', () => {
    expect(
      ['Bearer abc', 'bearer  abc ', 'Basic abc', 'Bearer', ''].map((authorization) =>
        bearer(makeRequest({ authorization })),
      ),
    ).toEqual(['abc', 'abc', null, null, null])
  })

  test('HTTPS is detected from own TLS or a trusted proxy header', () => {
    const httpsRequest = makeRequest({ 'x-forwarded-proto': 'http, https' })
    const tls = { ...alone, tls: { cert: 'cert', key: 'key' } }
    expect([isSecure(httpsRequest, alone), isSecure(httpsRequest, proxied), isSecure(makeRequest({}), tls)]).toEqual([
      false,
      true,
      true,
    ])
    expect([
      isSecure(makeRequest({}), proxied),
      isSecure(makeRequest({ 'x-forwarded-proto': 'http' }), proxied),
    ]).toEqual([false, false])
  })

  test('the origin uses the Host header, or the forwarded host of a trusted proxy', () => {
    const both = makeRequest({ host: 'Inner:3000', 'x-forwarded-host': 'outer.example, Yard.example' })
    expect([ownOrigin(both, alone), ownOrigin(both, proxied)]).toEqual(['http://inner:3000', 'http://yard.example'])
    const secure = makeRequest({ host: 'yard.example:443', 'x-forwarded-proto': 'https' })
    expect([ownOrigin(secure, proxied), ownOrigin(makeRequest({}), alone)]).toEqual([
      'https://yard.example',
      'http://yard.example',
    ])
    expect([
      ownOrigin(makeRequest({ host: 'a@yard.example' }), alone),
      ownOrigin(makeRequest({ host: 'a b' }), alone),
    ]).toEqual(['', ''])
  })

  test('a request is same-origin only when no header contradicts it', () => {
    const own = 'http://yard.example'
    const cases: [headers: Record<string, string>, isOurs: boolean, isForeign: boolean][] = [
      [{}, false, false],
      [{ origin: own }, true, false],
      [{ origin: 'http://YARD.example' }, true, false],
      [{ origin: 'http://evil.example' }, false, true],
      [{ origin: 'null' }, false, true],
      [{ origin: 'https://yard.example' }, false, true],
      [{ origin: 'http://yard.example:8080' }, false, true],
      [{ origin: 'http://evil@yard.example' }, false, true],
      [{ origin: 'http://@yard.example' }, false, true],
      [{ referer: 'http://yard.example@evil.example/' }, false, true],
      [{ referer: `${own}/titles` }, true, false],
      [{ referer: 'http://evil.example/titles' }, false, true],
      [{ origin: own, 'sec-fetch-site': 'same-origin' }, true, false],
      [{ origin: own, 'sec-fetch-site': 'none' }, true, false],
      [{ origin: own, 'sec-fetch-site': 'same-site' }, false, true],
      [{ origin: own, 'sec-fetch-site': 'cross-site' }, false, true],
      [{ 'sec-fetch-site': 'same-origin' }, false, true],
    ]
    expect(
      cases.map(([headers]) => [
        headers,
        isSameOrigin(makeRequest(headers), alone),
        isCrossOrigin(makeRequest(headers), alone),
      ]),
    ).toEqual(cases)
  })
})

describe('the response to a change', () => {
  let h: Awaited<ReturnType<typeof testContext>>
  beforeEach(async () => {
    h = await testContext()
  })
  const title = () => ({ unit_number: '100200', location_id: h.cast.phoenix, submitted_date: '2026-03-01' })

  test('redirects to the previous page of this site, or to the list', async () => {
    for (const [headers, to] of [
      [{ referer: 'http://localhost/titles?q=100#row-1' }, '/titles?q=100'],
      [{ 'hx-current-url': 'http://localhost/titles/pending', referer: 'http://localhost/titles' }, '/titles/pending'],
      [{ referer: 'http://localhost/titles/new' }, '/titles'],
      [{ referer: 'http://evil.example/titles?q=1' }, '/titles'],
      [{ referer: 'nonsense' }, '/titles'],
      [{}, '/titles'],
    ] as [Record<string, string>, string][]) {
      const { status, location } = await h.cast.ben.submitAnyway('/titles/new', { ...title(), back: '' })
      expect([status, location]).toEqual([303, '/titles'])
      const { html } = await h.cast.ben.submit('/titles/new', title(), headers)
      const warnings_seen = /name="warnings_seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
      const again = await h.cast.ben.submit('/titles/new', { ...title(), warnings_seen }, headers)
      expect([headers, again.status, again.location]).toEqual([headers, 303, to])
    }
  })

  test('stores its message in a cookie, shown once and without foreign links', async () => {
    await h.cast.ben.submitAnyway('/titles/new', title())
    const deleteResponse = await h.cast.ben.submit('/titles/1/delete', {})
    expect(deleteResponse.headers.getSetCookie()).toEqual([
      `yardmaster_toast=${encodeURIComponent('success\nTitle of unit 100200 deleted\n/titles/1/restore')}; ` +
        `Path=/; HttpOnly; SameSite=Lax; Max-Age=60`,
    ])
    const script = await h.cast.ben.submit('/titles/1/restore', {}, { 'hx-request': 'true' })
    expect([script.status, script.headers.get('hx-redirect'), script.location]).toEqual([204, '/titles', null])
    const shown = async (...lines: string[]) => {
      const { cookie: session } = await h.cast.ben.cookieHeaders()
      const cookie = `${session}; yardmaster_toast=${encodeURIComponent(lines.join('\n'))}`
      return h.cast.ben.open('/titles', { cookie })
    }
    const page = await shown('success', 'Saved', '/titles/1/restore', '1')
    expect(page.find('.toast-success')).toEqual([expect.stringMatching(/^Saved ?Undo/)])
    expect(page.html).toContain('data-row="row-1"')
    expect(page.headers.getSetCookie()).toEqual(['yardmaster_toast=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'])
    expect((await shown('success', 'Saved', 'https://evil.example/')).html).not.toContain('evil.example')
    const long = await shown('danger', `b${'a'.repeat(300)}`)
    expect(long.find('.toast-danger')).toEqual([`b${'a'.repeat(299)}`])
    expect([(await shown('')).find('.toast'), (await h.cast.ben.open('/titles')).headers.getSetCookie()]).toEqual([
      [],
      [],
    ])
  })
})

test('a request ID from a trusted proxy is kept, and any other is replaced', async () => {
  const idOf = async (h: Awaited<ReturnType<typeof testContext>>, given: string) =>
    (await h.cast.ben.request('/healthz', { headers: { 'x-request-id': given } })).headers.get('x-request-id')
  const OWN = /^[0-9a-f]{8}-[0-9a-f]{4}$/
  expect(await idOf(await testContext(), 'abc-1')).toMatch(OWN)
  const trusting = await testContext({ trustProxy: true })
  expect([await idOf(trusting, 'abc-1'), await idOf(trusting, 'a'.repeat(64))]).toEqual(['abc-1', 'a'.repeat(64)])
  for (const given of ['a'.repeat(65), '<script>', ''])
    expect([given, await idOf(trusting, given)]).toEqual([given, expect.stringMatching(OWN)])
})
