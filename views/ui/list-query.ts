export type Query = {
  page: number
  per_page: number
  gone?: number | undefined
  q?: string | null
  sort?: string
  order?: 'asc' | 'desc'
} & Record<string, unknown>
export type Meta = { page: number; per_page: number; total: number; pages: number }

/**
 * Returns the query parameters for links. Leaves out empty parameters, and `gone`, which only links to other pages of
 * the same list need.
 */
export const plain = ({ gone: _, ...query }: Query) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null && value !== undefined)) as Record<
    string,
    string | number | boolean
  >
