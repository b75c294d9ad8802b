import { eq } from 'drizzle-orm'
import { uploadRows } from '../../../../db/schema'
import { seesCosts } from '../../auth/permissions'
import { NOTHING } from '../rules'
import { isUndone, undoFrom, undoProgress, undoRows } from '../sql/undo-rows'
import { dropStaged, type JobContext, planned, STEP, type StoredUpload, transition, writeOf } from './steps'

/**
 * Undoes an import in steps, from the newest audit entry backwards.
 * The upload's column `undo` stores how far the undo has come, so that an interrupted undo can resume.
 */
export async function undo(upload: StoredUpload, { ctx, reportProgress }: JobContext) {
  const { db, database, clock } = ctx
  const over = upload.is_cancelled ? ({ status: 'cancelled', ...NOTHING } as const) : ({ status: 'undone' } as const)
  const { actor } = writeOf(upload, db, clock)
  const hides_costs = upload.hides_costs || !(await seesCosts(db, actor.username))
  let state = upload.undo ?? (await undoFrom(db, upload.id))
  for (;;) {
    await planned(db, async (tx) => {
      const write = { db: tx, clock, actor: { ...actor, hides_costs } }
      if (!isUndone(state)) state = await undoRows(write, upload, state, STEP[database.engine].undo)
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
