import { is, type SQL, sql } from 'drizzle-orm'
import { PgNumericNumber, PgTimestamp } from 'drizzle-orm/pg-core'

/** The columns and joins of a list, as Drizzle puts them together. */
export type Base = {
  toSQL(): { sql: string; params: unknown[] }
  _: { selectedFields: Record<string, unknown> }
}

/** What is done with the rows of a list on the way to a page of them. */
type Narrowed = { where: SQL | undefined; order: SQL[]; query: { page: number; per_page: number } }

/** A base that was put together: its text around the rest of the statement, with the values between its pieces. */
type Written = { fields: Record<string, unknown>; before: SQL; after: SQL }

/** A field as JavaScript would write it: no zeros at the end of an amount, an instant in UTC with its milliseconds. */
function asJson(name: string, field: unknown): string {
  const column = `"${name}"`
  if (is(field, PgNumericNumber)) return `trim_scale(${column}) as ${column}`
  if (is(field, PgTimestamp))
    return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
  return column
}

function write(base: Base): Written {
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

/** By what a base follows from: put together once for all requests that have the same values in it. */
const known = new WeakMap<object, { on: string; written: Written }>()

/**
 * A page of rows as Postgres itself writes them in JSON, for to read each value here takes far longer; `row` is what a
 * statement selects from.
 * @param base makes the columns and joins, which are the same whenever `of` and `on` are
 */
export function writtenRows(
  { of, on, base }: { of: object; on: string; base: () => Base },
  { where, order, query }: Narrowed,
): { row: SQL; fields: Record<string, unknown> } {
  let found = known.get(of)
  if (found?.on !== on) {
    found = { on, written: write(base()) }
    known.set(of, found)
  }
  const { before, after, fields } = found.written
  const narrowed = where ? sql` where ${where}` : sql``
  const page = sql` order by ${sql.join(order, sql`, `)} limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`
  return { row: sql`${before}${narrowed}${page}${after}`, fields }
}
