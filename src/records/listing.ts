import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf } from '../../db/client'
import type { Page } from '../http/answers'

/** A filtered and sorted list: a page of it for a screen, how long it is, or all of it in batches for a file. */
export type Listing<Row> = { page(): Promise<Page<Row>>; count(): Promise<number>; batches(): AsyncGenerator<Row[]> }

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
  table: PgTable & { id: AnyPgColumn }
  where: SQL | undefined
  order: SQL[]
  query: { page: number; per_page: number }
  /** Only tells the type of a row. */
  row?: Row
}

const BATCH = 1000

export function listing<Row extends { id: number }>(
  db: Db,
  { select, table, where, order, query }: Asked<Row>,
): Listing<Row> {
  const selected = () => select() as Selection<Row>
  const count = () => db.$count(table, where)
  return {
    count,
    async page() {
      const [rows, total] = await Promise.all([
        selected()
          .where(where)
          .orderBy(...order)
          .limit(query.per_page)
          .offset((query.page - 1) * query.per_page),
        count(),
      ])
      return { rows, total }
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
