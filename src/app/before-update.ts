import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../db/client'
import { appliedMigrations, pendingMigrations } from '../../db/migrate'
import { backUp } from '../platform/backup/backup'
import type { Config } from '../platform/config'
import { filesOutsideTables } from '../platform/file-store'
import { StartError } from '../platform/start-error'

/** Number of pre-update backups to keep. */
const KEPT = 3

export const folderOf = (config: Config) => join(config.dataDir, 'before-updates')

/** Formats a UTC time for a file name, as in `20260131140500`. Windows does not allow colons in file names. */
export const stampOf = (now: Date) => now.toISOString().slice(0, 19).replace(/\D/g, '')

/** Newest first. */
export function backupsBeforeUpdates(config: Config): string[] {
  try {
    const names = readdirSync(folderOf(config)).filter((name) => name.endsWith('.backup.gz'))
    return names.sort((a, b) => (a < b ? 1 : -1)).map((name) => join(folderOf(config), name))
  } catch {
    return []
  }
}

/**
 * Backs up the embedded database if this version changes its schema.
 * @throws StartError when the backup fails, for example because the disk is full. The database is then unchanged.
 */
export async function backUpBeforeUpdate(config: Config, database: Database): Promise<void> {
  if (config.databaseUrl) return
  const run = (statement: string) => database.raw(statement, [])
  if ((await appliedMigrations(run)).length === 0 || (await pendingMigrations(run)).length === 0) return
  const now = new Date()
  const path = join(folderOf(config), `${stampOf(now)}.backup.gz`)
  try {
    mkdirSync(folderOf(config), { recursive: true, mode: 0o700 })
    // An update that was killed leaves an unfinished backup.
    for (const name of readdirSync(folderOf(config)))
      if (name.endsWith('.partial')) rmSync(join(folderOf(config), name))
    await backUp(database, filesOutsideTables(config, database), path, now)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`DATA_DIR: the backup before the update failed, so nothing was changed: ${reason}`)
  }
  console.log(`This version updates the database. The data before the update is in ${path}`)
  for (const old of backupsBeforeUpdates(config).slice(KEPT)) rmSync(old)
}
