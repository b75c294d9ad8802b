import { integer, pgTable, serial, text, varchar } from 'drizzle-orm/pg-core'
import { COST_VIEWERS, INVOICE_DECIDERS } from '../vocabulary'
import { stamps } from './stamps'

/** What administrators decide for the whole company: one row, which is there from the first start. */
export const companySettings = pgTable('company_settings', {
  id: serial().primaryKey(),
  /** The head of letters and statements. */
  company_name: varchar({ length: 100 }),
  address: text(),
  phone: varchar({ length: 20 }),
  email: varchar({ length: 100 }),
  /** Days before or after which something is due. */
  registration_days: integer().notNull().default(30),
  title_days: integer().notNull().default(14),
  title_danger_days: integer().notNull().default(30),
  osl_days: integer().notNull().default(7),
  cost_days: integer().notNull().default(7),
  /** By how many percent a final cost may be above the estimate before it is looked at. */
  over_estimate_percent: integer().notNull().default(10),
  /** From which hour of the business day on due work is mailed to those who want it. */
  due_mail_hour: integer().notNull().default(7),
  /** What stands before the number of a purchase order, and where they begin. */
  po_prefix: varchar({ length: 20 }).default('PO-'),
  po_first: integer().notNull().default(1001),
  /** The last number that was given; a counter, which nobody sets. */
  po_last: integer(),
  /** Who accepts and disputes what vendors bill. */
  invoice_deciders: varchar({ length: 20, enum: INVOICE_DECIDERS }).notNull().default('Administrators'),
  /** Who sees what things cost; the others enter costs without seeing those that are stored. */
  cost_viewers: varchar({ length: 20, enum: COST_VIEWERS }).notNull().default('Everybody'),
  ...stamps,
})
