import { eq, getTableName, is, sql } from 'drizzle-orm'
import { type AnyPgColumn, getTableConfig, type PgTable, PgTransaction } from 'drizzle-orm/pg-core'
import { type Db, databaseError, oneOf, violatedReference, violatedUnique } from '../../../db/client'
import type { Changes } from '../../../db/schema'
import { businessClock, type Clock } from '../clock'
import { isCost } from '../costs'
import { Conflict, Missing, Refused, Stale } from '../refusals'
import type { Actor } from './actor'
import { audit, changesBetween } from './audit-entry'
import { driverValues, placeholders, prepared } from './prepared-statements'
import { clearedReferences } from './references'
import { STAMPS_FIELD } from './stamps'

/**
 * Functions through which all records are changed. Each function checks the version, sets stamps such as `updated_at`
 * and writes the audit entry in one transaction. The calling feature defines only the new values.
 */

/** A request with an idempotency key. The key prevents a retry from making the same change twice. */
export type Attempt = {
  /** Id of the first record that this request created. */
  record?: number | undefined
  /**
   * Marks the idempotency key as used, in the same transaction as the change.
   * @throws Conflict when another request now holds the key
   */
  mark: (tx: Db) => Promise<void>
  /** Frees the idempotency key of a request that fails after it has deleted its own changes. */
  unmark: () => Promise<void>
}

/**
 * Context of a change to a record: database or transaction, actor, business calendar, and idempotency key if there is
 * one. `renewActor` checks after a wait that the user still has access, and returns the actor with the current time.
 */
export type Write = { db: Db; actor: Actor; clock: Clock; attempt?: Attempt; renewActor?: () => Promise<Actor> }

export type StampedTable = PgTable & { id: AnyPgColumn; version: AnyPgColumn }
type Values<T extends PgTable> = Partial<T['$inferInsert']>
export type Record_<T extends PgTable> = T['$inferSelect']

/** Adds the codes of accepted warnings to the changes of an audit entry. */
const addAcceptedWarnings = (changes: Changes, { accepted }: Actor): Changes =>
  accepted?.length ? { ...changes, warnings_accepted: { old: null, new: accepted.join(', ') } } : changes

/**
 * Returns an error handler that converts violated constraints to field errors.
 * The handler converts references to a missing record, and duplicate external IDs. It rethrows all other errors.
 */
