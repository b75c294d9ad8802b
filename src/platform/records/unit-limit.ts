import { type SQL, sql } from 'drizzle-orm'

/**
 * Maximum number of records of one kind that a unit can have. A unit that moves once a day reaches it after 13 years.
 * Lists and changes that read all records of a unit take about a second with this number.
 */
export const RECORDS_PER_UNIT = 5000

export const TOO_MANY_RECORDS = `can have at most ${RECORDS_PER_UNIT.toLocaleString('en-US')} records of this kind`

/** SQL for the number of records of a unit, counted up to the limit. */
export const countUpToLimit = (table: SQL, unit: SQL): SQL<number> =>
  sql`(select count(*) from (select 1 from ${table} stored where stored.unit_number = ${unit}
    limit ${sql.raw(String(RECORDS_PER_UNIT))}) counted)::int`
