/**
 * Script that writes `seed.tar.gz`, an empty database with all migrations.
 * The first start of the program unpacks this archive, because `initdb` takes seconds and a gigabyte of memory. The
 * script runs after every install. It does nothing if the archive matches the PGlite version and the migrations. With
 * the name of a folder, it writes the archive there.
 */
import crypto from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json'
import type { Db } from '../client'

const FOLDER = process.argv[2] ?? import.meta.dir
const SEED = join(FOLDER, 'seed.tar.gz')
const MIGRATIONS = join(import.meta.dir, '../migrations')
const shape = new Bun.CryptoHasher('sha256').update(readFileSync(import.meta.path))
for (const name of readdirSync(MIGRATIONS).sort())
  if (name.endsWith('.sql')) shape.update(name).update(readFileSync(join(MIGRATIONS, name)))
const version = `${manifest.dependencies['@electric-sql/pglite']} ${shape.digest('hex')}`
const VERSION_FILE = join(FOLDER, 'seed.version')

/**
 * Returns an entry of a plain ustar archive.
 * Owner, mode and time are fixed, so that the same database always gives the same archive.
 */
function tarEntry(name: string, isFolder: boolean, data: Uint8Array): Uint8Array[] {
  const header = new Uint8Array(512)
  const writeField = (text: string, at: number) => header.set(new TextEncoder().encode(text), at)
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0')
  writeField(name, 0)
  writeField(octal(isFolder ? 0o700 : 0o600, 8), 100)
  writeField(octal(0, 8), 108)
  writeField(octal(0, 8), 116)
  writeField(octal(data.length, 12), 124)
  writeField(octal(0, 12), 136)
  writeField('        ', 148)
  writeField(isFolder ? '5' : '0', 156)
  writeField('ustar\u000000', 257)
  writeField(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    ),
    148,
  )
  return [header, data, new Uint8Array((512 - (data.length % 512)) % 512)]
}

/** Yields the archive entries of a folder's contents. Each folder comes before the files inside it. */
function* walk(folder: string, at = '.'): Generator<Uint8Array> {
  yield* tarEntry(`${at}/`, true, new Uint8Array())
  for (const name of readdirSync(join(folder, at)).sort()) {
    const path = `${at}/${name}`
    if (name.startsWith('postmaster.')) continue
    if (statSync(join(folder, path)).isDirectory()) yield* walk(folder, path)
    else yield* tarEntry(path, false, readFileSync(join(folder, path)))
  }
}

/**
 * Stops the clock and makes random numbers constant, so that the same migrations always give the same archive.
 * Postgres stores both in the database: the time of its creation, and a number for sign-ins that do not exist here.
 */
function fixTimeAndRandomness() {
  Date.now = () => Date.UTC(2026, 0, 1)
  performance.now = () => 0
  crypto.randomFillSync = ((bytes: Uint8Array) => bytes.fill(0)) as typeof crypto.randomFillSync
}

async function makeSeed() {
  fixTimeAndRandomness()
  // Import these modules only here. Usually the archive is up to date, and the script ends before it needs them.
  const [{ PGlite }, { drizzle }, { migrate }, schema] = await Promise.all([
    import('@electric-sql/pglite'),
    import('drizzle-orm/pglite'),
    import('../migrate'),
    import('../schema'),
  ])
  const folder = mkdtempSync(join(tmpdir(), 'yardmaster-seed-'))
  try {
    const pg = await PGlite.create(join(folder, 'pgdata'))
    await migrate(drizzle({ client: pg, schema }) as unknown as Db)
    await pg.exec('CHECKPOINT')
    await pg.close()
    const tar = new Blob([...walk(join(folder, 'pgdata')), new Uint8Array(1024)] as BlobPart[])
    await Bun.write(`${SEED}.new`, Bun.gzipSync(await tar.bytes(), { level: 9 }))
    renameSync(`${SEED}.new`, SEED)
    await Bun.write(VERSION_FILE, version)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const storedVersion = await Bun.file(VERSION_FILE)
  .text()
  .catch(() => '')
if (storedVersion !== version || !(await Bun.file(SEED).exists())) await makeSeed()
