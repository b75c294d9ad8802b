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

/** What reading a file found, for the preview to show and to ask about. */
export type Found = {
  /** The row of the file that names its columns, and the first rows, for a user who knows better. */
  header_row: number
  first_rows: { row: number; cells: string[] }[]
  header: string[]
  /** The field that each column of the file fills; `null` leaves it out. */
  fields: (string | null)[]
  /** Required fields that no column fills; nothing can be judged until one does. */
  missing: string[]
  /** The first few values of each column. */
  samples: string[][]
  /** Columns of dates such as 3/4/2026 that nothing in the file explains. */
  dates: { field: string; samples: string[]; rows: number }[]
  /** The sheets of a workbook that hold something, the one that was read, and the encoding of a text file. */
  sheets?: { name: string; is_hidden: boolean }[]
  sheet?: string | null
  encoding?: string | null
  /** Names that stand for no location or company, and in how many rows. */
  names: { kind: 'location' | 'company'; name: string; rows: number }[]
}

/**
 * What taking an import back did. It works its way from the newest to the oldest of the import's audit entries; those
 * from `before` on are behind it.
 */
export type Undo = {
  oldest: number
  newest: number
  before: number
  removed: number
  restored: number
  kept: { entity: string; id: number; label: string }[]
}

/** How the file's dates are written, by field, where the user said so. */
export type DateOrders = Record<string, 'month' | 'day'>

/** A location or company that the user wants created with the commit; `id` once that has happened. */
export type NewName = { kind: 'location' | 'company'; name: string; id?: number }

/** One spreadsheet that was dropped on the upload page, how far its import has come, and what became of its rows. */
export const uploads = pgTable(
  'uploads',
  {
    id: serial().primaryKey(),
    data_type: varchar({ length: 20, enum: DATA_TYPES }).notNull(),
    file_name: varchar({ length: 255 }).notNull(),
    file_size: integer().notNull(),
    /** The original's name in the upload folder. */
    stored_as: varchar({ length: 60 }),
    status: varchar({ length: 12, enum: UPLOAD_STATUSES }).notNull().default('done'),
    /** What to do with rows whose record is there already. */
    existing: varchar({ length: 6, enum: IMPORT_MODES }).notNull().default('skip'),
    /** Write the rows once they are checked, without waiting for a user. */
    commits: boolean().notNull().default(true),
    /** Data rows of the file, and the number of its last row. */
    row_count: integer().notNull().default(0),
    last_row: integer().notNull().default(0),
    /** How much of the present status' work is done, in thousandths. */
    progress: integer().notNull().default(0),
    found: jsonb().$type<Found>(),
    /** The user's own choice of `found.fields`. */
    fields: jsonb().$type<(string | null)[]>(),
    /** The user's own choice of the row that names the columns. */
    header_row: integer(),
    /** In staged rows the first of them has the id -1, the second -2, until they are created. */
    new_names: jsonb().$type<NewName[]>().notNull().default([]),
    date_orders: jsonb().$type<DateOrders>().notNull().default({}),
    /** One value for all rows, by the fields that no column fills. */
    defaults: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** The user's own choice among the sheets of a workbook, and of the encoding of a text file. */
    sheet: varchar({ length: 200 }),
    encoding: varchar({ length: 20, enum: ENCODINGS }),
    imported: integer().notNull(),
    updated: integer().notNull().default(0),
    failed: integer().notNull(),
    duplicates: integer().notNull(),
    message: text().notNull(),
    validation_errors: jsonb().$type<string[]>().notNull(),
    /** The import whose failed rows it brings again. */
    mends: integer().references((): AnyPgColumn => uploads.id, { onDelete: 'set null' }),
    undo: jsonb().$type<Undo>(),
    undone_at: timestamp({ withTimezone: true }),
    undone_by: varchar({ length: 50 }),
    is_cancelled: boolean().notNull().default(false),
    /** When the instance that works on it last said so; by the database's clock. */
    runner_seen_at: timestamp({ withTimezone: true }),
    address: varchar({ length: 64 }),
    /** The API token that began the import. */
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
 * The rows of an upload: all of them while it waits for a user, the failed ones for good. A row leaves in the very
 * statement that writes its record, so what is still here is still to do.
 */
export const uploadRows = pgTable(
  'upload_rows',
  {
    /** Without a foreign key: looking it up for each of 100,000 rows costs as much as storing them. */
    upload_id: integer().notNull(),
    /** As the spreadsheet counts. */
    row: integer().notNull(),
    outcome: varchar({ length: 9, enum: ROW_OUTCOMES }).notNull(),
    /** Trusted values in the order of the kind's columns; of a failed row, its cells as they stood in the file. */
    cells: text().array().notNull(),
    /** What was corrected while reading. */
    notes: text().array(),
    /** Why it failed, or what it repeats or changes. */
    message: text(),
    /** The record that is there already. */
    record_id: integer(),
  },
  (t) => [primaryKey({ columns: [t.upload_id, t.row] })],
)

/** What users told the importer once: which field a column's name means, or whom another spelling stands for. */
export const importAliases = pgTable(
  'import_aliases',
  {
    id: serial().primaryKey(),
    kind: varchar({ length: 10, enum: ALIAS_KINDS }).notNull(),
    /** Of a column's name; names of places and companies hold for every kind of file. */
    data_type: varchar({ length: 20, enum: DATA_TYPES }),
    /** As it was written in the file. */
    alias: varchar({ length: 200 }).notNull(),
    field: varchar({ length: 40 }),
    /** Of a value for all rows of sheets with the same columns. */
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
