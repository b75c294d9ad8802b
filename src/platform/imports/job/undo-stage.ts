import { eq } from 'drizzle-orm'
import { uploadRows } from '../../../../db/schema'
import type { Actor } from '../../records/actor'
import { isUndone, undoFrom, undoProgress, undoRows } from '../sql/undo-rows'
import { actorOf, dropStaged, type JobContext, planned, STEP, type StoredUpload, transition } from './steps'

/** Takes back what was written, newest first; `undo` keeps the place. */
export async function undo(upload: StoredUpload, { ctx, reportProgress }: JobContext) {
  const { db, database, clock } = ctx
  const actor: Actor = { ...actorOf(upload, clock.now()), username: upload.undone_by ?? upload.created_by }
  const over = upload.is_cancelled
    ? ({ status: 'cancelled', imported: 0, updated: 0, duplicates: 0, failed: 0 } as const)
    : ({ status: 'undone' } as const)
  let state = upload.undo ?? (await undoFrom(db, upload.id))
  for (;;) {
    await planned(db, async (tx) => {
      if (!isUndone(state))
        state = await undoRows(tx, actor, upload.data_type, upload.id, state, STEP[database.engine].undo)
      await transition(tx, upload, {
        undo: state,
        progress: Math.round(undoProgress(state) * 1000),
        ...(isUndone(state) ? over : { status: 'undoing' }),
      })
      if (isUndone(state))
        await (upload.is_cancelled
          ? tx.delete(uploadRows).where(eq(uploadRows.upload_id, upload.id))
          : dropStaged(tx, upload.id))
    })
    if (isUndone(state)) return
    await reportProgress(undoProgress(state))
  }
}
