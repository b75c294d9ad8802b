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
import { bytes } from './bytes'
import { locations, transportCompanies } from './places'
import { stamps } from './stamps'

/**
 * Result of reading an uploaded spreadsheet. The preview shows it and asks the user about everything that is unclear.
 */
export type Found = {
  /**
   * Row number of the headings, and the first rows of the file. The user can choose another of these rows as the
   * headings.
   */
  header_row: number
  first_rows: { row: number; cells: string[] }[]
  header: string[]
  /** Field for each column of the file, in column order. Null means that the column is ignored. */
  fields: (string | null)[]
  /**
   * Required fields that have neither a column nor a default value. The rows are checked only when this list is empty.
   */
  missing: string[]
  samples: string[][]
  /** Date columns in which the order of day and month is unclear, as in 3/4/2026. */
  dates: { field: string; samples: string[]; rows: number }[]
  /**
   * All sheets of a workbook that are not empty. `sheet` is the one that was read. `encoding` is that of a text file.
   */
  sheets?: { name: string; is_hidden: boolean }[]
  sheet?: string | null
  encoding?: string | null
  /** Names of locations and companies that match no record. `rows` is the number of rows that contain the name. */
  names: { kind: 'location' | 'company'; name: string; rows: number }[]
  /** Values that are not in the list of their field, such as an unknown status. */
  words?: { field: string; text: string; rows: number }[]
  /** Number of hidden or filtered rows. */
  hidden_rows?: number
  /** Probable mistakes in rows, one line per kind of mistake, with row numbers. */
  conflicts?: string[]
  /** Number of rows that are probably mistakes. Units that are not in the vehicle list do not count. */
  conflict_rows?: number
}

/**
 * Progress and result of undoing an import. Its audit entries are undone from newest to oldest. Entries with an id of
 * `before` or higher are already undone.
 */
export type Undo = {
  oldest: number
  newest: number
  before: number
  removed: number
  restored: number
  kept: { entity: string; id: number; label: string }[]
}

/** For each date field, whether the user chose the order month-day or day-month. */
export type DateOrders = Record<string, 'month' | 'day'>

/** A location or company that the import must create. `id` is set after it has been created. */
export type NewName = { kind: 'location' | 'company'; name: string; id?: number }

/** An uploaded spreadsheet, with the progress and the result of its import. */
export const uploads = pgTable(
  'uploads',
  {
    id: serial().primaryKey(),
    data_type: varchar({ length: 20, enum: DATA_TYPES }).notNull(),
    file_name: varchar({ length: 255 }).notNull(),
    file_size: integer().notNull(),
    /** Name of the original file in the upload folder. */
    stored_as: varchar({ length: 60 }),
    status: varchar({ length: 12, enum: UPLOAD_STATUSES }).notNull().default('done'),
    /** What the import does with rows whose record already exists: skip or update. */
    existing: varchar({ length: 6, enum: IMPORT_MODES }).notNull().default('skip'),
    /** True if valid rows are written directly after the check. False if a user must approve the preview first. */
    commits: boolean().notNull().default(true),
    /** Number of data rows in the file, and row number of the last one. */
    row_count: integer().notNull().default(0),
    last_row: integer().notNull().default(0),
    /** Progress within the current import status, in thousandths. */
    progress: integer().notNull().default(0),
    found: jsonb().$type<Found>(),
    /** Field for each column, if the user changed the columns that the program recognized. */
    fields: jsonb().$type<(string | null)[]>(),
    /** Row number of the headings, if the user chose another row than the program. */
    header_row: integer(),
    /**
     * Locations and companies that the import must create. Until they exist, staged rows refer to the first one as -1,
     * to the second one as -2, and so on.
     */
    new_names: jsonb().$type<NewName[]>().notNull().default([]),
    date_orders: jsonb().$type<DateOrders>().notNull().default({}),
    /** Default values by field. They apply to all rows if the file has no column for the field. */
    defaults: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** True if hidden and filtered rows are left out. */
    skip_hidden: boolean().notNull().default(false),
    /** True if rows that are probably mistakes are skipped. */
    skip_conflicts: boolean().notNull().default(false),
    /** The sheet of a workbook and the encoding of a text file, if the user chose them. */
    sheet: varchar({ length: 200 }),
    encoding: varchar({ length: 20, enum: ENCODINGS }),
    imported: integer().notNull(),
    updated: integer().notNull().default(0),
    failed: integer().notNull(),
    duplicates: integer().notNull(),
    message: text().notNull(),
    validation_errors: jsonb().$type<string[]>().notNull(),
    /** The earlier import whose failed rows this import corrects. */
    mends: integer().references((): AnyPgColumn => uploads.id, { onDelete: 'set null' }),
    undo: jsonb().$type<Undo>(),
    undone_at: timestamp({ withTimezone: true }),
    undone_by: varchar({ length: 50 }),
    is_cancelled: boolean().notNull().default(false),
    /**
     * Time of the last sign of life from the server instance that runs the import. It is a time of the database clock.
     */
    runner_seen_at: timestamp({ withTimezone: true }),
    address: varchar({ length: 64 }),
    token_name: varchar({ length: 100 }),
    /** True if the user or the token that started the import cannot see costs. */
    hides_costs: boolean().notNull().default(false),
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
 * A row of an upload. All rows are stored while the upload waits for a user. The statement that writes a record
 * deletes its staged row, so that only unprocessed rows remain. Failed rows stay permanently.
 */
export const uploadRows = pgTable(
  'upload_rows',
  {
    /** There is no foreign key, because checking it for 100,000 rows takes as long as storing the rows. */
    upload_id: integer().notNull(),
    row: integer().notNull(),
    outcome: varchar({ length: 9, enum: ROW_OUTCOMES }).notNull(),
    /** Validated values in column order. A failed row has its original cells instead. */
    cells: text().array().notNull(),
    /** Corrections that the program made while it read the row, as text for the user. */
    notes: text().array(),
    /** Text for the user: why the row failed, or what the duplicate or update is. */
    message: text(),
    record_id: integer(),
  },
  (t) => [primaryKey({ columns: [t.upload_id, t.row] })],
)

/**
 * The content of an uploaded file. A table makes it available to all instances on a Postgres server. The embedded
 * database uses a folder instead.
 */
export const uploadFiles = pgTable('upload_files', {
  name: varchar({ length: 36 }).primaryKey(),
  content: bytes().notNull(),
})

/**
 * A user's decision that later imports reuse. It maps a column heading to a field, maps a spelling to a location,
 * company or listed value, or sets a field to the same value in all rows.
 */
export const importAliases = pgTable(
  'import_aliases',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 10, enum: ALIAS_KINDS }).notNull(),
    /**
     * Import kind to which a heading or value applies. Null for names of locations and companies, which apply to every
     * kind.
     */
    data_type: varchar({ length: 20, enum: DATA_TYPES }),
    /** The text as it appears in the file. For a value that applies to all rows, the headings of the sheet. */
    alias: varchar({ length: 200 }).notNull(),
    field: varchar({ length: 40 }),
    /** A remembered value for all rows of sheets with the same headings, or the listed value that a word stands for. */
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
      sql`(case when ${t.kind} in ('value', 'word') then ${t.field} else '' end)`,
    ),
    index('import_aliases_location_id_idx').on(t.location_id),
    index('import_aliases_transport_company_id_idx').on(t.transport_company_id),
  ],
)
