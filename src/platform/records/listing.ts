import { is, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, type PgTable, PgTimestamp } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import type { Page, PageText } from '../http/answers'
import { type Base, writtenRows } from './written-rows'

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
}

type Asked<Row> = {
  /** The columns and joins of a row, to which the rest is added. */
  select: () => unknown
  /** What they follow from: something of the module that stays, and the values in them, such as the business day. */
  from: { of: object; on?: string }
  table: PgTable & { id: AnyPgColumn }
  /** Which rows, as tried one by one. */
  where: SQL | undefined
  /** The same rows as an index finds each, of a table too large to be tried through. */
  sought?: SQL | undefined
  /** How many they are, where that is known without counting them. */
  length?: SQL<number> | undefined
  order: SQL[]
  query: { page: number; per_page: number; q?: string | null | undefined }
  /** Only tells the type of a row. */
  row?: Row
}

const BATCH = 1000

/** So much is little of what a search finds. */
const LITTLE = 1000

/** A row from its text, with its instants as such. */
function readLine<Row>(text: string, fields: Record<string, unknown>): Row {
  const row = JSON.parse(text) as Record<string, unknown>
  for (const [name, field] of Object.entries(fields))
    if (is(field, PgTimestamp) && row[name] !== null) row[name] = new Date(String(row[name]))
  return row as Row
}

export function listing<Row extends { id: number }>(
  db: Db,
  { select, from, table, where, sought = where, length: kept, order, query }: Asked<Row>,
): Listing<Row> {
  const selected = () => select() as Selection<Row>
  const count = () => db.$count(table, sought)
  const page = () =>
    selected()
      .where(sought)
      .orderBy(...order)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
  /**
   * What is read of the page, and how long the whole is. How much a search finds the planner cannot know: planned for
   * much, it is read in its order until the page is full, which with little is all of the table. So that is counted
   * first, and little is looked up before it is put in order.
   */
  const settled = async () => {
    const length = query.q ? await count() : null
    const isLittle = length !== null && length <= LITTLE
    const found = sql`${table.id} = any(array(select ${table.id} from ${table} where ${sought}))`
    return {
      ...writtenRows(
        { of: from.of, on: from.on ?? '', base: () => select() as Base },
        { where: isLittle ? found : where, order, query },
      ),
      length,
      total: length ?? kept ?? sql`(select count(*)::int from ${table}${where ? sql` where ${where}` : sql``})`,
    }
  }
  const ids = async (most?: number) => {
    const ordered = selected()
      .where(sought)
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
      const { row, total } = await settled()
      const [found] = await rows<PageText>(
        db,
        sql`select (select coalesce(json_agg(row), '[]')::text from ${row}) as rows, ${total}::int as total`,
      )
      return found as PageText
    },
    async lines() {
      const { row, fields, length, total } = await settled()
      const found = await rows<{ text: string; total: number }>(
        db,
        sql`select row_to_json(row)::text as text, ${total}::int as total from ${row}`,
      )
      return {
        lines: found.map(({ text }) => ({ text, read: () => readLine<Row>(text, fields) })),
        // Behind the last page there is no row to say it.
        total: found[0]?.total ?? length ?? (query.page === 1 ? 0 : await count()),
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
