import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { optionalText } from '../../platform/fields'
import type { Page } from '../../platform/http/answers'
import { kinds } from '../../platform/kinds'
import { nameOf } from '../../platform/records/kind'
import { Refused } from '../../platform/refusals'
import { keysOf, type ReportParameters } from './define'
import { definitionFor } from './definitions'
import { recordsQuery } from './rules'
import type { ReportColumn, ReportRow, ReportType } from './types'

export type RecordRow = {
  id: number
  kind: string
  record_id: number
  unit_number: string
  day: string | null
  about: string | null
} & ReportRow

export type ReportRecords = Page<RecordRow> & {
  /** Values that identify the report row whose records were requested. Empty for the records of the whole report. */
  row: string[]
  columns: ReportColumn[]
  totals: Record<string, number>
}

const isFigure = ({ kind }: ReportColumn) => kind !== 'text' && kind !== 'date'

const aboutRecords = () =>
  sql`case p.kind ${sql.join(
    kinds('records').flatMap((kind) =>
      kind.about ? [sql`when ${nameOf(kind)}::text then ${kind.about(sql`p.record_id`)}`] : [],
    ),
    sql` `,
  )} end`

/** @throws Refused with an error for each unknown parameter */
export async function checkParameters(db: Db, type: ReportType, params: ReportParameters, query: object) {
  const parameterNames = [...Object.keys(recordsQuery.shape), ...keysOf(await definitionFor(db, type, params))]
  const errors = Object.keys(query)
    .filter((field) => !parameterNames.includes(field))
    .map((field) => ({ field, message: 'There is no such parameter' }))
  if (errors.length > 0) throw new Refused(errors)
}

/**
 * Loads a page of the records behind a report. These are the records from which the report, one of its rows or one of
 * its figures is computed. The totals of the records equal the totals of the report or row.
 * @param query the page, the column of the figure, and the column values that identify the row (see `Report.behind`)
 * @throws Refused when the report has no such figure, or a value of the row is invalid
 */
export async function listReportRecords(
  db: Db,
  type: ReportType,
  params: ReportParameters,
  query: Record<string, unknown> & { page: number; per_page: number; figure: string | null },
): Promise<ReportRecords> {
  const definition = await definitionFor(db, type, params)
  const figures = definition.columns.filter(isFigure)
  const figure = figures.find(({ key }) => key === query.figure)
  if (query.figure && !figure)
    throw Refused.field('figure', `Must be one of: ${figures.map(({ key }) => key).join(', ')}`)

  // Add no condition for `location_id`, because the query for the records already filters by location.
  const queryKeys = keysOf(definition).filter((key) => key !== 'location_id' && query[key] !== undefined)
  const keys = queryKeys.map((key): [string, string] => {
    // The query parser splits values at commas. Join the parts to restore values that contain a comma.
    const value = optionalText(200).safeParse([query[key]].flat().join(','))
    if (!value.success) throw Refused.field(key, 'Unknown row')
    return [key, value.data ?? '']
  })
  const conditions = keys.map(([key, value]): SQL => sql`r.${sql.identifier(key)}::text = ${value}`)
  // Leave out records that do not affect the figure. Zeros and nulls do not affect a sum. Nulls do not affect an
  // average.
  if (figure)
    conditions.push(
      figure.sum
        ? sql`coalesce(r.${sql.identifier(figure.key)}, 0) <> 0`
        : sql`r.${sql.identifier(figure.key)} is not null`,
    )
  const where = conditions.length ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const lines = sql`select * from (${definition.records(params)}) r ${where}`

  const summedFigures = figures.filter(({ sum }) => sum)
  const sums = [
    sql`count(*)::int as total`,
    ...summedFigures.map(({ key }) => sql`coalesce(sum(b.${sql.identifier(key)}), 0) as ${sql.identifier(key)}`),
  ]
  const columns = sql.join(
    figures.map(({ key }) => sql`p.${sql.identifier(key)}`),
    sql`, `,
  )
  const [recordRows, [totals = {}]] = await Promise.all([
    rows(
      db,
      sql`select p.kind, p.record_id, p.unit_number, to_char(p.day, 'YYYY-MM-DD') as day, ${aboutRecords()} as about,
        ${columns} from (
          ${lines} order by r.day, r.kind, r.record_id, r
          limit ${query.per_page} offset ${(query.page - 1) * query.per_page}) p
        order by p.day, p.kind, p.record_id, p`,
    ),
    rows(db, sql`select ${sql.join(sums, sql`, `)} from (${lines}) b`),
  ])
  const asNumbers = (row: Record<string, unknown>) =>
    figures.map(({ key }) => [key, row[key] === null ? null : Number(row[key])])
  return {
    columns: figures,
    rows: recordRows.map(
      (row, at) =>
        ({
          ...row,
          ...Object.fromEntries(asNumbers(row)),
          id: (query.page - 1) * query.per_page + at + 1,
        }) as RecordRow,
    ),
    row: definition.groups ? keys.map(([, value]) => value) : [],
    total: Number(totals.total),
    totals: Object.fromEntries(summedFigures.map(({ key }) => [key, Number(totals[key])])),
  }
}
