import { type SQL, sql } from 'drizzle-orm'
import type { PresetPeriod } from './calendar'
import type { Report, ReportColumn } from './types'

/** What a report is asked for; both days count. */
export type Asked = {
  start_date: string
  end_date: string
  location_id: number | null
  today: string
  timeZone: string
}

export type Definition = {
  label: string
  /** What each figure counts, in plain words. */
  about: string
  columns: ReportColumn[]
  chart: Report['chart']
  /** The period that its question usually means. */
  usual: PresetPeriod
  /** Tells how things stand today, whatever the period. */
  isOfToday?: boolean
  /**
   * One line for each record that counts: its `kind`, `record_id`, `unit_number` and `day`, and under the name of each
   * column what it adds to it. The figures are computed from these lines, and a figure's drill-down shows them.
   */
  records: (asked: Asked) => SQL
  /** The same added up already, where something keeps it; null where nothing does. A drill-down shows the records. */
  sums?: (asked: Asked) => SQL | null
  /** The columns in which the lines of one row agree; without any, each line is a row of its own. */
  groups?: string[]
  order: SQL
  /** Figures that are neither the sum nor the average of what the lines add. */
  computed?: Record<string, SQL>
}

export const text = (key: string, label: string): ReportColumn => ({ key, label, kind: 'text' })
export const date = (key: string, label: string): ReportColumn => ({ key, label, kind: 'date' })
export const count = (key: string, label: string): ReportColumn => ({ key, label, kind: 'count', sum: true })
export const money = (key: string, label: string): ReportColumn => ({ key, label, kind: 'money', sum: true })
export const rate = (key: string, label: string): ReportColumn => ({ key, label, kind: 'money' })
export const days = (key: string, label: string): ReportColumn => ({ key, label, kind: 'decimal' })
export const percent = (key: string, label: string): ReportColumn => ({ key, label, kind: 'percent' })

export const within = (column: SQL, { start_date, end_date }: Asked) =>
  sql`${column} between ${start_date}::date and ${end_date}::date`
export const at = (column: SQL, { location_id }: Asked) =>
  sql`(${location_id}::int is null or ${column} = ${location_id}::int)`
export const month = (column: SQL) => sql`to_char(${column}, 'YYYY-MM')`

/** Who a line is about, in the words that every report's lines share. */
export const record = (kind: string, table: string, day: SQL) => {
  const row = sql.identifier(table)
  return sql`${sql.raw(`'${kind}'`)} as kind, ${row}.id as record_id, ${row}.unit_number, ${day} as day`
}

/** The columns whose values tell the lines of one row from those of the others. */
export const keysOf = ({ groups }: Definition) =>
  groups?.includes('location_id') ? ['location_id'] : (groups ?? ['kind', 'record_id'])

/** How the lines of a row become its figure. */
function figure({ key, kind, sum }: ReportColumn): SQL {
  const added = sql`r.${sql.identifier(key)}`
  if (kind === 'count') return sql`coalesce(sum(${added}), 0)::int`
  return sum ? sql`coalesce(sum(${added}), 0)` : sql`round(avg(${added}), 1)`
}

/** The rows of a report. */
export function reportSql({ columns, records, sums, groups, order, computed = {} }: Definition, asked: Asked): SQL {
  if (!groups) return sql`select r.* from (${records(asked)}) r order by ${order}`
  const keys = sql.join(
    groups.map((key) => sql`r.${sql.identifier(key)}`),
    sql`, `,
  )
  const figures = columns
    .filter(({ key }) => !groups.includes(key))
    .map((column) => sql`${computed[column.key] ?? figure(column)} as ${sql.identifier(column.key)}`)
  return sql`select ${sql.join([keys, ...figures], sql`, `)} from (${sums?.(asked) ?? records(asked)}) r group by ${keys} order by ${order}`
}
