import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { periodBefore } from './calendar'
import { type Asked, type Definition, keysOf, reportSql } from './define'
import { definitionFor } from './definitions'
import type { Report, ReportColumn, ReportRow, ReportType, ReportValue } from './types'

const NUMERIC = new Set(['count', 'money', 'decimal', 'percent'])

/** Postgres sends exact decimals as text; they leave as JSON numbers. */
const asNumberOrText = ({ kind }: ReportColumn, value: unknown): ReportValue =>
  value === null || value === undefined ? null : NUMERIC.has(kind) ? Number(value) : String(value)

/** The sums of a report's columns, added up by Postgres over the very rows that the report has. */
async function totalsOf(db: Db, definition: Definition, asked: Asked): Promise<Record<string, number>> {
  const summed = definition.columns.filter((column) => column.sum)
  const sums = sql.join(
    [
      sql`count(*)::int as rows`,
      ...summed.map(({ key }) => sql`coalesce(sum(${sql.identifier(key)}), 0) as ${sql.identifier(key)}`),
    ],
    sql`, `,
  )
  const [totals = {}] = await rows(db, sql`select ${sums} from (${reportSql(definition, asked)}) report`)
  return Object.fromEntries(summed.map(({ key }) => [key, Number(totals[key] ?? 0)]))
}

/** Runs a report, and its totals for the period before too. */
export async function runReport(db: Db, type: ReportType, asked: Asked): Promise<Report> {
  const definition = await definitionFor(db, type, asked)
  const { columns, chart, isOfToday } = definition
  const before = isOfToday ? null : periodBefore(asked)
  const [found, totals, earlier] = await Promise.all([
    rows(db, reportSql(definition, asked)),
    totalsOf(db, definition, asked),
    before && totalsOf(db, definition, { ...asked, ...before }),
  ])
  return {
    columns,
    rows: found.map(
      (row): ReportRow =>
        Object.fromEntries(columns.map((column) => [column.key, asNumberOrText(column, row[column.key])])),
    ),
    behind: found.map((row) => Object.fromEntries(keysOf(definition).map((key) => [key, String(row[key])]))),
    totals,
    previous: before && earlier && { ...before, totals: earlier },
    chart,
  }
}
