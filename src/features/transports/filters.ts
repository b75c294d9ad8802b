import { and, eq, gte, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { locations, transports } from '../../../db/schema'
import { beginningWith, matchingWords, searchWords } from '../../platform/records/search'
import { isInvoiced } from '../billing'
import { companiesLike, isName, placesLike } from '../places'
import type { TransportFilters } from './queries'
import type { totalsFilters } from './rules'
import { arrivesWithin, isDelivered, isLate, isOverEstimate, isUnderWay } from './sql'

export const locationOut = alias(locations, 'location_out')
export const locationIn = alias(locations, 'location_in')
export const ACTIVE = isUnderWay(transports)
export const DELIVERED = isDelivered(transports)

/** Filters for counting transports. Page and sort order are left out, because they do not change a count. */
export type Counted = z.output<typeof totalsFilters>

/**
 * Search condition for one text. Numbers, such as the RA number, must start with the text. Names of locations and
 * companies can contain it anywhere.
 */
function matching(q: string): SQL | undefined {
  const begins = beginningWith(q)
  const places = placesLike(q)
  return or(
    sql`${transports.unit_number} like ${begins}`,
    sql`lower(${transports.ra_number}) like ${begins.toLowerCase()}`,
    sql`lower(${transports.po_number}) like ${begins.toLowerCase()}`,
    sql`${transports.location_out_id} = any(${places})`,
    sql`${transports.location_in_id} = any(${places})`,
    sql`${transports.transport_company_id} = any(${companiesLike(q)})`,
  )
}

/**
 * Search condition for a search through all transports. Each column has its own subquery, because only then can
 * Postgres use the column's index. Without the indexes, a search among a million transports takes seconds.
 */
export function matchingAnywhere(q: string): SQL {
  // Avoid `intersect`. The planner cannot estimate the size of its result, and the query took more than 25 s instead of
  // 1 s.
  const words = searchWords(q).map((word) => sql`id in (${idsMatching(word)})`)
  const matchesAllWords =
    words.length > 0 ? sql` union all select id from ${transports} where ${and(not(isName(q)), ...words)}` : sql``
  return sql`${transports.id} in (${idsMatching(q)}${matchesAllWords})`
}

function idsMatching(q: string): SQL {
  const begins = beginningWith(q)
  const places = placesLike(q)
  return sql`select id from ${transports} where unit_number like ${begins}
    union all select id from ${transports} where lower(ra_number) like ${begins.toLowerCase()}
    union all select id from ${transports} where lower(po_number) like ${begins.toLowerCase()}
    union all select id from ${transports} where location_out_id = any(${places})
    union all select id from ${transports} where location_in_id = any(${places})
    union all select id from ${transports} where transport_company_id = any(${companiesLike(q)})`
}

/**
 * Search condition for transports under way (not delivered). In a search for several words, each word has its own
 * subquery. Postgres can then use the same indexes as in a search for one word.
 */
export function matchingUnderWay(q: string): SQL | undefined {
  const idsOf = (text: string) => sql`select id from ${transports} where ${and(ACTIVE, matching(text))}`
  const words = searchWords(q).map((word) => sql`id in (${idsOf(word)})`)
  if (words.length === 0) return matching(q)
  return sql`${transports.id} = any(array(${idsOf(q)} union all select id from ${transports} where ${and(not(isName(q)), ...words)}))`
}

const matchingRow = (q: string) => matchingWords(q, matching, isName(q))

export function filterCondition(query: Counted, search: (q: string) => SQL | undefined = matchingRow): SQL | undefined {
  return and(
    query.q ? search(query.q) : undefined,
    query.unit_number ? eq(transports.unit_number, query.unit_number) : undefined,
    query.status ? eq(transports.status, query.status) : undefined,
    query.move_type ? eq(transports.move_type, query.move_type) : undefined,
    query.location_id ? atLocation(query.location_id) : undefined,
    query.transport_company_id ? eq(transports.transport_company_id, query.transport_company_id) : undefined,
    query.start_date ? gte(transports.move_date, query.start_date) : undefined,
    query.end_date ? lte(transports.move_date, query.end_date) : undefined,
    query.over_estimate === undefined
      ? undefined
      : sql`${isOverEstimate(transports)} is ${sql.raw(query.over_estimate ? 'true' : 'not true')}`,
    query.invoiced === undefined ? undefined : query.invoiced ? isInvoiced(transports) : not(isInvoiced(transports)),
  )
}

/**
 * True if the database has stored totals for this query. Totals of delivered transports are stored by day and move
 * type, so the query must have no other filters.
 */
export const isTallied = (query: Counted): boolean =>
  filterCondition({ ...query, start_date: null, end_date: null, move_type: null }) === undefined

export const tallyOf = ({ start_date, end_date, move_type }: Counted) => ({
  from: start_date,
  to: end_date,
  type: move_type,
})

export const atLocation = (id: number) => or(eq(transports.location_out_id, id), eq(transports.location_in_id, id))

const WEEK = 7

export function dueBy({ due }: Pick<TransportFilters, 'due'>, today: string): SQL | undefined {
  if (due === 'late') return isLate(transports, today)
  return due ? arrivesWithin(transports, today, due === 'today' ? 0 : WEEK) : undefined
}
