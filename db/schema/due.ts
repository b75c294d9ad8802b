import { date, integer, pgTable, serial, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { stamps } from './stamps'

/** The user who is responsible for a due item, by username. `kind` determines the table to which `record_id` refers. */
export const dueAssignments = pgTable(
  'due_assignments',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 30 }).notNull(),
    record_id: integer().notNull(),
    assigned_to: varchar({ length: 50 }),
    ...stamps,
  },
  (t) => [uniqueIndex('due_assignments_kind_record_id_key').on(t.kind, t.record_id)],
)

/**
 * A snoozed due item. It is hidden until the date `until`. Null hides the item permanently, which requires a reason.
 * `kind` determines the table to which `record_id` refers.
 */
export const dueSnoozes = pgTable(
  'due_snoozes',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 30 }).notNull(),
    record_id: integer().notNull(),
    until: date(),
    reason: varchar({ length: 255 }),
    ...stamps,
  },
  (t) => [uniqueIndex('due_snoozes_kind_record_id_key').on(t.kind, t.record_id)],
)
