import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { auditEntries, uploads } from '../../../db/schema'
import type { DataType, UploadStatus } from '../../../db/vocabulary'
import { accept } from '../accept'
import type { CurrentUser } from '../auth/current-user'
import type { AppContext } from '../context'
import { dropFile, readStored } from '../file-store'
import { nameKey } from '../reading/text'
import { audit, changesBetween } from '../records/audit-entry'
import { inTransaction, type Write } from '../records/transactions'
import { Conflict, Refused } from '../refusals'
import { discard } from './job/discard'
import { importRunner } from './job/runner'
import { columnOf, importKind } from './kinds'
import { findOriginal, findUpload, type Upload } from './queries'
import { checkInProgress, receive } from './receive'
import { rememberAnswers } from './remember-answers'
import { importNames } from './remembered-names'
import { countRows } from './rows'
import { sheetChoice } from './rules'

/**
 * @throws Refused when the form is invalid, Refusal (413) when the file is too large, Conflict when the account has too
 * many unfinished imports
 */
export async function beginImport(ctx: AppContext, write: Write, form: unknown): Promise<Upload> {
  const { id } = await receive(ctx, write, form)
  void importRunner(ctx).begin(id)
  return findUpload(ctx.db, id)
}

/**
 * Previews the file of an earlier import again, or another sheet of its workbook. Without a sheet, previews the sheet
 * that the earlier import read.
 * Reuses the data type, the choice to skip or update existing records, and the defaults of the earlier import.
 * @throws Missing when the earlier import or its uploaded file does not exist, and every error that `beginImport`
 * throws
 */
export async function importSheet(ctx: AppContext, write: Write, id: number, form: unknown): Promise<Upload> {
  const { data_type, existing, file_name, defaults, found } = await findUpload(ctx.db, id)
  const sheet = accept(sheetChoice, form).sheet ?? found?.sheet ?? undefined
  const { stored_as } = await findOriginal(ctx.db, id)
  const file = new File([await readStored(ctx, stored_as)], file_name)
  const isOther = sheet !== undefined && sheet !== found?.sheet
  return beginImport(ctx, write, {
    data_type,
    existing,
    file,
    sheet,
    defaults: isOther ? await defaultsOfSheet(ctx.db, data_type, defaults, sheet) : defaults,
  })
}

/**
 * Returns the defaults for another sheet.
 * A default location is replaced with the name of the sheet, such as `Phoenix`. If no location has this name, the new
 * import has no default location. A default state or status is replaced in the same way, because sheets are often named
 * after the state or status of their rows.
 */
async function defaultsOfSheet(db: Db, dataType: DataType, defaults: Record<string, string>, sheet: string) {
  const { locations } = await importNames(db, dataType)
  const nameOfSheet = (field: string): string | null | undefined => {
    const column = columnOf(dataType, field)
    if (column?.kind === 'location') return locations.get(nameKey(sheet))?.id ? sheet : null
    if (column?.words) return column.words.find((word) => nameKey(word) === nameKey(sheet)) ?? null
    if (!column?.suggests) return undefined
    return column.rule.safeParse(column.cleans?.(sheet) ?? sheet).success ? sheet : null
  }
  const usable = Object.entries(defaults).flatMap(([field, value]) => {
    const name = nameOfSheet(field)
    return name === null ? [] : [[field, name ?? value]]
  })
  return Object.fromEntries(usable)
}

/** Time, in milliseconds, between messages that a request is still running. It must be shorter than `LOCK_MS`. */
const EXTEND_EVERY_MS = 5000

/**
 * Imports a file and waits for the result.
 * The result is an import with the status `done`, or `ready` if it needs decisions by the user. If `asks` is false, the
 * only such decision is the choice of columns for required fields. If `asks` is true, the user can also be asked about
 * other problems, such as contradictory dates.
 * If the file is refused, its upload is deleted.
 * @throws Refused when the form or the file is invalid, Refusal (413) when the file is too large
 */
export async function importOrAsk(ctx: AppContext, write: Write, form: unknown, asks = true): Promise<Upload> {
  const { id } = await receive(ctx, write, form, { commits: true, asks })
  write.endTurn?.()
  const extending = setInterval(() => void write.attempt?.extend().catch(() => {}), EXTEND_EVERY_MS)
  await importRunner(ctx)
    .run(id)
    .finally(() => clearInterval(extending))
  const end = await findUpload(ctx.db, id)
  if (end.status === 'done' || end.status === 'ready') return end
  return refuseImport(ctx, write, end)
}

/**
 * Deletes the upload of a refused import and throws its message.
 * Also frees the idempotency key, so that a retry with the same key is executed.
 * @throws Refused always
 */
async function refuseImport(ctx: AppContext, write: Write, { id, message }: Upload): Promise<never> {
  await discardUpload(ctx, { ...write, checkAccess: undefined }, id)
  await write.attempt?.unmark()
  throw Refused.field('file', message)
}

/**
 * Imports a file without asking the user, and waits for completion.
 * If the file is refused or needs decisions by the user, its upload is deleted.
 * @throws Refused when the form or the file is invalid or needs decisions, Refusal (413) when the file is too large
 */
export async function importNow(ctx: AppContext, write: Write, form: unknown): Promise<Upload> {
  const end = await importOrAsk(ctx, write, form, false)
  if (end.status === 'done') return end
  return refuseImport(ctx, write, end)
}

/** Statuses in which an import can be deleted. The import has then written no records and is not running. */
const UNWRITTEN: UploadStatus[] = ['ready', 'refused']

async function discardUpload(ctx: AppContext, write: Write, id: number): Promise<boolean> {
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
 * Previews the corrected rows of an import, and discards the import. Its answers are remembered first, so that they
 * apply to the corrected rows.
 * @throws every error that `beginImport` throws
 */
export async function replaceImport(ctx: AppContext, write: Write, id: number, form: unknown): Promise<Upload> {
  await rememberAnswers(write, id)
  const corrected = await beginImport(ctx, write, form)
  await discardUpload(ctx, { ...write, checkAccess: undefined }, id)
  return corrected
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
