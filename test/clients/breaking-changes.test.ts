import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ApiFacts, apiFacts } from '../docs/api-facts'
import { breakingChanges, disallowedChanges } from '../docs/breaking-changes'
import { type ApiDocument, type ApiOperation, type ApiSchema, readDocument } from '../docs/document'
import { testContext } from '../support/context'

test('the API has no breaking changes since the last release, unless the major version is new', async () => {
  const { app } = await testContext()
  const released: ApiFacts = await Bun.file(join(import.meta.dir, '../docs/released-api.json')).json()
  expect(Object.keys(released.operations).length).toBeGreaterThan(200)
  expect(disallowedChanges(released, apiFacts(await readDocument(app)))).toEqual([])
})

const object = (properties: Record<string, ApiSchema>, required: string[] = []): ApiSchema => ({
  type: 'object',
  properties,
  required,
})

/** A document with one call, which changes a title. */
function titleDocument() {
  const title = object({ id: { type: 'integer' }, stage: { type: 'string', enum: ['Sent', 'Received'] } }, ['id'])
  const put: ApiOperation = {
    tags: ['titles'],
    summary: 'Change a title',
    parameters: [{ name: 'notify', in: 'query', required: false, schema: { type: 'boolean' } }],
    requestBody: {
      required: false,
      content: {
        'application/json': {
          schema: object({
            stage: { anyOf: [{ type: 'string', enum: ['Sent', 'Received'] }, { type: 'null' }] },
            cost: { type: 'number', maximum: 100 },
            place: object({ id: { type: 'integer' } }),
          }),
        },
      },
    },
    responses: {
      200: { content: { 'application/json': { schema: object({ data: { $ref: '#/components/schemas/Title' } }) } } },
    },
  }
  const failure = object({ code: { type: 'string', enum: ['invalid'] } }, ['code'])
  const document: ApiDocument = {
    info: { title: 'Yardmaster', version: '1.4.0', description: '' },
    paths: { '/api/titles/{id}': { put } },
    components: { schemas: { Title: title, Failure: failure } },
  }
  const body = put.requestBody?.content['application/json']?.schema.properties ?? {}
  return { document, put, title, failure, body }
}

type Parts = ReturnType<typeof titleDocument>

function changesAfter(change: (parts: Parts) => void): string[] {
  const parts = titleDocument()
  change(parts)
  return breakingChanges(apiFacts(titleDocument().document), apiFacts(parts.document))
}

const REQUEST = 'PUT /api/titles/{id}, request:'
const RESPONSE = 'PUT /api/titles/{id}, response:'

