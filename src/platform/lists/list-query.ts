import { z } from 'zod'
import { asNumber, blankToMissing, choiceOr, externalId, instant, optionalText, optionalYesNo } from '../fields'
import { readSearch } from '../reading/numbers'

const PER_PAGE_LIMIT = 500
const NO_CURSOR = 'Must be empty or a `next_cursor`'

/** Search text of a list. Scanned numbers, and numbers with spaces such as `100 200`, are normalized. */
const searchText = z.preprocess((value) => (typeof value === 'string' ? readSearch(value) : value), optionalText(100))

const pageNumber = z
  .number({ error: 'Must be a page number' })
  .int('Must be a page number')
  .min(1, 'Page numbers start at 1')
  .max(10_000_000, 'Is too large')
const pageSize = z
  .number({ error: 'Must be a number' })
  .int('Must be a whole number')
  .min(1, 'At least 1')
  .max(PER_PAGE_LIMIT, `At most ${PER_PAGE_LIMIT}`)
const PAGE_SIZE = 50
const goneRows = z
  .number({ error: 'Must be a number of rows' })
  .int('Must be a whole number')
  .min(0, 'Must not be negative')
  .max(100_000, 'Is too large')
const numberFrom = (value: unknown) => asNumber(blankToMissing(value))

/** Query parameters of lists without filters, such as a record's notes. Without parameters, all rows are returned. */
export const partQuery = z.object({
  page: z.preprocess(numberFrom, pageNumber.optional()),
  per_page: z.preprocess(numberFrom, pageSize.optional()),
})

/** Returns the number and size of the requested page. Returns null if all rows are requested. */
export const wantedPart = ({ page, per_page }: z.output<typeof partQuery>) =>
  page === undefined && per_page === undefined ? null : { page: page ?? 1, per_page: per_page ?? PAGE_SIZE }

/** Query parameters that all lists have. `sorts` are the columns by which the list can be sorted. */
export const listQuery = <const Sorts extends readonly [string, ...string[]]>(
  sorts: Sorts,
  sort: Sorts[number],
  order: 'asc' | 'desc' = 'asc',
) =>
  z.object({
    page: z.preprocess(numberFrom, pageNumber.default(1)),
    per_page: z.preprocess(numberFrom, pageSize.default(PAGE_SIZE)),
    /**
     * Number of rows of earlier pages that have left the list since the user opened them. The page begins so many rows
     * earlier. Otherwise, the rows that took their places would be skipped.
     */
    gone: z.preprocess(numberFrom, goneRows.optional()),
    q: searchText,
    sort: choiceOr(sorts, sort),
    order: choiceOr(['asc', 'desc'], order),
  })

/**
 * Query parameters of lists that other programs read through the API.
 * In addition to reading pages, these programs can read all records by cursor, or only records that changed.
 */
export const recordQuery = <const Sorts extends readonly [string, ...string[]]>(
  sorts: Sorts,
  sort: Sorts[number],
  order: 'asc' | 'desc' = 'asc',
) =>
  listQuery<readonly [Sorts[number], ...Sorts[number][], 'updated_at']>(
    [...sorts, 'updated_at'] as never,
    sort as never,
    order,
  ).extend({
    /**
     * Cursor of the requested page. It is empty for the first page. For other pages, it is `meta.next_cursor` of the
     * previous page.
     * With a cursor, the rows are sorted by id.
     */
    cursor: z
      .string({ error: NO_CURSOR })
      .regex(/^(?:l\d{1,9}(?:-\d{1,15})?|d\d{1,15}-\d{1,15})?$/, NO_CURSOR)
      .optional(),
    updated_since: z.preprocess(blankToMissing, instant.optional()),
    external_id: externalId.optional(),
    include_deleted: optionalYesNo,
  })

export type ListQuery = {
  page: number
  per_page: number
  gone?: number | undefined
  q: string | null
  sort: string
  order: 'asc' | 'desc'
}
