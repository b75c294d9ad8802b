import { and, eq, inArray, sql } from 'drizzle-orm'
import { auditEntries, uploads } from '../../../db/schema'
import type { UploadStatus } from '../../../db/vocabulary'
import type { CurrentUser } from '../auth/current-user'
import type { AppContext } from '../context'
import { dropFile } from '../file-store'
import { audit, changesBetween } from '../records/audit-entry'
import { inTransaction, type Write } from '../records/transactions'
import { Conflict } from '../refusals'
import { discard } from './job/discard'
import { importRunner } from './job/runner'
import { importKind } from './kinds'
import { findUpload, type Upload } from './queries'
import { checkInProgress } from './receive'
import { rememberAnswers } from './remember-answers'
import { countRows } from './rows'

/** Statuses in which an import can be deleted. The import has then written no records and is not running. */
const UNWRITTEN: UploadStatus[] = ['ready', 'refused']

/** Deletes an import that has written no records. Returns false if it has. */
export async function discardUpload(ctx: AppContext, write: Write, id: number): Promise<boolean> {
  const [storedUpload] = await write.db.select({ stored_as: uploads.stored_as }).from(uploads).where(eq(uploads.id, id))
  const isGone = await discard(write, id, UNWRITTEN)
  if (isGone) await dropFile(ctx, storedUpload?.stored_as ?? null)
  return isGone
}

/**
 * Changes the status of an import whose status is in `from`.
 * If several requests try this at once, only one succeeds. `also` runs additional changes in the same transaction.
 * @throws Missing when the import does not exist, Conflict with `conflictMessage` when its status is not in `from`
 */
export async function transitionUpload(
  write: Write,
  id: number,
  from: Upload['status'][],
  values: Partial<typeof uploads.$inferInsert>,
  conflictMessage: string,
  also?: (write: Write) => Promise<void>,
) {
  const stored = await findUpload(write.db, id)
  await inTransaction(write, async (write) => {
    const [updated] = await write.db
      .update(uploads)
      .set({
        ...values,
        progress: 0,
        runner_seen_at: sql`now()`,
        ...starterOf(write),
      })
      .where(and(eq(uploads.id, id), inArray(uploads.status, from)))
      .returning({ id: uploads.id })
    if (!updated) throw new Conflict(conflictMessage)
    await audit(write, 'update', 'uploads', id, changesBetween({ status: stored.status }, { status: values.status }))
    await also?.(write)
  })
}

/**
 * Deletes an older import. Import `id` corrects the failed rows of this older import.
 * The older import stays if its status is not `ready`, or if it has valid rows. It also stays if it has more failed
 * rows than import `id` has rows.
 * Before the deletion, the older import's column choices and defaults are remembered. If the older import itself
 * corrected rows of an even older import, that import is treated the same way first.
 */
async function discardFixed(ctx: AppContext, write: Write, id: number): Promise<void> {
  const { mends, row_count } = await findUpload(ctx.db, id)
  if (mends === null) return
  const { status } = await findUpload(ctx.db, mends)
  const { create, update, error } = await countRows(ctx.db, mends)
  if (status !== 'ready' || create + update > 0 || error > row_count) return
  await discardFixed(ctx, write, mends)
  await rememberAnswers(write, mends)
  await discardUpload(ctx, write, mends)
}

/**
 * Starts to write the rows of a previewed import. Users who are not administrators can commit an import that creates
 * locations or companies, because an administrator has already approved the new names.
 * @throws Missing when the import does not exist, Conflict when it is not `ready` or lacks required columns, or when
 * too many of the user's imports are in progress
 */