const BREAKING: [name: string, change: (parts: Parts) => void, line: string][] = [
  ['a removed path', ({ document }) => delete document.paths['/api/titles/{id}'], 'PUT /api/titles/{id} was removed'],
  [
    'a removed method',
    ({ document, put }) => {
      document.paths['/api/titles/{id}'] = { patch: put }
    },
    'PUT /api/titles/{id} was removed',
  ],
  ['a removed parameter', ({ put }) => put.parameters.pop(), `${REQUEST} query notify was removed`],
  [
    'a parameter that becomes required',
    ({ put }) => Object.assign(put.parameters[0] ?? {}, { required: true }),
    `${REQUEST} query notify is now required`,
  ],
  [
    'a new required parameter',
    ({ put }) => put.parameters.push({ name: 'reason', in: 'query', required: true, schema: { type: 'string' } }),
    `${REQUEST} query reason is new and required`,
  ],
  ['a removed body', ({ put }) => delete put.requestBody, `${REQUEST} body was removed`],
  [
    'a body that becomes required',
    ({ put }) => Object.assign(put.requestBody ?? {}, { required: true }),
    `${REQUEST} body is now required`,
  ],
  ['a removed body field', ({ body }) => delete body.place, `${REQUEST} body.place was removed`],
  [
    'a body field that becomes required',
    ({ body }) => Object.assign(body.place ?? {}, { required: ['id'] }),
    `${REQUEST} body.place.id is now required`,
  ],
  [
    'a new required field in a known object',
    ({ body }) => {
      body.place = object({ id: { type: 'integer' }, name: { type: 'string' } }, ['name'])
    },
    `${REQUEST} body.place.name is new and required`,
  ],
  [
    'fewer values of a body field',
    ({ body }) => {
      body.stage = { anyOf: [{ type: 'string', enum: ['Sent'] }, { type: 'null' }] }
    },
    `${REQUEST} body.stage no longer accepts "Received"`,
  ],
  [
    'a body field that can no longer be null',
    ({ body }) => {
      body.stage = { type: 'string' }
    },
    `${REQUEST} body.stage no longer accepts null`,
  ],
  [
    'another type of a body field',
    ({ body }) => {
      body.cost = { type: 'integer', maximum: 100 }
    },
    `${REQUEST} body.cost no longer accepts number`,
  ],
  [
    'a stricter limit',
    ({ body }) => {
      body.cost = { type: 'number', maximum: 50 }
    },
    `${REQUEST} body.cost now has maximum 50`,
  ],
  [
    'a new limit',
    ({ body }) => {
      body.cost = { type: 'number', minimum: 1, maximum: 100 }
    },
    `${REQUEST} body.cost now has minimum 1`,
  ],
  [
    'a removed media type',
    ({ put }) => {
      put.responses = { 200: { content: { 'text/csv': { schema: { type: 'string' } } } } }
    },
    `${RESPONSE} 200 was removed`,
  ],
  [
    'another success status',
    ({ put }) => {
      put.responses = { 202: put.responses[200] ?? {} }
    },
    `${RESPONSE} 200 was removed`,
  ],
  ['a removed schema', ({ document }) => delete document.components.schemas.Title, 'schema Title was removed'],
  ['a removed response field', ({ title }) => delete title.properties?.stage, 'schema: Title.stage was removed'],
  [
    'a response field that can be missing',
    ({ title }) => {
      title.required = []
    },
    'schema: Title.id can now be missing',
  ],
  [
    'another type of a response field',
    ({ title }) => Object.assign(title.properties ?? {}, { id: { type: 'string' } }),
    'schema: Title.id can now be string',
  ],
  [
    'a response field that can be null',
    ({ title }) => Object.assign(title.properties ?? {}, { id: { type: ['integer', 'null'] } }),
    'schema: Title.id can now be null',
  ],
  [
    'more values of a response field',
    ({ title }) => title.properties?.stage?.enum?.push('Lost'),
    'schema: Title.stage can now be "Lost"',
  ],
  [
    'a removed failure code',
    ({ failure }) => Object.assign(failure.properties ?? {}, { code: { enum: ['not_found'] } }),
    'schema: Failure.code no longer has "invalid"',
  ],
]

const COMPATIBLE: [name: string, change: (parts: Parts) => void][] = [
  ['no change', () => {}],
  ['a new call', ({ document, put }) => Object.assign(document.paths, { '/api/new': { post: put } })],
  [
    'a new optional parameter',
    ({ put }) => put.parameters.push({ name: 'q', in: 'query', required: false, schema: { type: 'string' } }),
  ],
  ['a new optional body field', ({ body }) => Object.assign(body, { notes: { type: 'string' } })],
  [
    'a required field in a new object',
    ({ body }) => Object.assign(body, { buyer: object({ name: { type: 'string' } }, ['name']) }),
  ],
  ['more values of a body field', ({ body }) => body.stage?.anyOf?.[0]?.enum?.push('Lost')],
  ['any text in place of values', ({ body }) => Object.assign(body, { stage: { type: ['string', 'null'] } })],
  ['a wider limit', ({ body }) => Object.assign(body.cost ?? {}, { maximum: 200 })],
  ['a new response field', ({ title }) => Object.assign(title.properties ?? {}, { notes: { type: 'string' } })],
  ['fewer values of a response field', ({ title }) => title.properties?.stage?.enum?.pop()],
  ['a new failure code', ({ failure }) => failure.properties?.code?.enum?.push('not_found')],
  ['a call that becomes public', ({ put }) => Object.assign(put, { security: [] })],
  ['another text', ({ put }) => Object.assign(put, { summary: 'Update a title' })],
]

describe('the comparison with the last release', () => {
  for (const [name, change, line] of BREAKING)
    test(`reports ${name}`, () => expect(changesAfter(change)).toContain(line))

  for (const [name, change] of COMPATIBLE) test(`allows ${name}`, () => expect(changesAfter(change)).toEqual([]))

  test('reports a call that becomes private', () => {
    const parts = titleDocument()
    parts.put.security = []
    expect(breakingChanges(apiFacts(parts.document), apiFacts(titleDocument().document))).toEqual([
      `${REQUEST} access no longer accepts public`,
    ])
  })

  test('reports a removed object in one line', () => {
    expect(changesAfter(({ body }) => delete body.place)).toHaveLength(1)
  })

  test('allows breaking changes in a new major version', () => {
    const released = apiFacts(titleDocument().document)
    const next = { ...released, operations: {} }
    expect(disallowedChanges(released, { ...next, version: '1.5.0' })).toEqual(['PUT /api/titles/{id} was removed'])
    expect(disallowedChanges(released, { ...next, version: '2.0.0' })).toEqual([])
  })
})
