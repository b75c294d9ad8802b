import type { Elysia } from 'elysia'
import { users } from '../../db/schema'
import { openSession } from '../../src/auth/queries'
import type { AppContext } from '../../src/context'
import { PARAMETER_EXAMPLES } from '../../src/docs/examples'
import { type Operation, operationsOf } from '../../src/docs/openapi'
import { exportsOf } from '../../src/exports/api'
import { MODULES } from '../../src/modules'
import { Visitor } from '../support/visitor'

/**
 * Requests made from the API's own document: nearly right, so that they get past the first look, with something
 * wrong in them.
 */

export type Attempt = { name: string; request: () => Request; what: string }

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    chance: (share: number) => next() < share,
    one: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  }
}
type Dice = ReturnType<typeof dice>

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

/** Values that programs stumble over. */
const ODD: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_992,
  1e308,
  -1e308,
  0.1 + 0.2,
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '١٢٣',
  'NaN',
  'Infinity',
  '0x10',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  '🚚',
  'x'.repeat(300),
  'y'.repeat(6000),
  '%',
  '%25',
  '\\',
  "'",
  '"',
  "' or 1=1--",
  '"; drop table users; --',
  '../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=1+1',
  '\r\nX-Injected: 1',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '-0001-01-01',
  '10000-01-01',
  '2026-03-14T00:00:00Z',
  'true',
  'null',
  'undefined',
  '[object Object]',
  [],
  [1],
  [null],
  {},
  { length: 5 },
  { toString: 'x' },
  { constructor: { prototype: {} } },
  nested(40),
  nested(4000),
  Array.from({ length: 300 }, () => 'a'),
  '100200',
  '1HGCM82633A004352',
  'Phoenix',
  'Delivered',
  'Completed',
  '2026-03-10',
]

/** Bodies that are not what they say, or say nothing. */
const RAW: (string | Uint8Array)[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  '\ufeff{}',
  '{"unit_number":1e400}',
  '{"version":-0}',
  new Uint8Array([0xff, 0xfe, 0x00]),
  new Uint8Array([0x7b, 0xc3, 0x28, 0x7d]),
  new TextEncoder().encode('a=1&a=2&b[]=3&c[d]=4'),
]
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'x',
]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND']
const HEADERS: [string, string][] = [
  ['accept-encoding', 'gzip, gzip, br;q=x'],
  ['accept-language', 'x'.repeat(4000)],
  ['cookie', 'yardmaster_session=%E0%A4%A; a=b; yardmaster_toast=%00'],
  ['content-encoding', 'gzip'],
  ['x-forwarded-for', "' or 1=1"],
  ['x-request-id', 'x'.repeat(500)],
  ['if-none-match', '*'],
  ['range', 'bytes=0-,5-'],
  ['expect', '100-continue'],
  ['hx-request', 'true'],
  ['origin', 'null'],
  ['hx-current-url', 'javascript:alert(1)'],
  ['referer', 'not a url'],
  ['content-length', '5'],
  ['transfer-encoding', 'chunked'],
]

const asText = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value))

/** An example body with one thing wrong, and now and then one field too many. */
function bodyWith(d: Dice, operation: Operation): unknown {
  const example = { ...(operation.body?.example as Record<string, unknown> | undefined) }
  const fields = [...new Set([...Object.keys(example), ...Object.keys(operation.body?.schema.properties ?? {})])]
  if (fields.length) example[d.one(fields)] = d.one(ODD)
  if (d.chance(0.3) && fields.length) example[d.one(fields)] = d.one(ODD)
  if (d.chance(0.2))
    example[d.one(['role', 'is_active', 'id', 'password_hash', 'created_by', 'version', '__proto__', 'toString'])] =
      d.one(ODD)
  if (d.chance(0.1) && fields.length) delete example[d.one(fields)]
  return example
}

function formWith(d: Dice): FormData {
  const form = new FormData()
  const content = d.one([
    'unit_number,location\n100200,PHX\n',
    '',
    '\0\0',
    'PK\u0003\u0004',
    '"',
    'a,b\n'.repeat(2000),
    'unit_number,location\n\ud800,PHX\n',
  ])
  form.set(
    'data_type',
    d.chance(0.7) ? d.one(['transports', 'osl', 'registrations', 'titles']) : (asText(d.one(ODD)) ?? ''),
  )
  form.set(
    'file',
    d.chance(0.85)
      ? new File(
          [content],
          d.one(['a.csv', 'a.xlsx', 'a.xls', 'a\0.csv', '../a.csv', `${'n'.repeat(400)}.csv`, '.csv', '']),
        )
      : 'no file',
  )
  if (d.chance(0.3)) form.append('data_type', 'osl')
  if (d.chance(0.3)) form.set('existing', asText(d.one(ODD)) ?? '')
  return form
}

