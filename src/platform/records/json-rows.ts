import { is, type SQL, sql } from 'drizzle-orm'
import { PgNumericNumber, PgTimestamp } from 'drizzle-orm/pg-core'
import { rowsBefore } from '../lists/rows-before'

export type Base = {
  toSQL(): { sql: string; params: unknown[] }
  _: { selectedFields: Record<string, unknown> }
}

type RowSelection = { where: SQL | undefined; order: SQL[]; query: Parameters<typeof rowsBefore>[0] }

/** SQL of a list query in two parts. The clauses that select one page are inserted between the parts. */
type SelectParts = { fields: Record<string, unknown>; before: SQL; after: SQL }

/**
 * Returns SQL that formats a column as JavaScript formats it in JSON.
 * Amounts have no trailing zeros. Timestamps are UTC with milliseconds.
 */
function asJson(name: string, field: unknown): string {
  const column = `"${name}"`
  if (is(field, PgNumericNumber)) return `trim_scale(${column}) as ${column}`
  if (is(field, PgTimestamp))
    return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
  return column
}

function write(base: Base): SelectParts {
  const { selectedFields: fields } = base._
  const statement = base.toSQL()
  const columns = Object.entries(fields).map(([name, field]) => asJson(name, field))
  const names = Object.keys(fields).map((name) => `"${name}"`)
  const pieces = statement.sql.split(/\$\d+/).map((piece) => sql.raw(piece))
  const from = pieces.flatMap((piece, at) => (at === 0 ? [piece] : [sql`${statement.params[at - 1]}`, piece]))
  return {
    fields,
    before: sql.join([sql.raw(`(select ${columns.join(', ')} from (`), ...from]),
    after: sql.raw(`) listed(${names.join(', ')})) row`),
  }
}

/**
 * Cache of the SQL that `writtenRows` builds for list queries. The key is the object `of`, which identifies the query.
 * `on` contains the values that are embedded in the SQL. When these values change, the SQL is rebuilt.
 */
const baseCache = new WeakMap<object, { on: string; written: SelectParts }>()

/**
 * Returns SQL that serializes the rows of a list to JSON. Decoding the rows in JavaScript is much slower.
 * @param of first part of the cache key, an object
 * @param on second part of the cache key: the values that `base` embeds in its SQL
 * @param base builds the columns and joins. It must give the same result for the same cache key.
 * @returns `row`, which is SQL for the `from` clause of a `select`, and the selected `fields`
 */
export function writtenRows(
  { of, on, base }: { of: object; on: string; base: () => Base },
  { where, order, query }: RowSelection,
): { row: SQL; fields: Record<string, unknown> } {
  let cached = baseCache.get(of)
  if (cached?.on !== on) {
    cached = { on, written: write(base()) }
    baseCache.set(of, cached)
  }
  const { before, after, fields } = cached.written
  const whereClause = where ? sql` where ${where}` : sql``
  const page = sql` order by ${sql.join(order, sql`, `)}
    limit ${query.per_page} offset ${rowsBefore(query)}`
  return { row: sql`${before}${whereClause}${page}${after}`, fields }
}
