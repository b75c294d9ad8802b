import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { fileTypeFromBuffer } from 'file-type'
import { type Db, rows } from '../../../db/client'
import { documents, documentThumbnails } from '../../../db/schema'
import { DOCUMENT_OWNERS, DOCUMENT_TYPES, type DocumentOwner, type DocumentType } from '../../../db/vocabulary'
import { accept } from '../accept'
import type { AppContext } from '../context'
import { checkFileSize, dropFile, keepFile } from '../file-store'
import { cleanText } from '../reading/text'
import { kindOf } from '../records/kind'
import { inTransaction, type Write } from '../records/transactions'
import { changeRecord, createRecord } from '../records/write'
import { Conflict, costsHidden, Missing, Refusal, Refused } from '../refusals'
import { openDocumentContent, openStored } from '../stored-download'
import { documentFields } from './rules'

type StoredDocument = typeof documents.$inferSelect
export type Document = Omit<StoredDocument, 'stored_as'> & { has_thumbnail: boolean }

const { stored_as: _storedAs, ...COLUMNS } = getTableColumns(documents)
const SHOWN = {
  ...COLUMNS,
  has_thumbnail: sql<boolean>`exists (
    select 1 from ${documentThumbnails} where ${documentThumbnails.document_id} = ${documents.id})`,
}

async function findShown(db: Db, id: number): Promise<Document> {
  const [found] = await db.select(SHOWN).from(documents).where(eq(documents.id, id))
  return found as Document
}

/**
 * Maximum size of a thumbnail in bytes. Thumbnails that browsers create are about 320 pixels wide and have 10 to 30 KB.
 */
const THUMBNAIL_LIMIT = 64 * 1024

/** @throws Refused when the thumbnail is not a JPEG image or is too large */
async function thumbnailIn(value: unknown): Promise<Uint8Array | null> {
  if (!(value instanceof File) || value.size === 0) return null
  const content = new Uint8Array(await value.arrayBuffer())
  const isSmall = content.length <= THUMBNAIL_LIMIT
  if (!isSmall || (await fileTypeFromBuffer(content.subarray(0, TYPE_BYTES)))?.mime !== 'image/jpeg')
    throw Refused.field('thumbnail', 'The thumbnail must be a JPEG image of at most 64 KB')
  return content
}

const NAME_LENGTH = 255
const WRONG_TYPE = 'The file must be a JPEG, PNG, WebP or HEIC image, or a PDF'

type Reader = { sees_costs: boolean }
const readerOf = ({ actor }: Write): Reader => ({ sees_costs: !actor.hides_costs })

/** @throws Forbidden when only users who can see costs can read this kind of record, and this user cannot see costs */
function checkReader(entity: string, { sees_costs }: Reader) {
  if (!sees_costs && kindOf(entity)?.history === 'cost viewers') throw costsHidden()
}

/**
 * Loads the record that documents belong to.
 * @throws Missing when the record does not exist, Forbidden when the user may not read it
 */
export async function findOwner(
  { db, clock }: AppContext,
  reader: Reader,
  owner: DocumentOwner,
  record_id: number,
): Promise<{ id: number; unit_number?: string } & Record<string, unknown>> {
  checkReader(DOCUMENT_OWNERS[owner], reader)
  const record = await kindOf(DOCUMENT_OWNERS[owner])?.find?.(db, clock, record_id)
  return record as { id: number }
}

export const listDocuments = ({ db }: AppContext, owner: DocumentOwner, record_id: number): Promise<Document[]> =>
  db
    .select(SHOWN)
    .from(documents)
    .where(
      and(
        eq(documents.entity, DOCUMENT_OWNERS[owner]),
        eq(documents.record_id, record_id),
        isNull(documents.deleted_at),
      ),
    )
    .orderBy(desc(documents.id))

/**
 * Number of bytes for detecting the type of a thumbnail. With a whole file that begins like a zip archive, the library
 * `file-type` would take long, because it would read every entry.
 */
const TYPE_BYTES = 4100

/**
 * Detects the type of a file from its content. The file name can be wrong.
 * @throws Refusal (415) when the type is not accepted
 */
async function typeOf(content: Uint8Array): Promise<DocumentType> {
  const detected = (await fileTypeFromBuffer(content))?.mime
  const type = DOCUMENT_TYPES.find((one) => one === detected)
  if (!type) throw new Refusal(415, WRONG_TYPE, [{ field: 'file', message: WRONG_TYPE }])
  return type
}

/** A file name without one of these extensions gets the first. */
const EXTENSIONS: Record<DocumentType, string[]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/heic': ['.heic', '.heif'],
  'application/pdf': ['.pdf'],
}

/**
 * Returns a file name that is safe to store.
 * - Adds the extension of the file type if it is missing. Otherwise, a PDF with the name `title.bat` could be run as a
 *   program.
 * - Removes invisible characters, because they can hide an extension.
 * - Cuts off a long name at the beginning, so that the extension stays.
 */
