import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Unpacks an empty database to `target`, unless a database exists there.
 * The archive is first unpacked to a draft folder, which is synced to disk and then renamed to `target`. After a crash,
 * `target` is therefore either complete or missing. If it is missing, the next start unpacks again.
 * @throws DamagedFolderError when the existing database lacks an essential file
 */
export async function placeSeed(target: string, seedPath: string): Promise<void> {
  const draft = `${target}.unpacking`
  rmSync(draft, { recursive: true, force: true })
  if (existsSync(target)) return checkCluster(target)
  const tar = Bun.gunzipSync(await Bun.file(seedPath).bytes())
  const [files, folders]: [string[], string[]] = [[], []]
  for (const entry of tarEntries(tar)) {
    const path = join(draft, entry.name)
    if (entry.folder) {
      mkdirSync(path, { mode: 0o700 })
      folders.push(path)
    } else {
      writeFileSync(path, entry.data, { flag: 'wx', mode: 0o600 })
      files.push(path)
    }
  }
  if (!syncFileSystem(draft)) {
    for (const file of files) syncPath(file)
    for (const folder of folders) syncPath(folder)
  }
  renameSync(draft, target)
  syncPath(dirname(target))
}

export class DamagedFolderError extends Error {
  override name = 'DamagedFolderError'
}

/**
 * PGlite would overwrite a database folder without its essential files.
 * @throws DamagedFolderError when an essential file is missing
 */
function checkCluster(folder: string) {
  for (const name of ['PG_VERSION', 'global/pg_control', 'base'])
    if (!existsSync(join(folder, name))) throw new DamagedFolderError(`${join(folder, name)} is missing`)
}

/**
 * Syncs the file system of a path to disk. Returns false if the system cannot do this.
 * Syncing the whole file system takes about 50 ms. Syncing a thousand files one by one can take a second.
 */
function syncFileSystem(path: string): boolean {
  // On systems other than Linux, `sync` can return before all data is on disk.
  if (process.platform !== 'linux') return false
  try {
    return Bun.spawnSync(['sync', '-f', path]).success
  } catch {
    return false
  }
}

function syncPath(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

type TarEntry = { name: string; folder: boolean; data: Uint8Array }

/**
 * Reads the archive of an empty database. Supports only archives from `make-seed.ts`: plain ustar with short names,
 * where each folder comes before its files.
 */
function* tarEntries(tar: Uint8Array): Generator<TarEntry> {
  const text = (from: number, length: number) =>
    Buffer.from(tar.buffer, tar.byteOffset + from, length)
      .toString('latin1')
      .split('\0', 1)[0]!
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12), 8)
    const data = tar.subarray(at + 512, at + 512 + size)
    yield { name: text(at, 100), folder: text(at + 156, 1) === '5', data }
    at += 512 + Math.ceil(size / 512) * 512
  }
}
