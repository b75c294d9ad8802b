import { date, integer, pgTable, serial, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { stamps } from './stamps'

/**
 * Assignment of a due item to a user.
 * `kind` names the rule that makes the record due. `record_id` is an id in the table that the rule checks.
 */
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
 * A snooze that hides a due item until the date `until`.
 * If `until` is null, the item is hidden permanently, and a reason is required. `kind` names the rule that makes the
 * record due. `record_id` is an id in the table that the rule checks.
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
