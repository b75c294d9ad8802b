import { type SQL, sql } from 'drizzle-orm'
import type { PresetPeriod } from './calendar'
import type { Report, ReportColumn } from './types'

/** Parameters of a report. The period includes both dates. */
export type ReportParameters = {
  start_date: string
  end_date: string
  location_id: number | null
  today: string
  timeZone: string
}

export type Definition = {
  label: string
  about: string
  columns: ReportColumn[]
  chart: Report['chart']
  /** Default period of the report. */
  usual: PresetPeriod
  /** True if the report shows the current state and ignores the period. */
  isOfToday?: boolean
  /**
   * Query for the records behind the report, one row per record. The report's figures are computed from these rows,
   * and a click on a figure lists them. Each row has `kind`, `record_id`, `unit_number`, `day` and a value for each
   * figure.
   */
  records: (params: ReportParameters) => SQL
  /**
   * Faster query for the figures, from stored totals instead of `records`.
   * Returns null if no totals are stored for these parameters. A click on a figure still lists rows of `records`.
   */
  sums?: (params: ReportParameters) => SQL | null
  /** Columns by which records are grouped into rows of the report. Without groups, each record is a row. */
  groups?: string[]
  order: SQL
  /** SQL expressions by column. They compute figures that are neither a sum nor an average of record values. */
  computed?: Record<string, SQL>
}

export const text = (key: string, label: string): ReportColumn => ({ key, label, kind: 'text' })
export const date = (key: string, label: string): ReportColumn => ({ key, label, kind: 'date' })
export const count = (key: string, label: string): ReportColumn => ({ key, label, kind: 'count', sum: true })
export const money = (key: string, label: string): ReportColumn => ({ key, label, kind: 'money', sum: true })
export const rate = (key: string, label: string): ReportColumn => ({ key, label, kind: 'money' })
export const days = (key: string, label: string): ReportColumn => ({ key, label, kind: 'decimal' })
export const percent = (key: string, label: string): ReportColumn => ({ key, label, kind: 'percent' })

export const within = (column: SQL, { start_date, end_date }: ReportParameters) =>
  sql`${column} between ${start_date}::date and ${end_date}::date`
export const at = (column: SQL, { location_id }: ReportParameters) =>
  sql`(${location_id}::int is null or ${column} = ${location_id}::int)`
export const month = (column: SQL) => sql`to_char(${column}, 'YYYY-MM')`

/**
 * SQL for the columns that identify a record behind a report figure. All reports use it, so that their records have the
 * same columns.
 */
export const record = (kind: string, table: string, day: SQL) => {
  const row = sql.identifier(table)
  return sql`${sql.raw(`'${kind}'`)} as kind, ${row}.id as record_id, ${row}.unit_number, ${day} as day`
}

/** Columns that identify the report row to which a record belongs. */
export const keysOf = ({ groups }: Definition) =>
  groups?.includes('location_id') ? ['location_id'] : (groups ?? ['kind', 'record_id'])

function figure({ key, kind, sum }: ReportColumn): SQL {
  const added = sql`r.${sql.identifier(key)}`
  if (kind === 'count') return sql`coalesce(sum(${added}), 0)::int`
  return sum ? sql`coalesce(sum(${added}), 0)` : sql`round(avg(${added}), 1)`
}

export function reportSql(
  { columns, records, sums, groups, order, computed = {} }: Definition,
  params: ReportParameters,
): SQL {
  if (!groups) return sql`select r.* from (${records(params)}) r order by ${order}`
  const keys = sql.join(
    groups.map((key) => sql`r.${sql.identifier(key)}`),
    sql`, `,
  )
  const figures = columns
    .filter(({ key }) => !groups.includes(key))
    .map((column) => sql`${computed[column.key] ?? figure(column)} as ${sql.identifier(column.key)}`)
  return sql`select ${sql.join([keys, ...figures], sql`, `)} from (${sums?.(params) ?? records(params)}) r
    group by ${keys} order by ${order}`
}
