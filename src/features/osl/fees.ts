import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { oslEntries } from '../../../db/schema'
import type { Calendar } from '../../platform/clock'
import { Missing } from '../../platform/refusals'
import { chargedRuns, countsUntil, daysOutOfService, feeOf, waivedOf } from './sql'

const e = alias(oslEntries, 'e')

/**
 * Storage days at one daily rate, including both `from` and `to`. `amount` is `days` multiplied by `daily_rate`, in
 * dollars.
 */
export type FeeLine = { from: string; to: string; days: number; daily_rate: number; amount: number }

export type Fees = {
  days_out_of_service: number
  storage_fee_daily_rate: number | null
  storage_grace_days: number
  /**
   * Storage fees in dollars, after the waiver. The value is the sum of `lines` minus `waived`. `total` has the same
   * value.
   */
  storage_fees_total: number
  total: number
  lines: FeeLine[]
  waived: number
  waived_reason: string | null
  as_of: string
}

/**
 * Itemizes the storage fees of an OSL entry up to today. An OSL entry is an out-of-service period.
 * @throws Missing when the entry does not exist
 */
export async function calculateFees(db: Db, clock: Calendar, id: number): Promise<Fees> {
  const [fees] = await rows<Fees>(
    db,
    sql`select ${daysOutOfService(e, clock)} as days_out_of_service, e.storage_fee_daily_rate::float8,
        e.storage_grace_days, ${feeOf(e, clock)}::float8 as storage_fees_total, ${feeOf(e, clock)}::float8 as total,
        ${waivedOf(e, clock)}::float8 as waived,
        e.storage_fee_waived_reason as waived_reason, to_char(${countsUntil(e, clock)}, 'YYYY-MM-DD') as as_of,
        coalesce((select json_agg(json_build_object('from', u.first, 'to', u.last, 'days', u.days,
          'daily_rate', u.daily_rate, 'amount', u.days * u.daily_rate) order by u.first)
          from ${chargedRuns(e, clock, '-infinity', 'infinity')} u), '[]') as lines
      from ${oslEntries} e where e.id = ${id}`,
  )
  if (!fees) throw new Missing('OSL entry')
  return fees
}
