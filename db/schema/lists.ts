import { integer, jsonb, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core'
import { LIST_DENSITIES } from '../vocabulary'
import { users } from './users'

/**
 * A user's layout of a list: its columns and its row height.
 * Columns are stored by their headings. A list without an entry in this table has the default layout.
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
