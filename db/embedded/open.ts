import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, Db, Row, Watch } from '../client'
import * as schema from '../schema'
import { EmbeddedDatabase } from './database'

/** The longest that one statement may take, in milliseconds; the same limit holds on a server. */
const STATEMENT_LIMIT_MS = 25_000

/**
 * Opens the embedded database in `folder`, or a throw-away one in memory.
 * @throws FolderInUseError when another process has the folder
 */
export async function openEmbedded(folder?: string, watch?: Watch): Promise<Database & { fsyncs(): Promise<number> }> {
  const client = await EmbeddedDatabase.open({ ...(folder ? { folder } : {}), queryLimitMs: STATEMENT_LIMIT_MS, ...(watch ? { watch } : {}) })
  return {
    engine: 'embedded',
    db: drizzle({ client: client as unknown as PGlite, schema }) as unknown as Db,
    raw: async (text, values) => (await client.query<Row>(text, values)).rows,
    copyIn: async (statement, bytes) => {
      await client.query(statement.replace(/from stdin$/i, "from '/dev/blob'"), [], { blob: bytes })
    },
    close: () => client.close(),
    fsyncs: () => client.fsyncs(),
  }
}
