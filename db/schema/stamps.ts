import { integer, timestamp, varchar } from 'drizzle-orm/pg-core'

/**
 * What every record that people change carries. `version` counts its changes, so that an edit of an older state can
 * be refused. People are named by username: it never changes and accounts are never deleted.
 */
export const stamps = {
  version: integer().notNull().default(1),
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  created_by: varchar({ length: 50 }),
  updated_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  updated_by: varchar({ length: 50 }),
}

/** Who wrote a note and when; notes are never edited. */
export const noteStamps = {
  created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
  created_by: varchar({ length: 50 }),
}
