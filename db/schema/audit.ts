import { sql } from 'drizzle-orm'
import { bigserial, index, integer, jsonb, pgTable, timestamp, varchar } from 'drizzle-orm/pg-core'
import { AUDIT_ACTIONS, CHANGE_SOURCES } from '../vocabulary'

/** What changed in one record: the old and the new value of each field, `null` on the side that did not exist. */
export type Changes = Record<string, { old: unknown; new: unknown }>

/** Append-only: a trigger refuses to update or delete an entry. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    actor: varchar({ length: 50 }),
    source: varchar({ length: 10, enum: CHANGE_SOURCES }).notNull(),
    address: varchar({ length: 64 }),
    /** The API token that made the change. */
    token_name: varchar({ length: 100 }),
    action: varchar({ length: 10, enum: AUDIT_ACTIONS }).notNull(),
    entity: varchar({ length: 40 }).notNull(),
    entity_id: integer().notNull(),
    changes: jsonb().$type<Changes>().notNull(),
    /** The import that made it; what undoes an import reads it from here. */
    upload_id: integer(),
  },
  (t) => [
    index('audit_entries_entity_idx').on(t.entity, t.entity_id, t.id),
    index('audit_entries_actor_idx').on(t.actor, t.id),
    index('audit_entries_at_idx').on(t.at),
    index('audit_entries_upload_id_idx').on(t.upload_id, t.id).where(sql`${t.upload_id} is not null`),
  ],
)
