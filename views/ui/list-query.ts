export type Query = {
  page: number
  per_page: number
  q?: string | null
  sort?: string
  order?: 'asc' | 'desc'
} & Record<string, unknown>
export type Meta = { page: number; per_page: number; total: number; pages: number }

export const plain = (query: Query) => query as Record<string, string | number | boolean | null>
