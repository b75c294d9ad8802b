import { and, sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { transports } from '../../db/schema'
import type { MoveType } from '../../db/vocabulary'
import { type Counted, filtered } from './filters'
import { DELIVERED, type TransportFilters } from './queries'
import { isOverEstimate } from './sql'

export type TransportTotal = { move_type: MoveType; count: number; total_cost: number }

/** Count and final cost of the completed transports by move type. */
export async function totalTransports(db: Db, query: Counted): Promise<TransportTotal[]> {
  return db
    .select({
      move_type: transports.move_type,
      count: sql<number>`count(*)::int`,
      total_cost: sql`coalesce(sum(${transports.final_cost}), 0)`.mapWith(Number),
    })
    .from(transports)
    .where(and(DELIVERED, filtered(query)))
    .groupBy(transports.move_type)
    .orderBy(transports.move_type)
}

/** More of them are only said to be more. */
const LATER_LIMIT = 1000

/**
 * The figures above the completed report: its totals, how many cost more than their estimate allows, and how many
 * delivered transports it leaves out because they move after its last day (counted up to one more than `LATER_LIMIT`).
 */
export async function completedFigures(
  db: Db,
  query: TransportFilters & { end_date: string },
): Promise<{ totals: TransportTotal[]; over: number; later: number }> {
  const found = await rows<TransportTotal & { move_type: MoveType | null; over: number; later: number }>(
    db,
    sql`select t.move_type, coalesce(t.count, 0)::int as count, coalesce(t.total_cost, 0) as total_cost,
        coalesce(t.over, 0)::int as over,
        (select count(*)::int from (select 1 from ${transports} where ${DELIVERED} and ${transports.move_date} > ${query.end_date}::date limit ${LATER_LIMIT + 1}) l) as later
      from (select 1) one left join (
        select move_type, count(*) as count, sum(final_cost) as total_cost,
          count(*) filter (where ${isOverEstimate(transports)}) as over
        from ${transports} where ${and(DELIVERED, filtered(query))} group by move_type) t on true
      order by t.move_type`,
  )
  const totals = found.flatMap(({ move_type, count, total_cost }) =>
    move_type ? [{ move_type, count, total_cost: Number(total_cost) }] : [],
  )
  return { totals, over: found.reduce((sum, { over }) => sum + over, 0), later: found[0]?.later ?? 0 }
}
