import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploadRows } from '../../../db/schema'
import type { RowOutcome } from '../../../db/vocabulary'

export type RowMessage = { row: number; message: string }

/** Lists failed (`error`) or skipped (`duplicate`) rows of an import, with reasons. */
export async function listMessages(
  db: Db,
  id: number,
  outcome: Extract<RowOutcome, 'error' | 'duplicate'>,
  limit?: number,
): Promise<RowMessage[]> {
  const messages = db
    .select({ row: uploadRows.row, message: sql<string>`coalesce(${uploadRows.message}, '')` })
    .from(uploadRows)
    .where(and(eq(uploadRows.upload_id, id), eq(uploadRows.outcome, outcome)))
    .orderBy(asc(uploadRows.row))
  return limit ? messages.limit(limit) : messages
}