/** One request after the other, without end. */
export function* attempts(app: Elysia, seed: number, token: string): Generator<Attempt> {
  const d = dice(seed)
  const operations = operationsOf(app.routes, exportsOf(MODULES)).filter(
    ({ path }) =>
      !['/api/auth/logout', '/api/auth/refresh', '/api/auth/sessions', '/api/auth/change-password'].includes(path),
  )
  const pages = app.routes.filter(
    ({ path, method }) => method === 'GET' && !path.startsWith('/api') && !path.startsWith('/assets'),
  )
  for (;;) {
    if (d.chance(0.12)) {
      const path = d
        .one(pages)
        .path.replace(/:\w+/g, () => encodeURIComponent(asText(d.one(ODD)) ?? 'x').slice(0, 2000))
      const query = new URLSearchParams(
        Array.from({ length: 3 }, () => [
          d.one([
            'q',
            'page',
            'sort',
            'order',
            'type',
            'start_date',
            'end_date',
            'status',
            'tab',
            'next',
            'location_id',
            'figure',
            'generate',
            'entity_id',
          ]),
          asText(d.one(ODD)) ?? '',
        ]),
      )
      yield {
        name: `page ${path.slice(0, 80)}`,
        what: String(query).slice(0, 300),
        request: () =>
          new Request(`http://localhost${path}?${query}`, { headers: { cookie: `yardmaster_session=${token}` } }),
      }
      continue
    }
    const operation = d.one(operations)
    const path = operation.path.replace(/\{(\w+)\}/g, (_, part: string) =>
      d.chance(0.6)
        ? encodeURIComponent(String(PARAMETER_EXAMPLES[part] ?? 1))
        : encodeURIComponent(asText(d.one(ODD)) ?? 'x').slice(0, 2000),
    )
    const query = new URLSearchParams()
    for (const { name, in: where, required } of operation.parameters) {
      if (where !== 'query' || !(required || d.chance(0.3))) continue
      query.append(name, asText(d.one(ODD)) ?? '')
      if (d.chance(0.1)) query.append(name, asText(d.one(ODD)) ?? '')
    }
    const method = d.chance(0.93) ? operation.method.toUpperCase() : d.one(METHODS)
    const headers = new Headers(
      d.chance(0.97)
        ? { authorization: `Bearer ${token}` }
        : { authorization: d.one(['Bearer', 'Bearer x.y.z', 'Basic eA==', `Bearer ${'a'.repeat(9000)}`]) },
    )
    if (d.chance(0.15)) headers.set(...d.one(HEADERS))
    let body: BodyInit | undefined
    if (!['GET', 'HEAD'].includes(method)) {
      if (operation.body?.isUpload && d.chance(0.9)) body = formWith(d)
      else if (d.chance(0.85)) {
        body = JSON.stringify(bodyWith(d, operation))
        headers.set('content-type', 'application/json')
      } else {
        body = d.one(RAW) as BodyInit
        headers.set('content-type', d.one(TYPES))
      }
    }
    const shown =
      typeof body === 'string'
        ? body.slice(0, 300)
        : body instanceof FormData
          ? JSON.stringify([...body.entries()]).slice(0, 300)
          : ''
    yield {
      name: `${method} ${operation.path}`,
      what: `${path}?${query} ${shown}`.slice(0, 600),
      request: () =>
        new Request(`http://localhost${path}${query.size ? `?${query}` : ''}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        }),
    }
  }
}

/** An administrator whose account has no number that a request names by chance. */
export async function lastingToken({ app, ctx }: { app: Elysia; ctx: AppContext }): Promise<string> {
  await ctx.db.insert(users).values({ id: 7_654_321, username: 'zoe', password_hash: 'none', role: 'admin' })
  const session = await openSession(ctx.db, 7_654_321, { address: '127.0.0.1', userAgent: null }, ctx.clock.now())
  return (await new Visitor(app, ctx, session).token()) as string
}

export type Broken = { name: string; what: string; why: string }

/** Sends some of them. @returns what broke a promise: a 500, a hang, an answer that is none */
export async function fuzz(
  app: Elysia,
  seed: number,
  token: string,
  count: number,
  limitMs = 2000,
): Promise<{ broken: Broken[]; statuses: Map<number, number>; slowest: number }> {
  const broken: Broken[] = []
  const statuses = new Map<number, number>()
  let slowest = 0
  let sent = 0
  for (const { name, what, request } of attempts(app, seed, token)) {
    if (sent++ >= count) break
    let made: Request
    try {
      made = request()
    } catch {
      // Not even a request: the platform's own Request refuses such a method or header.
      sent--
      continue
    }
    const began = performance.now()
    const response = await app.handle(made)
    const text = await response.text()
    const ms = performance.now() - began
    slowest = Math.max(slowest, ms)
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    const why = problemOf(response, text, ms, limitMs)
    if (why) broken.push({ name, what, why })
  }
  return { broken, statuses, slowest }
}

function problemOf(response: Response, text: string, ms: number, limitMs: number): string | null {
  const { status, headers } = response
  if (status >= 500) return `status ${status}: ${text.slice(0, 200)}`
  if (ms > limitMs) return `took ${Math.round(ms)} ms`
  if (
    /\bat .+\.tsx?:\d+|node_modules|DrizzleQueryError|PostgresError|select "/.test(text.slice(0, 5000)) &&
    status >= 400
  )
    return `tells of its insides: ${text.slice(0, 200)}`
  if (!headers.get('x-content-type-options')) return 'has no security headers'
  if (text && status >= 400 && headers.get('content-type')?.includes('json')) {
    const body = JSON.parse(text) as { success?: unknown; message?: unknown }
    if (body.success !== false || typeof body.message !== 'string')
      return `is not a failure in the words of the contract: ${text.slice(0, 200)}`
  }
  return null
}
