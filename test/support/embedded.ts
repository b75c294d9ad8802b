import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/client'
import { openEmbedded } from '../../db/embedded/open'

/** Opens a new embedded database in a temporary folder, which takes less time than one in memory. */
export async function withEmbedded<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-embedded-'))
  const database = await openEmbedded(folder)
  try {
    return await work(database)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the message of the error with which `work` ends. */
export const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'went through',
    (error: Error) => error.message,
  )
