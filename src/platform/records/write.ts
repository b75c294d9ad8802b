import { eq, getTableName, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { type Db, violatedReference, violatedUnique } from '../../../db/client'
import type { Changes } from '../../../db/schema'
import { isCost } from '../costs'
import { Conflict, Refused, Stale } from '../refusals'
import type { Actor } from './actor'
import { audit, changesBetween } from './audit-entry'
import { lockRecord, type StampedTable, type StoredRecord } from './locks'
import { driverValues, placeholders, prepared } from './prepared-statements'
import { clearedReferences } from './references'
import { STAMPS_FIELD } from './stamps'
import { inTransaction, type Write } from './transactions'

/**
 * Functions through which all records are changed. Each function checks the version, sets stamps such as `updated_at`
 * and writes the audit entry in one transaction. The calling feature defines only the new values.
 */

type Values<T extends PgTable> = Partial<T['$inferInsert']>

const addAcceptedWarnings = (changes: Changes, { accepted }: Actor): Changes =>
  accepted?.length ? { ...changes, warnings_accepted: { old: null, new: accepted.join(', ') } } : changes

/**
 * Returns an error handler that converts two errors to field errors. These are a reference to a missing record and a
 * duplicate external ID. The handler rethrows all other errors.
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
 * Inserts a record with its stamps and audit entry.
 * @param answer function that loads the result and changes other rows that depend on the new record. Its statements are
 * sent together with the audit entry, which saves round trips.
 * @returns the result of `answer`, or the record
 * @throws Refused when a referenced record does not exist, Conflict when another record has the same external ID
 */
export async function createRecord<T extends StampedTable, Answer = StoredRecord<T>>(
  write: Write,
  table: T,
  values: Values<T>,
  answer: (row: StoredRecord<T>, write: Write) => Promise<Answer> = async (row) => row as Answer,
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
      .returning()) as StoredRecord<T>[]
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

/** An older version is stale. A newer version is invalid, because no client can have read it. */
function otherVersion(version: number | undefined, stored: Record<string, unknown>): Stale | Refused | null {
  const newest = stored.version as number
  if (version === undefined || version === newest) return null
  return version < newest ? new Stale(stored) : Refused.field('version', `Is newer than the stored version ${newest}`)
}

type RecordChange<T extends PgTable, Answer> = {
  id: number
  /** If undefined, the version is not checked. */
  version?: number | undefined
  /** Noun for the record in the error message `… not found`. */
  what: string
  /** The stored record, if this transaction has already read and locked it. */
  locked?: StoredRecord<T> | undefined
  /**
   * True if a part of the record changes. An example is a daily rate.
   * The record then gets a new version, even if its own values stay the same.
   */
  changesPart?: true
  /** Fields that the user submitted. Needed only if `values` also contains fields that the user did not submit. */
  given?: object
  /** The function can throw a refusal. */
  values: Values<T> | ((stored: StoredRecord<T>, write: Write) => Values<T> | Promise<Values<T>>)
  /**
   * Loads the result, and changes other rows that depend on the record. The statements are sent together with the
   * update and run after it, which saves round trips. `after` contains the new values as the caller passed them, not as
   * Postgres stores them.
   */
  answer?: (before: StoredRecord<T>, after: StoredRecord<T>, write: Write) => Promise<Answer>
}

/**
 * If the values are unchanged, nothing is written. An outdated `version` is then accepted.
 * @throws Missing when the record does not exist, Stale when it changed since `version`, Refused when a referenced
 * record does not exist or `version` is above the stored one, Conflict when another record has the same external ID
 */
export async function changeRecord<T extends StampedTable, Answer = undefined>(
  write: Write,
  table: T,
  change: RecordChange<T, Answer>,
): Promise<{ before: StoredRecord<T>; after: StoredRecord<T>; answer: Answer }> {
  return inTransaction(write, async (write) => {
    const { db: tx, actor } = write
    const stored = change.locked ?? (await lockRecord(tx, table, change.id, change.what))
    const refusedVersion = otherVersion(change.version, stored)
    const decide = async () => (typeof change.values === 'function' ? change.values(stored, write) : change.values)
    const values = await decide().catch((refusal) => {
      throw refusedVersion ?? refusal
    })
    const changes = changesBetween(stored, { ...stored, ...withoutMissing(values) })
    // If the user cannot see costs, treat every submitted cost as changed. Otherwise, the user could guess a cost,
    // because the version would stay the same only for the correct value.
    if (actor.hides_costs)
      for (const field of Object.keys(withoutMissing(change.given ?? values)))
        if (isCost(field)) changes[field] ??= { old: stored[field], new: stored[field] }
    const answerAs = (after: StoredRecord<T>) => change.answer?.(stored, after, write) as Promise<Answer>
    // If the values are unchanged, accept an outdated version too, so that a client can retry a change that succeeded.
    const isChanged = Object.keys(changes).length > 0
    if (!isChanged && !change.changesPart) return { before: stored, after: stored, answer: await answerAs(stored) }
    if (refusedVersion) throw refusedVersion
    const stamped = {
      ...values,
      version: (stored.version as number) + 1,
      updated_at: actor.now,
      updated_by: actor.username,
    }
    // Send the update, the audit entry and the statements of `answer` together. None depends on the result of another.
    const set = driverValues(table, withoutMissing(stamped))
    const [[row], , answer] = await Promise.all([
      prepared(tx, `update ${getTableName(table)} ${Object.keys(set)}`, (name) =>
        tx
          .update(table)
          .set(placeholders(Object.keys(set)) as never)
          .where(eq(table.id, sql.placeholder('this_id')))
          .returning()
          .prepare(name),
      ).execute({ ...set, this_id: change.id }) as Promise<StoredRecord<T>[]>,
      isChanged && audit(write, 'update', getTableName(table), change.id, addAcceptedWarnings(changes, actor)),
      answerAs({ ...stored, ...withoutMissing(stamped) }),
    ])
    return { before: stored, after: row as StoredRecord<T>, answer }
  }).catch(refusingConstraints(table))
}

/**
 * The audit entry of the deletion stores all values of the record. The entry also stores the related records from
 * `loadRelated`, such as notes, because they are deleted with the record. It also stores the ids of records that lose
 * their reference to the deleted record.
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
): Promise<StoredRecord<T>> {
  return inTransaction(write, async (write) => {
    const { db: tx } = write
    // Use the lock `update`, which also blocks new references. Otherwise, another user could add a note at this moment.
    // The note would be deleted with the record, but would be missing from its audit entry.
    const stored = await lockRecord(tx, table, id, what, 'update')
    const refusedVersion = otherVersion(version, stored)
    if (refusedVersion) throw refusedVersion
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
