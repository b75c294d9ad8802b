import { and, eq, sql } from 'drizzle-orm'
import { type Db, oneOf, violatedUnique } from '../../../../db/client'
import { uploadRows, uploads } from '../../../../db/schema'
import { DATA_TYPE_LABELS, type UploadStatus } from '../../../../db/vocabulary'
import { readStored } from '../../file-store'
import { unitsOfVins } from '../../records/units-of-vins'
import { importKind } from '../kinds'
import { validateFile } from '../parse/run-worker'
import { STAGED_COLUMNS } from '../parse/staged-text'
import { seesCostsOf } from '../readers'
import { importNames, rememberedColumns, rememberedDefaults } from '../remembered-names'
import { countRows } from '../rows'
import { NOTHING } from '../rules'
import { countConflicts, skipConflicts, summarizeConflicts } from '../sql/row-notes'
import { checkRows } from '../sql/write-rows'
import { hasLikelyAnswers, suggestAnswers } from '../suggest-answers'
import { Interrupted, inSteps, type JobContext, planned, type StoredUpload, transition } from './steps'
import { undo } from './undo-stage'
import { write } from './write-stage'

/**
 * Functions that do the work of an import, one for each status. Each function moves the import to the next status. If a
 * function is interrupted, it can run again.
 */

/** @throws Interrupted unless the status is `reading` */
const clearRows = (db: Db, id: number) =>
  db.transaction(async (tx) => {
    const [lockedUpload] = await tx
      .select({ status: uploads.status })
      .from(uploads)
      .where(eq(uploads.id, id))
      .for('update')
    if (lockedUpload?.status !== 'reading') throw new Interrupted()
    await tx.delete(uploadRows).where(eq(uploadRows.upload_id, id))
  })

