import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'

/** What a statement was put together with, by the engine's kind of session and its name. */
const known = new WeakMap<object, Map<string, { on: string; statement: object }>>()
/** Changes have a shape for each choice of fields; more than so many nobody sends all day. */
const LIMIT = 500

/**
 * A statement that is asked again and again, put together once for the whole program and asked on any connection, also in
 * a transaction: putting it together takes longer than sending it. `build` says what differs with placeholders, and a
 * name is given once in the program.
 * @param on the values that stand in it otherwise, such as the business day
 */
export function prepared<Statement extends object>(
  db: Db,
  name: string,
  build: (name: string) => Statement,
  on = '',
): Statement {
  const { session } = (db as unknown as { _: { session: { client: unknown } } })._
  const statements = known.get(session.constructor) ?? new Map<string, { on: string; statement: object }>()
  known.set(session.constructor, statements)
  let found = statements.get(name)
  if (found?.on !== on) {
    if (statements.size >= LIMIT) statements.clear()
    found = { on, statement: build(name) }
    statements.set(name, found)
  }
  // Drizzle ties a statement to the connection that it was made on; everything else of it is the same for each.
  return Object.assign(Object.create(found.statement), { client: session.client })
}

/** A place for the value of each field, as `driverValues` gives it. */
export function placeholders(fields: string[]): Record<string, SQL> {
  return Object.fromEntries(fields.map((field) => [field, sql`${sql.placeholder(field)}`]))
}

/** The values of fields as the driver takes them. */
export function driverValues(table: PgTable, values: Record<string, unknown>): Record<string, unknown> {
  const columns: Record<string, AnyPgColumn> = getTableColumns(table)
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      value === null ? null : columns[field]?.mapToDriverValue(value),
    ]),
  )
}
