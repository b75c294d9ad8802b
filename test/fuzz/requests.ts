import type { Elysia } from 'elysia'
import fc from 'fast-check'
import { MODULES } from '../../src/app/modules'
import { PARAMETER_EXAMPLES } from '../../src/platform/docs/examples'
import { type Operation, operationsOf } from '../../src/platform/docs/operations'
import { exportsOf } from '../../src/platform/lists/exports/api'
import { HEADERS, METHODS, maybe, odd, oddSegment, oddText, RAW, sometimes, TYPES } from './odd'

/**
 * Generates requests from the API document that pass the first checks.
 * They are almost valid, and plain data, so that fast-check can shrink and print them.
 */

type Part = string | { file: string; content: string }
type Body =
  | { json: unknown }
  | { raw: string | Uint8Array<ArrayBuffer>; type: string }
  | { form: [name: string, value: Part][] }
export type Attempt = {
  name: string
  method: string
  path: string
  query: [name: string, value: string][]
  headers: [name: string, value: string][]
  body?: Body | undefined
}

/** Calls that end the session of the fuzzer, and the event stream, which does not end. */
const LEFT_OUT = [
  ...['logout', 'refresh', 'sessions', 'change-password'].map((name) => `/api/auth/${name}`),
  '/api/events',
]
const FOREIGN = ['role', 'is_active', 'id', 'password_hash', 'created_by', 'version', '__proto__', 'toString']
const PAGE_FIELDS =
  'q page sort order type start_date end_date status tab next location_id figure generate entity_id'.split(' ')

/** Generates a path from a pattern and a generator of its parameters. */
const pathOf = (pattern: string, names: RegExp, segment: (name: string) => fc.Arbitrary<string>) => {
  const parts = [...new Set([...pattern.matchAll(names)].map(([, name]) => name as string))]
  return fc
    .tuple(...parts.map(segment))
    .map((values) => pattern.replace(names, (_, name: string) => values[parts.indexOf(name)] as string))
}

/** Generates an example body with a few wrong, unknown or missing fields. */
function jsonBody({ body }: Operation): fc.Arbitrary<Body> {
  const example = (body?.example ?? {}) as Record<string, unknown>
  const fields = [...new Set([...Object.keys(example), ...Object.keys(body?.schema.properties ?? {})])]
  const field = fields.length ? fc.constantFrom(...fields) : fc.constant('nothing')
  return fc
    .record({
      wrong: fc.tuple(field, odd),
      another: maybe(30, fc.tuple(field, odd)),
      foreign: maybe(20, fc.tuple(fc.constantFrom(...FOREIGN), odd)),
      missing: maybe(10, field),
    })
    .map(({ wrong, another, foreign, missing }) => {
      const edits = [...(fields.length ? [wrong, another] : []), foreign].filter((edit) => edit !== undefined)
      // From entries, so that `__proto__` is sent as a field like any other.
      return {
        json: Object.fromEntries([...Object.entries(example), ...edits].filter(([name]) => name !== missing)),
      }
    })
}

const CONTENTS = ['unit_number,location\n100200,PHX\n', '', '\0\0', 'PK\u0003\u0004', '"', 'a,b\n'.repeat(2000)]
const FILES = ['a.csv', 'a.xlsx', 'a.xls', 'a\0.csv', '../a.csv', `${'n'.repeat(400)}.csv`, '.csv', '']
const IMPORT_KINDS = fc.constantFrom('transports', 'osl', 'registrations', 'titles')

const form: fc.Arbitrary<Body> = fc
  .record({
    kind: sometimes(30, oddText, IMPORT_KINDS),
    file: sometimes<Part, Part>(
      15,
      fc.constant('no file'),
      fc.record({
        file: fc.constantFrom(...FILES),
        content: fc.constantFrom(...CONTENTS, 'unit_number,location\n\ud800,PHX\n'),
      }),
    ),
    kindAgain: maybe(30, fc.constant('osl')),
    existing: maybe(30, oddText),
  })
  .map(({ kind, file, kindAgain, existing }) => {
    const parts: [string, Part | undefined][] = [
      ['data_type', kind],
      ['file', file],
      ['data_type', kindAgain],
      ['existing', existing],
    ]
    return { form: parts.filter((part): part is [string, Part] => part[1] !== undefined) }
  })

