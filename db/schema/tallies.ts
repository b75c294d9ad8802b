import { date, index, integer, numeric, pgTable, varchar } from 'drizzle-orm/pg-core'

/**
 * A part of a daily total of transports or registrations. The total of a day is the sum of its rows.
 * For each change, a trigger adds a row, for example with the count 1 or -1. Concurrent changes therefore need not lock
 * a common row. A job later combines the rows of a day.
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
