import { and, eq, ne, sql } from 'drizzle-orm'
import { type Db, rows } from '../../db/client'
import { uploadRows, uploads } from '../../db/schema'
import type { DataType, UploadStatus } from '../../db/vocabulary'
import type { Actor } from '../audit/actor'
import type { Office } from '../office'
import { Refusal } from '../refusals'
import { importNames, rememberedColumns } from './aliases'
import { judgeFile } from './judge-file'
import { checkRows, type Moved, moveRows, moveVehicles } from './move-rows'
import { readOriginal } from './originals'
import { countRows } from './queries'
import { resultMessage } from './rules'
import { STAGED_COLUMNS } from './staged-text'
import type { Range } from './target-sql'
import { isUndone, undoFrom, undoProgress, undoRows } from './undo-rows'

/** What an import does in each status. Every part is safe to begin again, and ends by moving the import on. */

export type StoredUpload = typeof uploads.$inferSelect

/** What the work needs of its surroundings. */
export type Surroundings = {
  office: Office
  /** Says how far the work is, from 0 to 1. @throws when it must not go on */
  tell: (done: number) => Promise<void>
  /** Does something once the imports of that kind that came before are through. */
  inTurn: (dataType: DataType, work: () => Promise<void>) => Promise<void>
}

/** Imports of one kind wait for each other, so that the same file dropped twice at once is imported once. */
const IMPORT_LOCK = 7_205_010
const TURN_OF = { transports: 1, osl: 2, registrations: 3, titles: 4 }

/** On the embedded database everybody shares one connection: a step is as long as the others may be kept waiting. */
const STEP = {
  embedded: { ms: 60, first: 100, undo: 200 },
  server: { ms: 1500, first: 5000, undo: 5000 },
}
const SMALLEST_STEP = 50
const LARGEST_STEP = 20_000

const actorOf = (upload: StoredUpload, now: Date): Actor => ({ username: upload.created_by, source: 'import', address: upload.address, now })

/** The server stops, or another one has the import: it will be gone on with. */
export class Interrupted extends Refusal {
  constructor() {
    super(503, 'The server is about to stop; the import goes on after its next start')
  }
}
/** The clerk does not want the import any more. */
export class Cancelled extends Error {}

/** Moves an import on. @throws Cancelled, Interrupted when somebody else has moved it */
async function become(db: Db, { id, status }: StoredUpload, values: Partial<StoredUpload> & { status: UploadStatus }) {
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

/** Reads and judges the file; its rows wait in `upload_rows`. */
async function read(upload: StoredUpload, { office, tell }: Surroundings) {
  const { db, database, config } = office
  await db.delete(uploadRows).where(eq(uploadRows.upload_id, upload.id))
  const request = {
    uploadId: upload.id,
    bytes: await readOriginal(config, upload.stored_as),
    fileName: upload.file_name,
    dataType: upload.data_type,
    names: await importNames(db),
    columns: await rememberedColumns(db, upload.data_type),
    fields: upload.fields,
    dateOrders: upload.date_orders,
  }
  const { warnings, complaint, rowCount, lastRow, ...found } = await judgeFile(request, async (staged, done) => {
    await tell(done)
    await database.copyIn(`copy upload_rows (${STAGED_COLUMNS}) from stdin`, staged)
  })
  await tell(1)
  const nothing = { imported: 0, updated: 0, duplicates: 0, failed: 0 }
  const next = complaint ? ({ status: 'ready', commits: false, message: complaint, ...nothing } as const) : ({ status: 'checking', message: '' } as const)
  await become(db, upload, { ...next, found, validation_errors: warnings, row_count: rowCount, last_row: lastRow })
}

/** Finds the records that are there already, and counts. */
async function check(upload: StoredUpload, surroundings: Surroundings) {
  const { db } = surroundings.office
  await inSteps(upload, surroundings, { from: 0, last: upload.last_row }, (range) =>
    planned(db, (tx) => checkRows(tx, upload.data_type, upload.existing, range)),
  )
  const { create, update, duplicate, error } = await countRows(db, upload.id)
  const counts = { imported: create, updated: update, duplicates: duplicate, failed: error }
  await become(db, upload, upload.commits ? { ...counts, status: 'writing', imported: 0, updated: 0 } : { ...counts, status: 'ready' })
}

/**
 * A transaction whose statements look things up by index. A plan that was made, and is kept, while a table was small
 * would read the whole of it for each row once it has grown; and no statistics can see the rows that an open transaction
 * has written. (Planning each statement anew would not do: it also holds for the checks of every foreign key.)
 */
const planned = <Value>(db: Db, work: (tx: Db) => Promise<Value>): Promise<Value> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    return work(tx)
  })

/** Walks through numbers, of rows or audit entries, in ranges that take about as long as a step may. */
async function inSteps(
  { id }: StoredUpload,
  { office, tell }: Surroundings,
  { from, last }: { from: number; last: number },
  work: (range: Range) => Promise<unknown>,
) {
  const step = STEP[office.database.engine]
  let size = step.first
  for (let after = from; after < last; ) {
    const upto = Math.min(after + size, last)
    const began = performance.now()
    await work({ upload_id: id, after, upto })
    const took = Math.max(1, performance.now() - began)
    size = Math.round(Math.min(LARGEST_STEP, Math.max(SMALLEST_STEP, Math.min(2, step.ms / took) * size)))
    after = upto
    await tell((after - from) / (last - from))
  }
}

/** The rows are most of the writing, the vehicles' places the rest. */
const MOSTLY = 0.9