function refusingConstraints(table: PgTable) {
  return (error: unknown): never => {
    const constraint = violatedReference(error)
    const key = getTableConfig(table).foreignKeys.find((foreign) => foreign.getName() === constraint)
    if (key) throw Refused.field(key.reference().columns[0]!.name, 'Choose one from the list')
    if (violatedUnique(error)?.endsWith('_external_id_key')) {
      const message = 'Another record has this external ID'
      throw new Conflict(message, [{ field: 'external_id', message }])
    }
    throw error
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
 * Runs `work` in the caller's transaction, or in a new one.
 * A savepoint is not used, because it costs a round trip and no caller continues after a failure.
 * Name the callback's parameter `write`, so that it hides the outer `write`. The callback then cannot use another
 * connection by mistake.
 */
export const inTransaction = <T>(write: Write, work: (write: Write) => Promise<T>): Promise<T> =>
  is(write.db, PgTransaction) ? work(write) : inSavepoint(write, work)

/**
 * Runs `work` in a new transaction, or in a savepoint of the caller's transaction.
 * If `work` fails, the caller's transaction can continue.
 */
export function inSavepoint<T>(write: Write, work: (write: Write) => Promise<T>): Promise<T> {
  if (is(write.db, PgTransaction)) return write.db.transaction((db) => work({ ...write, db }))
  const { attempt } = write
  const earlierRecord = attempt?.record
  return retryOnDeadlock(() => {
    // A failed try was rolled back, together with the record that it created.
    if (attempt) attempt.record = earlierRecord
    return write.db.transaction(async (db) => {
      const result = await work({ ...write, db })
      await attempt?.mark(db)
      return result
    })
  })
}

const DEADLOCK = '40P01'
const TRIES = 4

/**
 * Repeats a transaction that the database server aborted because of a deadlock.
 * Some changes lock their record first, and then the vehicle or location. Others lock them in the opposite order.
 */
async function retryOnDeadlock<T>(transact: () => Promise<T>, triesLeft = TRIES): Promise<T> {
  return transact().catch((error) => {
    if (databaseError(error)?.code !== DEADLOCK || triesLeft <= 1) throw error
    return retryOnDeadlock(transact, triesLeft - 1)
  })
}

/**
 * Inserts a record with its stamps and audit entry.
 * @param answer function that loads the result and changes other rows that depend on the new record. Its statements are
 * sent together with the audit entry, which saves round trips.
 * @returns the result of `answer`, or the record
 * @throws Refused when a referenced record does not exist, Conflict when another record has the same external ID
 */
export async function createRecord<T extends StampedTable, Answer = Record_<T>>(
  write: Write,
  table: T,
  values: Values<T>,
  answer: (row: Record_<T>, write: Write) => Promise<Answer> = async (row) => row as Answer,
): Promise<NoInfer<Answer>> {
  return inTransaction(write, async (write) => {
    const { db: tx, actor } = write
    const stamped = {
      ...values,
      created_at: actor.now,
      created_by: actor.username,
      updated_at: actor.now,
      updated_by: actor.username,
    }
    const [row] = (await tx
      .insert(table)
      .values(stamped as never)
      .returning()) as Record_<T>[]
    if (!row) throw new Error(`${getTableName(table)}: nothing was inserted`)
    if (write.attempt) write.attempt.record ??= row.id as number
    const changes = addAcceptedWarnings(changesBetween(null, row), actor)
    const [result] = await Promise.all([
      answer(row, write),
      audit(write, 'create', getTableName(table), row.id as number, changes),
    ])
    return result
  }).catch(refusingConstraints(table))
}

/**
 * Reads a record and locks it until the transaction ends.
 * The default lock, `no key update`, lets other transactions add references to the record. The stronger lock `update`
 * would cause deadlocks between two transactions that each add a reference to the record and then change it.
 */
async function lockRecord<T extends StampedTable>(
  tx: Db,
  table: T,
  id: number,
  what: string,
  lock: 'no key update' | 'update' = 'no key update',
): Promise<Record_<T>> {
  const [row] = (await prepared(tx, `hold ${getTableName(table)} for ${lock}`, (name) =>
    tx
      .select()
      .from(table as PgTable)
      .where(eq(table.id, sql.placeholder('id')))
      .for(lock)
      .prepare(name),
  ).execute({ id })) as Record_<T>[]
  if (!row) throw new Missing(what)
  return row
}

/**
 * Locks records until the transaction ends, so that other transactions cannot change them after the caller has read
 * them. The records are locked in the order of their ids, so that two transactions cannot deadlock.
 */
export const lockRecords = (tx: Db, table: StampedTable, ids: readonly number[]) =>
  tx
    .select({ id: table.id })
    .from(table as PgTable)
    .where(oneOf(table.id, ids))
    .orderBy(table.id)
    .for('no key update')

/**
 * Returns true if `version` is older than the stored version of a record.
 * @throws Refused when `version` is above the stored version, because no client can have read such a version
 */
function isOlder(version: number | undefined, stored: { version?: unknown }): boolean {
  const newest = stored.version as number
  if (version !== undefined && version > newest)
    throw Refused.field('version', `Is newer than the stored version ${newest}`)
  return version !== undefined && version < newest
}

type RecordChange<T extends PgTable, Answer> = {
  id: number
  /** Version that the caller read. If undefined, the version is not checked. */
  version?: number | undefined
  /** Noun for the record in the error message `… not found`. */
  what: string
  /** The stored record, if this transaction has already read and locked it. */
  locked?: Record_<T> | undefined
  /** Fields that the user submitted. Set only if `values` contains additional fields. */
  given?: object
  /** New values, or a function that computes them from the stored record. The function can throw a refusal. */
  values: Values<T> | ((stored: Record_<T>, write: Write) => Values<T> | Promise<Values<T>>)
  /**
   * Loads the result, and changes other rows that depend on the record. The statements are sent together with the
   * update and run after it, which saves round trips. `after` contains the new values as the caller passed them, not as
   * Postgres stores them.
   */
  answer?: (before: Record_<T>, after: Record_<T>, write: Write) => Promise<Answer>
}

/**
 * Updates a record and returns it before and after the change, with the result of `answer`.
 * If the values are unchanged, nothing is written, and an old `version` is not an error.
 * @throws Missing when the record does not exist, Stale when it changed since `version`, Refused when a referenced
 * record does not exist or `version` is above the stored one, Conflict when another record has the same external ID
 */
export async function changeRecord<T extends StampedTable, Answer = undefined>(
  write: Write,
  table: T,
  change: RecordChange<T, Answer>,
): Promise<{ before: Record_<T>; after: Record_<T>; answer: Answer }> {
  return inTransaction(write, async (write) => {
    const { db: tx, actor } = write
    const stored = change.locked ?? (await lockRecord(tx, table, change.id, change.what))
    const isStale = isOlder(change.version, stored)
    const decide = async () => (typeof change.values === 'function' ? change.values(stored, write) : change.values)
    const values = await decide().catch((refusal) => {
      throw isStale ? new Stale(stored) : refusal
    })
    const changes = changesBetween(stored, { ...stored, ...withoutMissing(values) })
    // If the user cannot see costs, treat every submitted cost as changed. Otherwise, the user could guess a cost,
    // because the version would stay the same only for the correct value.
    if (actor.hides_costs)
      for (const field of Object.keys(withoutMissing(change.given ?? values)))
        if (isCost(field)) changes[field] ??= { old: stored[field], new: stored[field] }
    const answerAs = (after: Record_<T>) => change.answer?.(stored, after, write) as Promise<Answer>
    // Accept unchanged values with an old version, so that a client can retry a change that succeeded.
    if (Object.keys(changes).length === 0) return { before: stored, after: stored, answer: await answerAs(stored) }
    if (isStale) throw new Stale(stored)
    const stamped = {
      ...values,
      version: (stored.version as number) + 1,
      updated_at: actor.now,
      updated_by: actor.username,
    }
    // Send these statements together, because none of them depends on the result of another.
    const set = driverValues(table, withoutMissing(stamped))
    const [[row], , answer] = await Promise.all([
      prepared(tx, `update ${getTableName(table)} ${Object.keys(set)}`, (name) =>
        tx
          .update(table)
          .set(placeholders(Object.keys(set)) as never)
          .where(eq(table.id, sql.placeholder('this_id')))
          .returning()
          .prepare(name),
      ).execute({ ...set, this_id: change.id }) as Promise<Record_<T>[]>,
      audit(write, 'update', getTableName(table), change.id, addAcceptedWarnings(changes, actor)),
      answerAs({ ...stored, ...withoutMissing(stamped) }),
    ])
    return { before: stored, after: row as Record_<T>, answer }
  }).catch(refusingConstraints(table))
}

/**
 * Deletes a record. The audit entry of the deletion stores all values of the record. The entry also stores the related
 * records from `loadRelated`, such as notes, because they are deleted with the record. It also stores the ids of
 * records that lose their reference to the deleted record.
 * @param version the version that the caller read; `undefined` deletes any version
 * @throws Missing when the record does not exist, Stale when it changed since `version`
 */
export async function removeRecord<T extends StampedTable>(
  write: Write,
  table: T,
  id: number,
  what: string,
  loadRelated: (tx: Db, id: number) => Promise<Record<string, unknown>> = async () => ({}),
  version?: number,
): Promise<Record_<T>> {
  return inTransaction(write, async (write) => {
    const { db: tx } = write
    // Use the lock `update`, which also blocks new references. Otherwise, another user could add a note at this moment.
    // The note would be deleted with the record, but would be missing from its audit entry.
    const stored = await lockRecord(tx, table, id, what, 'update')
    if (isOlder(version, stored)) throw new Stale(stored)
    const related = { ...(await loadRelated(tx, id)), ...(await clearedReferences(tx, table, id)) }
    const deletedValues = { ...stored, ...related }
    await tx.delete(table).where(eq(table.id, id))
    const { version: last, created_at, created_by } = stored
    const stamps = { old: { version: last, created_at, created_by }, new: null }
    const changes = { ...changesBetween(deletedValues, null), [STAMPS_FIELD]: stamps }
    await audit(write, 'delete', getTableName(table), id, changes)
    return stored
  })
}

export const withoutMissing = <Input extends object>(values: Input) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Input]: Exclude<Input[Key], undefined>
  }
