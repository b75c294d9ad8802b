import { integer, timestamp, varchar } from 'drizzle-orm/pg-core'

/**
 * Columns of every record that users change. `version` counts changes, so that edits of an outdated version can be
 * rejected. Users are stored by username, which never changes; accounts are never deleted.
 */
export const stamps = {
  version: integer().notNull().default(1),
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  created_by: varchar({ length: 50 }),
  updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  updated_by: varchar({ length: 50 }),
}

/** Columns of notes, which have no version because they are never edited. */
export const noteStamps = {
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  created_by: varchar({ length: 50 }),
}
