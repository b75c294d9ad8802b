import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, serial, smallint, text, timestamp, varchar } from 'drizzle-orm/pg-core'
import { FILE_FORMATS, REPORT_PERIODS, SCHEDULE_FREQUENCIES } from '../vocabulary'
import { bytes } from './bytes'
import { locations } from './places'
import { stamps } from './stamps'

/** A schedule for a weekly or monthly report. The report runs at a full hour in the business time zone. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    id: serial().primaryKey(),
    name: varchar({ length: 100 }).notNull(),
    report_type: varchar({ length: 40 }).notNull(),
    frequency: varchar({ length: 10, enum: SCHEDULE_FREQUENCIES }).notNull(),
    /** Weekday of a weekly schedule: 1 (Monday) to 7 (Sunday). */
    weekday: smallint(),
    /** Day of the month of a monthly schedule: 1 to 28. */
    day_of_month: smallint(),
    hour: smallint().notNull().default(6),
    period: varchar({ length: 20, enum: REPORT_PERIODS }).notNull(),
    location_id: integer().references(() => locations.id, { onDelete: 'restrict' }),
    format: varchar({ length: 10, enum: FILE_FORMATS }).notNull().default('xlsx'),
    /** E-mail addresses that receive each report, separated by commas. */
    mail_to: varchar({ length: 500 }),
    skip_empty: boolean().notNull().default(false),
    is_active: boolean().notNull().default(true),
    /** Due time of the next run. Null for a built-in schedule until the report job calculates this time. */
    next_run_at: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [
    index('report_schedules_location_id_idx').on(t.location_id),
    index('report_schedules_next_run_at_idx').on(t.next_run_at),
  ],
)

/** A run of a report schedule, with its file or its error. */
export const reportRuns = pgTable(
  'report_runs',
  {
    id: serial().primaryKey(),
    schedule_id: integer()
      .notNull()
      .references(() => reportSchedules.id, { onDelete: 'cascade' }),
    due_at: timestamp({ withTimezone: true }).notNull(),
    ran_at: timestamp({ withTimezone: true }).notNull(),
    start_date: date().notNull(),
    end_date: date().notNull(),
    row_count: integer().notNull().default(0),
    file_name: varchar({ length: 120 }),
    content: bytes(),
    /** True if the file may contain costs. */
    includes_costs: boolean().notNull().default(true),
    error: text(),
    /** Addresses of the recipients, separated by commas. */
    mail_to: varchar({ length: 500 }),
    mailed_at: timestamp({ withTimezone: true }),
    mail_error: text(),
    mail_tries: smallint().notNull().default(0),
    next_mail_at: timestamp({ withTimezone: true }),
  },
  (t) => [
    index('report_runs_schedule_id_idx').on(t.schedule_id, t.id),
    index('report_runs_next_mail_at_idx').on(t.next_mail_at).where(sql`${t.next_mail_at} is not null`),
  ],
)
