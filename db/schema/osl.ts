import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  index,
  integer,
  numeric,
  pgTable,
  serial,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { FUEL_LEVELS, OSL_STATUSES, OSL_WAITS } from '../vocabulary'
import { locations, vendors } from './places'
import { noteStamps, stamps } from './stamps'
import { vehicles } from './vehicles'

/**
 * An entry of the out-of-service log (OSL).
 * It describes a vehicle that cannot be used, and its storage terms. The number of storage days and the storage fees
 * are not stored, because they change daily.
 */
export const oslEntries = pgTable(
  'osl_entries',
  {
    id: serial().primaryKey(),
    unit_number: varchar({ length: 6 })
      .notNull()
      .references(() => vehicles.unit_number, { onDelete: 'restrict', onUpdate: 'cascade' }),
    ra_number: varchar({ length: 8 }),
    ta_log_number: varchar({ length: 50 }),
    po_number: varchar({ length: 50 }),
    osl_date: date().notNull(),
    osl_mileage: integer(),
    location_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'restrict' }),
    vendor_id: integer().references(() => vendors.id, { onDelete: 'restrict' }),
    key_location: varchar({ length: 100 }),
    problem: text().notNull(),
    contact_phone: varchar({ length: 20 }),
    contact_email: varchar({ length: 100 }),
    fuel_level: varchar({ length: 10, enum: FUEL_LEVELS }),
    generator_hours: numeric({ precision: 10, scale: 1, mode: 'number' }),
    propane_level: varchar({ length: 20 }),
    exchange_location: varchar({ length: 100 }),
    non_rev_number: varchar({ length: 50 }),
    fleet_registration_mailed: boolean().notNull().default(false),
    storage_fees_applicable: boolean().notNull().default(false),
    storage_fee_daily_rate: numeric({ precision: 12, scale: 2, mode: 'number' }),
    /** Grace period: number of days without storage fees. It starts on the day after the OSL date. */
    storage_grace_days: integer().notNull().default(0),
    storage_fee_waived: numeric({ precision: 12, scale: 2, mode: 'number' }),
    storage_fee_waived_reason: varchar({ length: 255 }),
    completed_at: timestamp({ withTimezone: true }),
    model_year: smallint(),
    status: varchar({ length: 30, enum: OSL_STATUSES }).notNull().default('Out of Service'),
    notes: text(),
    waiting_on: varchar({ length: 20, enum: OSL_WAITS }),
    next_action: varchar({ length: 255 }),
    next_action_on: date(),
    /** Username of the person responsible for this entry. */
    owner: varchar({ length: 50 }),
    expected_return: date(),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('osl_entries_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    index('osl_entries_updated_at_idx').on(t.updated_at),
    index('osl_entries_unit_number_idx').on(t.unit_number.op('varchar_pattern_ops'), t.osl_date),
    index('osl_entries_location_id_idx').on(t.location_id),
    index('osl_entries_vendor_id_idx').on(t.vendor_id),
    index('osl_entries_osl_date_idx').on(t.osl_date, t.id),
    index('osl_entries_ra_number_idx').on(sql`lower(${t.ra_number}) text_pattern_ops`),
    index('osl_entries_po_number_idx').on(sql`lower(${t.po_number}) text_pattern_ops`),
    index('osl_entries_active_idx').on(t.osl_date, t.id).where(sql`${t.status} <> 'Completed'`),
    index('osl_entries_completed_at_idx').on(t.completed_at, t.id).where(sql`${t.status} = 'Completed'`),
  ],
)

/** A note on an OSL entry. Notes are never edited. */
export const oslNotes = pgTable(
  'osl_notes',
  {
    id: serial().primaryKey(),
    osl_id: integer()
      .notNull()
      .references(() => oslEntries.id, { onDelete: 'cascade' }),
    note_text: text().notNull(),
    ...noteStamps,
  },
  (t) => [
    index('osl_notes_osl_id_idx').on(t.osl_id, t.id),
    // Finds the time of an entry's latest note. An entry can have thousands of notes.
    index('osl_notes_latest_idx').on(t.osl_id, t.created_at),
  ],
)

/** A daily storage rate of an OSL entry. It applies from the date `from` until the next rate starts. */
export const oslRates = pgTable(
  'osl_rates',
  {
    id: serial().primaryKey(),
    osl_id: integer()
      .notNull()
      .references(() => oslEntries.id, { onDelete: 'cascade' }),
    from: date().notNull(),
    daily_rate: numeric({ precision: 12, scale: 2, mode: 'number' }).notNull(),
    ...stamps,
  },
  (t) => [uniqueIndex('osl_rates_osl_id_from_key').on(t.osl_id, t.from)],
)
