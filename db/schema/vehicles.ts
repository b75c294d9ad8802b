import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, serial, smallint, unique, varchar } from 'drizzle-orm/pg-core'
import { stamps } from './stamps'

/** A vehicle and where it stands, which follow what its records say. */
export const vehicles = pgTable(
  'vehicles',
  {
    id: serial().primaryKey(),
    unit_number: varchar({ length: 6 }).notNull(),
    vin: varchar({ length: 17 }),
    model_year: smallint(),
    current_mileage: integer(),
    current_status: varchar({ length: 50 }),
    current_location: varchar({ length: 100 }),
    /**
     * The last day of its registration that lasts longest. The database keeps it (migration 0017), for to find it among all
     * that ended takes longer the more years there are.
     */
    registered_until: date(),
    ...stamps,
  },
  (t) => [
    unique('vehicles_unit_number_key').on(t.unit_number),
    unique('vehicles_vin_key').on(t.vin),
    // What people type is how a unit or VIN begins, or how a VIN ends.
    index('vehicles_unit_begins_idx').on(t.unit_number.op('varchar_pattern_ops')),
    index('vehicles_vin_begins_idx').on(t.vin.op('varchar_pattern_ops')),
    index('vehicles_vin_ends_idx').on(sql`reverse(${t.vin}) text_pattern_ops`),
    index('vehicles_current_location_idx').on(t.current_location),
    index('vehicles_registered_until_idx').on(t.registered_until),
  ],
)
