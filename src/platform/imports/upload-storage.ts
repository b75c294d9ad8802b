import { mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config'
import { Missing } from '../refusals'

export const uploadsFolder = (config: Config) => join(config.dataDir, 'uploads')

/** Saves an uploaded file under a generated name. It is synced to disk before this returns. */
export async function keepOriginal(config: Config, bytes: Uint8Array): Promise<string> {
  await mkdir(uploadsFolder(config), { recursive: true, mode: 0o700 })
  const name = crypto.randomUUID()
  const file = await open(join(uploadsFolder(config), name), 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  return name
}

/** @throws Missing when the file is not in this instance's folder */
export async function readOriginal(config: Config, name: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = name && (await readFile(join(uploadsFolder(config), name)).catch(() => null))
  if (!bytes) throw new Missing('Original file')
  return new Uint8Array(bytes)
}

export const dropOriginal = (config: Config, name: string | null) =>
  name ? unlink(join(uploadsFolder(config), name)).catch(() => {}) : Promise.resolve()
