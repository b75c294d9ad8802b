import type { Elysia } from 'elysia'
import { z } from 'zod'
import { DATA_TYPES, IMPORT_MODES, PRODUCT } from '../../db/vocabulary'
import { BODY_EXAMPLES, PARAMETER_EXAMPLES } from './examples'

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }
type Hooks = { body?: unknown; query?: unknown; params?: unknown; detail?: { summary?: string; description?: string; tags?: string[] } }

/** One call of the API, as the document and the readable page show it. */
export type Operation = {
  method: string
  /** With parameters in braces, as OpenAPI writes them. */
  path: string
  tag: string
  summary: string
  description?: string | undefined
  isOpen: boolean
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[]
  body?: { schema: Schema; example?: unknown; isUpload?: boolean; required: boolean } | undefined
}

const isZod = (value: unknown): value is z.ZodType => value instanceof z.ZodType

function jsonSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
  return rest
}

const UPLOAD: Schema = {
  type: 'object',
  required: ['file', 'data_type'],
  properties: {
    file: { type: 'string', format: 'binary' },
    data_type: { type: 'string', enum: [...DATA_TYPES] },
    existing: { type: 'string', enum: [...IMPORT_MODES], default: 'skip' },
  },
}
const IMPORT: Schema = { ...UPLOAD, properties: { ...UPLOAD.properties, commit: { type: 'boolean', default: false } } }

const CREDENTIALS: Schema = { type: 'object', required: ['username', 'password'], properties: { username: { type: 'string' }, password: { type: 'string' } } }

function bodyOf(key: string, schema: unknown): Operation['body'] {
  if (key === 'POST /api/files/upload') return { schema: UPLOAD, isUpload: true, required: true }
  if (key === 'POST /api/files/imports') return { schema: IMPORT, isUpload: true, required: true }
  if (key === 'POST /api/auth/login') return { schema: CREDENTIALS, example: BODY_EXAMPLES[key], required: true }
  if (!isZod(schema)) return undefined
  return { schema: jsonSchema(schema), example: BODY_EXAMPLES[key], required: !schema.safeParse(undefined).success }
}

function parametersOf(path: string, { params, query }: Hooks): Operation['parameters'] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const schema = isZod(params) ? jsonSchema(params).properties?.[name as string] : undefined
    return {
      name: name as string,
      in: 'path' as const,
      required: true,
      schema: { ...(schema ?? { type: 'string' }), example: (Array.isArray(schema?.enum) ? schema.enum[0] : undefined) ?? PARAMETER_EXAMPLES[name as string] },
    }
  })
  if (!isZod(query)) return inPath
  const { properties = {}, required = [] } = jsonSchema(query)
  return [...inPath, ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query' as const, required: required.includes(name), schema }))]
}

/** Every call of the API, read from the routes themselves. */
export function operationsOf(routes: Elysia['routes']): Operation[] {
  return routes
    .filter(({ path }) => path.startsWith('/api/') && path !== '/api/docs' && path !== '/api/openapi.json')
    .map(({ method, path, hooks }) => {
      const { body, detail, ...rest } = hooks as Hooks
      const shown = path.replace(/(.)\/$/, '$1').replace(/:(\w+)/g, (_, name: string) => (path.startsWith('/api/vehicles/:unit/status') ? '{id}' : `{${name}}`))
      const key = `${method} ${shown}`
      return {
        method,
        path: shown,
        tag: detail?.tags?.at(-1) ?? 'other',
        summary: detail?.summary ?? '',
        description: detail?.description,
        isOpen: key === 'POST /api/auth/login',
        parameters: parametersOf(shown, rest),
        body: bodyOf(key, body),
      }
    })
}

const FAILURES: Record<number, string> = {
  400: 'The request could not be read',
  401: 'Please sign in',
  403: 'You do not have permission to access this page.',
  404: 'Record not found',
  409: 'Someone else changed this record since you opened it',
  413: 'The request is too large',
  415: 'Send JSON with the content type application/json',
  422: '6 digits required',
  429: 'Rate limit exceeded. Please try again later.',
  503: 'The database is not answering. Please try again in a moment.',
}

/** Which refusals a call can give. */
function failuresOf({ method, parameters, body, isOpen, path }: Operation): number[] {
  const changes = method !== 'GET'
  return [
    ...(body ? [400, 413, 415, 422] : parameters.some((parameter) => parameter.in === 'query') ? [422] : []),
    ...(isOpen ? [401, 429] : [401, 403]),
    ...(path.includes('{') ? [404] : []),
    ...(changes && !isOpen ? [409] : []),
    503,
  ].sort()
}

function responsesOf(operation: Operation) {
  const begins = /^POST \/api\/files\/(imports|\{id\}\/(commit|undo))$/.test(`${operation.method} ${operation.path}`)
  const creates =
    !begins &&
    operation.method === 'POST' &&
    !/\{id\}\/(activate|deactivate|reset-password|restore|cancel)|\/(login|logout|refresh|change-password|batch|upload|update-expired|update-all-days)$/.test(
      operation.path,
    )
  const failures = failuresOf(operation).map((status) => {
    const errors = status === 422 ? [{ field: 'unit_number', message: FAILURES[422] }] : undefined
    return [
      status,
      {
        description: FAILURES[status],
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            example: { success: false, message: FAILURES[status], ...(errors ? { errors } : {}) },
          },
        },
      },
    ]
  })
  const success = { description: 'Success', content: { 'application/json': { schema: { $ref: '#/components/schemas/Success' } } } }
  const isUpsert = operation.path === '/api/vehicles'
  if (begins) return { ...Object.fromEntries(failures), 202: { ...success, description: 'Accepted: it works on by itself' } }
  return { ...Object.fromEntries(failures), ...(creates ? { 201: success } : {}), ...(!creates || isUpsert ? { 200: success } : {}) }
}

/** The OpenAPI 3.1 document, generated from the same rules that judge the requests. */
export function openApiDocument(operations: Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const { method, path, tag, summary, description, isOpen, parameters, body } = operation
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      tags: [tag],
      summary,
      ...(description ? { description } : {}),
      ...(isOpen ? { security: [] } : {}),
      parameters: parameters.map(({ schema: { example, ...schema }, ...parameter }) => ({
        ...parameter,
        schema,
        ...(example === undefined ? {} : { example }),
      })),
      ...(body
        ? {
            requestBody: {
              required: body.required,
              content: {
                [body.isUpload ? 'multipart/form-data' : 'application/json']: { schema: body.schema, ...(body.example ? { example: body.example } : {}) },
              },
            },
          }
        : {}),
      responses: responsesOf(operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: PRODUCT.name, version: PRODUCT.version, description: `${PRODUCT.subtitle}: everything the screens do.` },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Success: {
          type: 'object',
          required: ['success'],
          properties: { success: { const: true }, data: {}, message: { type: 'string' }, meta: { $ref: '#/components/schemas/Meta' } },
        },
        Meta: { type: 'object', properties: Object.fromEntries(['page', 'per_page', 'total', 'pages'].map((name) => [name, { type: 'integer' }])) },
        Failure: {
          type: 'object',
          required: ['success', 'message'],
          properties: {
            success: { const: false },
            message: { type: 'string' },
            errors: { type: 'array', items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } } },
          },
        },
      },
    },
  }
}
