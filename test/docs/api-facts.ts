import type { ApiDocument, ApiOperation, ApiSchema } from './document'

/** Places of a request or a response, such as `body.unit_number` or `200.data[].id`, with a description of each. */
export type Facts = Record<string, string>

/** Parts of the API document that clients depend on. Texts, examples and defaults are left out. */
export type ApiFacts = {
  version: string
  operations: Record<string, { request: Facts; response: Facts }>
  schemas: Record<string, Facts>
}

export type Fact = { required: boolean; types: string[]; limits: Record<string, number> }

/** A fact as text: `required string | null, maxLength 20`. */
function formatFact({ required, types, limits }: Fact): string {
  const type = `${required ? 'required ' : ''}${types.join(' | ')}`
  return [type, ...Object.entries(limits).map(([name, limit]) => `${name} ${limit}`)].join(', ')
}

export function parseFact(text: string): Fact {
  const limit = /, (m(?:ax|in)\w+) (-?[\d.e+]+)$/
  const limits: Fact['limits'] = {}
  let rest = text
  for (let found = limit.exec(rest); found; found = limit.exec(rest)) {
    limits[String(found[1])] = Number(found[2])
    rest = rest.slice(0, found.index)
  }
  const required = rest.startsWith('required ')
  return { required, types: rest.slice(required ? 9 : 0).split(' | '), limits }
}

/** Returns the types that a schema allows, such as `string`, `"Sent"` or `#Title`. */
function typesOf(schema: ApiSchema): string[] {
  const { $ref, const: value, enum: values, anyOf, oneOf, type, format } = schema
  if ($ref) return [`#${$ref.split('/').at(-1)}`]
  if (value !== undefined) return [JSON.stringify(value)]
  if (values) return values.map((one) => JSON.stringify(one))
  const variants = anyOf ?? oneOf
  if (variants) return [...new Set(variants.flatMap(typesOf))]
  const formatted = (one: string) => (one === 'string' && format ? `string:${format}` : one)
  return type === undefined ? ['any'] : [type].flat().map(formatted)
}

const limitsOf = (schema: ApiSchema): Fact['limits'] =>
  Object.assign(
    Object.fromEntries(Object.entries(schema).filter(([name]) => /^m(ax|in)/.test(name))),
    ...(schema.anyOf ?? schema.oneOf ?? []).map(limitsOf),
  )

/** Adds a place and the places inside it. The variants of a schema become one place. */
function collect(facts: Facts, at: string, schema: ApiSchema, required: boolean): void {
  const existingFact = facts[at] === undefined ? undefined : parseFact(facts[at])
  facts[at] = formatFact({
    required: required && (existingFact?.required ?? true),
    types: [...new Set([...(existingFact?.types ?? []), ...typesOf(schema)])].sort(),
    limits: { ...existingFact?.limits, ...limitsOf(schema) },
  })
  collectInside(facts, at, schema)
}

function collectInside(facts: Facts, at: string, schema: ApiSchema): void {
  const { anyOf, oneOf, properties = {}, required = [], items, additionalProperties } = schema
  for (const variant of anyOf ?? oneOf ?? []) collectInside(facts, at, variant)
  for (const [name, property] of Object.entries(properties))
    collect(facts, `${at}.${name}`, property, required.includes(name))
  if (items) collect(facts, `${at}[]`, items, true)
  if (typeof additionalProperties === 'object') collect(facts, `${at}.*`, additionalProperties, false)
}

/** Adds the media type to a name. JSON is left out, because most bodies are JSON. */
const place = (name: string, mediaType: string) =>
  mediaType === 'application/json' ? name : `${name} ${mediaType.replace('multipart/form-data', 'form')}`

function requestFacts({ security, parameters, requestBody }: ApiOperation): Facts {
  const facts: Facts = { access: security ? 'public' : 'signed-in' }
  for (const { name, in: where, required, schema } of parameters) collect(facts, `${where} ${name}`, schema, required)
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {}))
    collect(facts, place('body', type), schema, requestBody?.required ?? false)
  return facts
}

/** Only successful responses: all failures have the schema `Failure`. */
function responseFacts({ responses }: ApiOperation): Facts {
  const facts: Facts = {}
  for (const [status, { content = {} }] of Object.entries(responses)) {
    if (Number(status) >= 400) continue
    if (!Object.keys(content).length) facts[status] = 'required any'
    for (const [type, { schema }] of Object.entries(content)) collect(facts, place(status, type), schema, true)
  }
  return facts
}

function schemaFacts(schema: ApiSchema): Facts {
  const facts: Facts = {}
  collect(facts, '', schema, true)
  return facts
}

const sorted = <Value>(entries: [string, Value][]): Record<string, Value> =>
  Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))

export function apiFacts({ info, paths, components }: ApiDocument): ApiFacts {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, ApiFacts['operations'][string]] => [
      `${method.toUpperCase()} ${path}`,
      { request: requestFacts(operation), response: responseFacts(operation) },
    ]),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]): [string, Facts] => [
    name,
    schemaFacts(schema),
  ])
  return { version: info.version, operations: sorted(operations), schemas: sorted(schemas) }
}
