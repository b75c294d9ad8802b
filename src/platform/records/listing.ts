import { and, asc, Column, eq, getTableColumns, getTableName, gt, gte, is, SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, type PgTable, PgTimestamp } from 'drizzle-orm/pg-core'
import { type Db, oneOf, rows } from '../../../db/client'
import type { Page, PageText } from '../http/answers'
import { rowsBefore } from '../lists/rows-before'
import { addDeleted, type CursorList, readAfterCursor } from './cursor'
import { type Base, writtenRows } from './json-rows'

/**
 * A row of a list as JSON text, with a parser.
 * Rows with the same text are equal. Callers can therefore use `text` as a cache key, and call `read` only if the cache
 * has no entry.
 */
export type SerializedRow<Row> = { text: string; read: () => Row }

export type Listing<Row> = {
  page(): Promise<Page<Row>>
  rows(): PromiseLike<Row[]>
  text(): Promise<PageText>
  lines(): Promise<{ lines: SerializedRow<Row>[]; total: number }>
  /** The result can be awaited or embedded in another SQL statement. */
  count(): SQL<number> & Promise<number>
  ids(most?: number): Promise<number[]>
  batches(): AsyncGenerator<Row[]>
}

type Selection<Row> = PromiseLike<Row[]> & {
  where(condition: SQL | undefined): Selection<Row>
  orderBy(...order: SQL[]): Selection<Row>
  limit(count: number): Selection<Row>
  offset(count: number): Selection<Row>
  as(name: string): never
}

type Query = {
  page: number
  per_page: number
  q?: string | null | undefined
  cursor?: string | undefined
  updated_since?: Date | undefined
  external_id?: string | null | undefined
  include_deleted?: boolean | undefined
}

/**
 * Sort order by the name of a referenced record. An example is the name of a location. `from` is the table of the
 * referenced record with its alias. `key` is the column of the list that contains the `id` of the referenced record.
 */
export type NameOrder = { from: SQL; id: AnyPgColumn; key: AnyPgColumn }

type ListingOptions<Row> = {
  /** Builds a query with the columns and joins of a row. The listing adds conditions, order and limits. */
  select: () => unknown
  /**
   * Cache key of the query that `select` builds.
   * `of` is an object that identifies the query. Use a constant of the module, because each call must pass the same
   * object. `on` contains the values embedded in the query, such as the business day.
   */
  from: { of: object; on?: string }
  table: PgTable & { id: AnyPgColumn }
  where: SQL | undefined
  /** Query for the ids of the rows that match a search. It finds the same rows as `where`, but by indexes. */
  matches?: SQL | undefined
  /** SQL for the number of rows. Undefined if the rows must be counted. */
  length?: SQL<number> | undefined
  order: SQL[]
  /**
   * Set if the list is sorted by a referenced record's name. The second sort key is the id. An example is a list sorted
   * by location.
   */
  sortedBy?: NameOrder | undefined
  query: Query
  /** Declares the type of a row. The property has no value at runtime. */
  row?: Row
}

const BATCH = 1000

/**
 * Maximum number of matches whose rows are looked up by id. If a search has more matches, the rows are read in sort
 * order.
 */
const MAX_MATCHES_BY_ID = 3000

/**
 * Minimum number of preceding rows that makes a page deep. The query of a deep page has the SQL condition
 * `isOnDeepPage`, which finds the ids of the rows in an index.
 */
const DEEP_ROWS = 500

const usesOnly = (table: PgTable, part: unknown): boolean =>
  is(part, Column)
    ? getTableName(part.table) === getTableName(table)
    : !is(part, SQL) || part.queryChunks.every((chunk) => usesOnly(table, chunk))

function readLine<Row>(text: string, fields: Record<string, unknown>): Row {
  const row = JSON.parse(text) as Record<string, unknown>
  for (const [name, field] of Object.entries(fields))
    if (is(field, PgTimestamp) && row[name] !== null) row[name] = new Date(String(row[name]))
  return row as Row
}

