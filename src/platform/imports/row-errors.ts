import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploadRows } from '../../../db/schema'

export async function listErrors(db: Db, id: number, limit?: number): Promise<{ row: number; message: string }[]> {
  const failed = db
    .select({ row: uploadRows.row, message: sql<string>`coalesce(${uploadRows.message}, '')` })
    .from(uploadRows)
    .where(and(eq(uploadRows.upload_id, id), eq(uploadRows.outcome, 'error')))
    .orderBy(asc(uploadRows.row))
  return limit ? failed.limit(limit) : failed
}
