import { date, index, integer, numeric, pgTable, varchar } from 'drizzle-orm/pg-core'

/**
 * A part of a daily total of transports or registrations. Triggers add a part for each change, so that concurrent
 * changes do not wait for each other. A job later combines the parts.
 */
export const tallies = pgTable(
  'tallies',
  {
    tally: varchar({ length: 30 }).notNull(),
    day: date().notNull(),
    type: varchar({ length: 20 }).notNull(),
    count: integer().notNull(),
    amount: numeric({ precision: 16, scale: 2, mode: 'number' }).notNull(),
  },
  (t) => [index('tallies_tally_day_idx').on(t.tally, t.day)],
)
