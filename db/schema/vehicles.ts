import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  pgTable,
  serial,
  smallint,
  timestamp,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { noteStamps, stamps } from './stamps'

/**
 * A vehicle.
 * Its status, location and mileage are updated when a transport or another record of the vehicle changes.
 */
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
     * Latest expiry date of the vehicle's registrations, maintained by triggers (migration 0017).
     * It is stored because searching all registrations, most of them expired, would take longer every year.
     */
    registered_until: date(),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('vehicles_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    index('vehicles_updated_at_idx').on(t.updated_at),
    unique('vehicles_unit_number_key').on(t.unit_number),
    unique('vehicles_vin_key').on(t.vin),
    index('vehicles_unit_begins_idx').on(t.unit_number.op('varchar_pattern_ops')),
    index('vehicles_unit_ends_idx').on(sql`reverse(${t.unit_number}) text_pattern_ops`),
    index('vehicles_vin_begins_idx').on(t.vin.op('varchar_pattern_ops')),
    index('vehicles_vin_ends_idx').on(sql`reverse(${t.vin}) text_pattern_ops`),
    index('vehicles_current_location_idx').on(t.current_location),
    index('vehicles_registered_until_idx').on(t.registered_until),
  ],
)

/** A telematics reading of a vehicle: mileage in miles, location, or both. */
export const vehicleReadings = pgTable(
  'vehicle_readings',
  {
    id: serial().primaryKey(),
    unit_number: varchar({ length: 6 })
      .notNull()
      .references(() => vehicles.unit_number, { onDelete: 'restrict' }),
    at: timestamp({ withTimezone: true }).notNull(),
    mileage: integer(),
    location: varchar({ length: 100 }),
    /**
     * True if an older reading or record has a higher mileage.
     * The program then ignores the mileage of this reading.
     */
    is_ignored: boolean().notNull().default(false),
    ...noteStamps,
  },
  (t) => [uniqueIndex('vehicle_readings_unit_number_at_key').on(t.unit_number, t.at)],
)
