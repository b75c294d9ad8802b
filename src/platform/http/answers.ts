import type { ListQuery } from '../lists/list-query'

export type Page<Item> = { rows: Item[]; total: number }
export type PageText = { rows: string; total: number; next_cursor?: string | null }
export type Meta = { page: number; per_page: number; total: number; pages: number }

export function metaOf({ page, per_page }: Pick<ListQuery, 'page' | 'per_page'>, total: number): Meta {
  return { page, per_page, total, pages: Math.max(1, Math.ceil(total / per_page)) }
}

export const answer = <Data>(data: Data) => ({ success: true as const, data })

export const answerList = <Item>(query: Pick<ListQuery, 'page' | 'per_page'>, { rows, total }: Page<Item>) => ({
  success: true as const,
  data: rows,
  meta: metaOf(query, total),
})

export class JsonText {
  constructor(readonly text: string) {}
}

export function answerText(query: Pick<ListQuery, 'page' | 'per_page'>, { rows, total, next_cursor }: PageText) {
  const meta = next_cursor === undefined ? metaOf(query, total) : { per_page: query.per_page, next_cursor }
  return new JsonText(`{"success":true,"data":${rows},"meta":${JSON.stringify(meta)}}`)
}

export const answerRows = <Item>(rows: Item[]) =>
  answerList({ page: 1, per_page: Math.max(rows.length, 1) }, { rows, total: rows.length })
