import { and, asc, desc, eq, getTableColumns, getTableName, gte, isNull, lte, sql } from 'drizzle-orm'
import { type AnyPgColumn, getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { type Db, violatedReference } from '../../../db/client'
import { auditEntries, type Changes, merges } from '../../../db/schema'
import { Conflict, Missing } from '../refusals'
import { audit, changesBetween } from './audit-entry'
import type { StampedTable, StoredRecord } from './locks'
import { restoreReferences } from './references'
import { type DeletedStamps, STAMPS_FIELD } from './stamps'
import { inTransaction, type Write } from './transactions'

type Restoring = {
  /** Runs before a deleted record is restored. Ensures that the records to which the deleted record refers exist. */
  prepare?: (write: Write, values: Record<string, unknown>) => Promise<void>
  /** Restores records that were deleted with the record, such as notes. */
  restoreRelated?: (tx: Db, id: number, deletion: Changes) => Promise<void>
}

/**
 * Makes the references of a restored record follow later merges.
 * For example, the record refers to the location A, which was merged into B. The record then refers to B. It is also
 * added to the `moved` records of the merge, so that undoing the merge moves the record back to A.
 * The reverse also happens: a merge moved the record to B before the deletion, and was undone after the deletion. The
 * record then refers to A again.
 */
async function followMerges(
  tx: Db,
  { table, id, deletedAt }: { table: PgTable; id: number; deletedAt: Date },
  values: Record<string, unknown>,
): Promise<void> {
  for (const key of getTableConfig(table).foreignKeys) {
    const { columns, foreignTable } = key.reference()
    const field = columns[0]?.name ?? ''
    const place = `${getTableName(table)}.${field}`
    const isMoved = and(
      eq(merges.entity, getTableName(foreignTable)),
      sql`${merges.moved} -> ${place} @> ${String(id)}::jsonb`,
    )
    // This deleted record is being restored. Another transaction may be undoing a merge that moved the record before
    // its deletion. Wait until that transaction ends. It cannot move this record back, because the record is not in the
    // table yet.
    await tx.select({ id: merges.id }).from(merges).where(isMoved).orderBy(asc(merges.id)).for('share')
    const undone = await tx
      .select({ from_id: merges.from_id, into_id: merges.into_id })
      .from(merges)
      .where(and(isMoved, lte(merges.merged_at, deletedAt), gte(merges.undone_at, deletedAt)))
      .orderBy(desc(merges.id))
    for (const { from_id, into_id } of undone) if (values[field] === into_id) values[field] = from_id
    for (;;) {
      if (typeof values[field] !== 'number') break
      const [merge] = await tx
        .update(merges)
        .set({
          moved: sql`${merges.moved} || jsonb_build_object(${place}::text,
            coalesce(${merges.moved} -> ${place}, '[]') || ${String(id)}::jsonb)`,
        })
        .where(
          and(
            eq(merges.entity, getTableName(foreignTable)),
            eq(merges.from_id, values[field] as number),
            isNull(merges.undone_at),
          ),
        )
        .returning({ into_id: merges.into_id })
      if (!merge) break
      values[field] = merge.into_id
    }
  }
}

/**
 * Restores a deleted record from the audit entry of its deletion. The record gets its original id.
 * @throws Missing when no deletion of this id is recorded, Conflict when a record with this id exists or a referenced
 * record does not exist
 */
export async function restoreRecord<T extends StampedTable>(
  write: Write,
  table: T,
  id: number,
  what: string,
  { prepare, restoreRelated }: Restoring = {},
): Promise<StoredRecord<T>> {
  const entity = getTableName(table)
  return inTransaction(write, async (write) => {
    const { db: tx, actor } = write
    const history = await tx
      .select({ id: auditEntries.id, action: auditEntries.action, at: auditEntries.at, actor: auditEntries.actor })
      .from(auditEntries)
      .where(and(eq(auditEntries.entity, entity), eq(auditEntries.entity_id, id)))
      .orderBy(desc(auditEntries.id))
    const deletionId = history.find((entry) => entry.action === 'delete')?.id
    if (!deletionId) throw new Missing(what)
    const [present] = await tx
      .select({ id: table.id })
      .from(table as PgTable)
      .where(eq(table.id, id))
    if (present) throw new Conflict(`${what} is not deleted`)
    // Load only the changes of the deletion. The changes of all entries can have megabytes.
    const [deletion] = await tx.select().from(auditEntries).where(eq(auditEntries.id, deletionId))
    if (!deletion) throw new Missing(what)
    const creation = history.find((entry) => entry.action === 'create')
    const columns: Record<string, AnyPgColumn> = getTableColumns(table)
    const stored = (field: string, value: unknown) =>
      columns[field]?.dataType === 'date' && value ? new Date(String(value)) : value
    const values = Object.fromEntries(
      Object.entries(deletion.changes).flatMap(([field, { old }]) =>
        field in columns ? [[field, stored(field, old)]] : [],
      ),
    )
    await followMerges(tx, { table, id, deletedAt: deletion.at }, values)
    await prepare?.(write, values)
    const deleted = deletion.changes[STAMPS_FIELD]?.old as DeletedStamps | undefined
    const stamps = {
      // The version is above every earlier version, so that a client cannot mistake the restored record for an older
      // version.
      version: Math.max(history.length, (deleted?.version ?? 0) + 1) + 1,
      created_at: creation?.at ?? (deleted ? new Date(deleted.created_at) : actor.now),
      created_by: creation?.actor ?? (deleted ? deleted.created_by : actor.username),
      updated_at: actor.now,
      updated_by: actor.username,
    }
    const [row] = (await tx
      .insert(table)
      .values({ ...values, id, ...stamps } as never)
      .returning()) as StoredRecord<T>[]
    await restoreRelated?.(tx, id, deletion.changes)
    await restoreReferences(tx, table, id, deletion.changes)
    await audit(write, 'restore', entity, id, changesBetween(null, row as StoredRecord<T>))
    return row as StoredRecord<T>
  }).catch((error) => {
    if (violatedReference(error) === null) throw error
    throw new Conflict(`${what} refers to a record that has since been deleted; restore that record first`)
  })
}
