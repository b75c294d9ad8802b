import { eq } from 'drizzle-orm'
import { violatedUnique } from '../../../../db/client'
import { uploadRows, uploads } from '../../../../db/schema'
import type { UploadStatus } from '../../../../db/vocabulary'
import { seesCosts } from '../../auth/permissions'
import { readStored } from '../../file-store'
import { validateFile } from '../parse/run-worker'
import { STAGED_COLUMNS } from '../parse/staged-text'
import { importNames, rememberedColumns, rememberedDefaults } from '../remembered-names'
import { countRows } from '../rows'
import { checkRows } from '../sql/write-rows'
import { Interrupted, inSteps, type JobContext, planned, type StoredUpload, transition } from './steps'
import { undo } from './undo-stage'
import { write } from './write-stage'

/**
 * This file has one function for each import status in which there is work to do. Each function can be restarted, and
 * finally moves the import to its next status.
 */

async function read(upload: StoredUpload, { ctx, reportProgress }: JobContext) {
  const { db, database, log } = ctx
  await db.transaction(async (tx) => {
    const [lockedUpload] = await tx
      .select({ status: uploads.status })
      .from(uploads)
      .where(eq(uploads.id, upload.id))
      .for('update')
    if (lockedUpload?.status !== 'reading') throw new Interrupted()
    await tx.delete(uploadRows).where(eq(uploadRows.upload_id, upload.id))
  })
  const request = {
    uploadId: upload.id,
    bytes: await readStored(ctx, upload.stored_as),
    fileName: upload.file_name,
    dataType: upload.data_type,
    today: ctx.clock.today(),
    names: await importNames(db, upload.data_type, upload.new_names),
    columns: await rememberedColumns(db, upload.data_type),
    fields: upload.fields,
    defaults: upload.defaults,
    headerRow: upload.header_row,
    sheet: upload.sheet,
    encoding: upload.encoding,
    skipHidden: upload.skip_hidden,
    // Remembered defaults are used only with a preview, so that the user sees them before anything is written.
    remembered: upload.commits ? new Map() : await rememberedDefaults(db, upload.data_type),
    dateOrders: upload.date_orders,
  }
  const keep = async (staged: Uint8Array, done: number) => {
    await reportProgress(done)
    await database.copyIn(`copy upload_rows (${STAGED_COLUMNS}) from stdin`, staged).catch((error) => {
      throw violatedUnique(error) === null ? error : new Interrupted() // Another instance is reading it too.
    })
  }
  const logBroken = (reason: string) => log('warn', 'a file could not be read', { upload: upload.id, reason })
  const { warnings, refusalText, rowCount, lastRow, defaults, dayFirst, ...findings } = await validateFile(
    request,
    keep,
    logBroken,
  )
  await reportProgress(1)
  // If two instances read the file at once, rows can be missing. Interrupt the import, so that the file is read again.
  if (!refusalText && (await db.$count(uploadRows, eq(uploadRows.upload_id, upload.id))) !== rowCount)
    throw new Interrupted()
  const nothing = { imported: 0, updated: 0, duplicates: 0, failed: 0 }
  // The import cannot be committed without a preview now, so read the file again. This time remembered defaults apply.
  if (refusalText && upload.commits)
    return transition(db, upload, { status: 'reading', commits: false, message: refusalText })
  // Some columns have dates that can only be day first, but the file was read month first. Read it again with these
  // columns day first.
  if (dayFirst.length > 0) {
    const orders = Object.fromEntries(dayFirst.map((field) => [field, 'day' as const]))
    return transition(db, upload, { status: 'reading', date_orders: { ...upload.date_orders, ...orders } })
  }
  const next = refusalText
    ? ({ status: 'ready', message: upload.message || refusalText, ...nothing } as const)
    : ({ status: 'checking' } as const)
  await transition(db, upload, {
    ...next,
    found: findings,
    defaults,
    validation_errors: warnings,
    row_count: rowCount,
    last_row: lastRow,
  })
}

async function check(upload: StoredUpload, job: JobContext) {
  const { db } = job.ctx
  const tellsCosts = await seesCosts(db, upload.created_by)
  await inSteps(upload, job, { from: 0, last: upload.last_row }, (range) =>
    planned(db, (tx) => checkRows(tx, upload.data_type, upload.existing, range, { tellsCosts })),
  )
  const { create, update, duplicate, error } = await countRows(db, upload.id)
  const counts = { imported: create, updated: update, duplicates: duplicate, failed: error }
  await transition(
    db,
    upload,
    upload.commits ? { ...counts, status: 'writing', imported: 0, updated: 0 } : { ...counts, status: 'ready' },
  )
}

export const WORK: Partial<Record<UploadStatus, (upload: StoredUpload, job: JobContext) => Promise<void>>> = {
  reading: read,
  checking: check,
  writing: write,
  undoing: undo,
}

export const AT_WORK = Object.keys(WORK) as UploadStatus[]
