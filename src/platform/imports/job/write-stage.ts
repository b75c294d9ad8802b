import { and, eq, ne, sql } from 'drizzle-orm'
import { type Db, rows, violatedReference, violatedUnique } from '../../../../db/client'
import { uploads } from '../../../../db/schema'
import { DATA_TYPES } from '../../../../db/vocabulary'
import { noteSlowWrite } from '../../records/slow-writes'
import { inSavepoint, type Write } from '../../records/transactions'
import { importKind } from '../kinds'
import { createNames, keepNames } from '../new-names'
import { seesCostsOf } from '../readers'
import { resultMessage } from '../rules'
import type { Range } from '../sql/statements'
import { undoFrom } from '../sql/undo-rows'
import { updateVehiclesOfRows, type WriteCounts, writeRows } from '../sql/write-rows'
import { dropStaged, inSteps, type JobContext, planned, type StoredUpload, transition, writeOf } from './steps'

/**
 * First key of the Postgres advisory lock for writing rows.
 * Only one import of a kind can hold the lock. Without the lock, a file that is uploaded twice at the same time could
 * be imported twice.
 */
const IMPORT_LOCK = 7_205_010
const TURN_EVERY_MS = 300
/**
 * Minimum number of imported rows after which the embedded database runs `analyze`.
 * With old statistics, the next queries can take 100 times as long. A Postgres server updates its statistics itself.
 */
const MANY_ROWS = 1000

/** Share of the progress bar for writing rows. The rest is for updating vehicles. */
const ROWS_SHARE = 0.9

const part = (job: JobContext, begin: number, end: number): JobContext => ({
  ...job,
  reportProgress: (done) => job.reportProgress(begin + done * (end - begin)),
})

/**
 * Writes the rows of one step. Retries after two kinds of conflict with concurrent changes:
 * - If an undo has just deleted a vehicle that a row needs, the retry adds the vehicle again.
 * - If someone has just created a record with a row's external id, the retry skips the row.
 */
async function writeStep(step: Write, upload: StoredUpload, range: Range): Promise<WriteCounts> {
  const hides_costs = !(await seesCostsOf(step.db, upload))
  const write = { ...step, actor: { ...step.actor, hides_costs } }
  for (;;) {
    try {
      return await inSavepoint(write, (write) => writeRows(write, upload.data_type, range))
    } catch (error) {
      const isConflict =
        violatedReference(error)?.includes('unit_number') || violatedUnique(error)?.endsWith('_external_id_key')
      if (!isConflict) throw error
    }
  }
}

/**
 * Writes the staged rows of an import as records. On a Postgres server, all rows are written in one transaction.
 * On the embedded database, each step has its own transaction, because all users share one connection. After an
 * interruption, such an import continues with the remaining rows.
 */
export const write = (upload: StoredUpload, job: JobContext) =>
  job.ctx.database.engine === 'server' ? writeAtOnce(upload, job) : writeInSteps(upload, job)

async function writeAtOnce(upload: StoredUpload, job: JobContext) {
  // Another server instance can hold the lock. Poll for it instead of waiting in a transaction, because waiting
  // transactions could occupy all database connections. Leave the turn meanwhile, so that other imports can use it.
  for (let isWritten = false; !isWritten; ) {
    await job.inTurn(async () => {
      isWritten = await tryToWrite(upload, job)
      // Let another instance take the lock before this instance writes its next import.
      if (isWritten && (await isTypeWanted(upload, job))) await Bun.sleep(2 * TURN_EVERY_MS)
    })
    if (isWritten) return
    await Bun.sleep(TURN_EVERY_MS)
    await job.reportProgress(0)
  }
}

/** True if another import of the same data type waits to be written. */
const isTypeWanted = async ({ id, data_type }: StoredUpload, { ctx }: JobContext) =>
  (await ctx.db.$count(
    uploads,
    and(eq(uploads.status, 'writing'), eq(uploads.data_type, data_type), ne(uploads.id, id)),
  )) > 0

