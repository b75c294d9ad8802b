import { sql } from 'drizzle-orm'
import { boolean, integer, numeric, pgTable, serial, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { LOCATION_TYPES } from '../vocabulary'
import { stamps } from './stamps'

export const locations = pgTable(
  'locations',
  {
    id: serial().primaryKey(),
    location_code: varchar({ length: 20 }).notNull(),
    location_name: varchar({ length: 100 }).notNull(),
    location_type: varchar({ length: 20, enum: LOCATION_TYPES }).notNull().default('Hub'),
    address: varchar({ length: 255 }),
    phone: varchar({ length: 20 }),
    contact_email: varchar({ length: 100 }),
    is_active: boolean().notNull().default(true),
    ...stamps,
  },
  (t) => [uniqueIndex('locations_location_code_key').on(sql`lower(${t.location_code})`)],
)

export const transportCompanies = pgTable(
  'transport_companies',
  {
    id: serial().primaryKey(),
    company_name: varchar({ length: 100 }).notNull(),
    contact_person: varchar({ length: 100 }),
    phone: varchar({ length: 20 }),
    email: varchar({ length: 100 }),
    notes: text(),
    is_active: boolean().notNull().default(true),
    ...stamps,
  },
  (t) => [uniqueIndex('transport_companies_company_name_key').on(sql`lower(${t.company_name})`)],
)

export const vendors = pgTable(
  'vendors',
  {
    id: serial().primaryKey(),
    vendor_name: varchar({ length: 100 }).notNull(),
    vendor_type: varchar({ length: 50 }),
    contact_person: varchar({ length: 100 }),
    address: varchar({ length: 255 }),
    phone: varchar({ length: 20 }),
    email: varchar({ length: 100 }),
    notes: text(),
    /** The terms that a new OSL entry of theirs begins with. */
    storage_daily_rate: numeric({ precision: 12, scale: 2, mode: 'number' }),
    storage_grace_days: integer().notNull().default(0),
    is_active: boolean().notNull().default(true),
    ...stamps,
  },
  (t) => [uniqueIndex('vendors_vendor_name_key').on(sql`lower(${t.vendor_name})`)],
)
