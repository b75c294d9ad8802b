import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { limitTasks } from '../../../db/limit-tasks'
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
/** Maximum length of the text in the rows of such a response, in characters. It can be exceeded by one part. */
const LONGEST_TEXT = 4_000_000
/** Number of rows that are loaded at a time. A row can have 10,000 characters. */
const PART = 500

/**
 * Limits how many long lists an instance loads at the same time. Loading the longest one takes 0.5 s of processor time.
 * Without this limit, the requests of one account could delay the changes of other users by seconds.
 */
const inTurn = limitTasks(2, 60_000)

const textIn = (row: object) =>
  Object.values(row).reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)

/**
 * Loads at most `most` rows, and fewer if they contain much text.
 * @returns all rows, or the first ones with `isWhole` false
 */
export async function rowsWithin<Item extends object>(
  db: Db,
  select: (db: Db) => Selection<Item>,
  most = LONGEST_LIST,
): Promise<{ found: Item[]; isWhole: boolean }> {
  const first = await select(db).limit(PART).offset(0)
  if (first.length < Math.min(PART, most)) return { found: first, isWhole: true }
  // A transaction, because a record that is added between two parts would move the rows.
  const load = () =>
    db.transaction(
      async (tx) => {
        const found: Item[] = []
        for (let text = 0; text < LONGEST_TEXT && found.length < most; ) {
          const part = await select(tx as unknown as Db)
            .limit(PART)
            .offset(found.length)
          found.push(...part)
          if (part.length < PART) return { found: found.slice(0, most), isWhole: found.length <= most }
          text += part.reduce((sum, row) => sum + textIn(row), 0)
        }
        return { found: found.slice(0, most), isWhole: false }
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    )
  return inTurn(load)
}

/**
 * Builds the response for a list that can be long.
 * Unlike `answerRowsOrPage`, it lets Postgres select the page. If the query asks for no page, the response has at most
 * `longest` rows, fewer if they contain much text, and its `meta` shows the number of all rows.
 */
export async function answerAllOrPage<Item extends object>(
  db: Db,
  select: (db: Db) => Selection<Item>,
  query: Part,
  longest = LONGEST_LIST,
) {
  const part = wantedPart(query)
  const { found, isWhole } = part
    ? {
        found: await select(db)
          .limit(part.per_page)
          .offset((part.page - 1) * part.per_page),
        isWhole: false,
      }
    : await rowsWithin(db, select, longest)
  if (isWhole) return answerRows(found)
  const counts = await rows<{ total: number }>(
    db,
    sql`select count(*)::int as total from (${select(db).getSQL()}) part`,
  )
  return answerList(part ?? { page: 1, per_page: found.length }, { rows: found, total: counts[0]?.total ?? 0 })
}
