import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows } from '../../../db/client'
import { auditEntries, type Changes } from '../../../db/schema'
import { type DeletedStamps, SECRET_FIELDS, STAMPS, STAMPS_FIELD } from './stamps'

/**
 * Filters of a list. Only two kinds apply to deleted records: `updated_since`, and filters with the name of a column.
 */
type Filters = { updated_since?: Date | null | undefined } & Record<string, unknown>
export type DeletedRecord = { id: number; [field: string]: unknown }
type Deleted = { audit_id: number; id: number; deleted_at: Date; deleted_by: string | null; changes: Changes }

/**
 * SQL condition for the latest deletion of each deleted record. Restored records are left out. The filters are compared
 * with the record's last values.
 * The query must give `audit_entries` the alias `a`.
 */
function where(table: PgTable, { updated_since, ...filters }: Filters): SQL {
  const columns = getTableColumns(table)
  const compared = Object.entries(filters).filter(
    ([name, value]) => Object.hasOwn(columns, name) && !STAMPS.has(name) && value !== null && value !== undefined,
  )
  const conditions = [
    sql`a.entity = ${getTableName(table)} and a.action = 'delete'`,
    sql`not exists (select 1 from ${table} t where t.id = a.entity_id)`,
    sql`not exists (select 1 from ${auditEntries} b where b.entity = a.entity and b.entity_id = a.entity_id
      and b.action = 'delete' and b.id > a.id)`,
    ...(updated_since ? [sql`a.at >= ${updated_since.toISOString()}::timestamptz`] : []),
    ...compared.map(([name, value]) => sql`a.changes -> ${name}::text ->> 'old' = ${String(value)}::text`),
  ]
  return sql.join(conditions, sql` and `)
}

export const countDeleted = async (db: Db, table: PgTable, filters: Filters): Promise<number> => {
  const [row] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from ${auditEntries} a where ${where(table, filters)}`,
  )
  return row?.n ?? 0
}

/**
 * Returns the deleted records of a table in order of deletion.
 * Each record has its last values and `deleted_at`. `updated_at` and `updated_by` describe the deletion.
 * @param after id of the last audit entry that the caller has read
 * @param until id of the last audit entry to return
 * @returns the deleted records as `rows`; `last` is the id of the audit entry of the last row
 */
export async function listDeleted(
  db: Db,
  table: PgTable,
  filters: Filters,
  { after = 0, until, limit, offset = 0 }: { after?: number; until?: number; limit: number; offset?: number },
): Promise<{ rows: DeletedRecord[]; last: number }> {
  const deletedRows = await rows<Deleted>(
    db,
    sql`select a.id::int as audit_id, a.entity_id as id, a.at as deleted_at, a.actor as deleted_by, a.changes
      from ${auditEntries} a
      where ${where(table, filters)} and a.id > ${after}${until === undefined ? sql`` : sql` and a.id <= ${until}`}
      order by a.id limit ${limit} offset ${offset}`,
  )
  const columns = Object.keys(getTableColumns(table)).filter((name) => !STAMPS.has(name) && !SECRET_FIELDS.has(name))
  return {
    rows: deletedRows.map(({ id, deleted_by, changes, ...row }) => {
      const deleted_at = new Date(row.deleted_at).toISOString()
      // Audit entries from earlier versions of the program do not contain the version, creation time and creator of the
      // deleted record.
      const stamps = changes[STAMPS_FIELD]?.old as DeletedStamps | undefined
      return {
        id,
        ...Object.fromEntries(columns.map((name) => [name, changes[name]?.old ?? null])),
        version: stamps?.version ?? 1,
        created_at: stamps?.created_at ?? deleted_at,
        created_by: stamps?.created_by ?? null,
        updated_at: deleted_at,
        updated_by: deleted_by,
        deleted_at,
      }
    }),
    last: deletedRows.at(-1)?.audit_id ?? after,
  }
}
