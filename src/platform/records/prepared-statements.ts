import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'

/**
 * Cache of prepared statements. It finds a statement by the class of the database session and by the statement's name.
 * `on` contains the values that are embedded in a statement. When these values change, the statement is rebuilt.
 */
const statementCache = new WeakMap<object, Map<string, { on: string; statement: object }>>()
/**
 * Maximum number of cached prepared statements.
 * Each combination of updated fields needs its own statement, but normal use needs fewer statements than this limit.
 */
const LIMIT = 500

/**
 * Returns a cached prepared statement. All connections and transactions share it, because building a statement takes
 * longer than sending it.
 * `build` must use placeholders for values that differ between calls. `name` must be unique in the program.
 * @param on values that the statement contains without placeholders, because they rarely change, such as the business
 * day. When one of them changes, the statement is rebuilt.
 */
export function prepared<Statement extends object>(
  db: Db,
  name: string,
  build: (name: string) => Statement,
  on = '',
): Statement {
  const { session } = (db as unknown as { _: { session: { client: unknown } } })._
  const statements = statementCache.get(session.constructor) ?? new Map<string, { on: string; statement: object }>()
  statementCache.set(session.constructor, statements)
  let cached = statements.get(name)
  if (cached?.on !== on) {
    if (statements.size >= LIMIT) statements.clear()
    cached = { on, statement: build(name) }
    statements.set(name, cached)
  }
  // Drizzle binds a prepared statement to one connection through the property `client`. Return an object that has its
  // own `client` and inherits everything else from the cached statement.
  return Object.assign(Object.create(cached.statement), { client: session.client })
}

export function placeholders(fields: string[]): Record<string, SQL> {
  return Object.fromEntries(fields.map((field) => [field, sql`${sql.placeholder(field)}`]))
}

export function driverValues(table: PgTable, values: Record<string, unknown>): Record<string, unknown> {
  const columns: Record<string, AnyPgColumn> = getTableColumns(table)
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      value === null ? null : columns[field]?.mapToDriverValue(value),
    ]),
  )
}
