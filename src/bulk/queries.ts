import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { type BulkItem, bulkChanges } from '../../db/schema'
import { accept } from '../accept'
import type { Clock } from '../clock'
import type { Actor } from '../records/actor'
import { Conflict, Missing, Refusal, Refused } from '../refusals'
import type { BulkKind, UndoKind } from './kind'
import { type BulkChange, type BulkChoice, checkBulk, FILTERED_LIMIT } from './rules'

export type BulkResult = { id: number; changed: number; skipped: { id: number; reason: string }[] }

/** The records that a choice means, by id. @throws Conflict when the filters mean others than were shown */
export async function chosen(
  db: Db,
  clock: Clock,
  kind: Pick<BulkKind, 'lists' | 'filters' | 'many'>,
  { ids, filters, expected }: BulkChoice,
): Promise<number[]> {
  if (ids) return [...new Set(ids)].sort((a, b) => a - b)
  const { list = 'all', ...query } = filters ?? {}
  const listing = kind.lists[list as string]?.(db, clock, accept(kind.filters, query) as never)
  const found = (await listing?.ids(FILTERED_LIMIT + 1)) ?? []
  if (found.length > FILTERED_LIMIT) throw Refused.field('filters', `At most ${FILTERED_LIMIT} at once`)
  if (found.length !== expected)
    throw new Conflict(`The filters mean ${found.length} ${kind.many} now, not ${expected}; look at the list again`)
  return found.sort((a, b) => a - b)
}

/** Appends to what is there; nothing that was written is replaced. */
const appended = (notes: unknown, note: string) => (typeof notes === 'string' && notes ? `${notes}\n${note}` : note)

/** Changes one record by its own rules. @returns undefined when it is already so */
async function changeOne(tx: Db, actor: Actor, clock: Clock, kind: BulkKind, id: number, change: BulkChange) {
  const before = await kind.find(tx, clock, id)
  const ownNotes = change.note && !kind.addNote ? { notes: appended(before.notes, change.note) } : {}
  const values = { ...change.set, ...ownNotes }
  const after = Object.keys(values).length ? await kind.change(tx, actor, clock, id, values) : before
  if (change.note && kind.addNote) await kind.addNote(tx, actor, id, change.note)
  if (after.version === before.version) return change.note && kind.addNote ? null : undefined
  const fields = [...Object.keys(values), ...(kind.follows ?? [])]
  return {
    id,
    version: after.version,
    before: Object.fromEntries(fields.map((field) => [field, before[field] ?? null])),
  }
}

/** The reason of a refusal, in one line. */
const reasonOf = ({ errors, message }: Refusal) => errors?.map((error) => error.message).join('; ') || message

/**
 * Changes several records at once: those that cannot be changed are named, the others are, each with its audit entry.
 * @throws Refused when nothing is asked for, Conflict when filters mean others than were shown
 */
export async function changeMany(
  db: Db,
  actor: Actor,
  clock: Clock,
  kind: BulkKind,
  change: BulkChange,
): Promise<BulkResult> {
  checkBulk(kind, change)
  return db.transaction(async (tx) => {
    const items: BulkItem[] = []
    const skipped: BulkResult['skipped'] = []
    let changed = 0
    // In the order of their ids, so that two who change the same ones wait for each other.
    for (const id of await chosen(tx, clock, kind, change)) {
      try {
        const item = await tx.transaction((step) => changeOne(step, actor, clock, kind, id, change))
        if (item === undefined) skipped.push({ id, reason: 'Nothing to change' })
        else changed++
        if (item) items.push(item)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        skipped.push({ id, reason: reasonOf(error) })
      }
    }
    return { id: await keepForUndo(tx, actor, kind, items), changed, skipped }
  })
}

/** Keeps what was changed together. @returns the id by which it is taken back */
export async function keepForUndo(tx: Db, actor: Actor, { name }: Pick<UndoKind, 'name'>, items: BulkItem[]) {
  const values = { kind: name, items, created_at: actor.now, created_by: actor.username }
  const [kept] = await tx.insert(bulkChanges).values(values).returning({ id: bulkChanges.id })
  return kept!.id
}

/** A change of several is taken back by setting what it set to what was there before. */
export const undoOf = ({ name, find, change }: BulkKind): UndoKind => ({
  name,
  find,
  back: (db, actor, clock, { id, before }) => change(db, actor, clock, id, before as never),
})

/**
 * Takes a change of several records back, but for those that somebody changed since; notes that were added stay.
 * @throws Missing, Conflict when it was taken back already
 */
export async function undoMany(db: Db, actor: Actor, clock: Clock, kinds: UndoKind[], id: number): Promise<BulkResult> {
  return db.transaction(async (tx) => {
    const [stored] = await tx.select().from(bulkChanges).where(eq(bulkChanges.id, id))
    const kind = kinds.find(({ name }) => name === stored?.kind)
    if (!stored || !kind) throw new Missing('Change')
    const [undone] = await tx
      .update(bulkChanges)
      .set({ undone_at: actor.now, undone_by: actor.username })
      .where(and(eq(bulkChanges.id, id), isNull(bulkChanges.undone_at)))
      .returning({ id: bulkChanges.id })
    if (!undone) throw new Conflict('This was undone already')
    const skipped: BulkResult['skipped'] = []
    for (const item of stored.items) {
      try {
        await tx.transaction(async (step) => {
          const { version } = await kind.find(step, clock, item.id)
          if (version !== item.version) throw new Conflict('Somebody changed it since')
          await kind.back(step, actor, clock, item)
        })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        skipped.push({ id: item.id, reason: reasonOf(error) })
      }
    }
    return { id, changed: stored.items.length - skipped.length, skipped }
  })
}
