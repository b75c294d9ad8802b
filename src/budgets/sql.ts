import { type SQL, sql } from 'drizzle-orm'
import { budgets } from '../../db/schema'

/** The budgets of a month as SQL: of one location, or of all together; null without any. @param first of the month */
export const budgetOf = (first: SQL, location: number | null): SQL => sql`(
  select sum((g.amounts ->> (extract(month from ${first})::int - 1))::numeric) from ${budgets} g
  where g.year = extract(year from ${first})::int and (${location}::int is null or g.location_id = ${location}::int))`
