import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUseError, type FolderLock, lockFolder } from '../../../db/embedded/lock'
import { appliedMigrations, migrations } from '../../../db/migrate'
import { BackupReader } from '../../platform/backup/file'
import type { Config } from '../../platform/config'
import { moveFile, uploadsFolder } from '../../platform/file-store'
import { StartError } from '../../platform/start-error'
import { backupsBeforeUpdates, folderOf, stampOf } from '../before-update'
import { databaseIn, mustHaveDatabase } from '../data-folder'
import { openUnmigrated } from '../open'
import { restoreInto } from './backup'

/** Returns the newest pre-update backup that this version can restore. */
async function newestReadable(config: Config): Promise<string | undefined> {
  const migrationNames = new Set(migrations.map(({ name }) => name))
  for (const path of backupsBeforeUpdates(config)) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue
    const head = await new BackupReader(path).line().catch(() => null)
    const isReadable = head?.kind === 'head' && Array.isArray(head.migrations)
    if (isReadable && head.migrations.every((name) => migrationNames.has(name))) return path
  }
}

/**
 * Replaces the current database with the restored database in `staging`. Also moves the restored uploads.
 * @returns the folder to which the replaced database was moved
 */
async function moveIntoPlace(config: Config, staging: string): Promise<string> {
  const current = databaseIn(config.dataDir)
  const replaced = `${current}-${stampOf(new Date())}`
  const [restoredFiles, files] = [uploadsFolder({ ...config, dataDir: staging }), uploadsFolder(config)]
  mkdirSync(restoredFiles, { recursive: true })
  mkdirSync(files, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(restoredFiles)) await moveFile(join(restoredFiles, name), join(files, name))
  renameSync(current, replaced)
  renameSync(databaseIn(staging), current)
  return replaced
}

/** @throws StartError when another process uses the data folder */
function lockOf({ dataDir }: Config): FolderLock {
  try {
    return lockFolder(dataDir)
  } catch (error) {
    throw error instanceof FolderInUseError ? new StartError(error.message) : error
  }
}

/** Checks that the disk has room for a second, equally large database. */
function checkRoom({ dataDir }: Config) {
  const database = databaseIn(dataDir)
  const names = readdirSync(database, { recursive: true }) as string[]
  const needed = names.reduce((sum, name) => sum + (statSync(join(database, name)).size ?? 0), 0)
  const { bavail, bsize } = statfsSync(dataDir)
  const inMb = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  if (bavail * bsize < needed)
    throw new StartError(
      `DATA_DIR: a rollback needs about ${inMb(needed)} MB, and only ${inMb(bavail * bsize)} MB are free. ` +
        `Free some space.`,
    )
}

/**
 * Runs `rollback`. Operators run this command with the version of the program that was installed before an update.
 * Restores the data from before the update, and keeps the newer database in the data folder.
 * @throws StartError when the database is on a Postgres server or already matches this version of the program, or when
 * this version can read no backup
 */
export async function rollbackCommand(config: Config): Promise<string> {
  if (config.databaseUrl)
    throw new StartError(
      'rollback works only with the embedded database. For a Postgres server, restore a backup or start the ' +
        'previous version, which can use the newer database.',
    )
  mustHaveDatabase(config)
  const database = await openUnmigrated(config)
  const applied = await appliedMigrations((statement) => database.raw(statement, [])).finally(() => database.close())
  const newer = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (newer.length === 0)
    throw new StartError(
      'The database already matches this version. To undo an update, run rollback with the version that ' +
        'was installed before the update',
    )
  const backup = await newestReadable(config)
  if (!backup) throw new StartError(`DATA_DIR: there is no backup in ${folderOf(config)} that this version can restore`)
  checkRoom(config)
  // Keep the data folder locked until the rollback has ended. Otherwise, a service manager could start the newer
  // version during the rollback, and changes that users make in that version would be lost.
  const lock = lockOf(config)
  // Restore into a separate folder, so that an interruption leaves the current database unchanged.
  const staging = join(config.dataDir, 'rollback')
  try {
    rmSync(staging, { recursive: true, force: true })
    mkdirSync(staging, { recursive: true, mode: 0o700 })
    const summary = await restoreInto({ ...config, dataDir: staging }, backup, false)
    const replaced = await moveIntoPlace(config, staging)
    return `${summary}. The newer database is in ${replaced}; delete the folder when you no longer need it.`
  } catch (error) {
    if (error instanceof StartError)
      throw new StartError(`${error.message}. To use an older backup, move this file away and run rollback again.`)
    throw error
  } finally {
    rmSync(staging, { recursive: true, force: true })
    lock.release()
  }
}
