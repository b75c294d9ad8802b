import type { Elysia } from 'elysia'
import { z } from 'zod'
import { factsOf, type RouteFacts } from '../http/about'
import { deprecationText } from '../http/deprecation'
import type { Answer } from '../http/shapes'
import type { ListExport } from '../lists/exports/list'
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './examples'
import { inputSchema, type Schema } from './schema'

type Hooks = { body?: unknown; query?: unknown; params?: unknown }

function exampleOf(name: string, words: unknown) {
  const own = PARAMETER_EXAMPLES[name]
  return Array.isArray(words) && !words.includes(own) ? words[0] : own
}

export type Operation = {
  method: string
  /** Path with parameters in braces, as in OpenAPI. */
  path: string
  tag: string
  summary: string
  description?: string | undefined
  isOpen: boolean
  isDeprecated?: boolean
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[]
  body?:
    | { schema: Schema; example?: unknown; isUpload?: boolean; required: boolean; file?: Schema | undefined }
    | undefined
  answers: Answer[]
}

const isZod = (value: unknown): value is z.ZodType => value instanceof z.ZodType

const CREDENTIALS: Schema = {
  type: 'object',
  required: ['username', 'password'],
  properties: { username: { type: 'string' }, password: { type: 'string' }, code: { type: 'string' } },
}

/** Query parameters that do not select records. */
const LIST_PARAMETERS = ['page', 'per_page', 'gone', 'sort', 'order']

/**
 * Adds the filters of a list to a body schema. They are only for the API document. The list's own rule validates the
 * filters when the request runs.
 */
function withFilters(body: Schema, filters: z.ZodObject): Schema {
  const own = body.properties?.filters ?? {}
  const filterFields = Object.entries(inputSchema(filters, { defaults: false }).properties ?? {})
  const properties = {
    ...Object.fromEntries(filterFields.filter(([name]) => !LIST_PARAMETERS.includes(name))),
    ...own.properties,
  }
  return { ...body, properties: { ...body.properties, filters: { ...own, properties, additionalProperties: false } } }
}

function bodyOf(
  key: string,
  schema: unknown,
  { upload, takesJson, isUpsert, filters, answers }: RouteFacts,
): Operation['body'] {
  if (upload && !takesJson) return { schema: upload, isUpload: true, required: true }
  if (key === 'POST /api/auth/login') return { schema: CREDENTIALS, example: BODY_EXAMPLES[key], required: true }
  if (!isZod(schema)) return undefined
  // Include default values only for calls that create records. In other calls, a client that fills in the defaults
  // would overwrite stored values.
  const defaults = key.startsWith('POST ') && answers?.[0]?.status === 201 && !isUpsert
  const body = inputSchema(schema, { defaults })
  return {
    schema: filters ? withFilters(body, filters) : body,
    example: BODY_EXAMPLES[key],
    required: !schema.safeParse(undefined).success,
    file: upload,
  }
}

/**
 * Returns the filters of all lists, as parameters of the export call. This call can export any of the lists, so it
 * accepts the filters of all of them.
 */
function exportFilters(lists: Record<string, ListExport>): Operation['parameters'] {
  const all = new Map<string, Schema>()
  for (const { filters } of Object.values(lists)) {
    for (const [name, schema] of Object.entries(inputSchema(filters, { defaults: false }).properties ?? {}))
      all.set(name, schema)
  }
  return [...all]
    .filter(([name]) => !['page', 'per_page', 'gone'].includes(name))
    .map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      // `status` and `sort` have different values in each list, so declare them as plain text.
      schema: ['status', 'sort'].includes(name) ? { type: 'string' } : schema,
    }))
}

/**
 * Returns the optional headers of a call, `Idempotency-Key` and `If-Match`. Public routes have none, because both
 * headers require sign-in.
 */
function headersOf(method: string, { role }: RouteFacts, body: Operation['body']): Operation['parameters'] {
  if (role === 'anyone') return []
  const header = (name: string, schema: Schema) => ({ name, in: 'header' as const, required: false, schema })
  return [
    ...(method === 'POST' || method === 'PATCH'
      ? [header('Idempotency-Key', { type: 'string', minLength: 1, maxLength: 200 })]
      : []),
    ...(body?.schema.properties?.version ? [header('If-Match', { type: 'string' })] : []),
  ]
}

function parametersOf(
  path: string,
  { params, query }: Hooks,
  lists: Record<string, ListExport>,
  needs: string[],
): Operation['parameters'] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const pathProperties = isZod(params) ? inputSchema(params, { defaults: false }).properties : {}
    const schema = pathProperties?.[name as string] ?? Object.values(pathProperties ?? {})[0] ?? { type: 'string' }
    return {
      name: name as string,
      in: 'path' as const,
      required: true,
      schema: {
        ...schema,
        example: exampleOf(String(name), schema.enum),
      },
    }
  })
  if (!isZod(query)) return inPath
  const { properties = {}, required = [] } = inputSchema(query, { defaults: false })
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name) || needs.includes(name),
    schema,
  }))
  const more = path === '/api/exports/{name}' ? exportFilters(lists).filter(({ name }) => !(name in properties)) : []
  return [...inPath, ...inQuery, ...more]
}

export function operationsOf(routes: Elysia['routes'], lists: Record<string, ListExport>): Operation[] {
  return routes
    .filter(({ path }) => path.startsWith('/api/') && path !== '/api/docs' && path !== '/api/openapi.json')
    .map((route) => {
      const { method, path, hooks } = route
      const { body, ...rest } = hooks as Hooks
      const facts = factsOf(route)
      const { tags, summary = '', description, deprecated, role, needs = [], answers = [] } = facts
      const documentPath = path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, '{$1}')
      const requestBody = bodyOf(`${method} ${documentPath}`, body, facts)
      return {
        method,
        path: documentPath,
        tag: tags?.at(-1) ?? 'other',
        summary,
        description: deprecated ? [deprecationText(deprecated), description].filter(Boolean).join(' ') : description,
        isOpen: role === 'anyone',
        isDeprecated: deprecated !== undefined,
        parameters: [...parametersOf(documentPath, rest, lists, needs), ...headersOf(method, facts, requestBody)],
        body: requestBody,
        answers,
      }
    })
}
