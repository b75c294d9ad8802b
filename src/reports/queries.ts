import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { type Asked, REPORTS } from './definitions'
import type { Report, ReportColumn, ReportRow, ReportType, ReportValue } from './types'

const NUMERIC = new Set(['count', 'money', 'decimal', 'percent'])

/** Postgres sends exact decimals as text; they leave as JSON numbers. */
const asNumberOrText = ({ kind }: ReportColumn, value: unknown): ReportValue =>
  value === null || value === undefined ? null : NUMERIC.has(kind) ? Number(value) : String(value)

/** Runs a report. The totals are summed by Postgres over the very same rows. */
export async function runReport(db: Db, type: ReportType, asked: Asked): Promise<Report> {
  const { columns, chart, query } = REPORTS[type]
  const summed = columns.filter((column) => column.sum)
  const sums = sql.join(
    [sql`count(*)::int as rows`, ...summed.map(({ key }) => sql`coalesce(sum(${sql.identifier(key)}), 0) as ${sql.identifier(key)}`)],
    sql`, `,
  )
  const [found, [totals = {}]] = await Promise.all([rows(db, query(asked)), rows(db, sql`select ${sums} from (${query(asked)}) report`)])
  return {
    columns,
    rows: found.map((row): ReportRow => Object.fromEntries(columns.map((column) => [column.key, asNumberOrText(column, row[column.key])]))),
    totals: Object.fromEntries(summed.map(({ key }) => [key, Number(totals[key] ?? 0)])),
    chart,
  }
}
