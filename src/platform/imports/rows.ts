import { and, asc, count, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../../db/client'
import { uploadRows } from '../../../db/schema'
import type { RowOutcome } from '../../../db/vocabulary'
import type { Page } from '../http/answers'
import { isCalendarDate } from '../reading/dates'
import { GRID_ROWS } from './cell-names'
import type { GridRow } from './grid'
import { fieldsOf, importKind } from './kinds'
import { joinCells, partsOf } from './parse/joined-columns'
import { findUpload, loadStagedNames, type Upload } from './queries'
import { rowFilters } from './rules'

/**
 * A spreadsheet row in the preview of an import. `values` maps each field to its value, or to the original cell if the
 * row failed.
 */
export type PreviewRow = {
  row: number
  outcome: RowOutcome
  values: Record<string, string | null>
  notes: string[]
  message: string | null
}

/** @throws Missing when the upload does not exist */
export const listRows = async (db: Db, id: number, query: z.output<typeof rowFilters>): Promise<Page<PreviewRow>> =>
  loadRows(db, await findUpload(db, id), query, { newName: (name) => `${name} (new)`, usesCodes: false })

/**
 * `newName` formats the names of locations and companies that the import would create. If `usesCodes` is true,
 * locations are given as codes, because the name of one location can be the code of another.
 */
async function loadRows(
  db: Db,
  { id, data_type, found, new_names }: Upload,
  query: z.output<typeof rowFilters>,
  { newName, usesCodes }: { newName: (name: string) => string; usesCodes: boolean },
): Promise<Page<PreviewRow>> {
  const where = and(eq(uploadRows.upload_id, id), query.outcome ? eq(uploadRows.outcome, query.outcome) : undefined)
  const [staged, total] = await Promise.all([
    db
      // Select the cells as JSON, because the server's database driver reads a null array element as the text `NULL`.
      .select({ ...getTableColumns(uploadRows), cells: sql<(string | null)[]>`to_jsonb(${uploadRows.cells})` })
      .from(uploadRows)
      .where(where)
      .orderBy((query.order === 'asc' ? asc : desc)(uploadRows.row))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db.$count(uploadRows, where),
  ])
  const names = await loadStagedNames(
    db,
    data_type,
    staged,
    new_names.map(({ name }) => newName(name)),
    usesCodes,
  )
  const order = fieldsOf(data_type)
  const inFile = found?.fields ?? []
  const valuesOf = ({ outcome, cells }: (typeof staged)[number]) => {
    if (outcome === 'error')
      return Object.fromEntries(inFile.flatMap((field, at) => (field ? [[field, cells[at] || null]] : [])))
    return Object.fromEntries(order.map((field, at) => [field, names(field, cells[at] ?? null)]))
  }
  return {
    rows: staged.map((one) => ({
      row: one.row,
      outcome: one.outcome,
      values: valuesOf(one),
      notes: one.notes ?? [],
      message: one.message,
    })),
    total,
  }
}

export async function countRows(db: Db, id: number): Promise<Record<RowOutcome, number>> {
  const outcomeCounts = await db
    .select({ outcome: uploadRows.outcome, n: count() })
    .from(uploadRows)
    .where(eq(uploadRows.upload_id, id))
    .groupBy(uploadRows.outcome)
  return {
    create: 0,
    update: 0,
    duplicate: 0,
    error: 0,
    ...Object.fromEntries(outcomeCounts.map(({ outcome, n }) => [outcome, n])),
  }
}

const NO_RECORD = /^(?:This row repeats the headings|This row is not a record: |This row is a total)/

/**
 * Loads the failed rows of an import after row number `after`. The cells of each row are listed by field. They include
 * defaults, and empty cells for required fields without a column. `isLeftOut` is true for lines that are not records,
 * such as totals.
 */
export async function listFailedRows(db: Db, upload: Upload, after: number, limit: number): Promise<GridRow[]> {
  const failed = await rows<FailedRow>(
    db,
    sql`select row, to_jsonb(cells) as cells, message from ${uploadRows}
      where upload_id = ${upload.id} and outcome = 'error' and row > ${after} order by row limit ${limit}`,
  )
  const { fields = [], header = [] } = upload.found ?? {}
  const sheet = { fields, header, dataType: upload.data_type }
  const { columns } = importKind(upload.data_type)
  const parts = [...new Set(fields)].flatMap((name) => (name ? [{ name, at: partsOf(sheet, name) }] : []))
  const missing = columns.filter((column) => column.isRequired)
  const dates = new Set(columns.flatMap(({ name, kind }) => (kind === 'date' ? [name] : [])))
  const shown = (field: string, cell: string) => (dates.has(field) ? unambiguousDate(cell) : cell)
  return failed.map(({ row, cells, message }) => ({
    row,
    message,
    isLeftOut: NO_RECORD.test(message ?? ''),
    cells: {
      ...Object.fromEntries(missing.map(({ name }) => [name, ''])),
      ...upload.defaults,
      ...Object.fromEntries(
        parts.map(({ name, at }) => [name, shown(name, joinCells(cells, at)) || (upload.defaults[name] ?? '')]),
      ),
    } as Record<string, string>,
  }))
}

/**
 * Loads all rows of a previewed import, as `listFailedRows` does. Valid rows contain the values that the import would
 * write. Columns that are not in the file are left out if no row has a value for them.
 */
export async function listRowsToFix(db: Db, upload: Upload): Promise<GridRow[]> {
  const [failed, { rows: all }] = await Promise.all([
    listFailedRows(db, upload, 0, GRID_ROWS),
    loadRows(db, upload, rowFilters.parse({ per_page: GRID_ROWS }), { newName: (name) => name, usesCodes: true }),
  ])
  const kindOf = new Map(importKind(upload.data_type).columns.map(({ name, kind }) => [name, kind]))
  const shown = (field: string, value: string | null) => {
    const kind = kindOf.get(field)
    if (kind === 'flag') return value === 'true' ? 'Yes' : value === 'false' ? 'No' : ''
    return kind === 'date' ? unambiguousDate(value ?? '') : (value ?? '')
  }
  const valid: GridRow[] = all
    .filter(({ outcome }) => outcome !== 'error')
    .map(({ row, values }) => ({
      row,
      cells: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, shown(field, value)])),
    }))
  const rows = [...failed, ...valid].sort((a, b) => a.row - b.row)
  const inFile = failed[0] ? Object.keys(failed[0].cells) : (upload.found?.fields ?? [])
  const fields = fieldsOf(upload.data_type).filter(
    (field) => inFile.includes(field) || rows.some(({ cells }) => cells[field]),
  )
  return rows.map((row) => ({
    ...row,
    cells: Object.fromEntries(fields.map((field) => [field, row.cells[field] ?? ''])),
  }))
}

const MONTHS = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * Formats a date without ambiguity: `2026-11-03` becomes `Nov 3, 2026`. Users correct the file of failed rows and
 * import it again, and that import could read `11/3/2026` as March 11. Text that is not a date stays unchanged.
 */
const unambiguousDate = (text: string) => (isCalendarDate(text) ? MONTHS.format(new Date(text)) : text)

type FailedRow = { row: number; cells: string[]; message: string | null }

/** Number of failed rows that are loaded at a time. A row can have 24,000 characters. */
const FAILED_AT_ONCE = 200

export async function* pagesOfFailedRows(db: Db, id: number): AsyncGenerator<FailedRow[]> {
  for (let after = 0; ; ) {
    const some = await rows<FailedRow>(
      db,
      sql`select row, cells, message from ${uploadRows} where upload_id = ${id} and outcome = 'error'
        and row > ${after} order by row limit ${FAILED_AT_ONCE}`,
    )
    const last = some.at(-1)
    if (!last) return
    yield some
    after = last.row
  }
}
