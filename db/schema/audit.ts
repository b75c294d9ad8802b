import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core'
import { AUDIT_ACTIONS, CHANGE_SOURCES } from '../vocabulary'

/** Changed fields of a record. For a new record, every `old` is null. For a deleted record, every `new` is null. */
export type Changes = Record<string, { old: unknown; new: unknown }>

/**
 * An audit entry: one change to one record.
 * A trigger rejects updates and deletions of audit entries. Only the retention job deletes old entries, if the settings
 * limit their age.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    actor: varchar({ length: 50 }),
    source: varchar({ length: 10, enum: CHANGE_SOURCES }).notNull(),
    address: varchar({ length: 64 }),
    token_name: varchar({ length: 100 }),
    action: varchar({ length: 10, enum: AUDIT_ACTIONS }).notNull(),
    entity: varchar({ length: 40 }).notNull(),
    entity_id: integer().notNull(),
    changes: jsonb().$type<Changes>().notNull(),
    /** The import that made the change, or null. Undoing an import finds its changes by this id. */
    upload_id: integer(),
  },
  (t) => [
    index('audit_entries_entity_idx').on(t.entity, t.entity_id, t.id),
    index('audit_entries_actor_idx').on(t.actor, t.id),
    index('audit_entries_at_idx').on(t.at),
    index('audit_entries_deletions_idx').on(t.entity, t.id).where(sql`${t.action} = 'delete'`),
    index('audit_entries_deleted_units_idx')
      .on(sql`(${t.changes} -> 'unit_number' ->> 'old')`)
      .where(sql`${t.action} = 'delete'`),
    index('audit_entries_rates_idx')
      .on(sql`coalesce(${t.changes} -> 'osl_id' ->> 'new', ${t.changes} -> 'osl_id' ->> 'old')`)
      .where(sql`${t.entity} = 'osl_rates'`),
    index('audit_entries_upload_id_idx').on(t.upload_id, t.id).where(sql`${t.upload_id} is not null`),
  ],
)
