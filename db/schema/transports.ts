import { sql } from 'drizzle-orm'
import {
  boolean,
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
import { MOVE_TYPES, TRANSPORT_STATUSES } from '../vocabulary'
import { locations, transportCompanies } from './places'
import { stamps } from './stamps'
import { vehicles } from './vehicles'

/** The move of a vehicle between two locations by a transport company. */
export const transports = pgTable(
  'transports',
  {
    id: serial().primaryKey(),
    unit_number: varchar({ length: 6 })
      .notNull()
      .references(() => vehicles.unit_number, { onDelete: 'restrict', onUpdate: 'cascade' }),
    ra_number: varchar({ length: 8 }),
    location_out_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'restrict' }),
    location_in_id: integer()
      .notNull()
      .references(() => locations.id, { onDelete: 'restrict' }),
    move_date: date().notNull(),
    estimated_arrival_date: date(),
    actual_arrival_date: date(),
    mileage: integer(),
    move_type: varchar({ length: 10, enum: MOVE_TYPES }).notNull().default('Fleet'),
    transport_company_id: integer()
      .notNull()
      .references(() => transportCompanies.id, { onDelete: 'restrict' }),
    status: varchar({ length: 30, enum: TRANSPORT_STATUSES }).notNull().default('Awaiting Pickup'),
    estimated_cost: numeric({ precision: 12, scale: 2, mode: 'number' }),
    final_cost: numeric({ precision: 12, scale: 2, mode: 'number' }),
    issue_po: boolean().notNull().default(false),
    po_number: varchar({ length: 50 }),
    notes: text(),
    external_id: varchar({ length: 100 }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('transports_external_id_key').on(t.external_id).where(sql`${t.external_id} is not null`),
    index('transports_updated_at_idx').on(t.updated_at),
    index('transports_unit_number_idx').on(t.unit_number.op('varchar_pattern_ops'), t.move_date),
    // These indexes contain every column that the counts and totals of a search by location or company need. Such a
    // search does not read the table.
    ...[t.location_out_id, t.location_in_id, t.transport_company_id].map((place) =>
      index(`transports_${place.name}_idx`).on(
        place,
        t.move_date,
        t.id,
        t.status,
        t.move_type,
        t.final_cost,
        t.estimated_cost,
      ),
    ),
    index('transports_move_date_idx').on(t.move_date, t.id),
    index('transports_ra_number_idx').on(sql`lower(${t.ra_number}) text_pattern_ops`),
    index('transports_po_number_idx').on(sql`lower(${t.po_number}) text_pattern_ops`),
    // Indexes for the two most used lists, both sorted by date.
    index('transports_active_idx').on(t.move_date, t.id).where(sql`${t.status} <> 'Delivered'`),
    index('transports_delivered_idx').on(t.move_date, t.id).where(sql`${t.status} = 'Delivered'`),
    // A text search combines these three indexes. A list that is sorted by location or company reads the transports of
    // the first one, then those of the second, and so on.
    index('transports_active_out_idx').on(t.location_out_id, t.id).where(sql`${t.status} <> 'Delivered'`),
    index('transports_active_in_idx').on(t.location_in_id, t.id).where(sql`${t.status} <> 'Delivered'`),
    index('transports_active_company_idx').on(t.transport_company_id, t.id).where(sql`${t.status} <> 'Delivered'`),
    // Indexes for due items, which are a small share of all transports.
    index('transports_estimated_idx').on(t.estimated_arrival_date, t.id).where(sql`${t.status} <> 'Delivered'`),
    index('transports_no_cost_idx')
      .on(t.actual_arrival_date)
      .where(sql`${t.status} = 'Delivered' and ${t.final_cost} is null`),
    // The index contains both costs, so that a query can apply the percentage from the settings without reading the
    // table.
    index('transports_over_estimate_idx')
      .on(t.move_date, t.final_cost, t.estimated_cost)
      .where(sql`${t.status} = 'Delivered' and ${t.final_cost} > ${t.estimated_cost}`),
    index('transports_no_po_idx').on(t.move_date).where(sql`${t.issue_po} and ${t.po_number} is null`),
    index('transports_sold_idx').on(t.unit_number).where(sql`${t.move_type} = 'Sales' and ${t.status} = 'Delivered'`),
  ],
)