export async function commitImport(ctx: AppContext, write: Write, id: number): Promise<Upload> {
  const { found, status } = await findUpload(ctx.db, id)
  if (status === 'ready' && found?.missing.length)
    throw new Conflict(`Choose the columns for ${found.missing.join(', ')} first`)
  await inTransaction(write, async (write) => {
    await checkInProgress(write)
    await transitionUpload(
      write,
      id,
      ['ready'],
      { status: 'writing', commits: true, imported: 0, updated: 0 },
      'This import has already been finished or discarded',
      (write) => rememberAnswers(write, id),
    )
  })
  // Import `id` may correct failed rows of an older import. Import `id` is already being written, so delete the older
  // import even if the session has ended. Therefore, do not check the session again.
  await discardFixed(ctx, { ...write, checkAccess: undefined }, id)
  void importRunner(ctx).begin(id)
  return findUpload(ctx.db, id)
}

const starterOf = ({ actor }: Write) => ({
  started_by: actor.username,
  started_token: actor.token_name ?? null,
  started_address: actor.address ?? null,
})

/**
 * Returns true if an undo must keep the import's locations and companies.
 * The undo deletes them if an administrator undoes the import, or if the user who started the import undoes it without
 * an API token.
 */
async function keepsNames({ db, actor }: Write, { role }: Pick<CurrentUser, 'role'>, id: number): Promise<boolean> {
  if (role === 'admin') return false
  const [upload] = await db.select({ started_by: uploads.started_by }).from(uploads).where(eq(uploads.id, id))
  return upload?.started_by !== actor.username || Boolean(actor.token_name)
}

/**
 * Cancels an import and undoes the changes that it has already written.
 * @throws Missing when the import does not exist, Conflict when it has finished
 */
export async function cancelImport(
  ctx: AppContext,
  write: Write,
  user: Pick<CurrentUser, 'role'>,
  id: number,
): Promise<void> {
  const { db } = ctx
  const { status } = await findUpload(db, id)
  if (UNWRITTEN.includes(status) && (await discardUpload(ctx, write, id))) return
  await inTransaction(write, async (write) => {
    const [cancelled] = await write.db
      .update(uploads)
      .set({ is_cancelled: true, keeps_names: await keepsNames(write, user, id), ...starterOf(write) })
      .where(
        and(
          eq(uploads.id, id),
          inArray(uploads.status, ['reading', 'checking', 'writing']),
          eq(uploads.is_cancelled, false),
        ),
      )
      .returning({ id: uploads.id })
    if (cancelled)
      await audit(write, 'update', 'uploads', id, changesBetween({ is_cancelled: false }, { is_cancelled: true }))
    else if (!['reading', 'checking', 'writing'].includes((await findUpload(write.db, id)).status))
      throw new Conflict('This import has finished; you can only undo it')
  })
}

/**
 * Starts to undo an import. Records that users have edited since the import stay unchanged.
 * @throws Missing when the import does not exist, Conflict when there is nothing to undo, or when audit entries of the
 * import were deleted
 */
export async function undoImport(
  ctx: AppContext,
  write: Write,
  user: Pick<CurrentUser, 'role'>,
  id: number,
): Promise<Upload> {
  const undone = {
    status: 'undoing',
    undo: null,
    undone_at: write.actor.now,
    undone_by: write.actor.username,
    keeps_names: await keepsNames(write, user, id),
  } as const
  const { status, data_type, imported, updated } = await findUpload(ctx.db, id)
  const entries = await ctx.db.$count(
    auditEntries,
    and(eq(auditEntries.upload_id, id), eq(auditEntries.entity, importKind(data_type).table)),
  )
  if (status === 'done' && entries < imported + updated)
    throw new Conflict('This import cannot be undone any more, because its audit entries were deleted')
  const otherwise =
    status === 'undone' || status === 'undoing' ? 'This import has already been undone' : 'There is nothing to undo'
  await inTransaction(write, async (write) => {
    if (status === 'done') await checkInProgress(write)
    await transitionUpload(write, id, ['done'], undone, otherwise)
  })
  void importRunner(ctx).begin(id)
  return findUpload(ctx.db, id)
}
