import { asc, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, rows } from '../../db/client'
import { locations, transportCompanies, uploads } from '../../db/schema'
import type { DataType } from '../../db/vocabulary'
import type { Actor } from '../audit/actor'
import type { Page } from '../http/answers'
import { Missing } from '../refusals'
import { importRows } from './import-rows'
import type { Judged } from './judge'
import type { Names } from './row-rules'
import { type historyFilters, resultMessage, type UploadResult } from './rules'

/** Every name and code that a row may use, in lower case. */
export async function importNames(db: Db): Promise<Names> {
  const [places, companies] = await Promise.all([
    db.select({ id: locations.id, code: locations.location_code, name: locations.location_name }).from(locations),
    db.select({ id: transportCompanies.id, name: transportCompanies.company_name }).from(transportCompanies),
  ])
  const byName: Names['locations'] = {}
  for (const { id, name } of places) {
    const key = name.trim().toLowerCase()
    byName[key] = Object.hasOwn(byName, key) ? null : id
  }
  // A code is unique, so it wins over a name that reads the same.
  for (const { id, code } of places) byName[code.trim().toLowerCase()] = id
  return { locations: byName, companies: Object.fromEntries(companies.map(({ id, name }) => [name.trim().toLowerCase(), id])) }
}

export type Original = { file_name: string; file_size: number; stored_as: string | null }
export type Upload = UploadResult & { id: number; message: string }

/** Writes a judged file's rows and its entry in the history, in one transaction. */
export async function importFile(db: Db, actor: Actor, dataType: DataType, judged: Judged, original: Original, today: string): Promise<Upload> {
  return db.transaction(async (tx) => {
    const { imported, duplicates } = await importRows(tx, { ...actor, source: 'import' }, dataType, judged.accepted, today)
    const result = { imported, duplicates, failed: judged.errors.length, errors: judged.errors, validation_errors: judged.warnings }
    const message = resultMessage(result)
    const [saved] = await tx
      .insert(uploads)
      .values({ data_type: dataType, ...original, ...result, message, created_at: actor.now, created_by: actor.username })
      .returning({ id: uploads.id })
    return { ...result, message, id: saved!.id }
  })
}

const summary = {
  id: uploads.id,
  data_type: uploads.data_type,
  file_name: uploads.file_name,
  file_size: uploads.file_size,
  imported: uploads.imported,
  failed: uploads.failed,
  duplicates: uploads.duplicates,
  message: uploads.message,
  created_at: uploads.created_at,
  created_by: uploads.created_by,
}

const SORTS = { created_at: uploads.created_at, file_name: uploads.file_name, imported: uploads.imported, failed: uploads.failed }

/** The history, without each file's errors. */
export async function listUploads(
  db: Db,
  query: z.output<typeof historyFilters>,
): Promise<Page<Omit<typeof uploads.$inferSelect, 'errors' | 'validation_errors' | 'stored_as'>>> {
  const where = query.data_type ? eq(uploads.data_type, query.data_type) : undefined
  const direction = query.order === 'asc' ? asc : desc
  const [found, total] = await Promise.all([
    db
      .select(summary)
      .from(uploads)
      .where(where)
      .orderBy(direction(SORTS[query.sort]), direction(uploads.id))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db.$count(uploads, where),
  ])
  return { rows: found, total }
}

/** One upload with its errors. */
export async function findUpload(db: Db, id: number) {
  const [found] = await db
    .select({ ...summary, errors: uploads.errors, validation_errors: uploads.validation_errors })
    .from(uploads)
    .where(eq(uploads.id, id))
  if (!found) throw new Missing('Upload')
  return found
}

export type UploadStats = { data_type: DataType; uploads: number; imported: number; failed: number; duplicates: number; last_upload: string }

/** What was uploaded so far, per data type. */
export const uploadStats = (db: Db): Promise<UploadStats[]> =>
  rows<UploadStats>(
    db,
    sql`select data_type, count(*)::int as uploads, sum(imported)::int as imported, sum(failed)::int as failed, sum(duplicates)::int as duplicates,
      to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as last_upload
      from ${uploads} group by data_type order by data_type`,
  )