export function listing<Row extends { id: number }>(db: Db, options: ListingOptions<Row>): Listing<Row> {
  const { select, from, table, order, sortedBy, query } = options
  const { updated_at, external_id } = getTableColumns(table) as Record<string, AnyPgColumn>
  const changed = and(
    query.updated_since ? gte(updated_at as AnyPgColumn, query.updated_since) : undefined,
    query.external_id ? eq(external_id as AnyPgColumn, query.external_id) : undefined,
  )
  const where = and(options.where, changed)
  const condition = options.matches ? and(sql`${table.id} = any(array(${options.matches}))`, changed) : where
  const knownLength = changed ? undefined : options.length
  const selected = () => select() as Selection<Row>
  const count = () =>
    options.matches && !changed ? db.$count(sql`(${options.matches}) m`) : db.$count(table, condition)
  const page = () =>
    selected()
      .where(condition)
      .orderBy(...order)
      .limit(query.per_page)
      .offset(before)
  const before = rowsBefore(query)
  const isDeep = before >= DEEP_ROWS && order.every((by) => usesOnly(table, by))
  /**
   * SQL condition for the rows of a page far down the list.
   * With this condition, Postgres finds the ids of the page in an index alone. Without it, Postgres would read and join
   * all rows before the page.
   */
  const isOnDeepPage = sql`${table.id} = any(array(select ${table.id} from ${table}${
    where
      ? sql`
    where ${where}`
      : sql``
  }
    order by ${sql.join(order, sql`, `)} limit ${query.per_page} offset ${before}))`
  /**
   * SQL condition for the rows of a page in name order. The names belong to referenced records. For example, a list
   * sorted by location reads the rows of one location after another. With a plain join, Postgres would read and sort
   * all rows of the list.
   * The subquery has `offset 0`, so that Postgres finds the rows of a location by index. Without it, Postgres might
   * read the whole table in the order of the ids.
   */
  const isOnPage = (sortedBy: NameOrder) => {
    const [byName, byId] = order as [SQL, SQL]
    const ids = sql`select ${table.id} from ${table} where ${and(eq(sortedBy.key, sortedBy.id), where)} offset 0`
    const firstIds = sql`select ${table.id} from (${ids}) ${table} order by ${byId} limit ${before + query.per_page}`
    return sql`${table.id} = any(array(select ${table.id} from ${sortedBy.from} cross
      join lateral (${firstIds}) ${table}
      order by ${byName}, ${byId} limit ${query.per_page} offset ${before}))`
  }
  const findMatches = async (): Promise<{ length: number; ids: number[] | null }> => {
    if (!options.matches || changed) return { length: await count(), ids: null }
    const [found] = await rows<{ length: number; ids: number[] }>(
      db,
      sql`with m as materialized (${options.matches})
        select count(*)::int as length,
          case when count(*) <= ${MAX_MATCHES_BY_ID} then array(select id from m) end as ids from m`,
    )
    return found as { length: number; ids: number[] }
  }
  /**
   * A search counts its matches, because the planner cannot estimate their number.
   * If there are few matches, the rows are looked up by id and then sorted, because reading in sort order could scan
   * the whole table. If there are many matches, the rows are read in sort order, because the page is soon full.
   */
  const buildPage = async () => {
    const found = query.q ? await findMatches() : null
    const length = found?.length ?? null
    const isLittle = length !== null && length <= MAX_MATCHES_BY_ID
    const isMatchedId = found?.ids
      ? oneOf(table.id, found.ids)
      : sql`${table.id} = any(array(select ${table.id} from ${table} where ${condition}))`
    const isNamed = sortedBy && !isLittle && !changed
    const isFoundById = isNamed || (isDeep && !isLittle)
    const rowsOfPage = {
      where: isNamed ? isOnPage(sortedBy) : isLittle ? isMatchedId : isDeep ? isOnDeepPage : where,
      order,
      query: isFoundById ? { ...query, page: 1, gone: 0 } : query,
    }
    return {
      ...writtenRows({ of: from.of, on: from.on ?? '', base: () => select() as Base }, rowsOfPage),
      length,
      total: length ?? knownLength ?? sql`(select count(*)::int from ${table}${where ? sql` where ${where}` : sql``})`,
    }
  }
  const cursorList: CursorList = {
    db,
    table,
    query,
    rowsAfter: (id, limit) =>
      writtenRows(
        { of: from.of, on: from.on ?? '', base: () => select() as Base },
        { where: and(where, gt(table.id, id)), order: [asc(table.id)], query: { page: 1, per_page: limit } },
      ).row,
    allRows: (limit) =>
      writtenRows(
        { of: from.of, on: from.on ?? '', base: () => select() as Base },
        { where: undefined, order: [asc(table.id)], query: { page: 1, per_page: limit } },
      ).row,
  }
  const ids = async (limit?: number) => {
    const ordered = selected()
      .where(condition)
      .orderBy(...order)
    const limitedIds = (limit === undefined ? ordered : ordered.limit(limit)).as('listed')
    return (await db.select({ id: sql<number>`listed.id` }).from(limitedIds)).map(({ id }) => id)
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
      if (query.cursor !== undefined) return readAfterCursor(cursorList, query.cursor)
      const { row, total } = await buildPage()
      const [pageRow] = await rows<PageText>(
        db,
        sql`select (select coalesce(json_agg(row), '[]')::text from ${row}) as rows, ${total}::int as total`,
      )
      return query.include_deleted ? addDeleted(cursorList, pageRow as PageText) : (pageRow as PageText)
    },
    async lines() {
      const { row, fields, length, total } = await buildPage()
      const pageRows = await rows<{ text: string; total: number }>(
        db,
        sql`select row_to_json(row)::text as text, ${total}::int as total from ${row}`,
      )
      return {
        lines: pageRows.map(({ text }) => ({ text, read: () => readLine<Row>(text, fields) })),
        // A page after the last one has no rows from which to read the total, so the total is counted separately.
        total: pageRows[0]?.total ?? length ?? (query.page === 1 ? 0 : await count()),
      }
    },
    /**
     * Reads all ids first, and then loads the rows in batches. The ids fix the order of the rows.
     * Rows that were deleted in the meantime are skipped. No rows are locked, because a download can take a long time.
     */
    async *batches() {
      const all = await ids()
      for (let at = 0; at < all.length; at += BATCH) {
        const batchIds = all.slice(at, at + BATCH)
        const rowsById = new Map((await selected().where(oneOf(table.id, batchIds))).map((row) => [row.id, row]))
        yield batchIds.flatMap((id) => rowsById.get(id) ?? [])
      }
    },
  }
}
