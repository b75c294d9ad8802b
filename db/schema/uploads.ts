import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core'
import { ALIAS_KINDS, DATA_TYPES, ENCODINGS, IMPORT_MODES, ROW_OUTCOMES, UPLOAD_STATUSES } from '../vocabulary'
import { locations, transportCompanies } from './places'
import { stamps } from './stamps'

/** The result of reading a file. The preview shows it and asks about open points. */
export type Found = {
  /** The heading row, and the first rows for choosing another. */
  header_row: number
  first_rows: { row: number; cells: string[] }[]
  header: string[]
  /** The field that each column of the file fills. `null` ignores the column. */
  fields: (string | null)[]
  /** Required fields with neither a column nor a default value. Rows cannot be checked while there are any. */
  missing: string[]
  samples: string[][]
  /** Columns of dates such as 3/4/2026 whose order the file leaves open. */
  dates: { field: string; samples: string[]; rows: number }[]
  /** Non-empty sheets, the sheet that was read, and a text file's encoding. */
  sheets?: { name: string; is_hidden: boolean }[]
  sheet?: string | null
  encoding?: string | null
  /** Unknown names of locations and companies, with their number of rows. */
  names: { kind: 'location' | 'company'; name: string; rows: number }[]
}

/**
 * Progress and result of undoing an import. The import's audit entries are processed from newest to oldest; entries
 * with ids of `before` and above are done.
 */
export type Undo = {
  oldest: number
  newest: number
  before: number
  removed: number
  restored: number
  kept: { entity: string; id: number; label: string }[]
}

/** Order of day and month by field, where the user specified it. */
export type DateOrders = Record<string, 'month' | 'day'>

/** A location or company to create with the commit. `id` is set once it exists. */
export type NewName = { kind: 'location' | 'company'; name: string; id?: number }

/** An uploaded spreadsheet, with the progress and the result of its import. */
export const uploads = pgTable(
  'uploads',
  {
    id: serial().primaryKey(),
    data_type: varchar({ length: 20, enum: DATA_TYPES }).notNull(),
    file_name: varchar({ length: 255 }).notNull(),
    file_size: integer().notNull(),
    /** File name of the original in the upload folder. */
    stored_as: varchar({ length: 60 }),
    status: varchar({ length: 12, enum: UPLOAD_STATUSES }).notNull().default('done'),
    /** Action for rows whose record already exists. */
    existing: varchar({ length: 6, enum: IMPORT_MODES }).notNull().default('skip'),
    /** Writes the rows after checking, without waiting for a user. */
    commits: boolean().notNull().default(true),
    /** Number of data rows, and the row number of the last one. */
    row_count: integer().notNull().default(0),
    last_row: integer().notNull().default(0),
    /** Progress within the current status, in thousandths. */
    progress: integer().notNull().default(0),
    found: jsonb().$type<Found>(),
    /** The user's override of `found.fields`. */
    fields: jsonb().$type<(string | null)[]>(),
    /** The user's override of `found.header_row`. */
    header_row: integer(),
    /** Staged rows refer to these by negative ids until they are created. The first is -1, the second -2. */
    new_names: jsonb().$type<NewName[]>().notNull().default([]),
    date_orders: jsonb().$type<DateOrders>().notNull().default({}),
    /** One value for all rows, by field. Applies to fields without a column. */
    defaults: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** The user's choice of sheet (workbook) and encoding (text file). */
    sheet: varchar({ length: 200 }),
    encoding: varchar({ length: 20, enum: ENCODINGS }),
    imported: integer().notNull(),
    updated: integer().notNull().default(0),
    failed: integer().notNull(),
    duplicates: integer().notNull(),
    message: text().notNull(),
    validation_errors: jsonb().$type<string[]>().notNull(),
    /** The import whose failed rows this one corrects. */
    mends: integer().references((): AnyPgColumn => uploads.id, { onDelete: 'set null' }),
    undo: jsonb().$type<Undo>(),
    undone_at: timestamp({ withTimezone: true }),
    undone_by: varchar({ length: 50 }),
    is_cancelled: boolean().notNull().default(false),
    /** Last heartbeat of the instance running the import, by the database clock. */
    runner_seen_at: timestamp({ withTimezone: true }),
    address: varchar({ length: 64 }),
    token_name: varchar({ length: 100 }),
    created_at: timestamp({ withTimezone: true }).notNull().defaultNow(),
    created_by: varchar({ length: 50 }),
  },
  (t) => [
    index('uploads_created_at_idx').on(t.created_at, t.id),
    index('uploads_data_type_idx').on(t.data_type),
    index('uploads_mends_idx').on(t.mends),
    index('uploads_open_idx').on(t.id).where(sql`${t.status} not in ('done', 'undone', 'cancelled')`),
  ],
)

/**
 * A row of an upload. All rows are stored while the upload waits for a user, failed rows permanently. The statement
 * that writes a record deletes its row, so the remaining rows are still to be processed.
 */
export const uploadRows = pgTable(
  'upload_rows',
  {
    /** No foreign key. Checking it for 100,000 rows costs as much as storing them. */
    upload_id: integer().notNull(),
    /** Row number in the spreadsheet. */
    row: integer().notNull(),
    outcome: varchar({ length: 9, enum: ROW_OUTCOMES }).notNull(),
    /** Validated values in column order. For a failed row, its original cells. */
    cells: text().array().notNull(),
    /** Corrections made while reading. */
    notes: text().array(),
    /** Reason for the failure, or what the row repeats or changes. */
    message: text(),
    record_id: integer(),
  },
  (t) => [primaryKey({ columns: [t.upload_id, t.row] })],
)

/**
 * A user's answer that later imports reuse. It maps a column heading to a field, a spelling to a location or company,
 * or gives a field a value for all rows.
 */
export const importAliases = pgTable(
  'import_aliases',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 10, enum: ALIAS_KINDS }).notNull(),
    /** Set for headings and values. Names of locations and companies apply to all kinds of files. */
    data_type: varchar({ length: 20, enum: DATA_TYPES }),
    /** Text as written in the file; for a value, the sheet's headings. */
    alias: varchar({ length: 200 }).notNull(),
    field: varchar({ length: 40 }),
    /** Value for all rows of sheets with the same columns. */
    value: varchar({ length: 200 }),
    location_id: integer().references(() => locations.id, { onDelete: 'cascade' }),
    transport_company_id: integer().references(() => transportCompanies.id, { onDelete: 'cascade' }),
    ...stamps,
  },
  (t) => [
    uniqueIndex('import_aliases_alias_key').on(
      t.kind,
      sql`coalesce(${t.data_type}, '')`,
      sql`lower(${t.alias})`,
      sql`(case when ${t.kind} = 'value' then ${t.field} else '' end)`,
    ),
    index('import_aliases_location_id_idx').on(t.location_id),
    index('import_aliases_transport_company_id_idx').on(t.transport_company_id),
  ],
)
