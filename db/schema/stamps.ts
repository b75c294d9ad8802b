import { integer, timestamp, varchar } from 'drizzle-orm/pg-core'

/**
 * Columns that all editable records have.
 * `version` increases with each change, so that the program can reject an edit of an outdated version. `created_by` and
 * `updated_by` are usernames, because usernames never change and accounts are never deleted.
 */
export const stamps = {
  version: integer().notNull().default(1),
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  created_by: varchar({ length: 50 }),
  updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  updated_by: varchar({ length: 50 }),
}

/** Notes have no version, because they are never edited. */
export const noteStamps = {
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  created_by: varchar({ length: 50 }),
}
