import type { z } from 'zod'
import type { DataType } from '../../../db/vocabulary'
import type { YearRule } from '../reading/dates'
import type { Actor } from '../records/actor'

/**
 * Types for declaring the spreadsheets that can be imported. Each feature declares its columns with these types, and
 * the shared import code uses the declarations.
 */

/**
 * Type of the values in a spreadsheet column. A `word` is a value from a fixed list, such as a status. Listed values
 * must contain no quotes, because the import's SQL inserts them into JSON without escaping. A `location` or `company`
 * is the name of an existing record, or of a record that the import creates.
 */
export type ColumnKind = 'unit' | 'date' | 'text' | 'word' | 'count' | 'money' | 'flag' | 'location' | 'company'

/**
 * SQL fragments from which a column builds the expression for its value. `cell(name)` is the row's cell in the named
 * column, `given` is the row's cell in this column, and `today` is the business day.
 */
export type SqlNames = { cell: (name: string) => string; given: string; today: string }
type SqlOf = (names: SqlNames) => string

/**
 * A default that is computed for each row from another field. `label` is the text that users choose, such as `One year
 * before it expires`. `valueOf` computes the default from the row's value of field `from`.
 */
export type RowDefault = { label: string; from: string; valueOf: (from: string | null) => string | null }

export type ImportColumn = {
  name: string
  about: string
  isRequired: boolean
  kind: ColumnKind
  /**
   * Validation rule for a cell, and for the same field in forms. The rule turns a blank cell into null. When an import
   * updates a record, null keeps the stored value.
   */
  rule: z.ZodType
  /** Name of the database column. `name` is the heading in the spreadsheet. */
  column: string
  /** Rule for the year of a date such as `Jan 31`. Only for date columns. */
  year?: YearRule
  /** Converts another spelling to the stored spelling. Example: the full name of a state. Only for `word` columns. */
  cleans?: (text: string) => string
  /**
   * Kind of identifier in a `text` column. A cell is refused if Excel has converted its identifier to a date, or to a
   * number that lost digits.
   * - `number`, such as a PO number: `Yes` and `x` are refused, and `No` counts as blank.
   * - `plate`: two spellings such as `ABC 123` and `abc-123` are the same plate.
   */
  identifier?: 'plate' | 'number' | 'phone'
  /**
   * True if each value can occur in only one record. An example is the external id.
   * A row is skipped if another record has the row's value.
   */
  isUnique?: true
  /** Value of a new record if the cell is blank. Example: `Fleet` as the move type of a transport. */
  usual?: string
  words?: readonly string[]
  /**
   * Synonyms of each value in `words`, in lowercase without spaces.
   * For example, `enroute` is a synonym of In Transit. The preview only suggests the value, because offices use these
   * synonyms with different meanings.
   */
  otherWords?: Record<string, readonly string[]>
  /**
   * Words that an error message can suggest for a misspelled word.
   * Needed only if the column stores codes and has no `words`. Example: the names of states.
   */
  suggests?: readonly string[]
  /** True if section titles can contain values of this optional column. Example: `IN REPAIR`. */
  isTitle?: boolean
  /** True if several columns of a file can have this field. Their texts are joined. */
  joins?: boolean
  /** Prefix for text that is too short, such as `Problem: `. Added only if the user chooses this. */
  prefix?: string
  /** Computed defaults that the user can choose. A cell that contains the label of such a default gets the default. */
  rowDefaults?: readonly RowDefault[]
  /**
   * SQL for a value that also depends on other columns. For example, a delivered transport without an arrival date can
   * get its move date as arrival date.
   * `created` is for new records, `updated` for existing ones. In `updated`, row `x` has the stored and the new value
   * of each column, for example `x.status` and `x.n_status`.
   */
  follows?: { created: SqlOf; updated: SqlOf }
}

/**
 * A database column that is computed and has no spreadsheet column. `created` is the SQL for a new record. `updated` is
 * the SQL for an existing record, and is only defined if changes to other columns can change the value.
 */
export type DerivedColumn = { column: string; kind: ColumnKind; created: SqlOf; updated?: SqlOf }

/** Location and company names in a sample spreadsheet. `exist` is true if there are records with these names. */
export type SampleNames = { locations: [string, string]; company: string; exist: boolean }
export type SampleRow = Record<string, string | number | undefined>

/**
 * A check for a probable mistake in a row. Example: a second open OSL entry of a vehicle.
 * - `where`: returns an SQL condition that is true if staged row `r` has the mistake
 * - `note`: text for the user
 * - `outcome`: the check applies to rows that create a record (the default) or to rows that update one
 * - `isAsked`: an import from a page waits until the user has decided about such rows
 */
export type RowConflict = {
  note: string
  where: (names: SqlNames) => string
  outcome?: 'create' | 'update'
  isAsked?: boolean
}

/**
 * Last words of the note on a row whose record seems finished.
 * For example, if the column `Back` has a date, these words follow `Back is 11/3/2026`.
 */
export const CREATES_OPEN = ', but the import creates an open record'

