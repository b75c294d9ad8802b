import { is } from 'drizzle-orm'
import { type AnyPgColumn, getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../../db/schema'

const TABLES = Object.values(schema).filter((value): value is typeof value & PgTable => is(value, PgTable)) as PgTable[]

/** A foreign key that refers to a table. `isKept` is true if it prevents the deletion of the referenced record. */
export type Reference = { table: string; column: string; refersTo: string; isKept: boolean }

export function referencesTo(table: PgTable): Reference[] {
  return TABLES.flatMap((other) =>
    getTableConfig(other).foreignKeys.flatMap((key) => {
      const { foreignTable, columns, foreignColumns } = key.reference()
      if (foreignTable !== table) return []
      const [column, refersTo] = [columns[0], foreignColumns[0]] as [AnyPgColumn, AnyPgColumn]
      const isKept = key.onDelete === undefined || ['no action', 'restrict'].includes(key.onDelete)
      return [{ table: getTableConfig(other).name, column: column.name, refersTo: refersTo.name, isKept }]
    }),
  )
}
