import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  date,
  index,
  integer,
  pgTable,
  serial,
  smallint,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core'
import { FILE_FORMATS, REPORT_PERIODS, SCHEDULE_FREQUENCIES } from '../vocabulary'
import { locations } from './places'
import { stamps } from './stamps'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** A report that runs by itself, weekly or monthly, at an hour of the business time zone. */
export const reportSchedules = pgTable(
  'report_schedules',
  {
    id: serial().primaryKey(),
    name: varchar({ length: 100 }).notNull(),
    report_type: varchar({ length: 40 }).notNull(),
    frequency: varchar({ length: 10, enum: SCHEDULE_FREQUENCIES }).notNull(),
    /** 1 is Monday, 7 Sunday; for weekly ones. */
    weekday: smallint(),
    /** 1 to 28; for monthly ones. */
    day_of_month: smallint(),
    hour: smallint().notNull().default(6),
    period: varchar({ length: 20, enum: REPORT_PERIODS }).notNull(),
    location_id: integer().references(() => locations.id, { onDelete: 'restrict' }),
    format: varchar({ length: 10, enum: FILE_FORMATS }).notNull().default('xlsx'),
    /** Addresses, separated by commas, that each run is mailed to. */
    mail_to: varchar({ length: 500 }),
    skip_empty: boolean().notNull().default(false),
    is_active: boolean().notNull().default(true),
    /** When it is due; empty until the first look at it. */
    next_run_at: timestamp({ withTimezone: true }),
    ...stamps,
  },
  (t) => [
    index('report_schedules_location_id_idx').on(t.location_id),
    index('report_schedules_next_run_at_idx').on(t.next_run_at),
  ],
)

/** What a schedule brought: the file, or why there is none. */
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
    error: text(),
    /** To whom the file is to go; `mailed_at` says that it has gone, `mail_error` why it has not. */
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
