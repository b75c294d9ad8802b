import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  char,
  date,
  index,
  integer,
  numeric,
  pgTable,
  serial,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { REGISTRATION_STATUSES, REGISTRATION_TYPES } from '../vocabulary'
import { locations } from './places'
import { stamps } from './stamps'
import { vehicles } from './vehicles'

/** SQL for the key by which license plates are compared. For example, `abc 123` and `ABC-123` have the same key. */
export const barePlate = (plate: AnyPgColumn | SQL): SQL => sql`regexp_replace(lower(${plate}), '[\\s.-]+', '', 'g')`

/** A registration of a vehicle. The papers are pending until `received` is true. */
export const registrations = pgTable(
  'registrations',
  {
    id: serial().primaryKey(),
    unit_number: varchar({ length: 6 })
      .notNull()
      .references(() => vehicles.unit_number, { onDelete: 'restrict', onUpdate: 'cascade' }),
    location_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'restrict' }),
    plate_number: varchar({ length: 20 }).notNull(),
    state_province: char({ length: 2 }).notNull(),
    date_issued: date().notNull(),
    date_expires: date().notNull(),
    registration_type: varchar({ length: 20, enum: REGISTRATION_TYPES }).notNull().default('Renewal'),
    cost: numeric({ precision: 12, scale: 2, mode: 'number' }),
    vlt: numeric({ precision: 12, scale: 2, mode: 'number' }),
    notes: text(),
    received: boolean().notNull().default(false),
    status: varchar({ length: 20, enum: REGISTRATION_STATUSES }).notNull().default('Pending'),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('registrations_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    index('registrations_updated_at_idx').on(t.updated_at),
    index('registrations_unit_number_idx').on(t.unit_number.op('varchar_pattern_ops'), t.date_expires),
    index('registrations_location_id_idx').on(t.location_id),
    index('registrations_date_expires_idx').on(t.date_expires, t.id),
    index('registrations_received_idx').on(t.received, t.date_expires, t.id),
    index('registrations_bare_plate_idx').on(sql`${barePlate(t.plate_number)} text_pattern_ops`),
    // Imports find the record of a row with this index. With the collation "C" in their conditions, the planner cannot
    // choose an index on the unit number or the plate alone, which is slow if thousands of records share this value.
    index('registrations_key_idx').on(
      sql`(${t.unit_number} collate "C")`,
      t.date_issued,
      sql`(${barePlate(t.plate_number)} collate "C")`,
    ),
  ],
)
