import { index, integer, jsonb, pgTable, serial, text, timestamp, varchar } from 'drizzle-orm/pg-core'
import { DATA_TYPES } from '../vocabulary'

/** One spreadsheet that was dropped on the upload page, and what became of its rows. */
export const uploads = pgTable(
  'uploads',
  {
    id: serial().primaryKey(),
    data_type: varchar({ length: 20, enum: DATA_TYPES }).notNull(),
    file_name: varchar({ length: 255 }).notNull(),
    file_size: integer().notNull(),
    /** The original's name in the upload folder. */
    stored_as: varchar({ length: 60 }),
    imported: integer().notNull(),
    failed: integer().notNull(),
    duplicates: integer().notNull(),
    message: text().notNull(),
    errors: jsonb().$type<{ row: number; message: string }[]>().notNull(),
    validation_errors: jsonb().$type<string[]>().notNull(),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    created_by: varchar({ length: 50 }),
  },
  (t) => [index('uploads_created_at_idx').on(t.created_at, t.id), index('uploads_data_type_idx').on(t.data_type)],
)