/** Last words of the note on a unit's second open record. For example, these words follow `Unit number: row 5`. */
export const OPEN_AGAIN = ' is another open record of this unit'

/** Words in the note on a date that is too late. */
export const AFTER_TODAY = ' is after today'

/** Note on a row whose text is crossed out. In office sheets, such a row is often done or cancelled. */
export const STRUCK = 'the row is struck through in the spreadsheet'

type RowNotes = (values: Record<string, string | null>, today: string) => string[]

export type SplitColumn = {
  /** Possible headings of the column, in lowercase and without abbreviations. */
  headings: readonly string[]
  into: readonly [string, string]
  /** Words for the headings of the two parts. With `from` and `to`, `Route` becomes `Route: from` and `Route: to`. */
  parts: readonly [string, string]
  /** The second part is empty if the text cannot be split. */
  read: (text: string) => [string, string]
}

export type ImportKind = {
  dataType: DataType
  table: string
  /**
   * Staged rows store their cells in the order of these columns.
   * The unit number must come first, because the import's SQL reads it as `cells[1]`.
   */
  columns: ImportColumn[]
  /**
   * Additional headings of each field, in lowercase and without abbreviations.
   * For example, `from` can mean the location where a transport starts.
   */
  headings?: Record<string, readonly string[]>
  /**
   * Maps a heading to a date field. The heading has this meaning only if its column contains dates. For example, a
   * column `delivered` with dates is the arrival date. Without dates, it can be a status.
   */
  datedHeadings?: Record<string, string>
  /**
   * Suggested fields for vague headings. For example, the heading `cost` suggests the field `final_cost`. The user must
   * confirm the suggestion.
   */
  suggestedHeadings?: Record<string, string>
  /**
   * Field with the start date of a record. If several columns of a file can mean this field, such as `Date Out` and
   * `Date In`, the column with the earliest dates is used.
   */
  begins?: string
  /** Column that contains two fields, such as `Route` with `PHX to DEN`. */
  split?: SplitColumn
  /**
   * Headings of columns that show finished records, such as `back date`.
   * Write them in lowercase and without abbreviations. Do not list common headings such as `completed`, because every
   * import kind with this property recognizes them.
   * If such a column shows that a record is finished, its row gets a warning, because the import creates the record as
   * open. A blank cell, `No` or an answer such as `not yet` gives no warning.
   */
  finished?: readonly string[]
  /**
   * Matches a status of a finished record, such as `Released`. A row with such a status gets a warning. Needed only for
   * import kinds that create all records as open.
   */
  finishedStatus?: RegExp
  /**
   * Yes-or-no column that must not contradict the amount in `field`.
   * The column is not imported. For example, a row fails if it has a daily rate but the column `Storage fee` says No.
   * Write the headings like those in `headings`.
   */
  denied?: { headings: readonly string[]; field: string }
  derived: DerivedColumn[]
  /**
   * Names of the columns that identify a record. A row matches a stored record with the same values in these columns.
   */
  key: string[]
  /**
   * Additional condition for a match. For example, a row matches only a title that is not transferred. `sql` is the
   * condition for the stored record `t`. `message` is shown to the user for a row that is skipped because it matches.
   */
  only?: { sql: string; message: string }
  /**
   * Returns an SQL condition for updates that cannot be undone.
   * Other records already use the new values of these updates. For example, an update set the final cost of a
   * transport, and then an invoice line with this cost was accepted. `e` is the audit entry of the update.
   */
  keepsUpdate?: (actor: Actor) => string
  /** Table of the notes that users add to records. An undo of an import does not delete a record that has notes. */
  notes?: { table: string; column: string }
  /** Column with the vehicle's mileage. Only import kinds with such a column update vehicles. */
  mileage?: string
  /** @throws Refused when the dates of a spreadsheet row contradict each other */
  check?: (dates: never, today: string) => void
  /**
   * Checks for probable mistakes. A check adds a note to each row with the mistake. Such rows are skipped only if the
   * user chose to skip probable mistakes. Forms show the same warnings.
   */
  conflicts?: RowConflict[]
  /**
   * Returns true if the row's record is open. Example: a transport that is not delivered.
   * The importer warns about a second open record of a unit in the same file.
   */
  isOpen?: (values: Record<string, string | null>) => boolean
  /** Date field for a date beside the word `word`, as in `Delivered 11/21`. */
  dayOf?: { word: string; field: string }
  /**
   * Returns true if the record has already begun. Dates without a year are then not in the future.
   * `values` contains the words of the row, such as its status.
   */
  hasBegun?: (values: Record<string, string | null>) => boolean
  /**
   * Returns minor notes on a valid row. Only the preview shows these notes.
   * For example, a note can say that a blank date will be set to the current date.
   */
  remarks?: RowNotes
  /**
   * Returns notes on probable mistakes in a valid row. The notes appear in the preview and in the result of the import.
   */
  warnings?: RowNotes
  /** Returns two or three rows for the sample spreadsheet. The rows can be imported without errors. */
  sample: (names: SampleNames, today: string) => SampleRow[]
}
