import { type SQL, sql } from 'drizzle-orm'
import type { Calendar } from '../../platform/clock'

const MONTHS_SHOWN = 12

/**
 * Subquery with one row for each of the last twelve months. The current month is included. `first` and `last` are the
 * first and last day of the month as dates. `start_date` and `end_date` are these days as text.
 */
export const lastMonths = (clock: Calendar): SQL => sql`(
  select first::date, last::date, to_char(first, 'YYYY-MM-DD') as start_date, to_char(last, 'YYYY-MM-DD') as end_date
  from (select first, first + interval '1 month' - interval '1 day' as last from generate_series(
    date_trunc('month', ${clock.today()}::timestamp) - ${MONTHS_SHOWN - 1} * interval '1 month',
    date_trunc('month', ${clock.today()}::timestamp), interval '1 month') g (first)) g)`
