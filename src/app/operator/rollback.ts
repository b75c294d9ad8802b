import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { appliedMigrations, migrations } from '../../../db/migrate'
import { BackupReader } from '../../platform/backup/file'
import type { Config } from '../../platform/config'
import { uploadsFolder } from '../../platform/file-store'
import { StartError } from '../../platform/start-error'
import { backupsBeforeUpdates, folderOf, stampOf } from '../before-update'
import { databaseIn, mustHaveDatabase } from '../data-folder'
import { openUnmigrated } from '../open'
import { restoreInto } from './backup'

/** Returns the newest backup from before an update that this version can restore. */
async function newestReadable(config: Config): Promise<string | undefined> {
  const known = new Set(migrations.map(({ name }) => name))
  for (const path of backupsBeforeUpdates(config)) {
    if (!statSync(path).isFile()) continue
    const head = await new BackupReader(path).line().catch(() => null)
    const isReadable = head?.kind === 'head' && Array.isArray(head.migrations)
    if (isReadable && head.migrations.every((name) => known.has(name))) return path
  }
}

/** Replaces the database by the one in `staging`, and adds the uploaded files of the latter. */
function moveIntoPlace(config: Config, staging: string): string {
  const current = databaseIn(config.dataDir)
  const replaced = `${current}-${stampOf(new Date())}`
  const [restoredFiles, files] = [uploadsFolder({ ...config, dataDir: staging }), uploadsFolder(config)]
  mkdirSync(restoredFiles, { recursive: true })
  mkdirSync(files, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(restoredFiles)) renameSync(join(restoredFiles, name), join(files, name))
  renameSync(current, replaced)
  renameSync(databaseIn(staging), current)
  return replaced
}

/**
 * Runs `rollback`, with the version from before an update. Restores the data from before that update, and keeps the
 * newer database in the data folder.
 * @throws StartError when the database is on a server, fits this version, or has no backup that this version can read
 */
export async function rollbackCommand(config: Config): Promise<string> {
  if (config.databaseUrl)
    throw new StartError(
      'rollback is for the embedded database; restore a backup of the Postgres server, or start the previous version, which can use the newer database',
    )
  mustHaveDatabase(config)
  const database = await openUnmigrated(config)
  const applied = await appliedMigrations((statement) => database.raw(statement, [])).finally(() => database.close())
  const newer = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (newer.length === 0)
    throw new StartError(
      'The database fits this version, so there is nothing to roll back; run rollback with the version from before the update',
    )
  const backup = await newestReadable(config)
  if (!backup) throw new StartError(`DATA_DIR: there is no backup in ${folderOf(config)} that this version can restore`)
  // Restore next to the database, so that an interruption leaves the database as it is.
  const staging = join(config.dataDir, 'rollback')
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  try {
    const summary = await restoreInto({ ...config, dataDir: staging }, backup, false)
    const replaced = moveIntoPlace(config, staging)
    return `${summary}. The newer database is in ${replaced}; delete the folder when you no longer need it.`
  } catch (error) {
    if (error instanceof StartError)
      throw new StartError(`${error.message}. To use an older backup, move this file away and run rollback again.`)
    throw error
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}
