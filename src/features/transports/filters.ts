import { and, eq, gte, lte, not, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { locations, transports } from '../../../db/schema'
import { beginningWith, matchingWords, searchWords } from '../../platform/records/search'
import { isInvoiced } from '../billing'
import { companiesLike, isName, locationsLike } from '../places'
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
 * Returns the conditions of a text search. A transport must meet at least one of them. Numbers, such as the RA number,
 * must start with the text. Names of locations and companies can contain the text anywhere.
 */
function alternatives(q: string): SQL[] {
  const begins = beginningWith(q)
  return [
    sql`${transports.unit_number} like ${begins}`,
    sql`lower(${transports.ra_number}) like ${begins.toLowerCase()}`,
    sql`lower(${transports.po_number}) like ${begins.toLowerCase()}`,
    sql`${transports.location_out_id} in (${locationsLike(q)})`,
    sql`${transports.location_in_id} in (${locationsLike(q)})`,
    sql`${transports.transport_company_id} in (${companiesLike(q)})`,
  ]
}

const matching = (q: string) => or(...alternatives(q))
export function filterCondition(query: Counted): SQL | undefined {
  return and(
    query.q ? matchingWords(query.q, matching, isName(query.q)) : undefined,
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
 * Returns a query for the transports that match a search. The transports must also match all other filters and the
 * condition `also`. Each condition of the search has its own subquery, so that Postgres uses the index for this
 * condition. With one combined condition, a search among a million transports takes seconds.
 * @param columns SQL list of columns. It must include the id, because `union` removes equal rows
 */
export function matchesOf({ q, ...others }: Counted & { q: string }, also: SQL | undefined, columns: SQL): SQL {
  const matches = (text: string) =>
    sql.join(
      alternatives(text).map(
        (alternative) =>
          sql`select ${columns} from ${transports}
            where ${and(alternative, also, filterCondition({ ...others, q: null }))}`,
      ),
      sql` union `,
    )
  const words = searchWords(q).map((word) => sql`(${matches(word)})`)
  if (words.length === 0) return matches(q)
  return sql`${matches(q)} union (select * from (${sql.join(words, sql` intersect `)}) m where ${not(isName(q))})`
}

/**
 * True if the stored daily totals can answer this query. They are stored by day and move type, and only for delivered
 * transports. Therefore, only the dates and the move type can be set.
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
