import type { OpenCollection } from '@opencollection/types'
import type { Folder } from '@opencollection/types/collection/item'
import type { HttpRequest, HttpRequestBody, HttpRequestParam } from '@opencollection/types/requests/http'
import type { ApiDocument, ApiOperation, ApiSchema } from './document'

const LOGIN = 'POST /api/auth/login'
/** Bruno reads these variables from the environment, so that no password is stored in a request. */
const CREDENTIALS = { username: '{{username}}', password: '{{password}}' }
/** Later calls of the session use the token. */
const STORE_TOKEN = 'if (res.status === 200) bru.setVar("token", res.body.data.token)'

function exampleOf(name: string, { format, enum: values }: ApiSchema): string {
  if (format === 'date') return name.startsWith('end') ? '2026-12-31' : '2026-01-01'
  return String(values?.[0] ?? (name === 'q' ? '100200' : ''))
}

function params({ parameters }: ApiOperation): HttpRequestParam[] {
  return parameters.flatMap(({ name, in: where, required, schema, example }) => {
    if (where === 'header') return []
    const value = String(example ?? exampleOf(name, schema))
    return [{ name, value, type: where, ...(required ? {} : { disabled: true }) }]
  })
}

/** Optional headers, which users can turn on. */
const headers = ({ parameters }: ApiOperation) =>
  parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => ({ name, value: name === 'Idempotency-Key' ? '{{$randomUUID}}' : '"1"', disabled: true }))

const whenFilled = <Key extends string, Value>(key: Key, values: Value[]) => (values.length ? { [key]: values } : {})

function formBody({ properties = {}, required = [] }: ApiSchema): HttpRequestBody {
  const data = Object.entries(properties).map(([name, schema]) => ({
    name,
    ...(schema.format === 'binary'
      ? { type: 'file' as const, value: [] }
      : { type: 'text' as const, value: exampleOf(name, schema) }),
    ...(required.includes(name) ? {} : { disabled: true }),
  }))
  return { type: 'multipart-form', data }
}

function body(name: string, { requestBody }: ApiOperation): HttpRequestBody | undefined {
  const json = requestBody?.content['application/json']
  const example = name === LOGIN ? CREDENTIALS : json?.example
  if (example) return { type: 'json', data: JSON.stringify(example, null, 2) }
  const form = requestBody?.content['multipart/form-data']
  return form && formBody(form.schema)
}

function request(path: string, method: string, operation: ApiOperation): HttpRequest {
  const name = `${method.toUpperCase()} ${path}`
  const sent = body(name, operation)
  return {
    info: { name: operation.summary, type: 'http' },
    http: {
      method: method.toUpperCase(),
      url: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...whenFilled('headers', headers(operation)),
      ...whenFilled('params', params(operation)),
      ...(sent ? { body: sent } : {}),
      ...(operation.security ? {} : { auth: 'inherit' }),
    },
    ...(name === LOGIN ? { runtime: { scripts: [{ type: 'after-response', code: STORE_TOKEN }] } } : {}),
    ...(operation.description ? { docs: operation.description } : {}),
  }
}

const folder = (name: string, requests: HttpRequest[]): Folder => ({
  info: { name, type: 'folder' },
  items: requests.map((one, at) => ({ ...one, info: { ...one.info, seq: at + 1 } })),
})

/** Returns a Bruno collection with a folder for each tag, as one file that Bruno can import. */
export function brunoCollection({ info, paths }: ApiDocument): OpenCollection {
  const folders = new Map<string, HttpRequest[]>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? 'other'
      folders.set(tag, [...(folders.get(tag) ?? []), request(path, method, operation)])
    }
  return {
    opencollection: '1.0.0',
    info: { name: info.title, version: info.version },
    config: {
      environments: [
        {
          name: 'Local',
          variables: [
            { name: 'baseUrl', value: 'http://127.0.0.1:3000' },
            { name: 'username', value: 'admin' },
            { name: 'password', secret: true },
            { name: 'token', secret: true },
          ],
        },
      ],
    },
    request: { auth: { type: 'bearer', token: '{{token}}' } },
    docs: info.description,
    items: [...folders].sort(([a], [b]) => a.localeCompare(b)).map(([name, requests]) => folder(name, requests)),
    bundled: true,
  }
}

export const brunoFile = (document: ApiDocument) => `${Bun.YAML.stringify(brunoCollection(document), null, 2)}\n`
