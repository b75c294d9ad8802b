import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../db/client'
import { type BulkItem, bulkChanges } from '../../db/schema'
import { accept } from '../accept'
import type { Clock } from '../clock'
import type { Actor } from '../records/actor'
import { Conflict, Missing, Refusal, Refused } from '../refusals'
import type { BulkKind } from './kind'
import { type BulkChange, checkBulk, FILTERED_LIMIT } from './rules'

export type BulkResult = { id: number; changed: number; skipped: { id: number; reason: string }[] }

/** The records that a change means. @throws Conflict when the filters mean others than were shown */
async function chosen(db: Db, clock: Clock, kind: BulkKind, { ids, filters, expected }: BulkChange): Promise<number[]> {
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
    const values = { kind: kind.name, items, created_at: actor.now, created_by: actor.username }
    const [kept] = await tx.insert(bulkChanges).values(values).returning({ id: bulkChanges.id })
    return { id: kept!.id, changed, skipped }
  })
}

/**
 * Takes a change of several records back, but for those that somebody changed since; notes that were added stay.
 * @throws Missing, Conflict when it was taken back already
 */
export async function undoMany(db: Db, actor: Actor, clock: Clock, kinds: BulkKind[], id: number): Promise<BulkResult> {
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
          await kind.change(step, actor, clock, item.id, item.before as never)
        })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        skipped.push({ id: item.id, reason: reasonOf(error) })
      }
    }
    return { id, changed: stored.items.length - skipped.length, skipped }
  })
}
