import { boolean, index, jsonb, pgTable, serial, timestamp, varchar } from 'drizzle-orm/pg-core'

/** A record that a bulk edit changed. `version` is the version after the edit. */
export type BulkItem = { id: number; version: number; before: Record<string, unknown> }

/** A bulk edit: one change that a user applied to several records. It can be undone. */
export const bulkChanges = pgTable(
  'bulk_changes',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 20 }).notNull(),
    items: jsonb().$type<BulkItem[]>().notNull(),
    /** True if the user changed the record on the page for scanned units. */
    is_scan: boolean().notNull().default(false),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    created_by: varchar({ length: 50 }),
    undone_at: timestamp({ withTimezone: true }),
    undone_by: varchar({ length: 50 }),
  },
  (t) => [index('bulk_changes_created_at_idx').on(t.created_at)],
)
