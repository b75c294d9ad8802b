import { sql } from 'drizzle-orm'
import { date, index, integer, numeric, pgTable, serial, text, uniqueIndex, varchar } from 'drizzle-orm/pg-core'
import { INVOICE_DECISIONS, INVOICE_LINE_STATUSES } from '../vocabulary'
import { oslEntries } from './osl'
import { vendors } from './places'
import { stamps } from './stamps'

/** What a vendor says that storage cost in a period. */
export const vendorInvoices = pgTable(
  'vendor_invoices',
  {
    id: serial().primaryKey(),
    vendor_id: integer()
      .notNull()
      .references(() => vendors.id, { onDelete: 'restrict' }),
    number: varchar({ length: 50 }).notNull(),
    start_date: date().notNull(),
    end_date: date().notNull(),
    ...stamps,
  },
  (t) => [uniqueIndex('vendor_invoices_vendor_id_number_key').on(t.vendor_id, sql`lower(${t.number})`)],
)

const money = () => numeric({ precision: 12, scale: 2, mode: 'number' })

/** A unit on an invoice, set against our own log; one that is ours and was not billed has no amount. */
export const vendorInvoiceLines = pgTable(
  'vendor_invoice_lines',
  {
    id: serial().primaryKey(),
    invoice_id: integer()
      .notNull()
      .references(() => vendorInvoices.id, { onDelete: 'cascade' }),
    unit_number: varchar({ length: 6 }).notNull(),
    osl_id: integer().references(() => oslEntries.id, { onDelete: 'set null' }),
    amount: money(),
    /** What may be charged by our log. */
    expected: money().notNull(),
    status: varchar({ length: 20, enum: INVOICE_LINE_STATUSES }).notNull(),
    /** In what they differ, in words. */
    reason: text(),
    decision: varchar({ length: 20, enum: INVOICE_DECISIONS }),
    note: text(),
    ...stamps,
  },
  (t) => [
    index('vendor_invoice_lines_invoice_id_idx').on(t.invoice_id, t.id),
    index('vendor_invoice_lines_osl_id_idx').on(t.osl_id),
    index('vendor_invoice_lines_unit_number_idx').on(t.unit_number),
  ],
)
