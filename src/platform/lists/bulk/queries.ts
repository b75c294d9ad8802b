import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/client'
import { type BulkItem, bulkChanges } from '../../../../db/schema'
import { accept } from '../../accept'
import type { Clock } from '../../clock'
import { NOTES_LIMIT } from '../../fields'
import { lockRecords } from '../../records/locks'
import { inSavepoint, inTransaction, newBatch, type Write } from '../../records/transactions'
import type { Warning } from '../../records/warnings'
import { Conflict, Missing, Refusal, Refused } from '../../refusals'
import type { BulkKind, UndoKind } from './kind'
import { type BulkChange, type BulkChoice, checkBulk, FILTERED_LIMIT } from './rules'

type Reasons = { id: number; reason: string }[]
export type BulkResult = { id: number; changed: number; skipped: Reasons }
export type BulkWarning = Warning & { id: number }

/**
 * @throws Refused when the filters match more than `limit` records, Conflict when the number of matching records is not
 * the expected number
 */
export async function selectIds(
  db: Db,
  clock: Clock,
  kind: Pick<BulkKind, 'lists' | 'filters' | 'many'>,
  { ids, filters, expected }: BulkChoice,
  limit = FILTERED_LIMIT.server,
): Promise<number[]> {
  if (ids) return [...new Set(ids)].sort((a, b) => a - b)
  const { list = 'all', ...query } = filters ?? {}
  const listing = kind.lists[list as string]?.(db, clock, accept(kind.filters, query) as never)
  const matchingIds = (await listing?.ids(limit + 1)) ?? []
  if (matchingIds.length > limit) throw Refused.field('filters', `At most ${limit} at once`)
  if (matchingIds.length !== expected)
    throw new Conflict(
      `The filters now match ${matchingIds.length} ${kind.many}, not ${expected}. Reload the list and try again.`,
    )
  return matchingIds.sort((a, b) => a - b)
}

/** @throws Refused when the notes would become longer than a form can save */
function appendNote(notes: unknown, note: string): string {
  const text = typeof notes === 'string' && notes ? `${notes}\n${note}` : note
  if (text.length > NOTES_LIMIT) throw Refused.field('note', `The notes would be longer than ${NOTES_LIMIT} characters`)
  return text
}

/**
 * Changes one record of a bulk edit. The rules are the same as for a single edit.
 * @returns the previous values, which an undo restores. They are undefined if nothing changed, and null if the only
 * change is a note in a separate table, because an undo does not remove the note.
 */
async function changeOne(write: Write, kind: BulkKind, id: number, change: BulkChange) {
  const before = await kind.find(write.db, write.clock, id)
  const ownNotes = change.note && !kind.addNote ? { notes: appendNote(before.notes, change.note) } : {}
  const values = { ...change.set, ...ownNotes }
  const after = Object.keys(values).length ? await kind.change(write, id, values) : before
  if (change.note && kind.addNote) await kind.addNote(write, id, change.note)
  if (after.version === before.version) return { item: change.note && kind.addNote ? null : undefined, warnings: [] }
  const fields = [...Object.keys(values), ...(kind.follows ?? [])]
  return {
    item: {
      id,
      version: after.version,
      before: Object.fromEntries(fields.map((field) => [field, before[field] ?? null])),
    },
    warnings: kind.warnings?.(after as never, write.clock.today()) ?? [],
  }
}

export const refusalReason = ({ errors, message }: Refusal) =>
  errors?.map((error) => error.message).join('; ') || message

type Each<T> = { done: { id: number; value: T }[]; skipped: Reasons }

/**
 * Runs `work` on each record of a bulk edit. A refused record is skipped, and the changes to the other records are
 * kept. All records share one savepoint, because one savepoint per record would hold more locks than the server allows.
 * A refusal therefore also rolls back the records before it, and `work` runs on these records again.
 */
