import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Puts the seed database in place as `target`. Everything is on disk before the rename, so a crash leaves either
 * no database (the next start begins again) or a whole one.
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

/** A folder of a database that lacks what every one has. */
export class DamagedFolderError extends Error {
  override name = 'DamagedFolderError'
}

/** PGlite would overwrite a cluster without these files by a new one. @throws DamagedFolderError */
function checkCluster(folder: string) {
  for (const name of ['PG_VERSION', 'global/pg_control', 'base'])
    if (!existsSync(join(folder, name))) throw new DamagedFolderError(`${join(folder, name)} is missing`)
}

/**
 * One flush of the file system takes 50 ms where a thousand of single files take up to a second. False where it
 * cannot be asked for.
 */
function syncFileSystem(path: string): boolean {
  // Elsewhere `sync` may return before the disk has it all.
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
 * Reads only what `make-seed.ts` writes: plain ustar, short names, each folder (the root included) before its
 * files.
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
