import { and, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { transports } from '../../../db/schema'
import type { MoveType } from '../../../db/vocabulary'
import { tallied } from '../../platform/records/tallies'
import { type Counted, DELIVERED, filterCondition, isTallied, matchesOf, tallyOf } from './filters'
import type { TransportFilters } from './queries'
import { isOverEstimate } from './sql'

export type TransportTotal = { move_type: MoveType; count: number; total_cost: number }

const overEstimate = isOverEstimate(transports)

const COUNTED_COLUMNS = sql`${transports.id}, ${transports.move_type}, ${transports.final_cost},
  ${transports.estimated_cost}`

const counted = ({ q, ...others }: Counted): SQL =>
  q
    ? sql`(${matchesOf({ q, ...others }, DELIVERED, COUNTED_COLUMNS)}) ${transports}`
    : sql`${transports} where ${and(DELIVERED, filterCondition({ q, ...others }))}`

/**
 * SQL for the number and cost of delivered transports by move type. `over` is the number of transports over their
 * estimate.
 * If the query filters only by date and move type, the SQL reads the stored totals, and `over` is null.
 */
const sumsOf = (query: Counted): SQL =>
  isTallied(query)
    ? sql`(select y.type as move_type, sum(y.count)::int as count, sum(y.amount) as total_cost, null::int as over
        from ${tallied('delivered transports', tallyOf(query))} y group by y.type having sum(y.count) > 0)`
    : sql`(select move_type, count(*)::int as count, coalesce(sum(final_cost), 0) as total_cost,
          (count(*) filter (where ${overEstimate}))::int as over
        from ${counted(query)} group by move_type)`

export async function totalTransports(db: Db, query: Counted): Promise<TransportTotal[]> {
  const totals = await rows<TransportTotal>(
    db,
    sql`select move_type, count, total_cost from ${sumsOf(query)} s order by move_type`,
  )
  return totals.map((row) => ({ ...row, total_cost: Number(row.total_cost) }))
}

/**
 * Highest number of later transports that the report counts. Later transports have a move date after the period of the
 * report. Above this limit, the page shows `More than 1000`, because counting all would take too long.
 */
export const LATER_LIMIT = 1000

/**
 * Loads the figures above the report of completed transports. `over` is the number of transports over their estimate
 * (`isOverEstimate`). `later` is the number of all delivered transports with a move date after the period, up to
 * `LATER_LIMIT` + 1. The filters of the report do not apply to `later`.
 */
export async function completedFigures(
  db: Db,
  query: TransportFilters & { end_date: string },
): Promise<{ totals: TransportTotal[]; over: number; later: number }> {
  const totalRows = await rows<TransportTotal & { move_type: MoveType | null; over: number; later: number }>(
    db,
    sql`select t.move_type, t.count, t.total_cost,
        coalesce((sum(t.over) over ())::int, (select count(*)::int from ${transports}
        where ${and(DELIVERED, filterCondition(query), overEstimate)})) as over,
        (select count(*)::int from (select 1 from ${transports} where ${DELIVERED}
        and ${transports.move_date} > ${query.end_date}::date limit ${LATER_LIMIT + 1}) l) as later
      from (select 1) one left join ${sumsOf(query)} t on true
      order by t.move_type`,
  )
  const totals = totalRows.flatMap(({ move_type, count, total_cost }) =>
    move_type ? [{ move_type, count, total_cost: Number(total_cost) }] : [],
  )
  return { totals, over: totalRows[0]?.over ?? 0, later: totalRows[0]?.later ?? 0 }
}
