import { Readable } from 'node:stream'
import type { Entry } from '@zip.js/zip.js'
import Papa from 'papaparse'
import { z } from 'zod'
import { type Bulk, reasonOf } from '../../../db/client'
import { migrations } from '../../../db/migrate'
import { PRODUCT } from '../../../db/vocabulary'
import { NO_PASSWORD } from '../auth/passwords'
import { dropFile, keepFile, type Storage } from '../file-store'
import { undefused } from '../reading/text'
import { StartError } from '../start-error'
import {
  checksumOf,
  documentFileName,
  EXPORTED_TABLES,
  type ExportedTable,
  type ExportHead,
  HEAD_FILE,
  tableFileName,
  thumbnailFileName,
} from './export-tables'
import { isInUse } from './restore'
import { columnsOf, quoted, setLastId, sumOf } from './tables'

export type ImportSummary = { made_at: string; tables: number; rows: number; documents: number }

type FileEntry = Extract<Entry, { directory: false }>
type Files = Map<string, FileEntry>

const damaged = (path: string, reason: string) => new StartError(`${path} is damaged or was changed: ${reason}`)

/** Maximum size of a document in bytes. Larger documents cannot be uploaded. */
const FILE_LIMIT = 1024 * 1024 * 1024

async function bytesOf(entry: FileEntry, limit = FILE_LIMIT): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  const write = (piece: Uint8Array) => {
    size += piece.length
    if (size > limit) throw new Error(`${entry.filename} is too large`)
    pieces.push(piece)
  }
  await entry.getData(new WritableStream({ write }))
  return new Uint8Array(Buffer.concat(pieces))
}

async function* rowsOf(entry: FileEntry): AsyncGenerator<string[]> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const unpacking = entry.getData(writable)
  const parser = Papa.parse(Papa.NODE_STREAM_INPUT, { delimiter: ',', newline: '\r\n' })
  // Decode the text first, because the parser would damage a character that is split between two pieces.
  const text = readable.pipeThrough(new TextDecoderStream() as never)
  const source = Readable.fromWeb(text as never)
  // Handle the errors of both streams, because an unhandled error would end the process.
  source.on('error', (error) => parser.destroy(error))
  parser.on('error', () => {})
  unpacking.catch((error) => parser.destroy(error))
  yield* source.pipe(parser) as AsyncIterable<string[]>
  await unpacking
}

const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/**
 * Formats a cell for `COPY`. A blank cell in a nullable column means null, because the program never stores empty text
 * there.
 */
const copyText = (cell: string, isNullable: boolean) =>
  cell === '' && isNullable ? '\\N' : undefused(cell).replace(/[\\\t\n\r]/g, (character) => COPY_ESCAPES[character]!)

const LINES_AT_ONCE = 5000

/** Values for required columns that exports omit, by table name. */
const FILLED: Record<string, Record<string, string>> = { users: { password_hash: NO_PASSWORD } }

type CopiedColumn = { name: string; isNullable: boolean }

