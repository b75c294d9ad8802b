import { copyFile, mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Client } from 'bun'
import { eq, isNotNull } from 'drizzle-orm'
import type { Database } from '../../db/client'
import { documents, uploadFiles, uploads } from '../../db/schema'
import type { Config } from './config'
import type { AppContext } from './context'
import { Missing, Refusal } from './refusals'

/**
 * The parts of the app context that select the file storage.
 * If `S3_URL` is set, files are objects in an S3 bucket. If not, the type of database decides. With a Postgres server,
 * files are table rows, so that every server instance can read them. With the embedded database, they are files in
 * `DATA_DIR`.
 */

export type Storage = Pick<AppContext, 'config' | 'database' | 'db'>

/** Matches the names of stored files. Other files in the uploads folder, such as `.DS_Store`, are not ours. */
export const STORED_NAME = /^[\w-]{1,36}$/

/**
 * Checks that a file is not larger than the upload limit.
 * The limit of the whole request is 1 MB higher, to leave room for the other fields of the form.
 * @throws Refusal (413) when the file is too large
 */
export function checkFileSize({ config: { maxUploadBytes } }: Pick<AppContext, 'config'>, file: File) {
  if (file.size > maxUploadBytes)
    throw new Refusal(413, `The file is larger than ${Math.floor(maxUploadBytes / 1024 / 1024)} MB`)
}

export const uploadsFolder = (config: Config) => join(config.dataDir, 'uploads')

const buckets = new Map<string, S3Client>()

/**
 * Returns the client for the S3 bucket in `S3_URL`.
 * The URL has the form `https://KEY:SECRET@s3.example.com/bucket?region=us-east-1`.
 */
function bucketOf({ s3Url }: Config): S3Client | null {
  if (!s3Url) return null
  const url = new URL(s3Url)
  const [bucket = ''] = url.pathname.slice(1).split('/')
  const client =
    buckets.get(s3Url) ??
    new S3Client({
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      endpoint: url.origin,
      bucket: decodeURIComponent(bucket),
      region: url.searchParams.get('region') ?? 'us-east-1',
    })
  buckets.set(s3Url, client)
  return client
}

function bucketAway(error: unknown): never {
  const refusal = new Refusal(503, 'The file storage cannot be reached. Please try again later.')
  refusal.cause = error
  throw refusal
}

/** @throws Refusal (503) when the bucket cannot be reached */
const readObject = async (bucket: S3Client, name: string): Promise<Uint8Array<ArrayBuffer> | null> =>
  bucket
    .file(name)
    .arrayBuffer()
    .then(
      (content) => new Uint8Array(content),
      (error) => (error.code === 'NoSuchKey' ? null : bucketAway(error)),
    )

/**
 * Finds a file in the S3 bucket. Returns null if it does not exist, or if there is no bucket.
 * @throws Refusal (503) when the bucket cannot be reached
 */
export async function bucketFile(
  config: Config,
  name: string,
): Promise<{ size: number; stream: () => ReadableStream<Uint8Array> } | null> {
  const file = bucketOf(config)?.file(name)
  if (!file) return null
  try {
    const { size } = await file.stat()
    return { size, stream: () => file.stream() }
  } catch (error) {
    return (error as { code?: string }).code === 'NoSuchKey' ? null : bucketAway(error)
  }
}

/**
 * Syncs a folder to disk. Otherwise, a crash could lose the names of new files.
 * Does nothing on Windows, which cannot open a folder and does not need this step.
 */
async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

/** Moves a file, even to another file system. For example, the uploads folder can be a link to another file system. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
    const copy = await open(to)
    await copy.sync().finally(() => copy.close())
    await unlink(from)
  }
}

/**
 * Stores an uploaded file and returns its name.
 * The returned promise resolves only when the file would survive a crash.
 * @throws Refusal (503) when the S3 bucket cannot be reached
 */
