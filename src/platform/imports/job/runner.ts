import { and, eq, gte, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import {
  type Database,
  inBackground,
  isDatabaseAway,
  LONG_WRITES,
  oneOf,
  reasonOf,
  violatedReference,
} from '../../../../db/client'
import { apiTokens, uploads, users } from '../../../../db/schema'
import type { AppContext } from '../../context'
import { FairTurns } from '../../fair-turns'
import { dropFile } from '../../file-store'
import { Missing, Refusal } from '../../refusals'
import { discard } from './discard'
import { AT_WORK, WORK } from './stages'
import { Cancelled, Interrupted, type JobContext, LostAccess, type StoredUpload, writeOf } from './steps'

/**
 * Runs imports in the background, from one status to the next.
 * The status and progress are stored in the database. If a server instance stops, its imports are resumed by another
 * instance, or by the same instance after a restart.
 *
 *   reading → checking → ready (waits for a user) → writing → done → undoing → undone
 */

const HEARTBEAT_MS = 2000
/** Time without a heartbeat until another server instance takes over. */
const HEARTBEAT_TIMEOUT_S = 10

/**
 * Maximum number of unexpected stops of a server instance while it reads a file. A file that needs more memory than the
 * machine has would otherwise end every instance that resumes it.
 */
const CRASHES_LIMIT = 3

const REPORT_EVERY_MS = 200

/**
 * SQL condition that is true if the user has lost access.
 * The user is the one who started the current work. Either the account was deactivated, or the API token was revoked.
 */
const hasLostAccess = sql<boolean>`(exists (
    select 1 from ${users} where ${users.username} = ${uploads.started_by} and not ${users.is_active})
  or (${uploads.started_token} is not null and not exists (
    select 1 from ${apiTokens} join ${users} on ${users.id} = ${apiTokens.user_id}
    where ${users.username} = ${uploads.started_by} and ${apiTokens.name} = ${uploads.started_token})))`

const TOO_MANY_CRASHES =
  'The server stopped unexpectedly each time it read this file. Divide the file into smaller ones, or save it as CSV.'

class ImportRunner {
  readonly #working = new Map<number, Promise<void>>()
  /** Turns of the work that changes records. */
  readonly #turns: Record<'writing' | 'undoing', FairTurns>
  readonly #stopping = new AbortController()

  constructor(readonly ctx: AppContext) {
    const isServer = ctx.database.engine === 'server'
    this.#turns = { writing: new FairTurns(isServer ? LONG_WRITES : Infinity), undoing: new FairTurns(Infinity) }
  }

  /**
   * Runs an import until it finishes or waits for a user. If this method throws, `resume` runs the import again later.
   * @throws Interrupted when the server is stopping, or when another server instance has taken over the import
   * @throws the original error when the database is unavailable or an undo fails
   */
  run(id: number): Promise<void> {
    const running = this.#working.get(id)
    if (running) return running
    const work = inBackground(() => this.#work(id)).finally(() => this.#working.delete(id))
    this.#working.set(id, work)
    return work
  }

  /** Does the same as `run`, but never throws. Logs all errors except `Interrupted`. */
  async begin(id: number): Promise<void> {
    // An earlier run of this import may be about to end, and would not notice the new status. Wait for the end of that
    // run, then start a new run.
    await this.#working.get(id)?.catch(() => {})
    await this.run(id).catch((error) => {
      if (error instanceof Interrupted) return
      this.ctx.log('warn', 'an import was interrupted', { upload: id, reason: reasonOf(error) })
    })
  }

  /**
   * Resumes the unfinished imports that no server instance is running. Resolves when each of these imports has finished
   * or waits for a user.
   */
  async resume(): Promise<void> {
    await Promise.all(await this.resumeInBackground())
  }

  /**
   * Resumes the unfinished imports that no server instance is running.
   * @returns the work on each of these imports
   */
  async resumeInBackground(): Promise<Promise<void>[]> {
    if (this.#stopping.signal.aborted) return []
    const { db, database } = this.ctx
    const isLeft =
      database.engine === 'embedded'
        ? undefined
        : or(
            isNull(uploads.runner_seen_at),
            sql`${uploads.runner_seen_at} < now() - make_interval(secs => ${HEARTBEAT_TIMEOUT_S})`,
          )
    // Mark these imports as running in the same statement that finds them, so that two server instances do not run the
    // same import.
    const claimed = await db
      .update(uploads)
      .set({ runner_seen_at: sql`now()` })
      .where(and(inArray(uploads.status, AT_WORK), notInArray(uploads.id, [...this.#working.keys()]), isLeft))
      .returning({ id: uploads.id, crashes: uploads.crashes })
    await db
      .update(uploads)
      .set({ status: 'refused', message: TOO_MANY_CRASHES })
      .where(
        and(
          eq(uploads.status, 'reading'),
          gte(uploads.crashes, CRASHES_LIMIT),
          oneOf(
            uploads.id,
            claimed.map(({ id }) => id),
          ),
        ),
      )
    // Files that have ended an instance run one after another, so that only the one that does so again is counted.
    let last: Promise<void> = Promise.resolve()
    return claimed.map(({ id, crashes }) => {
      if (crashes === 0) return this.begin(id)
      last = last.then(() => this.begin(id))
      return last
    })
  }

  /** Interrupts all work, and waits until it has stopped. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Interrupted())
    await Promise.allSettled(this.#working.values())
  }

  async #work(id: number): Promise<void> {
    const { db, database } = this.ctx
    const sendHeartbeat = () => db.update(uploads).set({ runner_seen_at: sql`now()` }).where(eq(uploads.id, id))
    const heartbeat =
      database.engine === 'server' ? setInterval(() => void sendHeartbeat().catch(() => {}), HEARTBEAT_MS) : undefined
    try {
      if (heartbeat) await sendHeartbeat()
      for (;;) {
        const [upload] = await db.select().from(uploads).where(eq(uploads.id, id))
        const work = upload && WORK[upload.status]
        if (!work) return
        const reportProgress = this.#reporter(upload)
        const inTurn: JobContext['inTurn'] = (run) => this.#inTurn(upload, reportProgress, run)
        const job = { ctx: this.ctx, reportProgress, inTurn, signal: this.#stopping.signal }
        await work(upload, job).catch((error) => this.#giveUp(upload, error))
      }
    } finally {
      clearInterval(heartbeat)
    }
  }

  #reporter({ id, status }: StoredUpload): (done: number) => Promise<void> {
    let reportedAt = 0
    return async (done) => {
      if (this.#stopping.signal.aborted) throw new Interrupted()
      if (Date.now() - reportedAt < REPORT_EVERY_MS && done < 1) return
      reportedAt = Date.now()
      const [upload] = await this.ctx.db
        .update(uploads)
        .set({ progress: Math.min(1000, Math.round(done * 1000)) })
        .where(and(eq(uploads.id, id), eq(uploads.status, status)))
        // Nest the condition, because Drizzle drops the table names of columns at the top level of `returning`.
        .returning({ is_cancelled: uploads.is_cancelled, hasLostAccess: sql<boolean>`(${hasLostAccess})` })
      if (!upload) throw new Interrupted()
      if (status === 'undoing') return
      if (upload.is_cancelled) throw new Cancelled()
      if (upload.hasLostAccess) throw new LostAccess()
    }
  }

  /**
   * Runs `run` when the account has a turn. The imports of one data type are written one after another, because the
   * rows of one can be duplicates of rows of another.
   */
  async #inTurn(upload: StoredUpload, reportProgress: JobContext['reportProgress'], run: () => Promise<void>) {
    const isUndo = upload.status === 'undoing'
    const claim = {
      account: upload.started_by ?? upload.created_by,
      keys: isUndo ? [] : [upload.data_type],
      // While the import waits, notice that it was cancelled or that the server is stopping.
      check: () => reportProgress(0),
    }
    await (isUndo ? this.#turns.undoing : this.#turns.writing).run(claim, run)
  }

  /**
   * Handles the cancellation or failure of an import.
   * - While rows are written, the status becomes `undoing`, so that the changes are undone.
   * - While the file is read or checked, a cancelled import is deleted, and a failed one gets the status `refused`.
   * @throws `error` unchanged if the import must be retried later. This is the case after an interruption, a database
   * outage or a failed undo.
   */
  async #giveUp(upload: StoredUpload, error: unknown): Promise<void> {
    if (error instanceof Interrupted || isDatabaseAway(error) || upload.status === 'undoing') throw error
    const { db, log } = this.ctx
    const isCancelled = error instanceof Cancelled || error instanceof LostAccess
    const own = and(eq(uploads.id, upload.id), eq(uploads.status, upload.status))
    if (upload.status === 'writing') {
      const message = error instanceof Cancelled ? 'Cancelled; nothing was imported' : problemOf(error)
      await db
        .update(uploads)
        .set({ status: 'undoing', is_cancelled: true, message, progress: 0, undo: null })
        .where(own)
    } else if (isCancelled) {
      // A cancellation by a user is already in the audit trail. A loss of access is not, so an audit entry is written
      // for it.
      const isAudited = error instanceof LostAccess
      if (await discard(writeOf(upload, db, this.ctx.clock), upload.id, [upload.status], isAudited))
        await dropFile(this.ctx, upload.stored_as)
    } else {
      await db
        .update(uploads)
        .set({ status: 'refused', message: problemOf(error) })
        .where(own)
    }
    if (isCancelled || error instanceof Refusal || violatedReference(error)) return
    log('error', 'an import failed', { upload: upload.id, reason: reasonOf(error) })
  }
}

function problemOf(error: unknown): string {
  if (error instanceof LostAccess)
    return 'The account was deactivated or the API token was revoked; nothing was imported'
  if (error instanceof Missing) return 'The original file no longer exists; please upload it again'
  if (error instanceof Refusal) return error.message
  if (violatedReference(error))
    return (
      'A location or company in the file was deleted or merged in the meantime; nothing was imported. Upload ' +
      'the file again'
    )
  return 'The import could not be finished; nothing was imported'
}

const runners = new WeakMap<Database, ImportRunner>()

export function importRunner(ctx: AppContext): ImportRunner {
  const runner = runners.get(ctx.database) ?? new ImportRunner(ctx)
  runners.set(ctx.database, runner)
  return runner
}
