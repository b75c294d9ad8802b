import { z } from 'zod'
import { factsOf, type RequestInput, type RouteTable } from '../http/about'
import type { ListExport } from '../lists/exports/list'
import { type FieldError, Refused } from '../refusals'
import { operationsOf } from './operations'
import type { Schema } from './schema'

/**
 * The parameters and fields that an API call accepts. The fields in `ignored` (top level of the body) and
 * `ignoredWithin` (nested objects) are accepted, but have no effect.
 */
type RouteFields = {
  isQueryOpen: boolean
  query: Set<string>
  body: Schema | undefined
  /**
   * True if the API document defines no body for the call. A body can then contain only `version` and the fields in
   * `ignored`.
   */
  hasNoBody: boolean
  /** Field names of the multipart form, if the call accepts an upload. */
  form: Set<string> | undefined
  ignored: Set<string>
  ignoredWithin: Set<string>
}

/** True if an object rule accepts fields that it does not list. */
const isOpen = (rule: unknown) => rule instanceof z.ZodObject && rule.def.catchall !== undefined

const ERRORS_LIMIT = 20
const NAME_LENGTH = 60
const shown = (name: string) => name.slice(0, NAME_LENGTH).toWellFormed()

const NO_FIELD = 'There is no such field'

const unknownNames = (input: object, isKnown: (name: string) => boolean, message: string): FieldError[] =>
  Object.keys(input)
    .filter((name) => !isKnown(name))
    .map((name) => ({ field: shown(name), message }))

const unknownParameters = (query: object, isKnown: (name: string) => boolean) =>
  unknownNames(query, isKnown, 'There is no such parameter')

function refuse(errors: FieldError[]) {
  if (errors.length) throw new Refused(errors.slice(0, ERRORS_LIMIT), `${errors[0]?.field}: ${errors[0]?.message}`)
}

/** @throws Refused with an error for each unknown parameter */
export const refuseUnknownParameters = (query: object, parameters: object) =>
  refuse(unknownParameters(query, (name) => Object.hasOwn(parameters, name)))

/**
 * Refuses query parameters and body fields that the document does not define. Otherwise, a misspelled name would be
 * ignored silently.
 * Fields of the call's own response are accepted without effect, so that a client can send back a record that it has
 * read. A PUT also accepts the fields of the POST that creates the record.
 */
export class KnownFields {
  readonly #known = new Map<string, RouteFields | undefined>()
  #schemas: Record<string, Schema> | undefined

  constructor(
    readonly routes: RouteTable,
    readonly lists: Record<string, ListExport>,
    readonly schemas: () => Record<string, Schema>,
  ) {}

  /** @throws Refused with an error for each unknown parameter or field */
  check(method: string, route: string, { query, body, form }: RequestInput) {
    const fields = this.#known.getOrInsertComputed(`${method} ${route}`, () => this.#of(method, route))
    if (!fields) return
    const errors = unknownParameters(query, (name) => fields.isQueryOpen || fields.query.has(name))
    if (fields.body) errors.push(...this.#unknownIn(fields.body, body, '', fields))
    if (fields.hasNoBody && typeof body === 'object' && body !== null)
      errors.push(...unknownNames(body, (name) => name === 'version' || fields.ignored.has(name), NO_FIELD))
    const { form: formFields } = fields
    if (formFields && typeof form === 'object' && form !== null)
      errors.push(...unknownNames(form, (name) => formFields.has(name), NO_FIELD))
    refuse(errors)
  }

  #of(method: string, route: string): RouteFields | undefined {
    const bound = this.routes.all.find((candidate) => candidate.method === method && candidate.path === route)
    const [operation] = bound ? operationsOf([bound], this.lists) : []
    if (!bound || !operation) return undefined
    const properties = factsOf(bound).upload?.properties as object | undefined
    const answers = operation.answers.flatMap(({ content }) => Object.values(content))
    const created = method === 'PUT' ? this.#of('POST', route.replace(/\/:\w+$/, '/'))?.body?.properties : undefined
    return {
      isQueryOpen: isOpen((bound.hooks as { query?: unknown }).query),
      query: new Set(operation.parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []))),
      hasNoBody: operation.body === undefined,
      body: operation.body?.isUpload ? undefined : operation.body?.schema,
      form: properties ? new Set(Object.keys(properties)) : undefined,
      ignored: new Set([
        ...answers.flatMap((answer) => this.#propertiesOf(this.#propertiesOf(answer).get('data'), true)),
        ...Object.keys(created ?? {}),
      ]),
      ignoredWithin: new Set(answers.flatMap((answer) => this.#namesWithin(answer))),
    }
  }

  #propertiesOf(schema: Schema | undefined): Map<string, Schema>
  #propertiesOf(schema: Schema | undefined, namesOnly: true): string[]
  #propertiesOf(schema: Schema | undefined, namesOnly?: true): Map<string, Schema> | string[] {
    const all = new Map<string, Schema>()
    for (const alternative of this.#alternatives(schema))
      for (const [name, property] of Object.entries(alternative.properties ?? {})) all.set(name, property)
    return namesOnly ? [...all.keys()] : all
  }

  /**
   * Returns a schema and, recursively, the schemas in `anyOf`, `oneOf` and `allOf`. A `$ref` is replaced by the schema
   * that it refers to.
   */
  #alternatives(schema: Schema | undefined): Schema[] {
    if (!schema) return []
    const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) as string) : undefined
    if (name) {
      this.#schemas ??= this.schemas()
      return this.#alternatives(this.#schemas[name])
    }
    const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as Schema[] | undefined) ?? [])
    return [schema, ...parts.flatMap((part) => this.#alternatives(part))]
  }

  #namesWithin(schema: Schema, visited = new Set<Schema>()): string[] {
    return this.#alternatives(schema).flatMap((alternative) => {
      if (visited.has(alternative)) return []
      visited.add(alternative)
      const properties = Object.entries(alternative.properties ?? {})
      const items = alternative.items ? this.#namesWithin(alternative.items as Schema, visited) : []
      return [...items, ...properties.flatMap(([name, property]) => [name, ...this.#namesWithin(property, visited)])]
    })
  }

  #unknownIn(schema: Schema, value: unknown, path: string, fields: RouteFields): FieldError[] {
    const alternatives = this.#alternatives(schema)
    if (Array.isArray(value)) {
      const items = alternatives.flatMap(({ items }) => (items ? [items as Schema] : []))
      return items.length
        ? value.flatMap((item, at) => this.#unknownIn({ anyOf: items }, item, `${path}${at}.`, fields))
        : []
    }
    if (typeof value !== 'object' || value === null) return []
    const properties = this.#propertiesOf(schema)
    // Skip objects that accept any field name, and objects whose own validation rule checks the field names, such as
    // the filters of a list.
    if (properties.size === 0 || alternatives.some(({ additionalProperties }) => additionalProperties !== undefined))
      return []
    return Object.entries(value).flatMap(([name, one]) => {
      const property = properties.get(name)
      if (property) return this.#unknownIn(property, one, `${path}${name}.`, fields)
      return (path ? fields.ignoredWithin : fields.ignored).has(name)
        ? []
        : [{ field: shown(path + name), message: NO_FIELD }]
    })
  }
}
