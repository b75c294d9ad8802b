import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { documentContents, uploadFiles } from '../../db/schema'
import { bucketFile, type Storage, storedName, uploadsFolder } from './file-store'
import { Missing } from './refusals'

/** Content of a download and its size in bytes. The content is read piece by piece while it is sent. */
export type Download = { body: Blob | ReadableStream<Uint8Array>; size: number }

const PIECE_BYTES = 256 * 1024

async function openContent(db: Db, source: SQL): Promise<Download | null> {
  const [row] = await rows<{ size: number }>(db, sql`select octet_length(content) as size ${source}`)
  if (!row) return null
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const [piece] =
          sent < row.size
            ? await rows<{ bytes: Uint8Array }>(
                db,
                sql`select substring(content from ${sent + 1}::int for ${PIECE_BYTES}::int) as bytes ${source}`,
              )
            : []
        if (!piece) return sent < row.size ? controller.error(new Error('the file was deleted')) : controller.close()
        controller.enqueue(piece.bytes)
        sent += piece.bytes.length
      },
    },
    { highWaterMark: 0 },
  )
  return { body, size: row.size }
}

export const openDocumentContent = (db: Db, id: number): Promise<Download | null> =>
  openContent(db, sql`from ${documentContents} where document_id = ${id}`)

/**
 * Opens an uploaded file for a download. The file is read in pieces, because reading whole files would block other
 * requests and fill the memory.
 * The file can be in a database table, in a folder or in an S3 bucket. They are searched in this order.
 * @throws Missing when the file does not exist
 * @throws Refusal (503) when the bucket cannot be reached
 */
export async function openStored(
  { config, db }: Pick<Storage, 'config' | 'db'>,
  stored_as: string | null,
  what = 'Original file',
): Promise<Download> {
  const name = storedName(stored_as)
  if (!name) throw new Missing(what)
  const content = await openContent(db, sql`from ${uploadFiles} where name = ${name}`)
  if (content) return content
  const file = Bun.file(join(uploadsFolder(config), name))
  if (await file.exists()) return { body: file, size: file.size }
  const object = await bucketFile(config, name)
  if (!object) throw new Missing(what)
  return { body: object.stream(), size: object.size }
}
