import { integer, pgTable, serial, text, varchar } from 'drizzle-orm/pg-core'
import { COST_VIEWERS, FACTOR_REQUIRED, INVOICE_DECIDERS, PASSWORD_RULES } from '../vocabulary'
import { stamps } from './stamps'

/** Company-wide settings. The table has one row, which a migration inserts. */
export const companySettings = pgTable('company_settings', {
  id: serial().primaryKey(),
  /** Company details for the header of letters and storage statements. */
  company_name: varchar({ length: 100 }),
  address: text(),
  phone: varchar({ length: 20 }),
  email: varchar({ length: 100 }),
  /**
   * Lead times and delays of due items, in days.
   * For example, a registration becomes due `registration_days` days before it expires, and a pending title becomes
   * urgent after `title_danger_days` days.
   */
  registration_days: integer().notNull().default(30),
  title_days: integer().notNull().default(14),
  title_danger_days: integer().notNull().default(30),
  osl_days: integer().notNull().default(7),
  cost_days: integer().notNull().default(7),
  /** Percentage by which a final cost may exceed the estimated cost. Above it, the transport needs a review. */
  over_estimate_percent: integer().notNull().default(10),
  /** Hour from which the daily mails about due items are sent. The hour is in the business time zone. */
  due_mail_hour: integer().notNull().default(7),
  po_prefix: varchar({ length: 20 }).default('PO-'),
  po_first: integer().notNull().default(1001),
  /**
   * Last purchase order (PO) number that the program has assigned.
   * Users cannot edit this number. When a user changes `po_prefix`, the number is reset to null.
   */
  po_last: integer(),
  invoice_deciders: varchar({ length: 20, enum: INVOICE_DECIDERS }).notNull().default('Administrators'),
  /** Users who can see costs. All others can enter costs, but cannot see them afterwards. */
  cost_viewers: varchar({ length: 20, enum: COST_VIEWERS }).notNull().default('Everybody'),
  /** Rule for new passwords. `Letters and digits` requires an upper case letter, a lower case letter and a digit. */
  password_rule: varchar({ length: 20, enum: PASSWORD_RULES }).notNull().default('Letters and digits'),
  /**
   * Group of users who must set up a second factor.
   * Accounts without a password are exempt, because their sign-in provider has its own rules.
   */
  second_factor_required: varchar({ length: 20, enum: FACTOR_REQUIRED }).notNull().default('Nobody'),
  /** Number of days until audit entries and other old data are removed. Null means that the data is kept. */
  audit_kept_days: integer(),
  deleted_kept_days: integer(),
  upload_kept_days: integer(),
  sign_in_kept_days: integer().default(90),
  ...stamps,
})
