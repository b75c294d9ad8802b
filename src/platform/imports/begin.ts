import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploadRows } from '../../../db/schema'
import type { DataType } from '../../../db/vocabulary'
import { accept } from '../accept'
import type { AppContext } from '../context'
import { readStored } from '../file-store'
import { nameKey } from '../reading/text'
import { inTransaction, type Write } from '../records/transactions'
import { Refused } from '../refusals'
import { discardUpload, transitionUpload } from './actions'
import { importRunner } from './job/runner'
import { columnOf } from './kinds'
import { findOriginal, findUpload, type Upload } from './queries'
import { receive } from './receive'
import { rememberAnswers } from './remember-answers'
import { importNames } from './remembered-names'
import { NOTHING, sheetChoice } from './rules'

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

/**
 * Previews the corrected rows of an import, and ends the import. Its answers are remembered first, so that they apply
 * to the corrected rows. Its file can still be downloaded.
 * @throws Conflict when the import was changed in the meantime, and every error that `beginImport` throws
 */
export async function replaceImport(ctx: AppContext, write: Write, id: number, form: unknown): Promise<Upload> {
  const ended = {
    status: 'cancelled',
    message: 'Replaced by corrected rows; nothing was imported',
    ...NOTHING,
  } as const
  const corrected = await inTransaction(write, async (write) => {
    await rememberAnswers(write, id)
    await transitionUpload(write, id, ['ready'], ended, CHANGED)
    await write.db.delete(uploadRows).where(eq(uploadRows.upload_id, id))
    return receive(ctx, write, form, { mends: id })
  })
  void importRunner(ctx).begin(corrected.id)
  return findUpload(ctx.db, corrected.id)
}

export const CHANGED = 'This import was changed in the meantime. Open it again before you correct its rows.'
