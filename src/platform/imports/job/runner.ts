import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Database, databaseError, isDatabaseAway, violatedReference } from '../../../../db/client'
import { uploads } from '../../../../db/schema'
import type { DataType } from '../../../../db/vocabulary'
import type { AppContext } from '../../context'
import { Missing, Refusal } from '../../refusals'
import { dropOriginal } from '../upload-storage'
import { discard } from './discard'
import { AT_WORK, WORK } from './stages'
import { Cancelled, Interrupted, type StoredUpload, writeOf } from './steps'

/**
 * Imports at work. An upload's row says how far its import has come, so whoever finds one that nobody works on can go
 * on with it: another instance, or this one after a restart.
 *
 *   reading → checking → ready (waits for a user) → writing → done → undoing → undone
 */

/** An instance says this often that it still works on an import; after the longer time another one takes over. */
const SIGN_OF_LIFE_MS = 2000
const DEAD_AFTER_S = 10

/** How often the progress is written down. */
const REPORT_EVERY_MS = 200

class ImportRunner {
  readonly #working = new Map<number, Promise<void>>()
  readonly #turns = new Map<DataType, Promise<unknown>>()
  #isStopping = false

  constructor(readonly ctx: AppContext) {}

  /** Works on an import until it waits for a user or is over. @throws what the database throws when it is away */
  run(id: number): Promise<void> {
    const known = this.#working.get(id)
    if (known) return known
    const work = this.#work(id).finally(() => this.#working.delete(id))
    this.#working.set(id, work)
    return work
  }

  /** Works on an import while nobody waits for it; what fails is tried again by `resume`. */
  async begin(id: number): Promise<void> {
    // Somebody may be about to leave it; then it is looked at once more.
    await this.#working.get(id)?.catch(() => {})
    await this.run(id).catch((error) => {
      if (error instanceof Interrupted) return
      this.ctx.log('warn', 'an import was interrupted', { upload: id, reason: String(error) })
    })
  }

  /** Goes on with every import that nobody works on. @returns when they are all through */
  async resume(): Promise<void> {
    if (this.#isStopping) return
    const { db, database } = this.ctx
    const isLeft =
      database.engine === 'embedded'
        ? undefined
        : or(
            isNull(uploads.runner_seen_at),
            sql`${uploads.runner_seen_at} < now() - make_interval(secs => ${DEAD_AFTER_S})`,
          )
    // Whoever marks an import first has it.
    const left = await db
      .update(uploads)
      .set({ runner_seen_at: sql`now()` })
      .where(and(inArray(uploads.status, AT_WORK), isLeft))
      .returning({ id: uploads.id })
    await Promise.all(left.map(({ id }) => this.begin(id)))
  }

  /** Leaves every import where it is after its present step. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#working.values())
  }

  async #work(id: number): Promise<void> {
    const { db, database } = this.ctx
    const sayAlive = () => db.update(uploads).set({ runner_seen_at: sql`now()` }).where(eq(uploads.id, id))
    const alive =
      database.engine === 'server' ? setInterval(() => void sayAlive().catch(() => {}), SIGN_OF_LIFE_MS) : undefined
    try {
      if (alive) await sayAlive()
      for (;;) {
        const [upload] = await db.select().from(uploads).where(eq(uploads.id, id))
        const work = upload && WORK[upload.status]
        if (!work) return
        const job = { ctx: this.ctx, reportProgress: this.#reporter(upload), inTurn: this.#inTurn }
        await work(upload, job).catch((error) => this.#giveUp(upload, error))
      }
    } finally {
      clearInterval(alive)
    }
  }

  /** Writes the progress down now and then, and learns meanwhile whether the import is still wanted. */
  #reporter({ id, status }: StoredUpload): (done: number) => Promise<void> {
    let reportedAt = 0
    return async (done) => {
      if (this.#isStopping) throw new Interrupted()
      if (Date.now() - reportedAt < REPORT_EVERY_MS && done < 1) return
      reportedAt = Date.now()
      const [upload] = await this.ctx.db
        .update(uploads)
        .set({ progress: Math.min(1000, Math.round(done * 1000)) })
        .where(and(eq(uploads.id, id), eq(uploads.status, status)))
        .returning({ is_cancelled: uploads.is_cancelled })
      if (!upload) throw new Interrupted()
      if (upload.is_cancelled && status !== 'undoing') throw new Cancelled()
    }
  }

  readonly #inTurn = async (dataType: DataType, work: () => Promise<void>) => {
    const own = (this.#turns.get(dataType) ?? Promise.resolve()).then(work)
    this.#turns.set(
      dataType,
      own.catch(() => {}),
    )
    await own
  }

  /**
   * Nothing of a cancelled or broken import stays. @throws what somebody will try again: a pause, a database away,
   * an undo
   */
  async #giveUp(upload: StoredUpload, error: unknown): Promise<void> {
    if (error instanceof Interrupted || isDatabaseAway(error) || upload.status === 'undoing') throw error
    const { db, config, log } = this.ctx
    const isCancelled = error instanceof Cancelled
    const own = and(eq(uploads.id, upload.id), eq(uploads.status, upload.status))
    if (upload.status === 'writing') {
      const message = isCancelled ? 'Cancelled; nothing was imported' : problemOf(error)
      await db
        .update(uploads)
        .set({ status: 'undoing', is_cancelled: true, message, progress: 0, undo: null })
        .where(own)
    } else if (isCancelled) {
      if (await discard(writeOf(upload, db, this.ctx.clock), upload.id, [upload.status], false))
        await dropOriginal(config, upload.stored_as)
    } else {
      await db
        .update(uploads)
        .set({ status: 'refused', message: problemOf(error) })
        .where(own)
    }
    if (isCancelled || error instanceof Refusal || violatedReference(error)) return
    log('error', 'an import failed', { upload: upload.id, reason: String(error), cause: databaseError(error) })
  }
}

function problemOf(error: unknown): string {
  if (error instanceof Missing) return 'The original file is not here any more; please upload it again'
  if (error instanceof Refusal) return error.message
  if (violatedReference(error))
    return 'A location or company that the file names was deleted or merged meanwhile; nothing was imported. Upload it again'
  return 'The import could not be finished; nothing was imported'
}

const runners = new WeakMap<Database, ImportRunner>()

/** The one runner of an open database. */
export function importRunner(ctx: AppContext): ImportRunner {
  const runner = runners.get(ctx.database) ?? new ImportRunner(ctx)
  runners.set(ctx.database, runner)
  return runner
}