const part = (surroundings: Surroundings, begin: number, end: number): Surroundings => ({
  ...surroundings,
  tell: (done) => surroundings.tell(begin + done * (end - begin)),
})

const move = (tx: Db, { clock }: Office, upload: StoredUpload, range: Range) =>
  moveRows(tx, actorOf(upload, clock.now()), upload.data_type, range, clock.today())

/**
 * On a server all rows are written in one transaction, beside which the others work on. The embedded database has one
 * connection, so there each step is its own, and an import that is cut off goes on with the rows that are left.
 */
const write = (upload: StoredUpload, surroundings: Surroundings) =>
  surroundings.office.database.engine === 'server' ? writeAtOnce(upload, surroundings) : writeInSteps(upload, surroundings)

async function writeAtOnce(upload: StoredUpload, surroundings: Surroundings) {
  const { office } = surroundings
  await planned(office.db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_LOCK}, ${TURN_OF[upload.data_type]})`)
    const [current] = await tx.select({ status: uploads.status }).from(uploads).where(eq(uploads.id, upload.id))
    if (current?.status !== 'writing') return
    const total: Moved = { created: 0, updated: 0, unchanged: 0 }
    await inSteps(upload, part(surroundings, 0, MOSTLY), { from: 0, last: upload.last_row }, async (range) => {
      const moved = await move(tx, office, upload, range)
      for (const kind of ['created', 'updated', 'unchanged'] as const) total[kind] += moved[kind]
    })
    await arrive(tx, upload, (range) => moveVehicles(tx, actorOf(upload, office.clock.now()), range))
    // From here on the transaction holds the upload's own row, which `tell` writes to from outside.
    await count(tx, upload, total)
    await finish(tx, upload)
  })
}

const writeInSteps = (upload: StoredUpload, surroundings: Surroundings) =>
  surroundings.inTurn(upload.data_type, async () => {
    const { office } = surroundings
    const from = await firstStaged(office.db, upload.id)
    await inSteps(upload, part(surroundings, 0, MOSTLY), { from, last: upload.last_row }, (range) =>
      planned(office.db, async (tx) => count(tx, upload, await move(tx, office, upload, range))),
    )
    await arrive(office.db, upload, (whole) =>
      inSteps(upload, part(surroundings, MOSTLY, 1), { from: whole.after, last: whole.upto }, (range) =>
        planned(office.db, (tx) => moveVehicles(tx, actorOf(upload, office.clock.now()), range)),
      ),
    )
    await office.db.transaction((tx) => finish(tx, upload))
  })

/** Once all rows are in, the vehicles stand where their latest transports ended. */
async function arrive(db: Db, upload: StoredUpload, work: (entries: Range) => Promise<unknown>) {
  if (upload.data_type !== 'transports') return
  const { oldest, newest } = await undoFrom(db, upload.id)
  await work({ upload_id: upload.id, after: oldest - 1, upto: newest })
}

async function firstStaged(db: Db, upload_id: number): Promise<number> {
  const [found] = await rows<{ row: number | null }>(
    db,
    sql`select min(row) as row from upload_rows where upload_id = ${upload_id} and outcome in ('create', 'update')`,
  )
  return found?.row ? found.row - 1 : 0
}

/** What came to be there since the preview counts as a duplicate. */
const count = (tx: Db, { id }: StoredUpload, { created, updated, unchanged }: Moved) =>
  tx
    .update(uploads)
    .set({
      imported: sql`${uploads.imported} + ${created}`,
      updated: sql`${uploads.updated} + ${updated}`,
      duplicates: sql`${uploads.duplicates} + ${unchanged}`,
    })
    .where(eq(uploads.id, id))

async function finish(tx: Db, upload: StoredUpload) {
  await dropStaged(tx, upload.id)
  const [counts] = await tx.select().from(uploads).where(eq(uploads.id, upload.id))
  if (counts) await become(tx, upload, { status: 'done', progress: 1000, message: resultMessage(counts) })
}

/** Of the rows of an import that is over, only the failed ones stay. */
const dropStaged = (tx: Db, upload_id: number) => tx.delete(uploadRows).where(and(eq(uploadRows.upload_id, upload_id), ne(uploadRows.outcome, 'error')))

/** Takes back what was written, newest first; `undo` keeps the place. */
async function undo(upload: StoredUpload, { office, tell }: Surroundings) {
  const { db, database, clock } = office
  const actor: Actor = { ...actorOf(upload, clock.now()), username: upload.undone_by ?? upload.created_by }
  const over = upload.is_cancelled ? ({ status: 'cancelled', imported: 0, updated: 0, duplicates: 0, failed: 0 } as const) : ({ status: 'undone' } as const)
  let state = upload.undo ?? (await undoFrom(db, upload.id))
  for (;;) {
    await planned(db, async (tx) => {
      if (!isUndone(state)) state = await undoRows(tx, actor, upload.data_type, upload.id, state, STEP[database.engine].undo)
      await become(tx, upload, { undo: state, progress: Math.round(undoProgress(state) * 1000), ...(isUndone(state) ? over : { status: 'undoing' }) })
      if (isUndone(state)) await (upload.is_cancelled ? tx.delete(uploadRows).where(eq(uploadRows.upload_id, upload.id)) : dropStaged(tx, upload.id))
    })
    if (isUndone(state)) return
    await tell(undoProgress(state))
  }
}

export const WORK: Partial<Record<UploadStatus, (upload: StoredUpload, surroundings: Surroundings) => Promise<void>>> = {
  reading: read,
  checking: check,
  writing: write,
  undoing: undo,
}

/** The statuses in which an import works by itself. */
export const AT_WORK = Object.keys(WORK) as UploadStatus[]
