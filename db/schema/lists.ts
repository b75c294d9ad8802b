import { integer, jsonb, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core'
import { LIST_DENSITIES } from '../vocabulary'
import { users } from './users'

/** How a person has a list laid out; without a row it is as it comes. Columns are named by their headings. */
export const listLayouts = pgTable(
  'list_layouts',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: varchar({ length: 20 }).notNull(),
    /** Columns that the list has and this person does not want. */
    hidden: jsonb().$type<string[]>().notNull(),
    /** Columns that the list only has when somebody asks for them. */
    added: jsonb().$type<string[]>().notNull(),
    density: varchar({ length: 10, enum: LIST_DENSITIES }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.list] })],
)
