import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type BackupSummary, backUp } from '../../platform/backup/backup'
import { copyTo, refuseOtherPrograms } from '../../platform/backup/copy-to'
import { exportAll } from '../../platform/backup/export'
import { loadExport } from '../../platform/backup/load-export'
import { restore } from '../../platform/backup/restore'
import type { Config } from '../../platform/config'
import { copyFiles, filesOutsideTables, storeRestoredFiles, uploadsFolder } from '../../platform/file-store'
import { StartError } from '../../platform/start-error'
import { readAddress } from '../config'
import { mustHaveDatabase } from '../data-folder'
import { checkOwner, openMigrated, openUnmigrated, withDatabase } from '../open'
import { askServer } from './control'

const sizeText = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`

/**
 * The default name contains the UTC time.
 * @throws StartError when the file exists
 */
function newPath(file: string | undefined, extension: string): string {
  const stamp = new Date().toISOString().slice(0, 16).replace(/\D/g, '')
  const path = resolve(file ?? `yardmaster-${stamp}.${extension}`)
  if (existsSync(path)) throw new StartError(`${path} already exists; choose another name`)
  if (!existsSync(dirname(path))) throw new StartError(`There is no folder ${dirname(path)}`)
  return path
}

/**
 * Checks that this command can see a file that the server wrote. The file is not visible if the server has a different
 * file system, for example in a container, or its own /tmp.
 */
function checkVisible(what: string, path: string) {
  if (existsSync(path)) return
  throw new StartError(
    `The ${what} was written to ${path} in the server's own file system, which this command cannot see. ` +
      `Copy it from there.`,
  )
}

/** Runs `backup [FILE]`. If a server has the embedded database open, that server writes the backup. */
export async function backupCommand(config: Config, file: string | undefined): Promise<string> {
  const path = newPath(file, 'backup.gz')
  const { tables, rows, files, bytes } = await writing(path, createBackup(config, path))
  checkVisible('backup', path)
  return `${path}: ${rows} rows of ${tables} tables and ${files} uploaded files, ${sizeText(bytes)}`
}

/**
 * Converts a file system error to a message of one line. For example, the folder is missing or the disk is full.
 * @throws StartError with this message, or the original error if the file system did not cause it
 */
const writing = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw error instanceof Error && 'syscall' in error
      ? new StartError(`${path} cannot be written: ${error.message}`)
      : error
  })

async function createBackup(config: Config, path: string): Promise<BackupSummary> {
  mustHaveDatabase(config)
  if (!config.databaseUrl) checkOwner(config)
  return withDatabase(
    config,
    (database) => backUp(database, filesOutsideTables(config, database), path, new Date()),
    () => askServer(config.dataDir, 'backup', { path }),
  )
}

function mustBeFile(file: string) {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new StartError(`There is no file ${file}`)
}

export async function restoreCommand(config: Config, file: string, overwrite: boolean): Promise<string> {
  mustBeFile(file)
  return restoreInto(config, file, overwrite)
}

export async function restoreInto(config: Config, file: string, overwrite: boolean): Promise<string> {
  const database = await openUnmigrated(config)
  const restored = restore(database, uploadsFolder(config), file, { overwrite }).then(async (summary) => {
    await storeRestoredFiles({ config, database, db: database.db }, summary.files, summary.added)
    return summary
  })
  const summary = await restored.finally(() => database.close())
  return (
    `Restored ${summary.rows} rows of ${summary.tables} tables and ${summary.files.length} uploaded files, ` +
    `as of ${summary.made_at}`
  )
}

/**
 * Runs `copy-to DATABASE_URL`. Copies the database of this installation to another Postgres server.
 * `file` contains the address if `url` is undefined.
 */
export async function copyToCommand(
  config: Config,
  { url, file }: { url: string | undefined; file: string | undefined },
): Promise<string> {
  if (!url === !file) throw new StartError('copy-to needs either a database-url or --url-file; see --help')
  if (file) mustBeFile(file)
  const address = url ?? readFileSync(file as string, 'utf8').trim()
  // An error message would show the password of a second address.
  if (/\s/.test(address))
    throw new StartError(`${file ?? 'The database URL'} must contain one address and nothing else`)
  readAddress('The database URL for copy-to', address)
  mustHaveDatabase(config)
  const target = { ...config, databaseUrl: address, databaseUrlFile: null }
  // Check the target first, because opening this database can update it to the version of this program.
  const unmigrated = await openUnmigrated(target)
  await refuseOtherPrograms(unmigrated).finally(() => unmigrated.close())
  const from = await openMigrated(config)
  try {
    const to = await openMigrated(target)
    const copied = copyTo(from, to, console.log).then(async (summary) => ({
      ...summary,
      files: await copyFiles({ config, database: from, db: from.db }, { config: target, database: to, db: to.db }),
    }))
    const { rows, tables, files } = await copied.finally(() => to.close())
    return (
      `Copied and verified all ${rows} rows of ${tables} tables, and copied ${files} uploaded files. Now set ` +
      `DATABASE_URL.`
    )
  } finally {
    await from.close()
  }
}

/** Runs `export [FILE]`. If a server has the embedded database open, that server writes the file. */
export async function exportCommand(config: Config, file: string | undefined): Promise<string> {
  const path = newPath(file, 'zip')
  mustHaveDatabase(config)
  if (!config.databaseUrl) checkOwner(config)
  const { tables, rows, documents, missing, bytes } = await writing(
    path,
    withDatabase(
      config,
      (database) => exportAll({ config, database, db: database.db }, path, new Date()),
      () => askServer(config.dataDir, 'export', { path }),
    ),
  )
  checkVisible('export', path)
  const warning =
    missing.length > 0
      ? `. The content of ${missing.length} documents is missing: ${missing.slice(0, 5).join(', ')}`
      : ''
  return `${path}: ${rows} rows of ${tables} tables and ${documents} documents, ${sizeText(bytes)}${warning}`
}

/** Runs `import FILE`, which loads an export into an empty database. */
export async function importCommand(config: Config, file: string): Promise<string> {
  mustBeFile(file)
  const database = await openMigrated(config)
  const { rows, tables, documents, made_at } = await loadExport({ config, database, db: database.db }, file).finally(
    () => database.close(),
  )
  return (
    `Imported ${rows} rows of ${tables} tables and ${documents} documents, as of ${made_at}. ` +
    'The accounts have no passwords: run `yardmaster create-admin NAME` to set one, and start the program'
  )
}
