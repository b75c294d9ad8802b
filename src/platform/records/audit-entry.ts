import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'
import { auditEntries, type Changes } from '../../../db/schema'
import type { AuditAction } from '../../../db/vocabulary'
import type { Actor } from './actor'
import { driverValues, placeholders, prepared } from './prepared-statements'
import { SECRET_FIELDS, STAMPS } from './stamps'

type Writer = { db: Db; actor: Actor }

const auditValue = (field: string, value: unknown) => (SECRET_FIELDS.has(field) && value !== null ? '(hidden)' : value)
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export function changesBetween(before: Record<string, unknown> | null, after: Record<string, unknown> | null): Changes {
  const changes: Changes = {}
  for (const field of Object.keys({ ...before, ...after })) {
    const [old, now] = [before?.[field] ?? null, after?.[field] ?? null]
    if (!STAMPS.has(field) && !isEqual(old, now))
      changes[field] = { old: auditValue(field, old), new: auditValue(field, now) }
  }
  return changes
}

/** @param entity table name */
export function auditEntry(
  { actor }: Pick<Writer, 'actor'>,
  action: AuditAction,
  entity: string,
  entity_id: number,
  changes: Changes,
) {
  const { username, source, address, now, upload_id = null, token_name = null } = actor
  return { at: now, actor: username, source, address, token_name, action, entity, entity_id, changes, upload_id }
}

export async function audit(write: Writer, ...about: [AuditAction, entity: string, entity_id: number, Changes]) {
  const { db } = write
  const entry = auditEntry(write, ...about)
  await prepared(db, 'insert_audit_entry', (name) =>
    db
      .insert(auditEntries)
      .values(placeholders(Object.keys(entry)) as never)
      .prepare(name),
  ).execute(driverValues(auditEntries, entry))
}

export async function newestEntry(db: Db): Promise<number> {
  const [newest] = await rows<{ id: number }>(db, sql`select coalesce(max(id), 0)::float8 as id from ${auditEntries}`)
  return newest?.id ?? 0
}