export async function keepFile(
  { config, database, db }: Storage,
  bytes: Uint8Array,
  name: string = crypto.randomUUID(),
): Promise<string> {
  const bucket = bucketOf(config)
  if (bucket) {
    await bucket.write(name, bytes).catch(bucketAway)
    return name
  }
  if (database.engine === 'server') {
    await db.insert(uploadFiles).values({ name, content: bytes }).onConflictDoNothing()
    return name
  }
  await mkdir(uploadsFolder(config), { recursive: true, mode: 0o700 })
  const file = await open(join(uploadsFolder(config), name), 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(uploadsFolder(config))
  return name
}

/**
 * Returns `name` if it can be a stored file's name. Otherwise returns null, because a text such as `../x` would lead
 * out of the uploads folder.
 */
export const storedName = (name: string | null) => (name && STORED_NAME.test(name) ? name : null)

/**
 * Reads an uploaded file from any storage.
 * Searches the database table, the uploads folder and the S3 bucket. The file may be older than the current storage
 * setting, or come from a backup.
 * @throws Missing when the file does not exist
 * @throws Refusal (503) when the bucket cannot be reached
 */
export async function readStored(
  { config, db }: Storage,
  stored_as: string | null,
  what = 'Original file',
): Promise<Uint8Array<ArrayBuffer>> {
  const name = storedName(stored_as)
  if (!name) throw new Missing(what)
  const [row] = await db.select({ content: uploadFiles.content }).from(uploadFiles).where(eq(uploadFiles.name, name))
  if (row) return new Uint8Array(row.content)
  const file = await readFile(join(uploadsFolder(config), name)).catch(() => null)
  if (file) return new Uint8Array(file)
  const bucket = bucketOf(config)
  const object = bucket && (await readObject(bucket, name))
  if (!object) throw new Missing(what)
  return object
}

export async function dropFile({ config, db }: Storage, stored_as: string | null): Promise<void> {
  const name = storedName(stored_as)
  if (!name) return
  await db.delete(uploadFiles).where(eq(uploadFiles.name, name))
  await unlink(join(uploadsFolder(config), name)).catch(() => {})
  // Ignore an unreachable S3 bucket. The file then remains in the bucket, where it only takes up space.
  await bucketOf(config)
    ?.delete(name)
    .catch(() => {})
}

/**
 * Yields the uploaded files that are not in the database.
 * These files are in the uploads folder and in the S3 bucket. A backup must include them. A restore writes them to the
 * uploads folder, and then moves them to the configured storage.
 * @throws Refusal (503) when the bucket cannot be reached
 */
export async function* filesOutsideTables(
  config: Config,
  { db }: Pick<Database, 'db'>,
): AsyncGenerator<{ name: string; content: Uint8Array }> {
  const folder = uploadsFolder(config)
  const inFolder = new Set((await readdir(folder).catch(() => [])).filter((name) => STORED_NAME.test(name)))
  for (const name of inFolder) {
    const content = await readFile(join(folder, name)).catch(() => null)
    if (content) yield { name, content }
  }
  const bucket = bucketOf(config)
  if (!bucket) return
  for (const table of [uploads, documents]) {
    const named = await db.select({ name: table.stored_as }).from(table).where(isNotNull(table.stored_as))
    for (const { name } of named) {
      const content = name && !inFolder.has(name) ? await readObject(bucket, name) : null
      if (name && content) yield { name, content }
    }
  }
}

/** Yields the uploaded files that are not in the S3 bucket. Only one file is in memory at a time. */
async function* filesOutsideBucket({ config, db }: Storage): AsyncGenerator<{ name: string; content: Uint8Array }> {
  for (const { name } of await db.select({ name: uploadFiles.name }).from(uploadFiles)) {
    const [row] = await db.select({ content: uploadFiles.content }).from(uploadFiles).where(eq(uploadFiles.name, name))
    if (row) yield { name, content: row.content }
  }
  yield* filesOutsideTables({ ...config, s3Url: null }, { db })
}

/**
 * Copies uploaded files to another installation. Files in the S3 bucket are not copied. Files that were already copied
 * to a Postgres server are skipped.
 * @returns the number of files
 */
export async function copyFiles(from: Storage, to: Storage): Promise<number> {
  let count = 0
  for await (const { name, content } of filesOutsideBucket(from)) {
    await keepFile(to, content, name)
    count++
  }
  return count
}

/**
 * Copies restored files from the uploads folder to the configured storage. Does nothing if that is the uploads folder.
 * @param added the files to delete from the folder. The others were there before, and belong to an embedded database.
 */
export async function storeRestoredFiles(storage: Storage, names: string[], added: string[]): Promise<void> {
  const { config, database } = storage
  if (!config.s3Url && database.engine === 'embedded') return
  const isAdded = new Set(added)
  for (const name of names) {
    const path = join(uploadsFolder(config), name)
    await keepFile(storage, await readFile(path), name)
    if (isAdded.has(name)) await unlink(path)
  }
}

/** @throws Error when a test file cannot be written to the S3 bucket or deleted */
export async function checkBucket(config: Config): Promise<void> {
  const bucket = bucketOf(config)
  const name = `check-${crypto.randomUUID()}`
  await bucket?.write(name, 'check')
  await bucket?.delete(name)
}