function storableName(name: string | undefined, type: DocumentType): string {
  const clean = cleanText((name ?? '').toWellFormed()).replace(/[\p{Cc}/\\]/gu, '_') || 'document'
  const isRight = EXTENSIONS[type].some((extension) => clean.toLowerCase().endsWith(extension))
  const whole = isRight ? clean : `${clean}${EXTENSIONS[type][0]}`
  return [...whole].slice(-NAME_LENGTH).join('')
}

/**
 * @param input multipart form with `file`, an optional `title` and an optional `thumbnail`
 * @throws Missing when the record does not exist, Forbidden when the user may not read it, Refused when there is no
 * file, Refusal (415) when the file type is not accepted
 */
export async function addDocument(
  ctx: AppContext,
  write: Write,
  owner: DocumentOwner,
  record_id: number,
  input: unknown,
): Promise<Document> {
  await findOwner(ctx, readerOf(write), owner, record_id)
  const { file, thumbnail: sentThumbnail, ...fields } = (input ?? {}) as { file?: unknown; thumbnail?: unknown }
  const { title } = accept(documentFields, fields)
  if (!(file instanceof File) || file.size === 0) throw Refused.field('file', 'Choose a file')
  checkFileSize(ctx, file)
  const content = new Uint8Array(await file.arrayBuffer())
  const media_type = await typeOf(content)
  const thumbnail = await thumbnailIn(sentThumbnail)
  const stored_as = await keepFile(ctx, content)
  const adding = inTransaction(write, async (write) => {
    const made = await createRecord(write, documents, {
      entity: DOCUMENT_OWNERS[owner],
      record_id,
      title,
      file_name: storableName(file.name, media_type),
      media_type,
      size: content.length,
      stored_as,
    })
    if (thumbnail) await write.db.insert(documentThumbnails).values({ document_id: made.id, content: thumbnail })
    return findShown(write.db, made.id)
  })
  return adding.catch(async (error) => {
    await dropFile(ctx, stored_as)
    throw error
  })
}

/** The documents of a deleted record stay in the database. */
async function hasRecord(db: Db, { entity, record_id }: StoredDocument): Promise<boolean> {
  const [record] = await rows(db, sql`select from ${sql.identifier(entity)} where id = ${record_id}`)
  return record !== undefined
}

/**
 * @throws Missing when the document or its record does not exist or was deleted, Forbidden when the user may not read
 * the record
 */
export async function findDocument(db: Db, reader: Reader, id: number): Promise<StoredDocument> {
  const [found] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), isNull(documents.deleted_at)))
  if (!found) throw new Missing('Document')
  checkReader(found.entity, reader)
  if (!(await hasRecord(db, found))) throw new Missing('Document')
  return found
}

/** @throws Missing when the document does not exist or was deleted, Forbidden when the user may not read its record */
export async function openDocument(ctx: AppContext, reader: Reader, id: number) {
  const { db } = ctx
  const found = await findDocument(db, reader, id)
  if (found.stored_as) return { ...found, content: await openStored(ctx, found.stored_as, 'Document') }
  const content = await openDocumentContent(db, id)
  if (!content) throw new Missing('Document')
  return { ...found, content }
}

/**
 * @throws Missing when the document does not exist, was deleted or has no thumbnail, Forbidden when the user may not
 * read its record
 */
export async function readThumbnail(db: Db, reader: Reader, id: number): Promise<Uint8Array<ArrayBuffer>> {
  await findDocument(db, reader, id)
  const [stored] = await db
    .select({ content: documentThumbnails.content })
    .from(documentThumbnails)
    .where(eq(documentThumbnails.document_id, id))
  if (!stored) throw new Missing('Thumbnail')
  return new Uint8Array(stored.content)
}

/**
 * Marks a document as deleted. The document can be restored.
 * @throws Missing when the document does not exist or was already deleted, Forbidden when the user may not read its
 * record
 */
export async function removeDocument(write: Write, id: number): Promise<Document> {
  await changeRecord(write, documents, {
    id,
    what: 'Document',
    values: ({ deleted_at, entity }) => {
      checkReader(entity, readerOf(write))
      if (deleted_at) throw new Missing('Document')
      return { deleted_at: write.actor.now }
    },
  })
  return findShown(write.db, id)
}

/**
 * @throws Missing when the document does not exist, Conflict when it is not deleted, Forbidden when the user may not
 * read its record
 */
export async function restoreDocument(write: Write, id: number): Promise<Document> {
  await changeRecord(write, documents, {
    id,
    what: 'Document',
    values: ({ deleted_at, entity }) => {
      checkReader(entity, readerOf(write))
      if (!deleted_at) throw new Conflict('Document is not deleted')
      return { deleted_at: null }
    },
  })
  return findShown(write.db, id)
}
