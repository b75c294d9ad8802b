import { is } from 'drizzle-orm'
import { PgTransaction } from 'drizzle-orm/pg-core'
import { type Db, databaseError } from '../../../db/client'
import { businessClock, type Clock } from '../clock'
import type { Actor } from './actor'
import { noteSlowWrite } from './slow-writes'

/** A request with an idempotency key. The key prevents a retry from making the same change twice. */
export type Attempt = {
  /** Id of the first record that this request created. */
  record?: number | undefined
  /**
   * Marks the idempotency key as used, in the transaction of the change.
   * @throws Conflict when another request now holds the key
   */
  mark: (tx: Db) => Promise<void>
  /**
   * Frees the idempotency key after a failed request. A retry with the same key is then executed. Call this function
   * only after the changes of the request have been removed.
   */
  unmark: () => Promise<void>
  /**
   * Tells other instances that the request is still running. Call this function every few seconds if the request
   * continues for a long time after `mark`.
   */
  extend: () => Promise<void>
}

/**
 * Context of a change to a record. `db` can be a transaction. `attempt` is set if the request has an idempotency key.
 * `renewActor` is called after a wait. It checks that the user still has access, and returns the actor with the current
 * time. `checkAccess` makes the same check at the end of a slow transaction.
 */
export type Write = {
  db: Db
  actor: Actor
  clock: Clock
  attempt?: Attempt
  renewActor?: () => Promise<Actor>
  checkAccess?: ((tx: Db) => Promise<void>) | undefined
  /** Lets the caller's next request run during a long task. */
  endTurn?: () => void
  /** Work that the changes of a batch have postponed to its end, with the arguments of each call. */
  postponed?: Postponed
}

type Work = (write: Write, items: never[]) => Promise<void>
type Postponed = Map<Work, unknown[]>

/**
 * Runs `work` for the item. In a batch, `work` runs once at the end, with the items of all calls.
 * An example is an update of vehicles, because many records of a batch can have the same vehicle.
 */
export async function oncePerBatch<Item>(
  write: Write,
  work: (write: Write, items: Item[]) => Promise<void>,
  item: Item,
): Promise<void> {
  if (!write.postponed) return work(write, [item])
  addTo(write.postponed, work as Work, [item])
}

function addTo(postponed: Postponed, work: Work, items: unknown[]) {
  const earlier = postponed.get(work) ?? []
  earlier.push(...items)
  postponed.set(work, earlier)
}

/**
 * Creates a batch of changes. `run` runs a part of the changes. If the part fails, the work that it has postponed is
 * forgotten, because its changes are rolled back. `finish` runs the postponed work of all parts.
 */
export function newBatch() {
  const ofBatch: Postponed = new Map()
  return {
    async run<T>(write: Write, change: (write: Write) => Promise<T>): Promise<T> {
      const postponed: Postponed = new Map()
      const result = await change({ ...write, postponed })
      for (const [work, items] of postponed) addTo(ofBatch, work, items)
      return result
    },
    async finish(write: Write): Promise<void> {
      for (const [work, items] of ofBatch) await work(write, items as never[])
    },
  }
}

/**
 * Context of a change that the operator makes on the command line.
 * These commands change accounts, which have no date rules, so the default time zone (UTC) does not matter.
 */
export const commandWrite = (db: Db, clock: Clock = businessClock('UTC')): Write => ({
  db,
  clock,
  actor: { username: null, source: 'command', address: null, now: clock.now() },
})

export const scheduleWrite = (db: Db, clock: Clock): Write => ({
  db,
  clock,
  actor: { username: null, source: 'schedule', address: null, now: clock.now() },
})

/**
 * Runs `work` in the caller's transaction, or in a new one. No savepoint is used, because it costs a round trip and no
 * caller continues after a failure. Name the parameter of the callback `write`. The name hides the outer `write`, so
 * the callback cannot use the wrong connection by mistake.
 */
export const inTransaction = <T>(write: Write, work: (write: Write) => Promise<T>): Promise<T> =>
  is(write.db, PgTransaction) ? work(write) : inSavepoint(write, work)

/**
 * Runs `work` in a new transaction or in a savepoint. The savepoint is used if the caller has a transaction. This
 * transaction can continue if `work` fails.
 */
export function inSavepoint<T>(write: Write, work: (write: Write) => Promise<T>): Promise<T> {
  if (is(write.db, PgTransaction)) return write.db.transaction((db) => work({ ...write, db }))
  const { attempt } = write
  const earlierRecord = attempt?.record
  return retryOnDeadlock(() => {
    // Before a retry, forget the record that the failed attempt created, because its creation was rolled back.
    if (attempt) attempt.record = earlierRecord
    return write.db.transaction(async (db) => {
      const result = await work({ ...write, db })
      await write.checkAccess?.(db)
      await noteSlowWrite({ ...write, db })
      await attempt?.mark(db)
      return result
    })
  })
}

const DEADLOCK = '40P01'
const TRIES = 4

/**
 * Repeats a transaction that the database server aborted because of a deadlock.
 * Deadlocks are possible, because some changes lock their record before the vehicle or location, and others after.
 */
async function retryOnDeadlock<T>(transact: () => Promise<T>, triesLeft = TRIES): Promise<T> {
  return transact().catch((error) => {
    if (databaseError(error)?.code !== DEADLOCK || triesLeft <= 1) throw error
    return retryOnDeadlock(transact, triesLeft - 1)
  })
}
