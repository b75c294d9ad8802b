import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { type ListQuery, wantedPart } from '../lists/list-query'

export type Page<Item> = { rows: Item[]; total: number }
export type PageText = { rows: string; total: number; next_cursor?: string | null }
export type Meta = { page: number; per_page: number; total: number; pages: number }

export function metaOf(
  { page, per_page, gone = 0 }: Pick<ListQuery, 'page' | 'per_page' | 'gone'>,
  total: number,
): Meta {
  return { page, per_page, total, pages: Math.max(1, Math.ceil((total + gone) / per_page)) }
}

export const answer = <Data>(data: Data) => ({ success: true as const, data })

export const answerList = <Item>(
  query: Pick<ListQuery, 'page' | 'per_page' | 'gone'>,
  { rows, total }: Page<Item>,
) => ({
  success: true as const,
  data: rows,
  meta: metaOf(query, total),
})

export class JsonText {
  constructor(readonly text: string) {}
}

export function answerText(
  query: Pick<ListQuery, 'page' | 'per_page' | 'gone'>,
  { rows, total, next_cursor }: PageText,
) {
  const meta = next_cursor === undefined ? metaOf(query, total) : { per_page: query.per_page, next_cursor }
  return new JsonText(`{"success":true,"data":${rows},"meta":${JSON.stringify(meta)}}`)
}

const answerRows = <Item>(rows: Item[]) =>
  answerList({ page: 1, per_page: Math.max(rows.length, 1) }, { rows, total: rows.length })

export function versionIn(body: { data?: unknown }): number | undefined {
  const record = body.data as { version?: unknown } | null | undefined
  return typeof record?.version === 'number' ? record.version : undefined
}

type Part = { page?: number | undefined; per_page?: number | undefined }

/** Builds the response for a short list. Contains all rows or, if the query has `page` or `per_page`, one page. */
export function answerRowsOrPage<Item>(rows: Item[], query: Part) {
  const part = wantedPart(query)
  if (!part) return answerRows(rows)
  const from = (part.page - 1) * part.per_page
  return answerList(part, { rows: rows.slice(from, from + part.per_page), total: rows.length })
}

type Selection<Item> = PromiseLike<Item[]> & {
  getSQL(): SQL
  limit(count: number): { offset(count: number): PromiseLike<Item[]> }
}

/** Maximum number of rows in the response to a query without `page`. More rows would need too much memory. */
export const LONGEST_LIST = 10_000

/**
 * Builds the response for a list that can be long.
 * Unlike `answerRowsOrPage`, it lets Postgres select the page. If the query asks for no page, the response has at most
 * `longest` rows, and its `meta` shows the number of all rows.
 */
export async function answerAllOrPage<Item>(db: Db, selection: Selection<Item>, query: Part, longest = LONGEST_LIST) {
  const requestedPart = wantedPart(query)
  // Build the SQL for the row count first, because `limit` changes the query.
  const whole = selection.getSQL()
  const part = requestedPart ?? { page: 1, per_page: longest }
  const extra = requestedPart ? 0 : 1
  const found = await selection.limit(part.per_page + extra).offset((part.page - 1) * part.per_page)
  if (!requestedPart && found.length <= longest) return answerRows(found)
  const counts = await rows<{ total: number }>(db, sql`select count(*)::int as total from (${whole}) part`)
  return answerList(part, { rows: found.slice(0, part.per_page), total: counts[0]?.total ?? 0 })
}
