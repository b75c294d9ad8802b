import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { type Db, rows, violatedUnique } from '../../../../db/client'
import { type Moved, merges } from '../../../../db/schema'
import { requiredChoiceOf } from '../../fields'
import { nameKey } from '../../reading/text'
import { Conflict, Missing, Refused } from '../../refusals'
import { restoreRecord } from '../restore'
import { inTransaction, type Write } from '../transactions'
import { changeRecord, removeRecord } from '../write'
import { type Mergeable, type MergeRecord, mainName, placesOf } from './merge-places'

export const mergeInto = z.object({ into_id: requiredChoiceOf('Choose the record to keep') })

const UNDO_MS = 24 * 60 * 60 * 1000

/**
 * `moved` maps each column to its number of moved references. `records` is the number of changed records. A record with
 * two moved references counts once.
 */
export type Merge = Omit<typeof merges.$inferSelect, 'moved'> & { moved: Record<string, number>; records: number }

const allNames = ({ called }: Mergeable, row: MergeRecord): string[] => [
  ...called.map(({ name }) => (row as unknown as Record<string, string>)[name] as string),
  ...(row.other_names ?? []),
]

/** Locks records in the order of their ids. Two merges then cannot deadlock. */
async function holdBoth(tx: Db, { table }: Mergeable, ids: number[]): Promise<Map<number, MergeRecord>> {
  const records = await rows<MergeRecord>(
    tx,
    sql`select * from ${table} where id = any(${`{${ids.join(',')}}`}::text::int[]) order by id for update`,
  )
  return new Map(records.map((row) => [row.id, row]))
}

const toMerge = ({ moved, ...merge }: typeof merges.$inferSelect): Merge => ({
  ...merge,
  moved: Object.fromEntries(Object.entries(moved).map(([place, ids]) => [place, ids.length])),
  // Count only records that refer to the merged record by id. Vehicles are left out because they refer to it by name,
  // and saved views because they are not records.
  records: new Set(
    Object.entries(moved).flatMap(([place, ids]) =>
      place.endsWith('_id') ? ids.map((id) => `${place.split('.')[0]} ${id}`) : [],
    ),
  ).size,
})

/**
 * Merges the record `id` into the record `into_id`. The record `into_id` gets the references and names of the record
 * `id`.
 * @throws Missing when `id` does not exist, Refused when `into_id` is the same record or does not exist, Conflict when
 * both records have a reference that must be unique, such as a budget for the same year
 */
export const mergeRecords = (write: Write, kind: Mergeable, id: number, into_id: number): Promise<Merge> =>
  inTransaction(write, async (write) => {
    if (id === into_id) throw Refused.field('into_id', 'A record cannot be merged into itself. Choose another record.')
    const records = await holdBoth(write.db, kind, [id, into_id])
    const [from, target] = [records.get(id), records.get(into_id)]
    if (!from) throw new Missing(kind.noun)
    if (!target) throw Refused.field('into_id', 'Choose one from the list')
    const moved: Moved = {}
    for (const { key, move } of placesOf(kind)) moved[key] = await move(write, from, target)
    const targetNames = new Set(allNames(kind, target).map(nameKey))
    const names = allNames(kind, from).filter((name) => !targetNames.has(nameKey(name)))
    const single = [...new Map(names.map((name) => [nameKey(name), name])).values()]
    await removeRecord(write, kind.table, id, kind.noun)
    const values = { other_names: [...(target.other_names ?? []), ...single] }
    await changeRecord(write, kind.table, { id: into_id, what: kind.noun, values: values as never })
    const [merge] = await write.db
      .insert(merges)
      .values({
        entity: getTableConfig(kind.table).name,
        from_id: id,
        from_name: mainName(kind, from),
        into_id,
        into_name: mainName(kind, target),
        names: single,
        moved,
        merged_at: write.actor.now,
        merged_by: write.actor.username,
      })
      .returning()
    return toMerge(merge as typeof merges.$inferSelect)
  }).catch((error) => {
    const constraint = violatedUnique(error)
    if (constraint === null) throw error
    if (constraint.startsWith('budgets'))
      throw new Conflict('Both locations have a budget for the same year. Delete one budget, then merge.')
    throw new Conflict('Both records have an invoice with the same number. Delete one invoice, then merge.')
  })

/**
 * Undoes a merge. References that were added since the merge stay with the remaining record.
 * @throws Missing when the merge does not exist
 * @throws Conflict when the merge is already undone or older than one day, or when a later change prevents it
 */
export const undoMerge = (write: Write, kind: Mergeable, id: number): Promise<Merge> =>
  inTransaction(write, async (write) => {
    const entity = getTableConfig(kind.table).name
    const [merge] = await write.db
      .select()
      .from(merges)
      .where(and(eq(merges.id, id), eq(merges.entity, entity)))
      .for('update')
    if (!merge) throw new Missing('Merge')
    if (merge.undone_at) throw new Conflict('Already undone')
    if (write.actor.now.getTime() - merge.merged_at.getTime() > UNDO_MS)
      throw new Conflict('A merge can only be undone within 24 hours')
    const target = (await holdBoth(write.db, kind, [merge.into_id])).get(merge.into_id)
    if (!target) throw new Conflict(`${merge.into_name} has since been merged or deleted. First undo that change.`)
    const from = (await restoreRecord(write, kind.table, merge.from_id, kind.noun)) as unknown as MergeRecord
    for (const { key, move } of placesOf(kind)) await move(write, target, from, merge.moved[key] ?? [])
    const otherNames = (target.other_names ?? []).filter(
      (name) => !merge.names.some((mergedName) => nameKey(mergedName) === nameKey(name)),
    )
    const values = { other_names: otherNames.length ? otherNames : null }
    await changeRecord(write, kind.table, { id: target.id, what: kind.noun, values: values as never })
    const [undone] = await write.db
      .update(merges)
      .set({ undone_at: write.actor.now, undone_by: write.actor.username })
      .where(eq(merges.id, id))
      .returning()
    return toMerge(undone as typeof merges.$inferSelect)
  }).catch((error) => {
    if (violatedUnique(error) === null) throw error
    throw new Conflict(
      'The merge cannot be undone, because another record now uses the name or code of the merged record',
    )
  })

export async function recentMerges(db: Db, { table }: Mergeable, now: Date): Promise<Merge[]> {
  const recent = await db
    .select()
    .from(merges)
    .where(
      and(
        eq(merges.entity, getTableConfig(table).name),
        isNull(merges.undone_at),
        gt(merges.merged_at, new Date(now.getTime() - UNDO_MS)),
      ),
    )
    .orderBy(desc(merges.id))
  return recent.map(toMerge)
}
