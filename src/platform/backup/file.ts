import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, stat, unlink } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartError } from '../start-error'

/**
 * First line of a backup file. A backup file contains JSON lines and raw bytes, compressed with gzip. A `rows` or
 * `file` line states how many raw bytes follow it. If the final `end` line is missing, the file is truncated.
 */
export type Head = { yardmaster: string; format: 1; made_at: string; migrations: string[] }
export type BackupLine =
  | ({ kind: 'head' } & Head)
  | { kind: 'table'; table: string; columns: string[]; last_id: number | null }
  | { kind: 'rows'; bytes: number }
  | { kind: 'sum'; table: string; rows: number; checksum: string }
  | { kind: 'file'; name: string; bytes: number }
  | { kind: 'end'; tables: number; files: number }

/**
 * Writes a backup to `path.partial`, syncs it and renames it. A failed backup therefore never replaces the file at
 * `path`.
 * @returns the compressed size in bytes
 */
export async function writeBackup(
  path: string,
  write: (writeLine: (line: BackupLine, bytes?: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<number> {
  const draft = `${path}.partial`
  const gzip = createGzip({ level: 3 })
  const pipelineDone = pipeline(gzip, createWriteStream(draft, { mode: 0o600 }))
  // Rejects if the pipeline fails, for example because the disk is full. Without this promise, `writeBytes` would wait
  // for `drain` forever.
  const failed = pipelineDone.then(() => new Promise<never>(() => {}))
  failed.catch(() => {})
  const writeBytes = async (bytes: Uint8Array | string) => {
    if (!gzip.write(bytes)) await Promise.race([once(gzip, 'drain'), failed])
  }
  try {
    await write(async (line, bytes) => {
      await writeBytes(`${JSON.stringify(line)}\n`)
      if (bytes?.length) await writeBytes(bytes)
    })
    gzip.end()
    await pipelineDone
    const file = await open(draft, 'r')
    await file.sync().finally(() => file.close())
    await rename(draft, path)
    return (await stat(path)).size
  } catch (error) {
    gzip.destroy()
    await pipelineDone.catch(() => {})
    await unlink(draft).catch(() => {})
    throw error
  }
}

export class BackupReader {
  #source: AsyncIterator<Uint8Array>
  #held: Buffer = Buffer.alloc(0)
  #unread = 0

  constructor(readonly path: string) {
    const gunzip = createGunzip()
    createReadStream(path)
      .on('error', (error) => gunzip.destroy(error))
      .pipe(gunzip)
    this.#source = gunzip[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next().catch((error: Error) => {
      throw new StartError(`${this.path} is not a complete backup: ${error.message}`)
    })
    if (next.done) return false
    this.#held = this.#held.length ? Buffer.concat([this.#held, next.value]) : Buffer.from(next.value)
    return true
  }

  /**
   * Skips the unread raw bytes and returns the next JSON line.
   * @throws StartError when the file is truncated or not a backup
   */
  async line(): Promise<BackupLine> {
    for await (const _ of this.bytes()) void _
    for (;;) {
      const end = this.#held.indexOf(10)
      if (end >= 0) {
        const text = this.#held.subarray(0, end).toString('utf8')
        this.#held = this.#held.subarray(end + 1)
        const line = parsed(text)
        if (!line) throw new StartError(`${this.path} is not a backup of Yardmaster`)
        this.#unread = 'bytes' in line ? line.bytes : 0
        return line
      }
      if (this.#held.length > 1_000_000) throw new StartError(`${this.path} is not a backup of Yardmaster`)
      if (!(await this.#more())) throw new StartError(`${this.path} is cut off`)
    }
  }

  /**
   * Yields the raw bytes that follow the current JSON line.
   * @throws StartError when the file is truncated
   */
  async *bytes(): AsyncGenerator<Uint8Array> {
    while (this.#unread > 0) {
      if (!this.#held.length && !(await this.#more())) throw new StartError(`${this.path} is cut off`)
      const piece = this.#held.subarray(0, this.#unread)
      this.#held = this.#held.subarray(piece.length)
      this.#unread -= piece.length
      yield piece
    }
  }
}

function parsed(text: string): BackupLine | null {
  try {
    const line = JSON.parse(text) as BackupLine
    return typeof line?.kind === 'string' ? line : null
  } catch {
    return null
  }
}
