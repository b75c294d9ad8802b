import { is, sql } from 'drizzle-orm'
import { type AnyPgColumn, getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import type { Changes } from '../../../db/schema'
import * as schema from '../../../db/schema'

const TABLES = Object.values(schema).filter((value): value is typeof value & PgTable => is(value, PgTable)) as PgTable[]

/**
 * A foreign key that refers to a table. `blocksDeletion` is true if the foreign key prevents the deletion of the
 * referenced record. `isCleared` is true if the deletion sets the foreign key to null.
 */
export type Reference = { table: string; column: string; refersTo: string; blocksDeletion: boolean; isCleared: boolean }

export function referencesTo(table: PgTable): Reference[] {
  return TABLES.flatMap((other) =>
    getTableConfig(other).foreignKeys.flatMap((key) => {
      const { foreignTable, columns, foreignColumns } = key.reference()
      if (foreignTable !== table) return []
      const [column, refersTo] = [columns[0], foreignColumns[0]] as [AnyPgColumn, AnyPgColumn]
      const blocksDeletion = key.onDelete === undefined || ['no action', 'restrict'].includes(key.onDelete)
      const isCleared = key.onDelete === 'set null'
      return [
        { table: getTableConfig(other).name, column: column.name, refersTo: refersTo.name, blocksDeletion, isCleared },
      ]
    }),
  )
}

const clearedBy = (table: PgTable) => referencesTo(table).filter(({ isCleared }) => isCleared)

/**
 * Returns the ids of records that refer to the record `id`. The deletion of this record sets these references to null.
 * Invoice lines have such references, for example. The ids are grouped by table name. They are stored in the audit
 * entry of the deletion, so that a restore can set the references again.
 */
export async function clearedReferences(tx: Db, table: PgTable, id: number): Promise<Record<string, number[]>> {
  const cleared: Record<string, number[]> = {}
  for (const { table: other, column } of clearedBy(table)) {
    const found = await rows<{ id: number }>(
      tx,
      sql`select id from ${sql.identifier(other)} where ${sql.identifier(column)} = ${id} order by id`,
    )
    if (found.length) cleared[other] = found.map(({ id }) => id)
  }
  return cleared
}

/** Does not change references that now point to a different record. */
export async function restoreReferences(tx: Db, table: PgTable, id: number, deletion: Changes): Promise<void> {
  for (const { table: other, column } of clearedBy(table)) {
    const ids = (deletion[other]?.old ?? []) as number[]
    if (ids.length)
      await tx.execute(
        sql`update ${sql.identifier(other)} set ${sql.identifier(column)} = ${id}
          where id in ${ids} and ${sql.identifier(column)} is null`,
      )
  }
}

/**
 * Sets references of restored records that a deletion set to null.
 * For example, a transport and then an invoice line of this transport were deleted, and both were restored. The
 * deletion of the transport had set the reference of the line to null. The audit entry of this deletion contains the id
 * of the line. This function finds that audit entry and sets the reference again.
 */
export async function restoreOwnReferences(tx: Db, table: PgTable, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const { name, foreignKeys } = getTableConfig(table)
  for (const key of foreignKeys.filter(({ onDelete }) => onDelete === 'set null')) {
    const { columns, foreignTable } = key.reference()
    const column = sql.identifier(columns[0]!.name)
    const entity = getTableConfig(foreignTable).name
    await tx.execute(
      sql`update ${sql.identifier(name)} x set ${column} = d.entity_id from audit_entries d
        where x.id in ${ids} and x.${column} is null and d.entity = ${entity} and d.action = 'delete'
          and d.changes -> ${name}::text -> 'old' @> to_jsonb(x.id)
          and exists (select from ${sql.identifier(entity)} t where t.id = d.entity_id)`,
    )
  }
}
