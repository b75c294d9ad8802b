import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client'
import { uploadRows, uploads } from '../../../../db/schema'
import type { UploadStatus } from '../../../../db/vocabulary'
import type { Clock } from '../../clock'
import type { AppContext } from '../../context'
import type { Write } from '../../records/transactions'
import { Refusal } from '../../refusals'
import type { Range } from '../sql/statements'

export type StoredUpload = typeof uploads.$inferSelect

export type JobContext = {
  ctx: AppContext
  /**
   * Saves the progress of an import. `done` is the finished share of the work in the current status, from 0 to 1.
   * @throws Interrupted, Cancelled or LostAccess when the work must stop
   */
  reportProgress: (done: number) => Promise<void>
  /** Aborted when the server stops. */
  signal: AbortSignal
  /** Runs work that changes records when it is the turn of the import's account. */
  inTurn: (work: () => Promise<void>) => Promise<void>
}

/**
 * Step sizes of imports, in rows or audit entries.
 * The first step has the size `first`. Later sizes adapt, so that a step takes about `ms` milliseconds. An undo step
 * has the fixed size `undo`. Steps of the embedded database are short, because all users share its only connection.
 */
export const STEP = {
  embedded: { ms: 60, first: 100, undo: 200 },
  server: { ms: 1500, first: 5000, undo: 5000 },
}
const SMALLEST_STEP = 5
const LARGEST_STEP = 20_000

/**
 * Returns the write context of the user who started the current work.
 * For an undo, this is the user who started the undo.
 */
export function writeOf(upload: StoredUpload, db: Db, clock: Clock): Write {
  const starter =
    upload.started_by === null
      ? { username: upload.created_by, address: upload.address, token_name: upload.token_name }
      : { username: upload.started_by, address: upload.started_address, token_name: upload.started_token }
  return { db, clock, actor: { ...starter, source: 'import', now: clock.now() } }
}

/** Thrown when the server is stopping or another instance runs the import. The import is resumed later. */
export class Interrupted extends Refusal {
  constructor() {
    super(503, 'The server is stopping; the import continues when the server starts again')
  }
}
export class Cancelled extends Error {}
export class LostAccess extends Error {}

/**
 * @throws Cancelled when a user cancelled the import, Interrupted when another server instance changed the status of
 * the import
 */
export async function transition(
  db: Db,
  { id, status }: StoredUpload,
  values: Partial<StoredUpload> & { status: UploadStatus },
) {
  const isWanted = status === 'undoing' ? undefined : eq(uploads.is_cancelled, false)
  const [updated] = await db
    .update(uploads)
    .set({ progress: 0, ...values })
    .where(and(eq(uploads.id, id), eq(uploads.status, status), isWanted))
    .returning({ id: uploads.id })
  if (updated) return
  const [upload] = await db.select({ status: uploads.status }).from(uploads).where(eq(uploads.id, id))
  throw upload?.status === status ? new Cancelled() : new Interrupted()
}

/**
 * Runs a transaction in which Postgres avoids sequential scans.
 * Postgres can reuse a query plan from a time when a table was small. With such a plan, it would scan the grown table
 * for each row. New statistics do not help, because they do not include the rows of an open transaction. Planning every
 * statement again would be slow, because the statements of foreign key checks would also be planned again.
 * The transaction waits for locks as long as necessary, because users cannot retry a part of an import.
 */
export const planned = <Value>(db: Db, work: (tx: Db) => Promise<Value>): Promise<Value> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('enable_seqscan', 'off', true), set_config('lock_timeout', '0', true)`)
    return work(tx)
  })

/**
 * Runs `work` in steps over a range of row numbers or ids.
 * The ids are those of audit entries. The step size adapts, so that a step takes about as long as the target duration
 * in `STEP`.
 */
export async function inSteps(
  { id }: StoredUpload,
  { ctx, reportProgress }: JobContext,
  { from, last }: { from: number; last: number },
  work: (range: Range) => Promise<unknown>,
) {
  const step = STEP[ctx.database.engine]
  let size = step.first
  for (let after = from; after < last; ) {
    const upto = Math.min(after + size, last)
    const began = performance.now()
    await work({ upload_id: id, after, upto })
    const took = Math.max(1, performance.now() - began)
    size = Math.round(Math.min(LARGEST_STEP, Math.max(SMALLEST_STEP, Math.min(2, step.ms / took) * size)))
    after = upto
    await reportProgress((after - from) / (last - from))
  }
}

/**
 * Deletes an import's staged rows that create or update records. Failed and skipped rows stay, because users can view
 * them after the import.
 */
export const dropStaged = (tx: Db, upload_id: number) =>
  tx
    .delete(uploadRows)
    .where(and(eq(uploadRows.upload_id, upload_id), inArray(uploadRows.outcome, ['create', 'update'])))
