import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { tallies } from '../../../db/schema'

/**
 * Names of counts that database triggers maintain (decision 21). With these counts, queries need not read millions of
 * rows.
 */
type Tally = 'delivered transports' | 'received registrations' | 'issued registrations'

/** Days from `from` to `to` match, including both. An omitted field does not restrict the result. */
type TallyFilter = {
  from?: string | null | undefined
  to?: string | null | undefined
  type?: string | null | undefined
}

/** Callers must sum `count` and `amount`. A day can have several rows. */
export function tallied(tally: Tally, { from, to, type }: TallyFilter = {}): SQL {
  return sql`(select y.day, y.type, y.count, y.amount from ${tallies} y
    where y.tally = ${tally}${from ? sql` and y.day >= ${from}::date` : sql``}${
      to ? sql` and y.day <= ${to}::date` : sql``
    }${type ? sql` and y.type = ${type}` : sql``})`
}

export const countFromTallies = (tally: Tally, filter?: TallyFilter): SQL<number> =>
  sql`(select coalesce(sum(y.count), 0)::int from ${tallied(tally, filter)} y)`

/** Number of rows per day and type above which rows are merged. With fewer rows, queries are fast enough. */
const FOLD_THRESHOLD = 20

/**
 * Merges the stored counts of each day and type into one row. Concurrent readers see either the old rows or the merged
 * row, and concurrent inserts do not wait.
 */
export const foldTallies = (db: Db) =>
  db.execute(sql`
    with many as (select tally, day, type from ${tallies} group by tally, day, type
    having count(*) > ${FOLD_THRESHOLD}),
      gone as (delete from ${tallies} y using many m where (y.tally, y.day, y.type) = (m.tally, m.day, m.type)
        returning y.tally, y.day, y.type, y.count, y.amount)
    insert into ${tallies} (tally, day, type, count, amount)
    select tally, day, type, sum(count), sum(amount) from gone group by tally, day, type`)
