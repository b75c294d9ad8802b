import { getTableColumns } from 'drizzle-orm'
import { type AnyPgColumn, PgArray, type PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { isCost } from '../costs'

/** JSON Schema in the dialect of OpenAPI 3.1. */
export type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }

function isForGenerators(key: string, value: unknown): boolean {
  if (key === '$schema') return false
  // Not every programming language supports regular expressions with Unicode classes or lookarounds.
  return !(key === 'pattern' && typeof value === 'string' && /\\p\{|\(\?[=!<]/i.test(value))
}

/** Removes keywords that code generators cannot use, at all depths. */
function cleaned(schema: unknown, defaults: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((part) => cleaned(part, defaults))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(
    ([key, value]) => isForGenerators(key, value) && (defaults || key !== 'default'),
  )
  return Object.fromEntries(entries.map(([key, value]) => [key, cleaned(value, defaults)]))
}

function unwrapSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrapSchema(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  return schema instanceof z.ZodOptional ? unwrapSchema(schema.unwrap()) : schema
}

const canBeMissing = (schema: z.core.$ZodType) => z.safeParse(schema, undefined).success

/** Returns the JSON schema of request input. A field is listed as required only if its rule refuses a missing value. */
export function inputSchema(schema: z.core.$ZodType, { defaults }: { defaults: boolean }): Schema {
  const inner = unwrapSchema(schema)
  if (!(inner instanceof z.ZodObject))
    return cleaned(z.toJSONSchema(inner, { io: 'input', unrepresentable: 'any' }), defaults) as Schema
  const fields = Object.entries(inner.shape as Record<string, z.core.$ZodType>)
  const required = fields.filter(([, field]) => !canBeMissing(field)).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, inputSchema(field, { defaults })])),
    ...(required.length ? { required } : {}),
  }
}

export const integer: Schema = { type: 'integer' }
export const number: Schema = { type: 'number' }
export const string: Schema = { type: 'string' }
export const boolean: Schema = { type: 'boolean' }
export const date: Schema = { type: 'string', format: 'date' }
export const instant: Schema = { type: 'string', format: 'date-time' }
export const oneOf = (words: readonly string[]): Schema => ({ type: 'string', enum: [...words] })
export const orNull = ({ type, enum: words, ...schema }: Schema): Schema => ({
  ...schema,
  ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
  ...(words === undefined ? {} : { enum: [...(words as unknown[]), null] }),
})
export const list = (items: Schema): Schema => ({ type: 'array', items })
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

export const counts = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, integer])))

export const object = (properties: Record<string, Schema>, optional: string[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length ? { required } : {}) }
}

function valueSchema(column: AnyPgColumn): Schema {
  const kind =
    {
      number: column.columnType.includes('Numeric') ? number : integer,
      boolean,
      date: instant,
      string,
      json: {},
      array: list(column instanceof PgArray ? valueSchema((column as PgArray<never, never>).baseColumn) : {}),
      custom: string,
    }[column.dataType as string] ?? {}
  const words = column.enumValues?.length ? oneOf(column.enumValues) : kind
  return column.columnType.startsWith('PgDateString') ? date : words
}

function columnSchema(column: AnyPgColumn): Schema {
  const schema = valueSchema(column)
  return column.notNull ? schema : orNull(schema)
}

/** Makes cost fields optional, because some users do not get them. */
export const withHiddenCosts = ({ required = [], ...schema }: Schema): Schema => ({
  ...schema,
  required: required.filter((name) => !isCost(name)),
})

/**
 * Adds the field `deleted_at` to the schema of a record. Lists return this field if the request contains
 * `include_deleted`. It is null for records that are not deleted.
 */
export const deletable = ({ properties, ...schema }: Schema): Schema => ({
  ...schema,
  properties: { ...properties, deleted_at: orNull(instant) },
})

export const record = (table: PgTable, more: Record<string, Schema> = {}, without: string[] = []): Schema =>
  object({
    ...Object.fromEntries(
      Object.entries(getTableColumns(table))
        .filter(([name]) => !without.includes(name))
        .map(([name, column]) => [name, columnSchema(column as AnyPgColumn)]),
    ),
    ...more,
  })
