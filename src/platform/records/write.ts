import { eq, getTableName, is, sql } from 'drizzle-orm'
import { type AnyPgColumn, getTableConfig, type PgTable, PgTransaction } from 'drizzle-orm/pg-core'
import { type Db, violatedReference } from '../../../db/client'
import { auditEntries, type Changes } from '../../../db/schema'
import type { AuditAction } from '../../../db/vocabulary'
import { businessClock, type Clock } from '../clock'
import { Missing, Refused, Stale } from '../refusals'
import type { Actor } from './actor'
import { driverValues, placeholders, prepared } from './prepared'

/**
 * The one way that records are written: the version check, who and when, and the audit entry, in one transaction.
 * A feature's query says only what changes.
 */

/** A request that is carried out at most once, whatever its client repeats. */
export type Attempt = {
  /** The first record that it created. */
  record?: number
  /** Notes in the transaction of the change that it was made. @throws Conflict when another request took over */
  mark: (tx: Db) => Promise<void>
}

/** What a change is made with: the database or a transaction, who makes it, and the business calendar. */
export type Write = { db: Db; actor: Actor; clock: Clock; attempt?: Attempt }

export type StampedTable = PgTable & { id: AnyPgColumn; version: AnyPgColumn }
type Values<T extends PgTable> = Partial<T['$inferInsert']>
export type Record_<T extends PgTable> = T['$inferSelect']

/** What every record carries and no entry repeats. */
export const STAMPS = new Set(['id', 'version', 'created_at', 'created_by', 'updated_at', 'updated_by'])
/** These change, but what they change to is nobody's to read. */
const SECRET = new Set(['password_hash', 'token_hash'])

const shown = (field: string, value: unknown) => (SECRET.has(field) && value !== null ? '(hidden)' : value)
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields in which `after` differs from `before`. */
export function changesBetween(before: Record<string, unknown> | null, after: Record<string, unknown> | null): Changes {
  const changes: Changes = {}
  for (const field of Object.keys({ ...before, ...after })) {
    const [old, now] = [before?.[field] ?? null, after?.[field] ?? null]
    if (!STAMPS.has(field) && !same(old, now)) changes[field] = { old: shown(field, old), new: shown(field, now) }
  }
  return changes
}

/** Writes one audit entry; `entity` is the table's name. */
export async function audit(
  { db, actor }: Write,
  action: AuditAction,
  entity: string,
  entity_id: number,
  changes: Changes,
) {
  const { username, source, address, now, upload_id = null, token_name = null } = actor
  const entry = { at: now, actor: username, source, address, token_name, action, entity, entity_id, changes, upload_id }
  await prepared(db, 'insert_audit_entry', (name) =>
    db
      .insert(auditEntries)
      .values(placeholders(Object.keys(entry)) as never)
      .prepare(name),
  ).execute(driverValues(auditEntries, entry))
}

/** What an entry says beside the values: that somebody saved in spite of warnings. */
const withAccepted = (changes: Changes, { accepted }: Actor): Changes =>
  accepted?.length ? { ...changes, warnings_accepted: { old: null, new: accepted.join(', ') } } : changes

/** A reference to a record that does not exist is refused at its field. */
function refusingUnknown(table: PgTable) {
  return (error: unknown): never => {
    const constraint = violatedReference(error)
    const key = getTableConfig(table).foreignKeys.find((foreign) => foreign.getName() === constraint)
    if (key) throw Refused.field(key.reference().columns[0]!.name, 'Choose one from the list')
    throw error
  }
}

/** A change by the operator's command line; accounts have no business day, so theirs need no clock. */
export const commandWrite = (db: Db, clock: Clock = businessClock('UTC')): Write => ({
  db,
  clock,
  actor: { username: null, source: 'command', address: null, now: clock.now() },
})

/** A change by a job of the program. */
export const scheduleWrite = (db: Db, clock: Clock): Write => ({
  db,
  clock,
  actor: { username: null, source: 'schedule', address: null, now: clock.now() },
})

/**
 * Runs `work` in one transaction, the caller's if it has one: a savepoint costs a round trip, and no caller continues
 * after a failure. Name the callback's parameter `write` too, so that nothing in it can use another connection.
 */
export const inTransaction = <T>(write: Write, work: (write: Write) => Promise<T>): Promise<T> =>
  is(write.db, PgTransaction) ? work(write) : inSavepoint(write, work)

/** Runs `work` in a transaction of its own, or in a savepoint of the caller's, who can then continue after a failure. */
export const inSavepoint = <T>(write: Write, work: (write: Write) => Promise<T>): Promise<T> =>
  write.db.transaction(async (db) => {
    const result = await work({ ...write, db })
    if (!is(write.db, PgTransaction)) await write.attempt?.mark(db)
    return result
  })