async function* copyLines(entry: FileEntry, columns: CopiedColumn[], filled: string[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let lines: string[] = []
  let isHeader = true
  for await (const cells of rowsOf(entry)) {
    if (isHeader) {
      if (cells.join() !== columns.map(({ name }) => name).join())
        throw new Error(`the headings of ${entry.filename} differ from the exported columns`)
      isHeader = false
      continue
    }
    if (cells.length !== columns.length) continue
    lines.push(`${[...cells.map((cell, at) => copyText(cell, columns[at]!.isNullable)), ...filled].join('\t')}\n`)
    if (lines.length < LINES_AT_ONCE) continue
    yield encoder.encode(lines.join(''))
    lines = []
  }
  if (lines.length) yield encoder.encode(lines.join(''))
}

async function nullableColumns(bulk: Bulk, table: string): Promise<Set<string>> {
  const found = await bulk.run(
    `select attname as name from pg_attribute where attrelid = to_regclass('${quoted(table)}') and attnum > 0
      and not attnotnull`,
  )
  return new Set(found.map(({ name }) => String(name)))
}

async function loadTable(bulk: Bulk, path: string, files: Files, { table, columns, ...saved }: ExportedTable) {
  // The names of tables and columns become part of SQL statements, so accept only known names.
  const stored = Object.hasOwn(EXPORTED_TABLES, table) && Array.isArray(columns) ? await columnsOf(bulk, table) : []
  const leftOut = EXPORTED_TABLES[table] ?? []
  if (stored.length === 0 || columns.some((column) => !stored.includes(column) || leftOut.includes(column)))
    throw new StartError(`${path} has a table ${table} that does not match this version`)
  const entry = files.get(tableFileName(table))
  if (!entry) throw damaged(path, `${tableFileName(table)} is missing`)
  const nullable = await nullableColumns(bulk, table)
  const filled = FILLED[table] ?? {}
  await bulk.run(`delete from ${quoted(table)}`)
  await bulk.copyIn(
    `copy ${quoted(table)} (${[...columns, ...Object.keys(filled)].map(quoted).join(', ')}) from stdin`,
    copyLines(
      entry,
      columns.map((name) => ({ name, isNullable: nullable.has(name) })),
      Object.values(filled),
    ),
  )
  const sum = await sumOf(bulk, table, columns)
  if (sum.rows !== saved.rows || sum.checksum !== saved.checksum)
    throw damaged(path, `the ${sum.rows} rows of ${table} differ from the ${saved.rows} exported rows`)
  if (saved.last_id !== null) await setLastId(bulk, table, Number(saved.last_id))
  return sum.rows
}

/**
 * Fills columns that were added after the export was made. Runs the `UPDATE` statements of the migrations that added
 * these columns.
 */
async function fillNewColumns(bulk: Bulk, { tables }: ExportHead): Promise<void> {
  const isMissing = ([, table, column]: RegExpMatchArray) =>
    tables.some(({ table: name, columns }) => name === table && !columns.includes(String(column))) &&
    !EXPORTED_TABLES[String(table)]?.includes(String(column))
  for (const { text } of migrations) {
    const added = [...text.matchAll(/^alter table "(\w+)" add column "(\w+)"/gim)]
    if (!added.some(isMissing)) continue
    for (const statement of text.split('--> statement-breakpoint'))
      if (/^update /im.test(statement)) await bulk.run(statement)
  }
}

/** Adds the name of each stored file to `storedNames`. */
async function loadDocuments(
  storage: Storage,
  bulk: Bulk,
  { path, files, head }: { path: string; files: Files; head: ExportHead },
  storedNames: string[],
): Promise<number> {
  const read = async (name: string) => {
    if (!Object.hasOwn(head.files, name)) return null
    const entry = files.get(name)
    const content = entry && (await bytesOf(entry))
    if (!content || checksumOf(content) !== head.files[name]) throw damaged(path, `${name} is missing or different`)
    return content
  }
  let count = 0
  for (const row of await bulk.run('select id, file_name from documents order by id')) {
    const id = Number(row.id)
    const fileName = documentFileName({ id, file_name: String(row.file_name) })
    const document = await read(fileName)
    if (!document) {
      if (head.missing_files?.includes(fileName)) continue
      throw damaged(path, `${fileName} is missing`)
    }
    const name = await keepFile(storage, document)
    storedNames.push(name)
    await bulk.run(`update documents set stored_as = '${name}' where id = ${id}`)
    const thumbnail = await read(thumbnailFileName(id))
    const hex = thumbnail && Buffer.from(thumbnail).toString('hex')
    if (hex)
      await bulk.run(`insert into document_thumbnails (document_id, content) values (${id}, decode('${hex}', 'hex'))`)
    count++
  }
  return count
}

/** Table that says which person at the single sign-on provider may sign in to which account. */
const IDENTITIES = 'external_identities'
const hasTable = ({ tables }: Pick<ExportHead, 'tables'>, name: string) => tables.some(({ table }) => table === name)

/** Maximum size of `export.json` in bytes. The size is enough for several hundred thousand documents. */
const HEAD_LIMIT = 64 * 1024 * 1024

const headRule: z.ZodType<ExportHead> = z.object({
  yardmaster: z.string(),
  format: z.literal(1),
  made_at: z.iso.datetime(),
  tables: z
    .array(
      z.object({
        table: z.string(),
        columns: z.array(z.string()).min(1),
        last_id: z.number().int().min(0).nullable(),
        rows: z.number(),
        checksum: z.string(),
      }),
    )
    .min(1),
  files: z.record(z.string(), z.string()),
  missing_files: z.array(z.string()).optional(),
})

async function readHead(path: string, files: Files): Promise<ExportHead> {
  const entry = files.get(HEAD_FILE)
  const text = entry ? new TextDecoder().decode(await bytesOf(entry, HEAD_LIMIT).catch(() => new Uint8Array())) : ''
  const { data } = headRule.safeParse(await new Response(text).json().catch(() => null))
  if (!data || new Set(data.tables.map(({ table }) => table)).size !== data.tables.length)
    throw new StartError(`${path} is not an export of Yardmaster`)
  // Require all tables only if this version wrote the export, because another version can have different tables. Some
  // exports of version 1.0.0 lack the external identities.
  const missing = Object.keys(EXPORTED_TABLES).find((name) => name !== IDENTITIES && !hasTable(data, name))
  if (missing && data.yardmaster === PRODUCT.version) throw damaged(path, `the table ${missing} is missing`)
  return data
}

/**
 * Loads a full export into an empty database, in one transaction. Each table is checked against its checksum. The
 * accounts have no password afterwards.
 * @throws StartError when the database has records, or when the file is damaged, was changed or does not match this
 * version
 */
export async function loadExport(storage: Storage, path: string): Promise<ImportSummary> {
  const { BlobReader, ZipReader } = await import('@zip.js/zip.js/lib/zip-core-native.js')
  const reader = new ZipReader(new BlobReader(Bun.file(path)), { useWebWorkers: false, checkSignature: true })
  const entries = (await reader.getEntries().catch(() => {
    throw new StartError(`${path} is not an export of Yardmaster`)
  })) as Entry[]
  const files: Files = new Map(
    entries.flatMap((entry) => (entry.directory ? [] : [[entry.filename, entry as FileEntry]])),
  )
  const head = await readHead(path, files)
  const storedNames: string[] = []
  const loading = storage.database.bulk('write', async (bulk) => {
    // The lock waits until running changes and a concurrent import have finished, because both write audit entries.
    await bulk.run('lock table audit_entries in share row exclusive mode')
    const [audited] = await bulk.run('select exists (select from audit_entries) as is_used')
    if (audited?.is_used || (await isInUse(bulk)))
      throw new StartError('There are records in this database; an export can only be loaded into an empty database')
    let count = 0
    for (const table of head.tables) count += await loadTable(bulk, path, files, table)
    await fillNewColumns(bulk, head)
    // Without the identities, the first person with the username of an account could be linked to it.
    if (!hasTable(head, IDENTITIES)) await bulk.run('update users set single_sign_on = false')
    const documents = await loadDocuments(storage, bulk, { path, files, head }, storedNames)
    return { made_at: head.made_at, tables: head.tables.length, rows: count, documents }
  })
  return loading.catch(async (error) => {
    for (const name of storedNames) await dropFile(storage, name)
    if (error instanceof StartError) throw error
    throw damaged(path, reasonOf(error))
  })
}
