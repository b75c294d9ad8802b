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
  smallint,
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
 * Result of reading an uploaded spreadsheet.
 * The preview shows this result, and asks the user about everything that is unclear.
 */
export type Found = {
  /** Row number of the headings. In the preview, the user can choose another row of `first_rows`. */
  header_row: number
  first_rows: { row: number; cells: string[] }[]
  header: string[]
  /** Field name of each column, in column order. Null if the column is ignored. */
  fields: (string | null)[]
  /** Required fields without a column in the file or a default value. While any are left, no rows are checked. */
  missing: string[]
  samples: string[][]
  /** Fields that match several columns with different values. The user must choose one of the columns. */
  contested?: string[]
  /**
   * Date columns with an unclear order of day and month.
   * For example, 3/4/2026 is unclear. `is_contradicted` is true if the dates were read with the month first, but the
   * day probably comes first. For example, a column contains 25/4/2026, or its dates are near today only if the day is
   * read first.
   */
  dates: { field: string; samples: string[]; rows: number; is_contradicted?: boolean }[]
  /** Sheets of a workbook that are not empty. `sheet` is the one that was read. `encoding` applies to text files. */
  sheets?: { name: string; is_hidden: boolean }[]
  sheet?: string | null
  encoding?: string | null
  /** Names of locations and companies that match no record. */
  names: { kind: 'location' | 'company'; name: string; rows: number }[]
  /** Values that are missing from the fixed list of their field. For example, a status is unknown. */
  words?: { field: string; text: string; rows: number }[]
  /** Number of rows that are hidden or filtered out in the spreadsheet. */
  hidden_rows?: number
  /** Messages about probable mistakes, with row numbers. Each kind of mistake has one message. */
  conflicts?: string[]
  /**
   * Number of rows that would create a record with a probable mistake.
   * Rows whose record seems to be finished also count. The user can skip all these rows (`skip_conflicts`). A unit that
   * is missing from the vehicle list is not a mistake, because every first import has such units.
   */
  conflict_rows?: number
  /**
   * Number of rows whose new record would be open but seems finished.
   * A column that is not imported, such as `Back date`, suggests that the record is finished.
   */
  finished_rows?: number
  /**
   * Number of rows about which an import from a page asks.
   * The import writes nothing before the user has decided.
   * For example, the unit already has an open record, or the row is crossed out.
   */
  doubtful_rows?: number
  /** Required columns with blank cells but without a default value. */
  blank?: { field: string; rows: number }[]
  /** Number of rows whose text in the field `problem` is too short. With `extend_short`, these rows are imported. */
  short_rows?: number
}

/**
 * Progress and result of undoing an import.
 * The undo works through the import's audit entries from the newest to the oldest. The entry with the id `before` and
 * all newer entries are already undone.
 */
export type Undo = {
  oldest: number
  newest: number
  before: number
  removed: number
  restored: number
  kept: { entity: string; id: number; label: string }[]
}

/** User's choice for each date field: the day or the month first. */
export type DateOrders = Record<string, 'month' | 'day'>

/** A location or company that the import will create. `id` is set after its creation. */
export type NewName = { kind: 'location' | 'company'; name: string; id?: number }

