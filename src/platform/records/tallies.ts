import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { tallies } from '../../../db/schema'

/** What the database keeps count of by triggers (decision 46), so that nobody reads millions of rows to tell. */
type Tally = 'delivered transports' | 'received registrations' | 'issued registrations'

/** Days are inclusive; what is left out counts all. */
type Narrowed = { from?: string | null | undefined; to?: string | null | undefined; type?: string | null | undefined }

/** The rows of a tally, whose `count` and `amount` are to be summed. */
export function tallied(tally: Tally, { from, to, type }: Narrowed = {}): SQL {
  return sql`(select y.day, y.type, y.count, y.amount from ${tallies} y where y.tally = ${tally}${from ? sql` and y.day >= ${from}::date` : sql``}${
    to ? sql` and y.day <= ${to}::date` : sql``
  }${type ? sql` and y.type = ${type}` : sql``})`
}

/** How many there are, to be part of a statement. */
export const countTallied = (tally: Tally, narrowed?: Narrowed): SQL<number> =>
  sql`(select coalesce(sum(y.count), 0)::int from ${tallied(tally, narrowed)} y)`

/** So many rows of a day are put together: fewer cost nobody anything. */
const FOLDED_ABOVE = 20

/** Puts the rows of a day together. Who reads meanwhile sees those of before or the sum; who adds waits for nobody. */
export const foldTallies = (db: Db) =>
  db.execute(sql`
    with many as (select tally, day, type from ${tallies} group by tally, day, type having count(*) > ${FOLDED_ABOVE}),
      gone as (delete from ${tallies} y using many m where (y.tally, y.day, y.type) = (m.tally, m.day, m.type)
        returning y.tally, y.day, y.type, y.count, y.amount)
    insert into ${tallies} (tally, day, type, count, amount)
    select tally, day, type, sum(count), sum(amount) from gone group by tally, day, type`)
