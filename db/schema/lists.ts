import { integer, jsonb, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core'
import { LIST_DENSITIES } from '../vocabulary'
import { users } from './users'

/**
 * A user's layout of a list. A user without a stored layout sees the default layout. Columns are identified by their
 * headings.
 */
export const listLayouts = pgTable(
  'list_layouts',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: varchar({ length: 20 }).notNull(),
    /** Default columns that the user hides. */
    hidden: jsonb().$type<string[]>().notNull(),
    /** Optional columns that the user shows. */
    added: jsonb().$type<string[]>().notNull(),
    density: varchar({ length: 10, enum: LIST_DENSITIES }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.list] })],
)
