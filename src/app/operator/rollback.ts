import { renameSync, rmSync } from 'node:fs'
import { appliedMigrations, migrations } from '../../../db/migrate'
import { BackupReader } from '../../platform/backup/file'
import type { Config } from '../../platform/config'
import { StartError } from '../../platform/start-error'
import { backupsBeforeUpdates, folderOf, stampOf } from '../before-update'
import { databaseIn, mustHaveDatabase } from '../data-folder'
import { openUnmigrated } from '../open'
import { restoreInto } from './backup'

/** Returns the newest backup from before an update that this version can restore. */
async function newestReadable(config: Config): Promise<string | undefined> {
  const known = new Set(migrations.map(({ name }) => name))
  for (const path of backupsBeforeUpdates(config)) {
    const head = await new BackupReader(path).line()
    if (head.kind === 'head' && head.migrations.every((name) => known.has(name))) return path
  }
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
  const current = databaseIn(config.dataDir)
  const replaced = `${current}-${stampOf(new Date())}`
  renameSync(current, replaced)
  try {
    const summary = await restoreInto(config, backup, false)
    return `${summary}. The newer database is in ${replaced}; delete the folder when you no longer need it.`
  } catch (error) {
    rmSync(current, { recursive: true, force: true })
    renameSync(replaced, current)
    throw error
  }
}
