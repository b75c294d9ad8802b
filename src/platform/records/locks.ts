import { eq, getTableName, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Db, oneOf } from '../../../db/client'
import { Missing } from '../refusals'
import { prepared } from './prepared-statements'

export type StampedTable = PgTable & { id: AnyPgColumn; version: AnyPgColumn }
export type StoredRecord<T extends PgTable> = T['$inferSelect']

/**
 * Reads a record and locks it until the transaction ends. The default lock, `no key update`, lets other transactions
 * insert rows that refer to the record. The lock `update` blocks such inserts. Two transactions deadlock if each of
 * them first inserts a row that refers to the record and then locks the record with `update`.
 */
export async function lockRecord<T extends StampedTable>(
  tx: Db,
  table: T,
  id: number,
  what: string,
  lock: 'no key update' | 'update' = 'no key update',
): Promise<StoredRecord<T>> {
  const [row] = (await prepared(tx, `hold ${getTableName(table)} for ${lock}`, (name) =>
    tx
      .select()
      .from(table as PgTable)
      .where(eq(table.id, sql.placeholder('id')))
      .for(lock)
      .prepare(name),
  ).execute({ id })) as StoredRecord<T>[]
  if (!row) throw new Missing(what)
  return row
}

/**
 * Locks records until the transaction ends. Other transactions then cannot change the records after the caller has read
 * them. The records are locked in the order of their ids, so that two transactions cannot deadlock.
 */
export const lockRecords = (tx: Db, table: StampedTable, ids: readonly number[]) =>
  tx
    .select({ id: table.id })
    .from(table as PgTable)
    .where(oneOf(table.id, ids))
    .orderBy(table.id)
    .for('no key update')
