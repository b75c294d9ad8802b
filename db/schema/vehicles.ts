import { index, integer, pgTable, serial, smallint, unique, varchar } from 'drizzle-orm/pg-core'
import { stamps } from './stamps'

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
    ...stamps,
  },
  (t) => [
    unique('vehicles_unit_number_key').on(t.unit_number),
    unique('vehicles_vin_key').on(t.vin),
    index('vehicles_current_location_idx').on(t.current_location),
  ],
)