/** An uploaded spreadsheet, with the progress and the result of its import. */
export const uploads = pgTable(
  'uploads',
  {
    id: serial().primaryKey(),
    data_type: varchar({ length: 20, enum: DATA_TYPES }).notNull(),
    file_name: varchar({ length: 255 }).notNull(),
    file_size: integer().notNull(),
    /** Name under which the original file is stored. */
    stored_as: varchar({ length: 60 }),
    status: varchar({ length: 12, enum: UPLOAD_STATUSES }).notNull().default('done'),
    /** `skip`: rows whose record already exists are skipped. `update`: such rows update the record. */
    existing: varchar({ length: 6, enum: IMPORT_MODES }).notNull().default('skip'),
    /** True if valid rows are written without asking the user. False if a user must first approve the preview. */
    commits: boolean().notNull().default(true),
    /**
     * True if the import waits for answers to its questions.
     * This also applies if `commits` is true. For example, the import asks which location an unknown name means.
     */
    asks: boolean().notNull().default(false),
    /** Number of data rows in the file. `last_row` is the row number of the last data row. */
    row_count: integer().notNull().default(0),
    last_row: integer().notNull().default(0),
    /** Progress of the current step, in thousandths. */
    progress: integer().notNull().default(0),
    found: jsonb().$type<Found>(),
    /** Fields that the user chose for the columns, in column order. Null if the program chooses the fields. */
    fields: jsonb().$type<(string | null)[]>(),
    /** Row number that the user chose for the headings. Null if the program's choice applies. */
    header_row: integer(),
    /**
     * Locations and companies that the import will create.
     * Until they exist, the rows of the import contain negative ids: -1 for the first, -2 for the second, and so on.
     */
    new_names: jsonb().$type<NewName[]>().notNull().default([]),
    date_orders: jsonb().$type<DateOrders>().notNull().default({}),
    /**
     * Default values by field. A value applies to all rows if the file has no column for its field. If the file has a
     * column for a required field, the value applies to the blank cells of this column.
     */
    defaults: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** True if hidden or filtered rows of the spreadsheet are not imported. */
    skip_hidden: boolean().notNull().default(false),
    /**
     * True if the import skips the rows that `found.conflict_rows` counts.
     * Null if the user has not decided yet. In this case, the rows are imported.
     */
    skip_conflicts: boolean(),
    /** True if problem texts that are too short get a prefix. For example, `Brakes` is stored as `Problem: Brakes`. */
    extend_short: boolean().notNull().default(false),
    /** Sheet of a workbook. It is set only if the user chose it. The same applies to the encoding of a text file. */
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
    /** Last heartbeat of the server instance that runs the import. The time is from the database clock. */
    runner_seen_at: timestamp({ withTimezone: true }),
    /** How often a server instance began to read the file and then stopped unexpectedly. */
    crashes: smallint().notNull().default(0),
    address: varchar({ length: 64 }),
    token_name: varchar({ length: 100 }),
    /**
     * Username of the person who started the current step.
     * A user starts a step, for example, by confirming the import. The changes of the step are recorded under this
     * username. If this person loses access, the step stops.
     */
    started_by: varchar({ length: 50 }),
    started_token: varchar({ length: 100 }),
    started_address: varchar({ length: 64 }),
    /**
     * True if an undo must keep the created locations and companies.
     * An undo deletes them only if an administrator undoes the import, or if the user who started the import undoes it
     * without an API token.
     */
    keeps_names: boolean().notNull().default(false),
    /** True if the import's user or API token cannot see costs. */
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
 * A row of an uploaded spreadsheet that is not yet a record.
 * The statement that writes the record also deletes this row. Failed and skipped rows remain after the import.
 */
export const uploadRows = pgTable(
  'upload_rows',
  {
    /** Id of the upload. Not a foreign key, because checking it for 100,000 rows takes as long as storing the rows. */
    upload_id: integer().notNull(),
    row: integer().notNull(),
    outcome: varchar({ length: 9, enum: ROW_OUTCOMES }).notNull(),
    /** Validated values in column order. If the row failed, these are the original cells. */
    cells: text().array().notNull(),
    /**
     * Cells as they are in the file. Set only if a required value is missing. Such a row can update an existing record,
     * but cannot create one. If no record matches, the row fails and these cells replace `cells`.
     */
    original_cells: text().array(),
    /** Messages about corrections that the program made while it read the row. */
    notes: text().array(),
    /** Text that explains a failure, a duplicate or an update. For an update, it lists the changed values. */
    message: text(),
    record_id: integer(),
  },
  (t) => [primaryKey({ columns: [t.upload_id, t.row] })],
)

/**
 * The content of an uploaded file on a Postgres server.
 * A table makes the file available to all server instances. The embedded database uses a folder instead. If an S3
 * bucket is configured, files are stored in the bucket instead.
 */
export const uploadFiles = pgTable('upload_files', {
  name: varchar({ length: 36 }).primaryKey(),
  content: bytes().notNull(),
})

/**
 * A user's decision about an import, reused by later imports.
 * For example, the column `Veh` contains the unit number, or the name `PHX Yard` means the location Phoenix. Or all
 * files with certain headings get the move type Fleet.
 */
export const importAliases = pgTable(
  'import_aliases',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 10, enum: ALIAS_KINDS }).notNull(),
    /**
     * Kind of import to which the decision applies.
     * Null for the name of a location or company, because such a decision applies to all kinds.
     */
    data_type: varchar({ length: 20, enum: DATA_TYPES }),
    /**
     * Text in the file, such as a heading, that the decision concerns.
     * For the kind `value`, this is a key computed from all headings of the sheet (`shapeOf`).
     */
    alias: varchar({ length: 200 }).notNull(),
    field: varchar({ length: 40 }),
    /**
     * Value that the decision sets.
     * For the kind `value`, all rows of sheets with the same headings get this value. For the kind `word`, this is the
     * meaning of the text. For example, the text `Completed` means the status `Delivered`.
     */
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
