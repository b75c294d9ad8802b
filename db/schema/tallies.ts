import { date, index, integer, numeric, pgTable, varchar } from 'drizzle-orm/pg-core'

/**
 * How many delivered transports and received registrations there are by day and type: the sum of a day's rows. Triggers
 * add a row for each change, so that nobody waits for another's; jobs fold them.
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
