import { sql } from 'drizzle-orm'

/** Range of ids of an import's audit entries. The range includes `from`, but not `before`. */
export type Batch = { upload_id: number; from: number; before: number }

export const inBatch = ({ upload_id, from, before }: Batch) =>
  sql`e.upload_id = ${upload_id} and e.id >= ${from} and e.id < ${before}`

/**
 * SQL for the id of a newer audit entry, or null. The newer entry is about the same record as audit entry `e`. It shows
 * that the record was edited after the import.
 * Entries of the same import, and of undone or cancelled imports, do not count. A scalar subquery makes Postgres use an
 * index for each audit entry. With `not exists`, Postgres could join the whole audit trail.
 */
export const editedBy = (upload_id: number) => sql`
  (select later.id from audit_entries later where later.entity = e.entity and later.entity_id = e.entity_id
  and later.id > e.id
    and later.upload_id is distinct from ${upload_id}
    and (later.upload_id is null or not exists (select 1 from uploads u where u.id = later.upload_id
    and u.status in ('undone', 'cancelled'))) limit 1)`
