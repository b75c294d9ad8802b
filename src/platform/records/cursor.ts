import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import type { PageText } from '../http/answers'
import { newestEntry } from './audit-entry'
import { countDeleted, type DeletedRecord, listDeleted } from './deleted'

/** Reads lists page by page with a cursor. Also returns deleted records on request. */

export type CursorList = {
  db: Db
  table: PgTable & { id: AnyPgColumn }
  query: Parameters<typeof listDeleted>[2] & { page: number; per_page: number; include_deleted?: boolean | undefined }
  rowsAfter(id: number, limit: number): SQL
  /** Returns SQL for all rows, without the filters of the list. */
  allRows(limit: number): SQL
}

const asLive = (text: string) =>
  (JSON.parse(text) as object[]).map((row) => ({ ...row, deleted_at: null }) as Record<string, unknown>)

/**
 * Adds the fields that the list computes to deleted records. An example is the name of a location.
 * Runs the query of the list with a common table expression that contains the deleted records. The expression has the
 * name of the table, so the query reads the deleted records instead of the table. If the location of a deleted record
 * was deleted too, the record gets no additional fields.
 */
async function completed({ db, table, allRows }: CursorList, deleted: DeletedRecord[]): Promise<DeletedRecord[]> {
  if (deleted.length === 0) return []
  const name = sql.identifier(getTableName(table))
  const [found] = await rows<{ rows: string }>(
    db,
    sql`with ${name} as materialized (
        select * from json_populate_recordset(null::${name}, ${JSON.stringify(deleted)}::text::json))
      select coalesce(json_agg(row), '[]')::text as rows from ${allRows(deleted.length)}`,
  )
  const byId = new Map((JSON.parse(found?.rows ?? '[]') as DeletedRecord[]).map((row) => [row.id, row]))
  return deleted.map((record) => ({ ...record, ...byId.get(record.id) }))
}

/** Adds deleted records to a page, after the last existing record. */
export async function addDeleted(list: CursorList, { rows, total }: PageText): Promise<PageText> {
  const { db, table, query } = list
  const live = asLive(rows)
  const limit = query.per_page - live.length
  const offset = Math.max(0, (query.page - 1) * query.per_page - total)
  const deleted = limit > 0 ? (await listDeleted(db, table, query, { limit, offset })).rows : []
  return {
    rows: JSON.stringify([...live, ...(await completed(list, deleted))]),
    total: total + (await countDeleted(db, table, query)),
  }
}

/**
 * Returns the rows of a list after a cursor. Existing records come first, by id. Deleted records follow, by time of
 * deletion.
 * Ids never change, so a record that exists during the whole read is returned exactly once.
 * Omits deletions that happen after the first page was read. The client receives these deletions the next time that it
 * reads the list.
 */
export async function readAfterCursor(list: CursorList, cursor: string): Promise<PageText> {
  const { db, table, query } = list
  const limit = query.per_page
  const [after = 0, until = query.include_deleted ? await newestEntry(db) : 0] = cursor
    .slice(1)
    .split('-')
    .filter(Boolean)
    .map(Number)
  if (cursor.startsWith('d')) {
    const { rows: deleted, last } = await listDeleted(db, table, query, { after, until, limit })
    const next_cursor = deleted.length === limit ? `d${last}-${until}` : null
    return { rows: JSON.stringify(await completed(list, deleted)), total: 0, next_cursor }
  }
  const [pageRow] = await rows<{ rows: string; n: number; last: number }>(
    db,
    sql`select coalesce(json_agg(row), '[]')::text as rows, count(*)::int as n, max(row.id)::int as last
      from ${list.rowsAfter(after, limit)}`,
  )
  const { rows: text, n, last } = pageRow as { rows: string; n: number; last: number }
  if (!query.include_deleted) return { rows: text, total: 0, next_cursor: n === limit ? `l${last}` : null }
  const next = n === limit ? `l${last}-${until}` : `d0-${until}`
  return { rows: JSON.stringify(asLive(text)), total: 0, next_cursor: next }
}
