import { PRODUCT } from '../../../db/vocabulary'
import { FULL } from '../disk'
import { CODES } from '../refusals'
import type { Operation } from './operations'
import { ref, type Schema } from './schema'

/** Returns an operation id: `getTransportsById` for `GET /api/transports/{id}`. */
function operationId({ method, path }: Operation): string {
  const words = path
    .replace('/api/', '')
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^a-z0-9]+/i)
  return [method.toLowerCase(), ...words]
    .map((word, at) => (at ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join('')
}

const FAILURES: Record<number, string> = {
  400: 'The request could not be read',
  401: 'Please sign in',
  403: 'You do not have permission to access this page.',
  404: 'Record not found',
  405: 'This address does not accept this type of request (HTTP method)',
  409: 'This record has changed since you opened it',
  413: 'The request is too large',
  415: 'Send JSON with the content type application/json',
  422: '6 digits required',
  429: 'Rate limit exceeded. Please try again later.',
  507: FULL,
  503: 'The database is not answering. Please try again in a moment.',
}

function failuresOf({ method, parameters, body, isOpen, path }: Operation): number[] {
  const changes = method !== 'GET'
  // Every call that requires sign-in can return 422, because such calls refuse unknown parameters and fields.
  const checksInput = !isOpen || body !== undefined || parameters.some((parameter) => parameter.in === 'query')
  return [
    ...(body || changes ? [400, 413, 415] : []),
    ...(checksInput ? [422] : []),
    401,
    403,
    429,
    ...(path.includes('{') ? [404] : []),
    ...(changes && !isOpen ? [409] : []),
    ...(changes ? [507] : []),
    405,
    503,
  ].sort()
}

const codeOf = (status: number) => (status === 409 ? 'stale' : CODES[status as keyof typeof CODES])

function failure(status: number) {
  const errors = status === 422 ? { errors: [{ field: 'unit_number', message: FAILURES[422] }] } : {}
  const headers =
    status === 429 || status === 503
      ? { headers: { 'Retry-After': { description: 'In seconds', schema: { type: 'integer' } } } }
      : {}
  return {
    description: FAILURES[status],
    ...headers,
    content: {
      'application/json': {
        schema: ref('Failure'),
        example: { success: false, code: codeOf(status), message: FAILURES[status], ...errors },
      },
    },
  }
}

const responsesOf = (operation: Operation) => ({
  ...Object.fromEntries(
    operation.answers.map(({ status, description, content }) => [
      status,
      { description, content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])) },
    ]),
  ),
  ...Object.fromEntries(failuresOf(operation).map((status) => [status, failure(status)])),
})

function requestBody({ body }: Operation) {
  if (!body) return {}
  const { required, isUpload, schema, example, file } = body
  const type = isUpload ? 'multipart/form-data' : 'application/json'
  const content = { [type]: { schema, ...(example ? { example } : {}) } }
  return {
    requestBody: { required, content: { ...content, ...(file ? { 'multipart/form-data': { schema: file } } : {}) } },
  }
}

export function openApiDocument(operations: Operation[], schemas: Record<string, Schema>) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const { method, path, tag, summary, description, isOpen, isDeprecated, parameters } = operation
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = {
      operationId: operationId(operation),
      tags: [tag],
      summary,
      ...(description ? { description } : {}),
      ...(isOpen ? { security: [] } : {}),
      ...(isDeprecated ? { deprecated: true } : {}),
      parameters: parameters.map(({ schema: { example, ...schema }, ...parameter }) => ({
        ...parameter,
        schema,
        ...(example === undefined ? {} : { example }),
      })),
      ...requestBody(operation),
      responses: responsesOf(operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: PRODUCT.name,
      version: PRODUCT.version,
      description: `${PRODUCT.subtitle}: the JSON API, which covers everything that the screens do.`,
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas },
  }
}
