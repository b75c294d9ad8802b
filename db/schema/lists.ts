import { integer, jsonb, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core'
import { LIST_DENSITIES } from '../vocabulary'
import { users } from './users'

/**
 * The columns and row height that a user chose for a list. Columns are identified by their headings.
 * If a user has no entry here for a list, the default layout applies.
 */
export const listLayouts = pgTable(
  'list_layouts',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: varchar({ length: 20 }).notNull(),
    /** Columns of the default layout that the user hides. */
    hidden: jsonb().$type<string[]>().notNull(),
    /** Columns that the user added to the default layout. */
    added: jsonb().$type<string[]>().notNull(),
    density: varchar({ length: 10, enum: LIST_DENSITIES }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.list] })],
)
