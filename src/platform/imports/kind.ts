import { z } from 'zod'
import type { DataType } from '../../../db/vocabulary'
import { externalId, optionalChoice, optionalDate, requiredDate, unitNumber } from '../fields'
import type { YearRule } from '../reading/dates'

/** Types with which each feature declares its spreadsheets. The shared import code uses these declarations. */

/**
 * Kind of a column.
 * A `word`, such as a status, must contain no quotes, because it is put into JSON unescaped. A `location` or `company`
 * must match a known or new name.
 */
export type ColumnKind = 'unit' | 'date' | 'text' | 'word' | 'count' | 'money' | 'flag' | 'location' | 'company'

/**
 * SQL fragments for the expressions of a column. `cell` returns the row's cell in the named column, `given` is the
 * row's cell in this column, and `today` is the business day.
 */
export type SqlNames = { cell: (name: string) => string; given: string; today: string }
type SqlOf = (names: SqlNames) => string

export type ImportColumn = {
  name: string
  about: string
  isRequired: boolean
  kind: ColumnKind
  /** Validation rule that the form uses too. A blank cell becomes null, so that an update keeps the stored value. */
  rule: z.ZodType
  /** Database column. */
  column: string
  /** Only for dates: the rule that supplies the year of a date without one. */
  year?: YearRule
  /** Only for words: converts another spelling, such as a state's full name, to the stored one. */
  cleans?: (text: string) => string
  /**
   * True if the text must be exact, as for a plate. A cell is refused if Excel has converted its text to a date or
   * number.
   */
  isIdentifier?: true
  /** True if two records cannot have the same value. A row is skipped if another record has its value. */
  isUnique?: true
  /** Value that a new record gets when the cell is blank. */
  usual?: string
  words?: readonly string[]
  /**
   * SQL for a value that also depends on other columns. In `updated`, `x` is the record, and its new values have the
   * prefix `n_`.
   */
  follows?: { created: SqlOf; updated: SqlOf }
}

/**
 * A column whose value is computed instead of read from the file. `updated` is defined if changes to other columns can
 * change the value.
 */
export type DerivedColumn = { column: string; kind: ColumnKind; created: SqlOf; updated?: SqlOf }

/** Names used in a sample. `exist` is true when they are real records. */
export type SampleNames = { locations: [string, string]; company: string; exist: boolean }
export type SampleRow = Record<string, string | number | undefined>

type RowNotes = (values: Record<string, string | null>, today: string) => string[]

export type ImportKind = {
  dataType: DataType
  table: string
  /** Columns in the order of a staged row's cells. The unit number comes first. */
  columns: ImportColumn[]
  /**
   * Alternative headings of each column, in lowercase and without abbreviations. `from`, for example, is a heading for
   * the location that a transport leaves.
   */
  headings?: Record<string, readonly string[]>
  derived: DerivedColumn[]
  /** Columns that identify the stored record for a row. A record matches if it has the same values. */
  key: string[]
  /**
   * Extra condition for a match, as SQL about record `t`, and the message for a row that is skipped because it matches.
   */
  only?: { sql: string; message: string }
  /** Table of the record's notes. An undo does not delete records that have notes. */
  notes?: { table: string; column: string }
  /** Column with the vehicle's mileage. Only kinds with this column update vehicles when rows are imported. */
  mileage?: string
  /**
   * Checks that the dates of a row are consistent with each other.
   * @throws Refused when they are not
   */
  check?: (dates: never, today: string) => void
  /** Returns notes on a row for the preview. */
  remarks?: RowNotes
  /** Returns notes on a row that is probably wrong. They appear in the preview and in the result of the import. */
  warnings?: RowNotes
  /** Two or three rows that import without errors. */
  sample: (names: SampleNames, today: string) => SampleRow[]
}

const A_DATE = 'a date: 1/31/2026, Jan 31 or a date cell'
const AN_AMOUNT = 'an amount: 1250.50 or $1,250.50'
type ColumnOptions = Partial<Pick<ImportColumn, 'column' | 'usual' | 'follows' | 'year'>> & { about?: string }

const optional = (
  name: string,
  kind: ColumnKind,
  about: string,
  rule: z.ZodType,
  options: ColumnOptions = {},
): ImportColumn => ({
  name,
  about,
  isRequired: false,
  kind,
  rule,
  column: name,
  ...options,
})

export const required = (column: ImportColumn): ImportColumn => ({ ...column, isRequired: true })

export const unitColumn = required(optional('unit_number', 'unit', '6 digits', unitNumber))
export const textColumn = (name: string, about: string, rule: z.ZodType) => optional(name, 'text', about, rule)
export const externalIdColumn: ImportColumn = {
  ...textColumn('external_id', 'up to 100 characters; the id of the record in another system', externalId),
  isUnique: true,
}
export const countColumn = (name: string, rule: z.ZodType) => optional(name, 'count', 'a whole number', rule)
export const moneyColumn = (name: string, rule: z.ZodType, { about = '%', ...more }: ColumnOptions = {}) =>
  optional(name, 'money', about.replace('%', AN_AMOUNT), rule, more)
export const dateColumn = (name: string, { about = '%', ...more }: ColumnOptions = {}) =>
  optional(name, 'date', about.replace('%', A_DATE), optionalDate, { year: 'nearest', ...more })
export const requiredDateColumn = (name: string, more: ColumnOptions = {}) =>
  required({ ...dateColumn(name, more), rule: requiredDate('Is required') })

/**
 * Declares a column that contains the name of a location or company. The rule accepts any string, because the lookup
 * validates the name.
 */
const nameColumn = (kind: 'location' | 'company', name: string, about: string) =>
  required({ ...optional(name, kind, about, z.string()), column: `${name}_id` })
export const locationColumn = (name = 'location') => nameColumn('location', name, 'name or code of a location')
export const companyColumn = (name: string) => nameColumn('company', name, 'name of a transport company')

export const anyCase = (words: readonly string[]) => (value: unknown) => {
  if (typeof value !== 'string') return value
  const lowerCased = value.trim().toLowerCase()
  return words.find((word) => word.toLowerCase() === lowerCased) ?? value
}
export const wordColumn = <const Words extends readonly [string, ...string[]]>(
  name: string,
  words: Words,
  about: string,
  more: ColumnOptions = {},
) => ({ ...optional(name, 'word', about, z.preprocess(anyCase(words), optionalChoice(words)), more), words })

const YES_NO: Record<string, boolean> = {
  yes: true,
  y: true,
  true: true,
  '1': true,
  x: true,
  no: false,
  n: false,
  false: false,
  '0': false,
}
export const readYesNo = (value: unknown) => YES_NO[String(value).trim().toLowerCase()] ?? value
const yesOrNo = z.preprocess(
  (value) => (value === null || value === '' ? null : readYesNo(value)),
  z.boolean({ error: 'Must be Yes or No' }).nullable(),
)
export const flagColumn = (name: string, more: ColumnOptions = {}) =>
  optional(name, 'flag', 'Yes or No; blank counts as No', yesOrNo, { usual: 'false', ...more })
