import { integer, jsonb, pgTable, serial, smallint, uniqueIndex } from 'drizzle-orm/pg-core'
import { locations } from './places'
import { stamps } from './stamps'

/** A location's monthly budgets for one year. */
export const budgets = pgTable(
  'budgets',
  {
    id: serial().primaryKey(),
    location_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'restrict' }),
    year: smallint().notNull(),
    /** Twelve amounts in dollars, from January to December. Null for a month without a budget. */
    amounts: jsonb().$type<(number | null)[]>().notNull(),
    ...stamps,
  },
  (t) => [uniqueIndex('budgets_location_id_year_key').on(t.location_id, t.year)],
)
