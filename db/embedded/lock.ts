import { Database } from 'bun:sqlite'
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type FolderLock = { release(): void }

export class FolderInUseError extends Error {
  override name = 'FolderInUseError'
}

/**
 * Locks a data folder against other processes. If two processes used one folder, rows that were already committed
 * would be lost.
 * @throws FolderInUseError when another process uses the folder
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Make the folder private, because PGlite creates files that everybody can read and write. Leave a folder with
  // unrelated files, such as /tmp, unchanged.
  const isOurs = readdirSync(folder).every((name) => name === 'pgdata' || name === 'uploads' || OWN_FILE.test(name))
  if (isOurs) chmodSync(folder, 0o700)
  const path = lockIn(folder)
  const guard = holdGuard(join(folder, 'yardmaster.guard'))
  const holder = readHolder(path)
  if (!guard || (holder && isRunning(holder))) {
    guard?.close()
    const holderText = holder ? ` by process ${holder.pid} on ${holder.host}` : ''
    throw new FolderInUseError(
      `The data folder ${folder} is already in use${holderText}. Stop that process first, or choose another folder.`,
    )
  }
  // It is safe to delete the old lock file here. The guard file is locked, so no other process can lock the folder
  // before the new lock file exists.
  rmSync(path, { force: true })
  const ownHolder: Holder = { pid: process.pid, started: startOf(process.pid), boot: bootId(), host: hostName() }
  const draft = `${path}.new`
  rmSync(draft, { force: true })
  writeFileSync(draft, JSON.stringify(ownHolder), { flag: 'wx', mode: 0o600 })
  renameSync(draft, path)
  return {
    release() {
      rmSync(path, { force: true })
      guard.close()
    },
  }
}

const OWN_FILE = /^(yardmaster\.|pgdata\.|control\.json)/
const lockIn = (folder: string) => join(folder, 'yardmaster.lock')

/** Returns the id of the process that has locked a data folder. The lock of a process that has ended does not count. */
export function holderOf(folder: string): number | null {
  const holder = readHolder(lockIn(folder))
  return holder && (holder.pid === process.pid || isRunning(holder)) ? holder.pid : null
}
export const isFolderLocked = (folder: string) => holderOf(folder) !== null

type Holder = { pid: number; started: string | null; boot: string | null; host: string }

/**
 * Locks the guard file of a data folder. Returns null if another process has locked the guard file.
 * The lock is an exclusive SQLite transaction, because Bun offers no file locks. The operating system releases the lock
 * when the process ends.
 * A check of process ids would not work between containers that share a volume, but this lock does.
 */
function holdGuard(path: string): Database | null {
  const guard = new Database(path, { create: true })
  try {
    guard.run('PRAGMA busy_timeout = 0')
    guard.run('BEGIN EXCLUSIVE')
    return guard
  } catch (error) {
    guard.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return null
    throw error
  }
}

function readHolder(path: string): Holder | null {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Holder
    return Number.isInteger(holder.pid) && holder.pid > 0 ? holder : null
  } catch {
    return null
  }
}

function isRunning(holder: Holder): boolean {
  if (holder.boot !== bootId()) return false
  const started = startOf(holder.pid)
  if (started !== null || holder.started !== null) return started === holder.started && holder.pid !== process.pid
  try {
    process.kill(holder.pid, 0)
    return holder.pid !== process.pid
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Returns the start time of a process, in clock ticks since boot. Null if the process does not run or /proc is missing.
 * The time distinguishes the process that holds the lock from a later process with the same id.
 */
function startOf(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`)
  if (!stat) return null
  // Count the fields after the last parenthesis, because the program name before it can contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? null : (fields[19] ?? null)
}

const bootId = () => readText('/proc/sys/kernel/random/boot_id')
const hostName = () => readText('/proc/sys/kernel/hostname') ?? 'this machine'

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
