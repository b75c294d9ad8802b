import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BackupSummary, backUp } from '../../platform/backup/backup'
import { copyTo, refuseOtherPrograms } from '../../platform/backup/copy-to'
import { restore } from '../../platform/backup/restore'
import type { Config } from '../../platform/config'
import { copyFiles, filesOutsideTables, moveFilesFromFolder, uploadsFolder } from '../../platform/file-store'
import { StartError } from '../../platform/start-error'
import { readAddress } from '../config'
import { mustHaveDatabase } from '../data-folder'
import { checkOwner, openMigrated, openUnmigrated, withDatabase } from '../open'
import { askServer } from './control'

const sizeText = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/** Runs `backup [FILE]`. If a server has the embedded database open, that server writes the backup. */
export async function backupCommand(config: Config, file: string | undefined): Promise<string> {
  const stamp = new Date().toISOString().slice(0, 16).replace(/\D/g, '')
  const path = resolve(file ?? `yardmaster-${stamp}.backup.gz`)
  if (existsSync(path)) throw new StartError(`${path} already exists; choose another name`)
  const { tables, rows, files, bytes } = await createBackup(config, path)
  // The server can have its own /tmp or its own file system. Then this command cannot see the file.
  if (!existsSync(path))
    throw new StartError(
      `The backup was written, but not to a place that this command can see: ${path} is inside the server's own file system`,
    )
  return `${path}: ${rows} rows of ${tables} tables and ${files} uploaded files, ${sizeText(bytes)}`
}

async function createBackup(config: Config, path: string): Promise<BackupSummary> {
  mustHaveDatabase(config)
  if (!config.databaseUrl) checkOwner(config)
  return withDatabase(
    config,
    (database) => backUp(database, filesOutsideTables(config, database), path, new Date()),
    () => askServer(config.dataDir, 'backup', { path }),
  )
}

export async function restoreCommand(config: Config, file: string, overwrite: boolean): Promise<string> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new StartError(`There is no file ${file}`)
  return restoreInto(config, file, overwrite)
}

/** Restores a backup and describes the result. */
export async function restoreInto(config: Config, file: string, overwrite: boolean): Promise<string> {
  const database = await openUnmigrated(config)
  const restored = restore(database, uploadsFolder(config), file, { overwrite }).then(async (summary) => {
    await moveFilesFromFolder({ config, database, db: database.db }, summary.files)
    return summary
  })
  const summary = await restored.finally(() => database.close())
  return `Restored ${summary.rows} rows of ${summary.tables} tables and ${summary.files.length} uploaded files, as of ${summary.made_at}`
}

/** Runs `copy-to DATABASE_URL`, which copies the current database, embedded or on a server, to another server. */
export async function copyToCommand(config: Config, url: string): Promise<string> {
  readAddress('The database URL for copy-to', url)
  mustHaveDatabase(config)
  const from = await openMigrated(config)
  try {
    const target = { ...config, databaseUrl: url }
    const unmigrated = await openUnmigrated(target)
    await refuseOtherPrograms(unmigrated).finally(() => unmigrated.close())
    const to = await openMigrated(target)
    const copied = copyTo(from, to, console.log).then(async (summary) => ({
      ...summary,
      files: await copyFiles({ config, database: from, db: from.db }, { config: target, database: to, db: to.db }),
    }))
    const { rows, tables, files } = await copied.finally(() => to.close())
    return `Copied and verified all ${rows} rows of ${tables} tables, and copied ${files} uploaded files. Now set DATABASE_URL.`
  } finally {
    await from.close()
  }
}
