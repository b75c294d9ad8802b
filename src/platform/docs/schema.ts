import { getTableColumns } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { z } from 'zod'

/**
 * JSON Schema as OpenAPI 3.1 takes it, made from the rules that judge requests and the tables that answers come
 * from.
 */
export type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] }

/** What stands in a schema but is of no use, or a hindrance, to those who generate code from it. */
function isForGenerators(key: string, value: unknown): boolean {
  if (key === '$schema') return false
  // Classes of characters and look-arounds that not every language's patterns have.
  return !(key === 'pattern' && typeof value === 'string' && /\\p\{|\(\?[=!<]/i.test(value))
}

/** A schema without those keys, all the way down; `defaults` keeps what a field becomes when it is left out. */
function cleaned(schema: unknown, defaults: boolean): unknown {
  if (Array.isArray(schema)) return schema.map((part) => cleaned(part, defaults))
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(
    ([key, value]) => isForGenerators(key, value) && (defaults || key !== 'default'),
  )
  return Object.fromEntries(kept.map(([key, value]) => [key, cleaned(value, defaults)]))
}

/** What is inside of what was put around a schema: preparation of the input, and leave to be missing. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap()) : schema
}

const canBeMissing = (schema: z.core.$ZodType) => z.safeParse(schema, undefined).success

/**
 * What a request may send. Required is what is refused when it is missing; whatever else a rule says, the field may
 * be left out.
 */
export function inputSchema(schema: z.core.$ZodType, { defaults }: { defaults: boolean }): Schema {
  const inner = unwrapped(schema)
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

/** Whole numbers by these names. */
export const counts = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, integer])))

/** Every property is there in every answer, but for those that are named. */
export const object = (properties: Record<string, Schema>, optional: string[] = []): Schema => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length ? { required } : {}) }
}

function columnSchema(column: AnyPgColumn): Schema {
  const kind =
    {
      number: column.columnType.includes('Numeric') ? number : integer,
      boolean,
      date: instant,
      string,
      json: {},
      array: list(string),
    }[column.dataType as string] ?? {}
  const words = column.enumValues?.length ? oneOf(column.enumValues) : kind
  const schema = column.columnType.startsWith('PgDateString') ? date : words
  return column.notNull ? schema : orNull(schema)
}

/** A table's record as the API tells of it, with what is joined or computed beside its columns. */
export const record = (table: PgTable, more: Record<string, Schema> = {}, without: string[] = []): Schema =>
  object({
    ...Object.fromEntries(
      Object.entries(getTableColumns(table))
        .filter(([name]) => !without.includes(name))
        .map(([name, column]) => [name, columnSchema(column as AnyPgColumn)]),
    ),
    ...more,
  })
