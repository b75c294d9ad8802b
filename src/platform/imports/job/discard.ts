import { and, eq, inArray, sql } from 'drizzle-orm'
import { uploadRows, uploads } from '../../../../db/schema'
import type { UploadStatus } from '../../../../db/vocabulary'
import type { AppContext } from '../../context'
import { dropFile } from '../../file-store'
import { audit, changesBetween } from '../../records/audit-entry'
import { inTransaction, scheduleWrite, type Write } from '../../records/transactions'

/**
 * Deletes an import and its staged rows.
 * Does nothing if the status of the import is not in `statuses`. Checks the status under a lock, because another
 * request may have changed it after the caller read it.
 * @param isAudited whether to write an audit entry. False after a cancellation, which has already written one.
 * @returns true when the import was deleted
 */
export function discard(write: Write, id: number, statuses: UploadStatus[], isAudited = true): Promise<boolean> {
  return inTransaction(write, async (write) => {
    const { db: tx } = write
    const [locked] = await tx
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(eq(uploads.id, id), inArray(uploads.status, statuses)))
      .for('update')
    if (!locked) return false
    await tx.delete(uploadRows).where(eq(uploadRows.upload_id, id))
    const [deleted] = await tx.delete(uploads).where(eq(uploads.id, id)).returning({ file_name: uploads.file_name })
    if (deleted && isAudited) await audit(write, 'delete', 'uploads', id, changesBetween(deleted, null))
    return true
  })
}

const ABANDONED_AFTER_DAYS = 7
const ABANDONED_STATUSES: UploadStatus[] = ['ready', 'refused']

export async function sweepImports(ctx: AppContext): Promise<void> {
  const { db, clock } = ctx
  const old = new Date(clock.now().getTime() - ABANDONED_AFTER_DAYS * 86_400_000)
  const abandoned = await db
    .select({ id: uploads.id, stored_as: uploads.stored_as })
    .from(uploads)
    .where(
      and(inArray(uploads.status, ABANDONED_STATUSES), sql`${uploads.created_at} < ${old.toISOString()}::timestamptz`),
    )
  for (const { id, stored_as } of abandoned) {
    if (await discard(scheduleWrite(db, clock), id, ABANDONED_STATUSES)) await dropFile(ctx, stored_as)
  }
}