async function read(upload: StoredUpload, { ctx, reportProgress, signal }: JobContext) {
  const { db, database, log } = ctx
  let units = new Map<string, string>()
  const isOwn = eq(uploads.id, upload.id)
  const load = async () => {
    // If the server does not survive the reading, the count stays.
    await db
      .update(uploads)
      .set({ crashes: sql`${uploads.crashes} + 1` })
      .where(isOwn)
    return request()
  }
  const request = async () => ({
    uploadId: upload.id,
    bytes: await readStored(ctx, upload.stored_as),
    fileName: upload.file_name,
    dataType: upload.data_type,
    existing: upload.existing,
    today: ctx.clock.today(),
    names: { ...(await importNames(db, upload.data_type, upload.new_names)), units },
    columns: await rememberedColumns(db, upload.data_type),
    fields: upload.fields,
    defaults: upload.defaults,
    headerRow: upload.header_row,
    sheet: upload.sheet,
    encoding: upload.encoding,
    skipHidden: upload.skip_hidden,
    extendShort: upload.extend_short,
    // Use remembered defaults only if the import has a preview, so that the user sees them before rows are written.
    remembered: upload.commits ? new Map() : await rememberedDefaults(db, upload.data_type),
    dateOrders: upload.date_orders,
  })
  const keep = async (staged: Uint8Array, done: number) => {
    await reportProgress(done)
    await database.copyIn(`copy upload_rows (${STAGED_COLUMNS}) from stdin`, staged).catch((error) => {
      throw violatedUnique(error) === null ? error : new Interrupted() // Another server instance reads the same file.
    })
  }
  const logBroken = (reason: string) => log('warn', 'a file could not be read', { upload: upload.id, reason })
  const readFile = async () => {
    await clearRows(db, upload.id)
    const waiting = { account: upload.created_by, load, check: () => reportProgress(0), signal }
    return validateFile(waiting, keep, logBroken).finally(() => db.update(uploads).set({ crashes: 0 }).where(isOwn))
  }
  let summary = await readFile()
  if (summary.vins.length > 0) units = await unitsOfVins(db, summary.vins)
  if (units.size > 0) summary = await readFile()
  const { warnings, refusalText, rowCount, lastRow, defaults, orders, vins: _, ...findings } = summary
  await reportProgress(1)
  // Two server instances that read a file at once can delete each other's rows. If rows are missing, interrupt the
  // import, so that the file is read again.
  if (!refusalText && (await db.$count(uploadRows, eq(uploadRows.upload_id, upload.id))) !== rowCount)
    throw new Interrupted()
  // Required columns are missing, so show a preview instead of writing the rows. Read the file again, because
  // remembered defaults apply only with a preview and may fill these columns.
  if (refusalText && upload.commits)
    return transition(db, upload, { status: 'reading', commits: false, message: refusalText })
  // Some columns contain dates such as 31/1/2026, which contradict the assumed order of day and month. Read the file
  // again with the correct order, because ambiguous dates in these columns, such as 3/4/2026, were read wrongly.
  if (Object.keys(orders).length > 0) {
    return transition(db, upload, { status: 'reading', date_orders: { ...upload.date_orders, ...orders } })
  }
  const next = refusalText
    ? ({ status: 'ready', message: upload.message || refusalText, ...NOTHING } as const)
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

/** Removes the warnings about rows that are not imported. For example, the user skips rows about finished records. */
async function withoutSkippedRows(db: Db, id: number, warnings: string[]): Promise<string[]> {
  const rowOf = (warning: string) => Number(/^Row (\d+): /.exec(warning)?.[1] ?? 0)
  const numbers = [...new Set(warnings.map(rowOf))]
  const skipped = await db
    .select({ row: uploadRows.row })
    .from(uploadRows)
    .where(and(eq(uploadRows.upload_id, id), eq(uploadRows.outcome, 'duplicate'), oneOf(uploadRows.row, numbers)))
  const rows = new Set(skipped.map(({ row }) => row))
  return warnings.filter((warning) => !rows.has(rowOf(warning)))
}

async function check(upload: StoredUpload, job: JobContext) {
  const { db } = job.ctx
  const tellsCosts = await seesCostsOf(db, upload)
  const today = job.ctx.clock.today()
  await inSteps(upload, job, { from: 0, last: upload.last_row }, (range) =>
    planned(db, async (tx) => {
      await checkRows(tx, upload.data_type, upload.existing, range, { tellsCosts, today })
      if (upload.skip_conflicts) await skipConflicts(tx, importKind(upload.data_type), range)
    }),
  )
  const { create, update, duplicate, error } = await countRows(db, upload.id)
  const kind = importKind(upload.data_type)
  const conflicts = await summarizeConflicts(db, kind, upload.id)
  const conflictCounts = await countConflicts(db, kind, upload.id)
  const found = upload.found && { ...upload.found, conflicts, ...conflictCounts }
  const suggestions = upload.commits ? await suggestAnswers(job.ctx, { ...upload, found }) : null
  // True if no row can be imported yet, but the user can change that by answering questions about names or words.
  const isStuck = create + update === 0 && (found?.words?.length ?? 0) + (found?.names.length ?? 0) > 0
  const commits = suggestions !== null && !(upload.asks && (isStuck || hasLikelyAnswers(suggestions, found)))
  const otherType =
    commits && suggestions.data_type
      ? [
          `The columns of this file look like ${DATA_TYPE_LABELS[suggestions.data_type]}, but it was imported as ` +
            DATA_TYPE_LABELS[upload.data_type],
        ]
      : []
  const warnings = upload.skip_conflicts
    ? await withoutSkippedRows(db, upload.id, upload.validation_errors)
    : upload.validation_errors
  const counts = {
    found,
    validation_errors: [...warnings, ...otherType],
    imported: create,
    updated: update,
    duplicates: duplicate,
    failed: error,
  }
  await transition(
    db,
    upload,
    commits ? { ...counts, status: 'writing', imported: 0, updated: 0 } : { ...counts, status: 'ready', commits },
  )
}

export const WORK: Partial<Record<UploadStatus, (upload: StoredUpload, job: JobContext) => Promise<void>>> = {
  reading: read,
  checking: check,
  writing: write,
  // A user's undos run one after another. Many undos at a time would delay the imports of other users, and would wait
  // for each other's vehicles.
  undoing: (upload, job) => job.inTurn(() => undo(upload, job)),
}

export const AT_WORK = Object.keys(WORK) as UploadStatus[]
