import { is, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, PgNumericNumber, type PgTable, PgTimestamp } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../db/client'
import type { Page, PageText } from '../http/answers'

/**
 * A filtered and sorted list: a page of it for a screen, the same as JSON for an integration, how long it is, or all of it
 * in batches for a file.
 */
export type Listing<Row> = {
  page(): Promise<Page<Row>>
  /** The rows of the page alone, for whoever counts them otherwise. */
  rows(): PromiseLike<Row[]>
  text(): Promise<PageText>
  /** To be awaited, or to be part of another statement. */
  count(): SQL<number> & Promise<number>
  batches(): AsyncGenerator<Row[]>
}

/** The steps of a Drizzle query that a listing takes. */
type Selection<Row> = PromiseLike<Row[]> & {
  where(condition: SQL | undefined): Selection<Row>
  orderBy(...order: SQL[]): Selection<Row>
  limit(count: number): Selection<Row>
  offset(count: number): Selection<Row>
  as(name: string): never
  getSQL(): SQL
  _: { selectedFields: Record<string, unknown> }
}

type Asked<Row> = {
  /** The columns and joins of a row, to which the rest is added. */
  select: () => unknown
  table: PgTable & { id: AnyPgColumn }
  where: SQL | undefined
  order: SQL[]
  query: { page: number; per_page: number }
  /** Only tells the type of a row. */
  row?: Row
}

const BATCH = 1000

/** A field as JavaScript would write it: no zeros at the end of an amount, an instant in UTC with its milliseconds. */
function asJson(name: string, field: unknown): SQL {
  const column = sql.identifier(name)
  if (is(field, PgNumericNumber)) return sql`trim_scale(${column}) as ${column}`
  if (is(field, PgTimestamp))
    return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
  return sql`${column}`
}

/** The rows of a query as one JSON text, put together by Postgres: to read and write each value here takes far longer. */
function jsonOf(selection: Selection<unknown>): SQL {
  const fields = Object.entries(selection._.selectedFields)
  const names = fields.map(([name]) => sql.identifier(name))
  return sql`(select coalesce(json_agg(row), '[]')::text from (
    select ${sql.join(
      fields.map(([name, field]) => asJson(name, field)),
      sql`, `,
    )}
    from (${selection.getSQL()}) listed(${sql.join(names, sql`, `)})) row)`
}

export function listing<Row extends { id: number }>(
  db: Db,
  { select, table, where, order, query }: Asked<Row>,
): Listing<Row> {
  const selected = () => select() as Selection<Row>
  const count = () => db.$count(table, where)
  const page = () =>
    selected()
      .where(where)
      .orderBy(...order)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
  return {
    count,
    rows: page,
    async page() {
      const [rows, total] = await Promise.all([page(), count()])
      return { rows, total }
    },
    async text() {
      const total = sql`(select count(*)::int from ${table}${where ? sql` where ${where}` : sql``})`
      const [found] = await rows<PageText>(db, sql`select ${jsonOf(page())} as rows, ${total} as total`)
      return found as PageText
    },
    /**
     * The order is settled once, by the ids; the rows then come as they are by the time they are needed, and one
     * that was
     * deleted meanwhile is left out. Nothing is locked, however slowly a file is fetched.
     */
    async *batches() {
      const listed = selected()
        .where(where)
        .orderBy(...order)
        .as('listed')
      const ids = (await db.select({ id: sql<number>`listed.id` }).from(listed)).map(({ id }) => id)
      for (let at = 0; at < ids.length; at += BATCH) {
        const wanted = ids.slice(at, at + BATCH)
        const found = new Map((await selected().where(oneOf(table.id, wanted))).map((row) => [row.id, row]))
        yield wanted.flatMap((id) => found.get(id) ?? [])
      }
    },
  }
}
