import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client'
import { uploadRows, uploads } from '../../../../db/schema'
import type { DataType, UploadStatus } from '../../../../db/vocabulary'
import type { Clock } from '../../clock'
import type { AppContext } from '../../context'
import type { Write } from '../../records/write'
import { Refusal } from '../../refusals'
import type { Range } from '../sql/statements'

/** How the work of an import is cut into steps, and how it is moved on. */

export type StoredUpload = typeof uploads.$inferSelect

/** What the work needs of its surroundings. */
export type JobContext = {
  ctx: AppContext
  /** Says how far the work is, from 0 to 1. @throws when it must not go on */
  reportProgress: (done: number) => Promise<void>
  /** Does something once the imports of that kind that came before are through. */
  inTurn: (dataType: DataType, work: () => Promise<void>) => Promise<void>
}

/** On the embedded database everybody shares one connection: a step is as long as the others may be kept waiting. */
export const STEP = {
  embedded: { ms: 60, first: 100, undo: 200 },
  server: { ms: 1500, first: 5000, undo: 5000 },
}
const SMALLEST_STEP = 50
const LARGEST_STEP = 20_000

/** A change that an upload makes, in the name of whoever sent or undid it. */
export const writeOf = (upload: StoredUpload, db: Db, clock: Clock, username = upload.created_by): Write => ({
  db,
  clock,
  actor: { username, source: 'import', address: upload.address, token_name: upload.token_name, now: clock.now() },
})

/** The server stops, or another one has the import: it will be gone on with. */
export class Interrupted extends Refusal {
  constructor() {
    super(503, 'The server is about to stop; the import goes on after its next start')
  }
}
/** The user does not want the import any more. */
export class Cancelled extends Error {}

/** Moves an import on. @throws Cancelled, Interrupted when somebody else has moved it */
export async function transition(
  db: Db,
  { id, status }: StoredUpload,
  values: Partial<StoredUpload> & { status: UploadStatus },
) {
  const isWanted = status === 'undoing' ? undefined : eq(uploads.is_cancelled, false)
  const [moved] = await db
    .update(uploads)
    .set({ progress: 0, ...values })
    .where(and(eq(uploads.id, id), eq(uploads.status, status), isWanted))
    .returning({ id: uploads.id })
  if (moved) return
  const [found] = await db.select({ status: uploads.status }).from(uploads).where(eq(uploads.id, id))
  throw found?.status === status ? new Cancelled() : new Interrupted()
}

/**
 * A transaction whose statements look things up by index. A plan that was made, and is kept, while a table was small
 * would read the whole of it for each row once it has grown; and no statistics can see the rows that an open
 * transaction has written. (Planning each statement anew would not do: it also holds for the checks of every foreign
 * key.)
 */
export const planned = <Value>(db: Db, work: (tx: Db) => Promise<Value>): Promise<Value> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    return work(tx)
  })

/** Walks through numbers, of rows or audit entries, in ranges that take about as long as a step may. */
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

/** Of the rows of an import that is over, only the failed ones stay. */
export const dropStaged = (tx: Db, upload_id: number) =>
  tx.delete(uploadRows).where(and(eq(uploadRows.upload_id, upload_id), ne(uploadRows.outcome, 'error')))
