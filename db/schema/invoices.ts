import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  serial,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { INVOICE_DECISIONS, INVOICE_LINE_STATUSES } from '../vocabulary'
import { oslEntries } from './osl'
import { transportCompanies, vendors } from './places'
import { stamps } from './stamps'
import { transports } from './transports'

/** An invoice for a period. A vendor bills storage; a transport company bills transports. */
export const vendorInvoices = pgTable(
  'vendor_invoices',
  {
    id: serial().primaryKey(),
    vendor_id: integer().references(() => vendors.id, { onDelete: 'restrict' }),
    transport_company_id: integer().references(() => transportCompanies.id, { onDelete: 'restrict' }),
    number: varchar({ length: 50 }).notNull(),
    start_date: date().notNull(),
    end_date: date().notNull(),
    /** Notes from importing the invoice, for example about omitted rows. */
    notes: jsonb().$type<string[]>().notNull().default([]),
    ...stamps,
  },
  (t) => [
    uniqueIndex('vendor_invoices_vendor_id_number_key').on(t.vendor_id, sql`lower(${t.number})`),
    uniqueIndex('vendor_invoices_transport_company_id_number_key').on(t.transport_company_id, sql`lower(${t.number})`),
    check('vendor_invoices_one_biller', sql`num_nonnulls(${t.vendor_id}, ${t.transport_company_id}) = 1`),
  ],
)

const money = () => numeric({ precision: 12, scale: 2, mode: 'number' })

/** Set of days, as the text of a Postgres multirange. For example, `{[2026-02-01,2026-02-11)}`. */
const days = customType<{ data: string; driverData: string }>({ dataType: () => 'datemultirange' })

/**
 * An invoice line, and the result of comparing it with our records.
 * A transport or storage stay of ours that is missing from the invoice also has a line, but without an amount.
 */
export const vendorInvoiceLines = pgTable(
  'vendor_invoice_lines',
  {
    id: serial().primaryKey(),
    invoice_id: integer()
      .notNull()
      .references(() => vendorInvoices.id, { onDelete: 'cascade' }),
    unit_number: varchar({ length: 6 }).notNull(),
    osl_id: integer().references(() => oslEntries.id, { onDelete: 'set null' }),
    /**
     * Ids of all OSL entries whose storage the line bills, including `osl_id`.
     * There are several ids if the unit was out of service several times within the period.
     */
    osl_ids: integer().array().notNull().default([]),
    transport_id: integer().references(() => transports.id, { onDelete: 'set null' }),
    amount: money(),
    /** Expected amount in dollars, according to our records. */
    expected: money().notNull(),
    status: varchar({ length: 20, enum: INVOICE_LINE_STATUSES }).notNull(),
    reason: text(),
    /**
     * Ids of earlier invoices that billed the same transport or storage days.
     * The list is made when the line is checked. The expected amount excludes what these invoices billed.
     */
    billed_on: integer().array().notNull().default([]),
    /**
     * Days that the line covers. For storage, these are the storage days. For a transport, these are the move date in
     * the line and the move date in our record, because the two can differ.
     * Null if the days are unknown, for example because the unit has no record, or because the amount is higher than
     * expected. A line with unknown days is treated as covering the whole invoice period.
     */
    billed_days: days(),
    decision: varchar({ length: 20, enum: INVOICE_DECISIONS }),
    note: text(),
    /**
     * True if accepting this line set the final cost of the transport.
     * If the acceptance is undone, the final cost is removed, unless a user has changed the final cost since.
     */
    sets_final_cost: boolean().notNull().default(false),
    ...stamps,
  },
  (t) => [
    index('vendor_invoice_lines_invoice_id_idx').on(t.invoice_id, t.id),
    index('vendor_invoice_lines_osl_id_idx').on(t.osl_id),
    index('vendor_invoice_lines_osl_ids_idx').using('gin', t.osl_ids),
    index('vendor_invoice_lines_transport_id_idx').on(t.transport_id),
    index('vendor_invoice_lines_unit_number_idx').on(t.unit_number),
  ],
)