const raw: fc.Arbitrary<Body> = fc.record({ raw: fc.constantFrom(...RAW), type: fc.constantFrom(...TYPES) })
const oddAuthorization = fc.constantFrom('Bearer', 'Bearer x.y.z', 'Basic eA==', `Bearer ${'a'.repeat(9000)}`)

/** A call of the API. */
function call(operation: Operation, token: string): fc.Arbitrary<Attempt> {
  const json = sometimes(15, raw, jsonBody(operation))
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .record({
      path: pathOf(operation.path, /\{(\w+)\}/g, (name) =>
        sometimes(40, oddSegment, fc.constant(encodeURIComponent(String(PARAMETER_EXAMPLES[name] ?? 1)))),
      ),
      query: fc.tuple(
        ...inQuery.map(({ name, required }) => {
          const values = fc.tuple(oddText, maybe(10, oddText)).map((all) => all.filter((one) => one !== undefined))
          return (required ? values : maybe(30, values)).map((all) => (all ?? []).map((one) => [name, one] as const))
        }),
      ),
      method: sometimes(7, fc.constantFrom(...METHODS), fc.constant(operation.method.toUpperCase())),
      authorization: sometimes(3, oddAuthorization, fc.constant(`Bearer ${token}`)),
      header: maybe(15, fc.constantFrom(...HEADERS)),
      body: operation.body?.isUpload ? sometimes(10, json, form) : json,
    })
    .map(({ path, query, method, authorization, header, body }) => ({
      name: `${method} ${operation.path}`,
      method,
      path,
      query: query.flat() as [string, string][],
      headers: [['authorization', authorization], ...(header ? [header] : [])],
      body: ['GET', 'HEAD'].includes(method) ? undefined : body,
    }))
}

/** A page of the screens. */
const page = (pattern: string, token: string): fc.Arbitrary<Attempt> =>
  fc
    .record({
      path: pathOf(pattern, /:(\w+)/g, () => oddSegment),
      query: fc.array(fc.tuple(fc.constantFrom(...PAGE_FIELDS), oddText), { maxLength: 3 }),
    })
    .map(({ path, query }) => ({
      name: `page ${pattern}`,
      method: 'GET',
      path,
      query,
      headers: [['cookie', `yardmaster_session=${token}`]],
    }))

/** One attempt at any call or page of the program. */
export function attempt(app: Elysia, token: string): fc.Arbitrary<Attempt> {
  const calls = operationsOf(app.routes, exportsOf(MODULES)).filter(({ path }) => !LEFT_OUT.includes(path))
  const pages = app.routes.filter(
    ({ path, method }) => method === 'GET' && !path.startsWith('/api') && !path.startsWith('/assets'),
  )
  return sometimes(
    12,
    fc.oneof(...pages.map(({ path }) => page(path, token))),
    fc.oneof(...calls.map((operation) => call(operation, token))),
  )
}

/** @throws when `Request` does not accept the method or a header */
export function requestOf({ method, path, query, headers, body }: Attempt): Request {
  const address = `http://localhost${path}${query.length ? `?${new URLSearchParams(query)}` : ''}`
  const all = new Headers(headers)
  if (!body) return new Request(address, { method, headers: all })
  if ('form' in body) {
    const data = new FormData()
    for (const [name, value] of body.form)
      data.append(name, typeof value === 'string' ? value : new File([value.content], value.file))
    return new Request(address, { method, headers: all, body: data })
  }
  all.set('content-type', 'json' in body ? 'application/json' : body.type)
  return new Request(address, { method, headers: all, body: 'json' in body ? JSON.stringify(body.json) : body.raw })
}

/** Describes an attempt in at most 600 characters, without its credentials. */
export function shown({ path, query, headers, body }: Attempt): string {
  const sent = body ? ('form' in body ? body.form : 'json' in body ? body.json : [body.type, String(body.raw)]) : ''
  const special = headers.filter(([name]) => !['authorization', 'cookie'].includes(name))
  return `${path}?${new URLSearchParams(query)} ${special.join()} ${JSON.stringify(sent).slice(0, 300)}`.slice(0, 600)
}
