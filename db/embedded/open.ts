import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { type Bulk, type Database, type Db, type Row, STATEMENT_LIMIT_MS, type Watch } from '../client'
import * as schema from '../schema'
import type { Executor } from './connection'
import { EmbeddedDatabase } from './database'
import { keepUp } from './upkeep'

const fromBlob = (statement: string) => statement.replace(/from stdin$/i, "from '/dev/blob'")

const CHUNK_BYTES = 8 * 1024 * 1024

const bulkOn = (tx: Executor): Bulk => ({
  run: async (statement) => (await tx.query<Row>(statement)).rows,
  async copyIn(statement, pieces) {
    const copy = (blob: Uint8Array) => tx.query(fromBlob(statement), [], { blob })
    let waiting: Uint8Array[] = []
    let size = 0
    for await (const piece of pieces) {
      waiting.push(piece)
      size += piece.length
      // Each COPY accepts only whole lines, so keep an incomplete last line for the next COPY.
      if (size < CHUNK_BYTES) continue
      const all = Buffer.concat(waiting)
      const end = all.lastIndexOf(10) + 1
      await copy(all.subarray(0, end))
      waiting = [all.subarray(end)]
      size = all.length - end
    }
    if (size) await copy(Buffer.concat(waiting))
  },
})

/**
 * Opens the embedded database in a folder. Without a folder, opens a temporary database in memory.
 * @throws FolderInUseError when another process uses the folder
 */
export async function openEmbedded(folder?: string, watch?: Watch): Promise<Database & { fsyncs(): Promise<number> }> {
  const client = await EmbeddedDatabase.open({
    ...(folder ? { folder } : {}),
    queryLimitMs: STATEMENT_LIMIT_MS,
    ...(watch ? { watch } : {}),
  })
  return {
    engine: 'embedded',
    db: drizzle({ client: client as unknown as PGlite, schema }) as unknown as Db,
    raw: async (text, values) => (await client.query<Row>(text, values)).rows,
    copyIn: async (statement, bytes) => {
      await client.query(fromBlob(statement), [], { blob: bytes })
    },
    bulk: (_mode, work) => client.transaction((tx) => work(bulkOn(tx))),
    keepUp: () => keepUp(async (text, values) => (await client.query<Row>(text, values)).rows),
    close: () => client.close(),
    fsyncs: () => client.fsyncs(),
  }
}
