import { is, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, PgNumericNumber, type PgTable, PgTimestamp } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../db/client'
import type { Page, PageText } from '../http/answers'

/** A row as the database wrote it: the same text is the same row, so one that is known need not be read. */
export type Line<Row> = { text: string; read: () => Row }

/**
 * A filtered and sorted list: a page of it for a screen, the same as JSON for an integration, how long it is, or all of it
 * in batches for a file.
 */
export type Listing<Row> = {
  page(): Promise<Page<Row>>
  /** The rows of the page alone, for whoever counts them otherwise. */
  rows(): PromiseLike<Row[]>
  text(): Promise<PageText>
  /** The same page for a list that remembers what it has drawn. */
  lines(): Promise<{ lines: Line<Row>[]; total: number }>
  /** To be awaited, or to be part of another statement. */
  count(): SQL<number> & Promise<number>
  /** The ids of all its rows, in their order, or of the first so many. */
  ids(most?: number): Promise<number[]>
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
function asJson(name: string, field: unknown): string {
  const column = `"${name}"`
  if (is(field, PgNumericNumber)) return `trim_scale(${column}) as ${column}`
  if (is(field, PgTimestamp))
    return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`
  return column
}

/** By the fields of a query, its columns as JSON has them, and their names: put together once for all requests. */
const shapes = new WeakMap<object, { columns: SQL; names: SQL }>()

function shapeOf(fields: Record<string, unknown>): { columns: SQL; names: SQL } {
  const known = shapes.get(fields)
  if (known) return known
  const columns = sql.raw(
    Object.entries(fields)
      .map(([name, field]) => asJson(name, field))
      .join(', '),
  )
  const names = sql.raw(
    Object.keys(fields)
      .map((name) => `"${name}"`)
      .join(', '),
  )
  shapes.set(fields, { columns, names })
  return { columns, names }
}

/** The rows of a query as Postgres itself writes them in JSON: to read each value here takes far longer. */
function written(selection: Selection<unknown>): SQL {
  const { columns, names } = shapeOf(selection._.selectedFields)
  return sql`(select ${columns} from (${selection.getSQL()}) listed(${names})) row`
}

/** A row from its text, with its instants as such. */
function readLine<Row>(text: string, fields: Record<string, unknown>): Row {
  const row = JSON.parse(text) as Record<string, unknown>
  for (const [name, field] of Object.entries(fields))
    if (is(field, PgTimestamp) && row[name] !== null) row[name] = new Date(String(row[name]))
  return row as Row
}

export function listing<Row extends { id: number }>(
  db: Db,
  { select, table, where, order, query }: Asked<Row>,
): Listing<Row> {
  const selected = () => select() as Selection<Row>
  const count = () => db.$count(table, where)
  const total = sql`(select count(*)::int from ${table}${where ? sql` where ${where}` : sql``})`
  const page = () =>
    selected()
      .where(where)
      .orderBy(...order)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
  const ids = async (most?: number) => {
    const ordered = selected()
      .where(where)
      .orderBy(...order)
    const listed = (most === undefined ? ordered : ordered.limit(most)).as('listed')
    return (await db.select({ id: sql<number>`listed.id` }).from(listed)).map(({ id }) => id)
  }
  return {
    count,
    ids,
    rows: page,
    async page() {
      const [rows, total] = await Promise.all([page(), count()])
      return { rows, total }
    },
    async text() {
      const [found] = await rows<PageText>(
        db,
        sql`select (select coalesce(json_agg(row), '[]')::text from ${written(page())}) as rows, ${total} as total`,
      )
      return found as PageText
    },
    async lines() {
      const selection = page()
      const fields = selection._.selectedFields
      const found = await rows<{ text: string; total: number }>(
        db,
        sql`select row_to_json(row)::text as text, ${total} as total from ${written(selection)}`,
      )
      return {
        lines: found.map(({ text }) => ({ text, read: () => readLine<Row>(text, fields) })),
        // Behind the last page there is no row to say it.
        total: found[0]?.total ?? (query.page === 1 ? 0 : await count()),
      }
    },
    /**
     * The order is settled once, by the ids; the rows then come as they are by the time they are needed, and one that
     * was deleted meanwhile is left out. Nothing is locked, however slowly a file is fetched.
     */
    async *batches() {
      const all = await ids()
      for (let at = 0; at < all.length; at += BATCH) {
        const wanted = all.slice(at, at + BATCH)
        const found = new Map((await selected().where(oneOf(table.id, wanted))).map((row) => [row.id, row]))
        yield wanted.flatMap((id) => found.get(id) ?? [])
      }
    },
  }
}