export async function forEachRecord<T>(
  write: Write,
  ids: number[],
  work: (write: Write, id: number) => Promise<T>,
): Promise<Each<T>> {
  const done: Each<T>['done'] = []
  const skipped: Each<T>['skipped'] = []
  const batch = newBatch()
  const all = (ids: number[]) =>
    inSavepoint(write, (write) =>
      batch.run(write, async (write) => {
        const values: Each<T>['done'] = []
        for (const id of ids) {
          const value = await work(write, id).catch((error) => {
            throw error instanceof Refusal ? new RefusedAt(values.length, error) : error
          })
          values.push({ id, value })
        }
        return values
      }),
    )
  const waiting = [ids]
  for (let some = waiting.pop(); some; some = waiting.pop()) {
    if (some.length === 0) continue
    try {
      done.push(...(await all(some)))
    } catch (error) {
      if (!(error instanceof RefusedAt)) throw error
      skipped.push({ id: some[error.at] as number, reason: refusalReason(error.refusal) })
      waiting.push(some.slice(error.at + 1), some.slice(0, error.at))
    }
  }
  await batch.finish(write)
  return { done, skipped }
}

class RefusedAt extends Error {
  constructor(
    readonly at: number,
    readonly refusal: Refusal,
  ) {
    super(refusal.message)
  }
}

/**
 * Changes several records and writes an audit entry for each. A record that cannot be changed is skipped and listed in
 * the result.
 * @throws Refused when the request changes nothing, Conflict when the filters do not match the expected number of
 * records
 */
export async function changeMany(
  write: Write,
  kind: BulkKind,
  change: BulkChange,
  limit: number = FILTERED_LIMIT.server,
): Promise<{ result: BulkResult; warnings: BulkWarning[] }> {
  checkBulk(kind, change)
  return inTransaction(write, async (write) => {
    // Change the records in the order of their ids, because concurrent bulk edits of the same records could deadlock in
    // any other order.
    const ids = await selectIds(write.db, write.clock, kind, change, limit)
    await lockRecords(write.db, kind.table, ids)
    const { done, skipped } = await forEachRecord(write, ids, (write, id) => changeOne(write, kind, id, change))
    const [unchanged, other] = [
      done.filter(({ value }) => value.item === undefined),
      done.filter(({ value }) => value.item !== undefined),
    ]
    skipped.push(...unchanged.map(({ id }) => ({ id, reason: 'Nothing to change' })))
    const items = other.flatMap(({ value }) => value.item ?? [])
    const changed = other.length
    const warnings = other.flatMap(({ id, value }) => value.warnings.map((warning) => ({ ...warning, id })))
    return { result: { id: await storeUndo(write, kind, items), changed, skipped }, warnings }
  })
}

/** Stores the previous values of a bulk edit. Returns the id for the undo. */
export async function storeUndo(write: Write, { name }: Pick<UndoKind, 'name'>, items: BulkItem[]) {
  const values = { kind: name, items, created_at: write.actor.now, created_by: write.actor.username }
  const [stored] = await write.db.insert(bulkChanges).values(values).returning({ id: bulkChanges.id })
  return stored!.id
}

export const undoOf = ({ name, table, find, change, revert = change }: BulkKind): UndoKind => ({
  name,
  table,
  find,
  back: (write, { id, before }) => revert(write, id, before as never),
})

/**
 * Undoes a bulk edit. Records that were changed after the bulk edit are skipped. Notes that the bulk edit added are not
 * removed.
 * @throws Missing when the bulk edit does not exist, Conflict when it is already undone
 */
export async function undoMany(
  write: Write,
  kinds: UndoKind[],
  id: number,
): Promise<{ result: BulkResult; find: UndoKind['find'] }> {
  return inTransaction(write, async (write) => {
    const [stored] = await write.db.select().from(bulkChanges).where(eq(bulkChanges.id, id))
    const kind = kinds.find(({ name }) => name === stored?.kind)
    if (!stored || !kind) throw new Missing('Change')
    const [undone] = await write.db
      .update(bulkChanges)
      .set({ undone_at: write.actor.now, undone_by: write.actor.username })
      .where(and(eq(bulkChanges.id, id), isNull(bulkChanges.undone_at)))
      .returning({ id: bulkChanges.id })
    if (!undone) throw new Conflict('Already undone')
    const items = new Map(stored.items.map((item) => [item.id, item]))
    await lockRecords(write.db, kind.table, [...items.keys()])
    const { done, skipped } = await forEachRecord(write, [...items.keys()], async (write, itemId) => {
      const item = items.get(itemId) as BulkItem
      const { version } = await kind.find(write.db, write.clock, itemId)
      if (version !== item.version) throw new Conflict('Someone changed this record after the bulk edit')
      await kind.back(write, item)
    })
    return { result: { id, changed: done.length, skipped }, find: kind.find }
  })
}
