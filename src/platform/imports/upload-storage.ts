import { mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { uploadFiles } from '../../../db/schema'
import type { Config } from '../config'
import type { AppContext } from '../context'
import { Missing } from '../refusals'

/**
 * Storage of uploaded files. On a Postgres server they are rows, so that every instance can read them. With the
 * embedded database they are files in `DATA_DIR`.
 */

type Storage = Pick<AppContext, 'config' | 'database' | 'db'>

export const uploadsFolder = (config: Config) => join(config.dataDir, 'uploads')

/** Saves an uploaded file under a generated name. It is durable before this returns. */
export async function keepOriginal({ config, database, db }: Storage, bytes: Uint8Array): Promise<string> {
  const name = crypto.randomUUID()
  if (database.engine === 'server') {
    await db.insert(uploadFiles).values({ name, content: bytes })
    return name
  }
  await mkdir(uploadsFolder(config), { recursive: true, mode: 0o700 })
  const file = await open(join(uploadsFolder(config), name), 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  return name
}

/** Also finds files that were stored before a move to another engine. @throws Missing */
export async function readOriginal({ config, db }: Storage, name: string | null): Promise<Uint8Array<ArrayBuffer>> {
  if (!name) throw new Missing('Original file')
  const [row] = await db.select({ content: uploadFiles.content }).from(uploadFiles).where(eq(uploadFiles.name, name))
  const bytes = row?.content ?? (await readFile(join(uploadsFolder(config), name)).catch(() => null))
  if (!bytes) throw new Missing('Original file')
  return new Uint8Array(bytes)
}

export async function dropOriginal({ config, db }: Storage, name: string | null): Promise<void> {
  if (!name) return
  await db.delete(uploadFiles).where(eq(uploadFiles.name, name))
  await unlink(join(uploadsFolder(config), name)).catch(() => {})
}
