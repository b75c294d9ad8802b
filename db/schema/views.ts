import { sql } from 'drizzle-orm'
import { boolean, pgTable, serial, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { stamps } from './stamps'

/**
 * A saved view: the named filters of a list.
 * It is private or shared. `query` is the query string of the list's URL.
 */
export const savedViews = pgTable(
  'saved_views',
  {
    id: serial().primaryKey(),
    list: varchar({ length: 20 }).notNull(),
    name: varchar({ length: 50 }).notNull(),
    query: text().notNull(),
    shared: boolean().notNull().default(false),
    ...stamps,
  },
  (t) => [uniqueIndex('saved_views_owner_list_name_key').on(t.created_by, t.list, sql`lower(${t.name})`)],
)
