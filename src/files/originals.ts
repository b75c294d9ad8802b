import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config'

const folder = (config: Config) => join(config.dataDir, 'uploads')

/** Keeps an uploaded file as it came, under a name of our own; on disk before this returns. */
export async function keepOriginal(config: Config, bytes: Uint8Array): Promise<string> {
  await mkdir(folder(config), { recursive: true, mode: 0o700 })
  const name = crypto.randomUUID()
  const file = await open(join(folder(config), name), 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  return name
}

/** Drops an original whose import did not happen. */
export const dropOriginal = (config: Config, name: string) => unlink(join(folder(config), name)).catch(() => {})
