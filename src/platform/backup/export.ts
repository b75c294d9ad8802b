import { open, rename, rm, stat } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { type Bulk, rows } from '../../../db/client'
import { documentContents, documentThumbnails } from '../../../db/schema'
import { PRODUCT } from '../../../db/vocabulary'
import { readStored, type Storage } from '../file-store'
import { csvLines } from '../lists/tables/csv'
import { type AddPart, zipStream } from '../lists/tables/zip'
import { Missing } from '../refusals'
import {
  checksumOf,
  documentFileName,
  EXPORTED_ROWS,
  EXPORTED_TABLES,
  type ExportedTable,
  type ExportHead,
  HEAD_FILE,
  tableFileName,
  thumbnailFileName,
} from './export-tables'
import { columnsOf, lastIdOf, quoted, sumOf } from './tables'

export type ExportSummary = {
  path: string
  bytes: number
  tables: number
  rows: number
  documents: number
  missing: string[]
}

const README = `Export of ${PRODUCT.name}

tables/       one CSV file for each table, in UTF-8 with a header row
documents/    photos and PDF files; each name begins with the id of its row in tables/documents.csv
thumbnails/   small previews of the photos
export.json   the number of rows of each table, and checksums of all tables and documents

A column such as location_id contains the id of a row in another table. Text that a spreadsheet could read as a
formula starts with an apostrophe. The command "yardmaster import FILE" loads this file, unchanged, into a new
installation. The file contains no passwords and no tokens.
`

const ROWS_AT_ONCE = 2000

async function* csvOf(bulk: Bulk, table: string, columns: string[]): AsyncGenerator<string> {
  yield csvLines([columns])
  const texts = columns.map((column) => `${quoted(column)}::text as ${quoted(column)}`).join(', ')
  for (let after = 0; ; ) {
    const batch = await bulk.run(
      `select id as "#", ${texts} from ${quoted(table)}
        where id > ${after} and ${EXPORTED_ROWS[table] ?? 'true'} order by 1 limit ${ROWS_AT_ONCE}`,
    )
    if (batch.length === 0) return
    yield csvLines(batch.map((row) => columns.map((column) => row[column] as string | null)))
    after = Number(batch.at(-1)?.['#'])
  }
}

async function addTables(bulk: Bulk, add: AddPart): Promise<ExportedTable[]> {
  const exported: ExportedTable[] = []
  for (const [table, leftOut] of Object.entries(EXPORTED_TABLES)) {
    const columns = (await columnsOf(bulk, table)).filter((column) => !leftOut.includes(column))
    const sum = await sumOf(bulk, table, columns, EXPORTED_ROWS[table])
    await add(tableFileName(table), csvOf(bulk, table, columns))
    exported.push({ table, columns, last_id: await lastIdOf(bulk, table), ...sum })
  }
  return exported
}

type StoredFile = { id: number; file_name: string; stored_as: string | null }

async function contentOf(storage: Storage, { id, stored_as }: StoredFile): Promise<Uint8Array | null> {
  if (stored_as)
    return readStored(storage, stored_as).catch((error) => {
      if (error instanceof Missing) return null
      throw error
    })
  const [row] = await rows<{ content: Uint8Array }>(
    storage.db,
    sql`select content from ${documentContents} where document_id = ${id}`,
  )
  return row?.content ?? null
}

/** @returns the number of documents, the checksums of all files, and the names of documents whose content is missing */
async function addDocuments(storage: Storage, stored: StoredFile[], add: AddPart) {
  const files: Record<string, string> = {}
  const missing: string[] = []
  const addFile = async (name: string, content: Uint8Array) => {
    files[name] = checksumOf(content)
    await add(name, content)
  }
  let count = 0
  for (const document of stored) {
    const content = await contentOf(storage, document)
    if (!content) {
      missing.push(documentFileName(document))
      continue
    }
    await addFile(documentFileName(document), content)
    count++
    const [thumbnail] = await rows<{ content: Uint8Array }>(
      storage.db,
      sql`select content from ${documentThumbnails} where document_id = ${document.id}`,
    )
    if (thumbnail) await addFile(thumbnailFileName(document.id), thumbnail.content)
  }
  return { count, files, missing }
}

/**
 * Writes all records as CSV and all documents to a zip file. The application keeps running. The tables are a consistent
 * snapshot. Unlike a backup, the file contains no secrets, and people can read it.
 * @param signal ends the export early, for example when the client has left
 */
export async function exportAll(
  storage: Storage,
  path: string,
  now: Date,
  signal?: AbortSignal,
): Promise<ExportSummary> {
  const summary: Omit<ExportSummary, 'bytes'> = { path, tables: 0, rows: 0, documents: 0, missing: [] }
  const pieces = zipStream(
    async (add) => {
      await add('README.txt', [README])
      const { tables, stored } = await storage.database.bulk('read', async (bulk) => ({
        stored: (await bulk.run('select id, file_name, stored_as from documents order by id')) as StoredFile[],
        tables: await addTables(bulk, add),
      }))
      // The content of a document never changes, so it can be read after the snapshot. If a document is deleted after
      // the snapshot, its content is missing.
      const { count, files, missing } = await addDocuments(storage, stored, add)
      const head: ExportHead = {
        yardmaster: PRODUCT.version,
        format: 1,
        made_at: now.toISOString(),
        tables,
        files,
        missing_files: missing,
      }
      await add(HEAD_FILE, [JSON.stringify(head, null, 2)])
      summary.documents = count
      summary.missing = missing
      summary.tables = tables.length
      summary.rows = tables.reduce((sum, { rows }) => sum + rows, 0)
    },
    { isLarge: true },
  )
  const draft = `${path}.partial`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      for await (const piece of pieces) {
        signal?.throwIfAborted()
        await file.write(piece)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    return { ...summary, bytes: (await stat(path)).size }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
