import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  serial,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { LOCATION_TYPES } from '../vocabulary'
import { stamps } from './stamps'

/** A place where vehicles stand: a hub, dealer, tow yard or vendor. */
export const locations = pgTable(
  'locations',
  {
    id: serial().primaryKey(),
    location_code: varchar({ length: 20 }).notNull(),
    location_name: varchar({ length: 100 }).notNull(),
    location_type: varchar({ length: 20, enum: LOCATION_TYPES }).notNull().default('Hub'),
    /** Aliases: other names that searches and imports accept for this location. */
    other_names: text().array(),
    address: varchar({ length: 255 }),
    phone: varchar({ length: 20 }),
    contact_email: varchar({ length: 100 }),
    is_active: boolean().notNull().default(true),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('locations_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    uniqueIndex('locations_location_code_key').on(sql`lower(${t.location_code})`),
    // A list sorted by location name reads the records of the first location, then those of the second, and so on.
    index('locations_location_name_idx').on(t.location_name),
  ],
)

/** A company that moves vehicles. */
export const transportCompanies = pgTable(
  'transport_companies',
  {
    id: serial().primaryKey(),
    company_name: varchar({ length: 100 }).notNull(),
    other_names: text().array(),
    contact_person: varchar({ length: 100 }),
    phone: varchar({ length: 20 }),
    email: varchar({ length: 100 }),
    notes: text(),
    is_active: boolean().notNull().default(true),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('transport_companies_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    uniqueIndex('transport_companies_company_name_key').on(sql`lower(${t.company_name})`),
    index('transport_companies_company_name_idx').on(t.company_name),
  ],
)

/** A business that repairs, tows or stores vehicles. */
export const vendors = pgTable(
  'vendors',
  {
    id: serial().primaryKey(),
    vendor_name: varchar({ length: 100 }).notNull(),
    other_names: text().array(),
    vendor_type: varchar({ length: 50 }),
    contact_person: varchar({ length: 100 }),
    address: varchar({ length: 255 }),
    phone: varchar({ length: 20 }),
    email: varchar({ length: 100 }),
    notes: text(),
    /**
     * Default storage rate in dollars per day, for new OSL entries.
     * `storage_grace_days` is the default grace period.
     */
    storage_daily_rate: numeric({ precision: 12, scale: 2, mode: 'number' }),
    storage_grace_days: integer().notNull().default(0),
    is_active: boolean().notNull().default(true),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('vendors_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    uniqueIndex('vendors_vendor_name_key').on(sql`lower(${t.vendor_name})`),
  ],
)

/**
 * References that a merge moved to the remaining record.
 * Maps each column, as `table.column`, to the ids of the records whose reference was moved.
 */
export type Moved = Record<string, number[]>

/** A merge of two records of master data, such as locations. It can be undone. */
export const merges = pgTable(
  'merges',
  {
    id: serial().primaryKey(),
    /** Name of the table that contains both merged records. */
    entity: varchar({ length: 40 }).notNull(),
    from_id: integer().notNull(),
    from_name: varchar({ length: 100 }).notNull(),
    into_id: integer().notNull(),
    into_name: varchar({ length: 100 }).notNull(),
    /** Aliases that the merge added to the remaining record. */
    names: text().array().notNull(),
    moved: jsonb().$type<Moved>().notNull(),
    merged_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    merged_by: varchar({ length: 50 }),
    undone_at: timestamp({ withTimezone: true }),
    undone_by: varchar({ length: 50 }),
  },
  (t) => [index('merges_merged_at_idx').on(t.merged_at)],
)
