import { and, asc, desc, eq, ilike, inArray, notInArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../../db/client'
import { locations, transportCompanies, uploads } from '../../../db/schema'
import type { DataType, RowOutcome, UploadStatus } from '../../../db/vocabulary'
import type { Page } from '../http/answers'
import { listing } from '../records/listing'
import { loadNames, type RecordNames } from '../records/master-data/names'
import { containing } from '../records/search'
import { Missing } from '../refusals'
import { columnOf, importKind } from './kinds'
import { placeholderId } from './remembered-names'
import { listMessages } from './row-messages'
import type { historyFilters } from './rules'

const summary = {
  id: uploads.id,
  data_type: uploads.data_type,
  file_name: uploads.file_name,
  file_size: uploads.file_size,
  status: uploads.status,
  existing: uploads.existing,
  mends: uploads.mends,
  row_count: uploads.row_count,
  /** Progress of the current work, in thousandths. The status names this work, for example `reading` or `writing`. */
  progress: uploads.progress,
  imported: uploads.imported,
  updated: uploads.updated,
  failed: uploads.failed,
  duplicates: uploads.duplicates,
  message: uploads.message,
  undone_at: uploads.undone_at,
  undone_by: uploads.undone_by,
  created_at: uploads.created_at,
  created_by: uploads.created_by,
}

export type UploadSummary = Awaited<ReturnType<typeof selectOpenImports>>[number]

const SORTS = {
  created_at: uploads.created_at,
  file_name: uploads.file_name,
  imported: uploads.imported,
  failed: uploads.failed,
}

const PAST: UploadStatus[] = ['done', 'undone', 'cancelled']

export async function listUploads(db: Db, query: z.output<typeof historyFilters>): Promise<Page<UploadSummary>> {
  const where = and(
    inArray(uploads.status, PAST),
    query.data_type ? eq(uploads.data_type, query.data_type) : undefined,
    query.q ? ilike(uploads.file_name, containing(query.q)) : undefined,
  )
  const direction = query.order === 'asc' ? asc : desc
  const order = [direction(SORTS[query.sort]), direction(uploads.id)]
  return listing<UploadSummary>(db, {
    select: () => db.select(summary).from(uploads).$dynamic(),
    from: { of: summary },
    table: uploads,
    where,
    order,
    query,
  }).page()
}

/** Maximum number of unfinished imports on a page, and in a response to a query without `page`. */
export const OPEN_IMPORTS = 100

/** Selects unfinished imports. Those of the reader come first, so that other users' imports cannot hide them. */
export const selectOpenImports = (db: Db, reader: string) =>
  db
    .select(summary)
    .from(uploads)
    .where(inArray(uploads.status, ['reading', 'checking', 'ready', 'refused', 'writing', 'undoing']))
    .orderBy(desc(sql`${uploads.created_by} = ${reader}`), desc(uploads.id))

export async function dataTypeOf(db: Db, id: number): Promise<DataType | undefined> {
  const [upload] = await db.select({ data_type: uploads.data_type }).from(uploads).where(eq(uploads.id, id))
  return upload?.data_type
}

/**
 * Loads an upload and the findings about its file. The errors of single rows are not included.
 * @throws Missing when the upload does not exist
 */
export async function findUpload(db: Db, id: number) {
  const [upload] = await db
    .select({
      ...summary,
      found: uploads.found,
      date_orders: uploads.date_orders,
      defaults: uploads.defaults,
      skip_hidden: uploads.skip_hidden,
      skip_conflicts: sql<boolean>`coalesce(${uploads.skip_conflicts}, false)`,
      extend_short: uploads.extend_short,
      new_names: uploads.new_names,
      undo: uploads.undo,
      validation_errors: uploads.validation_errors,
    })
    .from(uploads)
    .where(eq(uploads.id, id))
  if (!upload) throw new Missing('Upload')
  return upload
}

export type Decisions = {
  hasChosenColumns: boolean
  /** True if the user has decided whether to skip probable mistakes. */
  hasDecidedConflicts: boolean
}

export async function decisionsOn(db: Db, id: number): Promise<Decisions> {
  const [decided] = await db
    .select({
      hasChosenColumns: sql<boolean>`${uploads.fields} is not null`,
      hasDecidedConflicts: sql<boolean>`${uploads.skip_conflicts} is not null`,
    })
    .from(uploads)
    .where(eq(uploads.id, id))
  return decided ?? { hasChosenColumns: false, hasDecidedConflicts: false }
}

export type Upload = Awaited<ReturnType<typeof findUpload>>

const FIXES_LIMIT = 20
/**
 * Maximum number of skipped rows in a response. The number is limited, because all rows can be skipped as duplicates if
 * a file is uploaded twice.
 */
const SKIPPED_LIMIT = 500
/**
 * Maximum number of failed rows in a response about an import. The route for the rows of an import returns all of them.
 */
export const ERRORS_LIMIT = 10_000

/**
 * Lists the imports that correct failed rows of import `id`, oldest first. Undone, cancelled and refused imports are
 * left out. For each listed import, `imported` and `updated` are its numbers of created and updated records.
 */
export const listFixes = (db: Db, id: number) =>
  db
    .select({
      id: uploads.id,
      file_name: uploads.file_name,
      status: uploads.status,
      row_count: uploads.row_count,
      imported: uploads.imported,
      updated: uploads.updated,
    })
    .from(uploads)
    .where(and(eq(uploads.mends, id), notInArray(uploads.status, ['undone', 'cancelled', 'refused'])))
    .orderBy(asc(uploads.id))
    .limit(FIXES_LIMIT)

/**
 * Lists the workbook's sheets that the owner has imported or is importing. Uploads of the same owner with the same
 * name, size and data type count as the same workbook.
 */
export async function listReadSheets(
  db: Db,
  { file_name, file_size, data_type, created_by }: UploadSummary,
): Promise<string[]> {
  const found = await db
    .selectDistinct({ sheet: sql<string | null>`${uploads.found} ->> 'sheet'` })
    .from(uploads)
    .where(
      and(
        eq(uploads.file_name, file_name),
        eq(uploads.file_size, file_size),
        eq(uploads.data_type, data_type),
        eq(uploads.created_by, created_by ?? ''),
        notInArray(uploads.status, ['undone', 'cancelled', 'refused']),
      ),
    )
  return found.flatMap(({ sheet }) => sheet ?? [])
}

/** @throws Missing when the upload does not exist */
export async function findUploadWithErrors(db: Db, id: number) {
  const { undo, ...found } = await findUpload(db, id)
  const undone = undo && { removed: undo.removed, restored: undo.restored, kept: undo.kept }
  const [errors, skipped, mended_by] = await Promise.all([
    listMessages(db, id, 'error', ERRORS_LIMIT),
    listMessages(db, id, 'duplicate', SKIPPED_LIMIT),
    listFixes(db, id),
  ])
  return { ...found, undo: undone, errors, skipped, mended_by }
}

/** @throws Missing when the upload does not exist */
export async function findOriginal(db: Db, id: number) {
  const [upload] = await db
    .select({ stored_as: uploads.stored_as, file_name: uploads.file_name })
    .from(uploads)
    .where(eq(uploads.id, id))
  if (!upload) throw new Missing('Upload')
  return upload
}

export async function loadStagedNames(
  db: Db,
  dataType: DataType,
  staged: { outcome: RowOutcome; cells: (string | null)[] }[],
  created: string[],
  usesCodes: boolean,
) {
  const { columns } = importKind(dataType)
  const idsOf = (nameKind: keyof RecordNames) => {
    const places = columns.flatMap(({ kind }, at) => (kind === nameKind ? [at] : []))
    return staged
      .filter(({ outcome }) => outcome !== 'error')
      .flatMap(({ cells }) => places.map((at) => Number(cells[at])))
  }
  const { location_code, location_name } = locations
  const [location, company] = await Promise.all([
    loadNames(db, locations, usesCodes ? location_code : location_name, idsOf('location')),
    loadNames(db, transportCompanies, transportCompanies.company_name, idsOf('company')),
  ])
  const names = { location, company }
  const newNames = new Map(created.map((name, at) => [String(placeholderId(at)), name]))
  return (field: string, value: string | null) => {
    const kind = columnOf(dataType, field)?.kind
    return value !== null && (kind === 'location' || kind === 'company')
      ? (newNames.get(value) ?? names[kind].get(Number(value)) ?? value)
      : value
  }
}

export type UploadStats = {
  data_type: DataType
  uploads: number
  imported: number
  failed: number
  duplicates: number
  last_upload: string
}

export const uploadStats = (db: Db): Promise<UploadStats[]> =>
  rows<UploadStats>(
    db,
    sql`select data_type, count(*)::int as uploads, sum(imported)::int as imported, sum(failed)::int as failed,
      sum(duplicates)::int as duplicates,
      to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_upload
      from ${uploads} where status = 'done' group by data_type order by data_type`,
  )
