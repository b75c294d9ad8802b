/** What a list was asked for: all of its address. */
export type Query = {
  page: number
  per_page: number
  q?: string | null
  sort?: string
  order?: 'asc' | 'desc'
} & Record<string, unknown>
/** Where its page stands in the whole. */
export type Meta = { page: number; per_page: number; total: number; pages: number }

/** A list's query as an address takes it. */
export const plain = (query: Query) => query as Record<string, string | number | boolean | null>