/** Inserts a record with its stamps and audit entry. @throws Refused when it refers to something that does not exist */
export async function createRecord<T extends StampedTable>(
  write: Write,
  table: T,
  values: Values<T>,
): Promise<Record_<T>> {
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
    await audit(write, 'create', getTableName(table), row.id as number, withAccepted(changesBetween(null, row), actor))
    return row
  }).catch(refusingUnknown(table))
}

/**
 * Reads a record and keeps others from changing it until the transaction ends. They may still refer to it: its key does
 * not change, and whoever refers to it and then changes it would wait for another who does the same.
 */
async function hold<T extends StampedTable>(
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

/** @throws Refused for a version above the stored one, which no client can have read */
function isOlder(version: number | undefined, stored: { version?: unknown }): boolean {
  const newest = stored.version as number
  if (version !== undefined && version > newest)
    throw Refused.field('version', `Is newer than the stored version ${newest}`)
  return version !== undefined && version < newest
}

type Change<T extends PgTable> = {
  id: number
  /** The version that the caller read; `undefined` changes whatever is stored. */
  version?: number | undefined
  /** What a person calls such a record, for `… not found`. */
  what: string
  /** As this transaction reads and holds it already. */
  held?: Record_<T> | undefined
  /** The new values, or a function that decides them from what is stored (and may throw a refusal). */
  values: Values<T> | ((stored: Record_<T>, write: Write) => Values<T> | Promise<Values<T>>)
}

/**
 * Changes a record and tells how it was and how it is. Nothing is written when the values are already so.
 * @throws Missing when there is none, Stale when it was changed since `version`, Refused like createRecord or for a
 *   version above the stored one
 */
export async function changeRecord<T extends StampedTable>(
  write: Write,
  table: T,
  change: Change<T>,
): Promise<{ before: Record_<T>; after: Record_<T> }> {
  return inTransaction(write, async (write) => {
    const { db: tx, actor } = write
    const stored = change.held ?? (await hold(tx, table, change.id, change.what))
    const isStale = isOlder(change.version, stored)
    const decide = async () => (typeof change.values === 'function' ? change.values(stored, write) : change.values)
    const values = await decide().catch((refusal) => {
      throw isStale ? new Stale(stored) : refusal
    })
    const changes = changesBetween(stored, { ...stored, ...withoutMissing(values) })
    // A retry of a change that was made already succeeds, whatever its version.
    if (Object.keys(changes).length === 0) return { before: stored, after: stored }
    if (isStale) throw new Stale(stored)
    const stamped = {
      ...values,
      version: (stored.version as number) + 1,
      updated_at: actor.now,
      updated_by: actor.username,
    }
    // Sent together, for neither depends on what the other answers.
    const set = driverValues(table, withoutMissing(stamped))
    const [[row]] = await Promise.all([
      prepared(tx, `update ${getTableName(table)} ${Object.keys(set)}`, (name) =>
        tx
          .update(table)
          .set(placeholders(Object.keys(set)) as never)
          .where(eq(table.id, sql.placeholder('this_id')))
          .returning()
          .prepare(name),
      ).execute({ ...set, this_id: change.id }) as Promise<Record_<T>[]>,
      audit(write, 'update', getTableName(table), change.id, withAccepted(changes, actor)),
    ])
    return { before: stored, after: row as Record_<T> }
  }).catch(refusingUnknown(table))
}

/**
 * Deletes a record; its audit entry keeps every value, and what `belongings` names, which goes along.
 * @param version that the caller read, if it is to be checked
 * @throws Missing when there is none, Stale when it was changed since `version`
 */
export async function removeRecord<T extends StampedTable>(
  write: Write,
  table: T,
  id: number,
  what: string,
  belongings: (tx: Db, id: number) => Promise<Record<string, unknown>> = async () => ({}),
  version?: number,
): Promise<Record_<T>> {
  return inTransaction(write, async (write) => {
    const { db: tx } = write
    // Nobody may refer to it any more: a note that is added now would go with it, unseen.
    const stored = await hold(tx, table, id, what, 'update')
    if (isOlder(version, stored)) throw new Stale(stored)
    const gone = { ...stored, ...(await belongings(tx, id)) }
    await tx.delete(table).where(eq(table.id, id))
    await audit(write, 'delete', getTableName(table), id, changesBetween(gone, null))
    return stored
  })
}

/** Without the fields that were left out. */
export const withoutMissing = <Given extends object>(values: Given) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Given]: Exclude<Given[Key], undefined>
  }