/** @returns false when another import of the same kind holds the lock */
const tryToWrite = (upload: StoredUpload, job: JobContext): Promise<boolean> => {
  const { ctx } = job
  return planned(ctx.db, async (tx) => {
    const [turn] = await rows<{ is_ours: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${IMPORT_LOCK}, ${DATA_TYPES.indexOf(upload.data_type) + 1}) as is_ours`,
    )
    if (!turn?.is_ours) return false
    const [current] = await tx.select({ status: uploads.status }).from(uploads).where(eq(uploads.id, upload.id))
    if (current?.status !== 'writing') return true
    const write = writeOf(upload, tx, ctx.clock)
    const names = await createNames(write, upload)
    const total: WriteCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
    await inSteps(upload, part(job, 0, ROWS_SHARE), { from: 0, last: upload.last_row }, async (range) => {
      const counts = await writeStep(write, upload, range)
      for (const kind of ['created', 'updated', 'unchanged', 'failed'] as const) total[kind] += counts[kind]
    })
    await updateVehicles(tx, upload, (range) => updateVehiclesOfRows(write, range))
    // From here on, this transaction locks the upload's row. Do not call `reportProgress`, because it updates the same
    // row on another connection and would wait for this transaction.
    await count(tx, upload, total)
    await keepNames(tx, upload, names)
    await finish(tx, upload)
    await noteSlowWrite(write)
    return true
  })
}

const writeInSteps = (upload: StoredUpload, job: JobContext) =>
  job.inTurn(async () => {
    const { ctx } = job
    await planned(ctx.db, async (tx) =>
      keepNames(tx, upload, await createNames(writeOf(upload, tx, ctx.clock), upload)),
    )
    const from = await firstStaged(ctx.db, upload.id)
    await inSteps(upload, part(job, 0, ROWS_SHARE), { from, last: upload.last_row }, (range) =>
      planned(ctx.db, async (tx) => count(tx, upload, await writeStep(writeOf(upload, tx, ctx.clock), upload, range))),
    )
    await updateVehicles(ctx.db, upload, (whole) =>
      inSteps(upload, part(job, ROWS_SHARE, 1), { from: whole.after, last: whole.upto }, (range) =>
        planned(ctx.db, (tx) => updateVehiclesOfRows(writeOf(upload, tx, ctx.clock), range)),
      ),
    )
    if (upload.row_count >= MANY_ROWS)
      await ctx.db.execute(sql.raw(`analyze ${importKind(upload.data_type).table}, vehicles`))
    await ctx.db.transaction((tx) => finish(tx, upload))
  })

async function updateVehicles(db: Db, upload: StoredUpload, work: (entries: Range) => Promise<unknown>) {
  if (importKind(upload.data_type).mileage === undefined) return
  const { oldest, newest } = await undoFrom(db, upload.id)
  await work({ upload_id: upload.id, after: oldest - 1, upto: newest })
}

async function firstStaged(db: Db, upload_id: number): Promise<number> {
  const [firstRow] = await rows<{ row: number | null }>(
    db,
    sql`select min(row) as row from upload_rows where upload_id = ${upload_id} and outcome in ('create', 'update')`,
  )
  return firstRow?.row ? firstRow.row - 1 : 0
}

/** Counts `unchanged` rows as duplicates. These rows were skipped, because records changed after the preview. */
const count = (tx: Db, { id }: StoredUpload, { created, updated, unchanged, failed }: WriteCounts) =>
  tx
    .update(uploads)
    .set({
      imported: sql`${uploads.imported} + ${created}`,
      updated: sql`${uploads.updated} + ${updated}`,
      duplicates: sql`${uploads.duplicates} + ${unchanged}`,
      failed: sql`${uploads.failed} + ${failed}`,
    })
    .where(eq(uploads.id, id))

async function finish(tx: Db, upload: StoredUpload) {
  await dropStaged(tx, upload.id)
  const [counts] = await tx.select().from(uploads).where(eq(uploads.id, upload.id))
  if (counts) await transition(tx, upload, { status: 'done', progress: 1000, message: resultMessage(counts) })
}
