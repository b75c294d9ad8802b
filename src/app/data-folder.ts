import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Database, Watch } from '../../db/client'
import { isFolderLocked } from '../../db/embedded/lock'
import { openEmbedded } from '../../db/embedded/open'
import type { Config } from '../platform/config'
import { StartError } from '../platform/start-error'

/** Minimum free space, in bytes, for starting Postgres. Each start writes to the disk. */
const NEEDED_TO_OPEN = 1024 * 1024
/**
 * Minimum free space, in bytes, for a running server. With less space, a failed start is reported as a full disk. This
 * limit is higher than `NEEDED_TO_OPEN`, because a start can also need a new log file of 16 MB.
 */
const NEEDED_TO_RUN = 32 * 1024 * 1024

export const databaseIn = (dataDir: string) => join(dataDir, 'pgdata')
export const hasDatabase = ({ dataDir }: Pick<Config, 'dataDir'>) => existsSync(databaseIn(dataDir))

/**
 * Rejects a data folder without a database. Otherwise, a command with a wrong path would create an empty database
 * there.
 */
export function mustHaveDatabase(config: Config) {
  if (!config.databaseUrl && !hasDatabase(config))
    throw new StartError(`DATA_DIR: there is no database in ${resolve(config.dataDir)}; check the path`)
}

/** Returns an empty list for an unreadable folder. The function `folderProblem` reports that folder. */
function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Refuses to create a database after an interrupted rollback.
 * A rollback renames the current database folder to `pgdata-…`, and then the restored folder to `pgdata`. If it
 * stopped between these steps, a new database would hide the data in `pgdata-…`.
 * @throws StartError with the name of the renamed folder
 */
export function refuseInterruptedRollback({ dataDir }: Pick<Config, 'dataDir'>) {
  if (hasDatabase({ dataDir })) return
  // A completed rollback also leaves a folder `pgdata-…`, so use the newest folder. Folder names contain the time.
  const moved = listFileNames(dataDir)
    .filter((name) => name.startsWith('pgdata-'))
    .sort()
    .at(-1)
  if (moved)
    throw new StartError(
      `DATA_DIR: ${resolve(dataDir)} has no database, but ${moved} from an interrupted rollback; rename ` +
        `${moved} to pgdata, or move it away for a new database`,
    )
}

/** Paths in the database folder that Postgres must be able to write. */
const WRITTEN = ['', 'global', 'global/pg_control', 'base', 'pg_wal', 'PG_VERSION']

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

const accessError = (path: string): string | undefined => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

/** Returns one line with the problem and its remedy, or null. */
export function folderProblem({ dataDir }: Pick<Config, 'dataDir'>, neededBytes = NEEDED_TO_OPEN): string | null {
  const folder = resolve(dataDir)
  for (const path of [folder, databaseIn(folder)])
    if (existsSync(path) && !statSync(path).isDirectory())
      return `DATA_DIR: ${path} is not a folder. Choose another DATA_DIR, or move the file away.`
  for (const path of [folder, ...WRITTEN.map((name) => join(databaseIn(folder), name))]) {
    const code = existsSync(path) ? accessError(path) : undefined
    if (code === 'EROFS') return `DATA_DIR: ${folder} is on a read-only file system. Remount it read-write.`
    if (code)
      return (
        `DATA_DIR: this account cannot read and write ${path} (${code}). Make this account the owner of ` +
        `${folder} with chown -R.`
      )
  }
  const free = freeBytes(folder)
  if (free < neededBytes)
    return `DATA_DIR: the disk of ${folder} is full (${Math.floor(free / 1024 / 1024)} MB free). Free some space.`
  return null
}

/** Explains in one line why the embedded database cannot be opened. The line includes the remedy. */
export function openingProblem(config: Pick<Config, 'dataDir'>): string {
  const folder = resolve(config.dataDir)
  return (
    folderProblem(config, NEEDED_TO_RUN) ??
    `DATA_DIR: the database in ${databaseIn(folder)} cannot be opened and is probably damaged. ` +
      'Keep a copy of the folder, then restore a backup into an empty folder: DATA_DIR=NEW yardmaster restore FILE'
  )
}

export const lockProblem = ({ dataDir }: Pick<Config, 'dataDir'>, reason: string) =>
  `DATA_DIR: the lock ${join(resolve(dataDir), 'yardmaster.guard')} cannot be used (${reason}). ` +
  'Stop every program that uses the data folder, then delete the lock.'

const COPY_PREFIX = 'yardmaster-read-only-'

/** A copy that cannot be deleted only takes up space. */
function removeCopy(copy: string) {
  try {
    makeWritable(copy)
    rmSync(copy, { recursive: true, force: true })
  } catch {}
}

/** Another account could put links into its folder while this program changes permissions there. */
const isOwn = (copy: string) => process.getuid === undefined || lstatSync(copy).uid === process.getuid()

/** A copy has the permissions of its original, which can be read-only. */
function makeWritable(folder: string) {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) makeWritable(path)
    else if (entry.isFile()) chmodSync(path, 0o600)
  }
}

/** Deletes temporary database copies that a killed program left behind. */
function sweepCopies() {
  for (const name of readdirSync(tmpdir())) {
    const copy = join(tmpdir(), name)
    if (!name.startsWith(COPY_PREFIX) || !isOwn(copy) || isFolderLocked(copy)) continue
    removeCopy(copy)
  }
}

/**
 * Opens a copy of a database whose folder is not writable. The copy is in a temporary folder.
 * Closing the opened database deletes the copy.
 * @throws StartError with the message `problem` when the copy cannot be made or opened
 */
export async function openReadOnlyCopy(config: Config, problem: string, watch?: Watch): Promise<Database> {
  let copy: string | undefined
  const remove = () => copy && removeCopy(copy)
  try {
    sweepCopies()
    copy = mkdtempSync(join(tmpdir(), COPY_PREFIX))
    cpSync(databaseIn(config.dataDir), databaseIn(copy), { recursive: true })
    makeWritable(copy)
    const database = await openEmbedded(copy, watch)
    return { ...database, close: () => database.close().finally(remove) }
  } catch {
    remove()
    throw new StartError(problem)
  }
}
