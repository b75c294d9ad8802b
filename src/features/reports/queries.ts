import { type SQL, sql } from 'drizzle-orm'
import { type Db, type Row, rows } from '../../../db/client'
import { Refused } from '../../platform/refusals'
import { periodBefore } from './calendar'
import { type Definition, keysOf, type ReportParameters, reportSql } from './define'
import { definitionFor } from './definitions'
import type { Report, ReportColumn, ReportRow, ReportType, ReportValue } from './types'

const NUMERIC = new Set(['count', 'money', 'decimal', 'percent'])

/**
 * Converts a database value for JSON. Postgres returns exact decimals as text, and this function converts them to
 * numbers.
 */
const asNumberOrText = ({ kind }: ReportColumn, value: unknown): ReportValue =>
  value === null || value === undefined ? null : NUMERIC.has(kind) ? Number(value) : String(value)

const summedOf = ({ columns }: Definition) => columns.filter((column) => column.sum)
const nameOfSum = (key: string) => `sum of ${key}`

const totalsOf = (definition: Definition, [row = {}]: Row[]): Record<string, number> =>
  Object.fromEntries(summedOf(definition).map(({ key }) => [key, Number(row[nameOfSum(key)] ?? 0)]))

/** Adds the totals of the report to each row. One query then returns both. Postgres computes the totals exactly. */
function withTotals(definition: Definition, params: ReportParameters): SQL {
  const sums = summedOf(definition).map(
    ({ key }) => sql`, sum(${sql.identifier(key)}) over () as ${sql.identifier(nameOfSum(key))}`,
  )
  return sql`select report.*${sql.join(sums)} from (${reportSql(definition, params)}) report`
}

/** Returns the period before, or null if its report would have too many months of storage. */
async function comparedPeriod(db: Db, type: ReportType, params: ReportParameters) {
  const before = periodBefore(params)
  if (!before) return null
  return definitionFor(db, type, { ...params, ...before }).then(
    () => before,
    (error) => {
      if (error instanceof Refused) return null
      throw error
    },
  )
}

export async function runReport(db: Db, type: ReportType, params: ReportParameters): Promise<Report> {
  const definition = await definitionFor(db, type, params)
  const { columns, chart, isOfToday } = definition
  const before = isOfToday ? null : await comparedPeriod(db, type, params)
  const [reportRows, earlier] = await Promise.all([
    rows(db, withTotals(definition, params)),
    before && rows(db, sql`${withTotals(definition, { ...params, ...before })} limit 1`),
  ])
  return {
    columns,
    rows: reportRows.map(
      (row): ReportRow =>
        Object.fromEntries(columns.map((column) => [column.key, asNumberOrText(column, row[column.key])])),
    ),
    behind: reportRows.map((row) => Object.fromEntries(keysOf(definition).map((key) => [key, String(row[key])]))),
    totals: totalsOf(definition, reportRows),
    previous: before && earlier && { ...before, totals: totalsOf(definition, earlier) },
    chart,
  }
}
