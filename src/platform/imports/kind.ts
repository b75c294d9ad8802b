import { z } from 'zod'
import type { DataType } from '../../../db/vocabulary'
import { optionalChoice, optionalDate, requiredDate, unitNumber } from '../fields'
import type { YearRule } from '../reading/dates'

/** Each feature declares its spreadsheets once. Everything else about an import is derived from that. */

/**
 * Kind of a column.
 * A `word`, such as a status, must contain no quotes, because it is put into JSON unescaped. A `location` or `company`
 * must match a known or new name.
 */
export type ColumnKind = 'unit' | 'date' | 'text' | 'word' | 'count' | 'money' | 'flag' | 'location' | 'company'

/**
 * Names available in an SQL expression.
 * `cell` is a typed cell of the row, `given` the cell of this column, and `today` the business day.
 */
export type SqlNames = { cell: (name: string) => string; given: string; today: string }
type SqlOf = (names: SqlNames) => string

export type ImportColumn = {
  name: string
  about: string
  isRequired: boolean
  kind: ColumnKind
  /** Validation, shared with the form. Blank becomes null, so that an update keeps the stored value. */
  rule: z.ZodType
  /** Database column. */
  column: string
  /** Dates only: the year of a date without one. */
  year?: YearRule
  /** Words only: converts another spelling. */
  cleans?: (text: string) => string
  /** Exact text, such as a plate. A cell that Excel has converted is refused. */
  isIdentifier?: true
  /** Default of a new record when the cell is blank. */
  usual?: string
  words?: readonly string[]
  /** SQL of a value that depends on other columns too. In `updated`, `x` is the record with its new values as `n_…`. */
  follows?: { created: SqlOf; updated: SqlOf }
}

/** A column that is computed, not read from the file. `updated` is set when changes to other columns affect it. */
export type DerivedColumn = { column: string; kind: ColumnKind; created: SqlOf; updated?: SqlOf }

/** Names used in a sample. `exist` is true when they are real records. */
export type SampleNames = { locations: [string, string]; company: string; exist: boolean }
export type SampleRow = Record<string, string | number | undefined>

export type ImportKind = {
  dataType: DataType
  table: string
  /** In the order of staged cells. The unit number is first. */
  columns: ImportColumn[]
  /** Other headings by column, in lowercase whole words. `from` is the location that a transport leaves. */
  headings?: Record<string, readonly string[]>
  derived: DerivedColumn[]
  /** Columns by which rows and records are matched. */
  key: string[]
  /** Extra condition for a match with record `t`, and its message. */
  only?: { sql: string; message: string }
  /** An undo keeps records that have notes. */
  notes?: { table: string; column: string }
  /** Column with the vehicle's mileage. If set, imports update vehicles. */
  mileage?: string
  /** Validates the row's dates against each other. @throws Refused */
  check?: (dates: never, today: string) => void
  remarks?: (values: Record<string, string | null>, today: string) => string[]
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
export const countColumn = (name: string, rule: z.ZodType) => optional(name, 'count', 'a whole number', rule)
export const moneyColumn = (name: string, rule: z.ZodType, { about = '%', ...more }: ColumnOptions = {}) =>
  optional(name, 'money', about.replace('%', AN_AMOUNT), rule, more)
export const dateColumn = (name: string, { about = '%', ...more }: ColumnOptions = {}) =>
  optional(name, 'date', about.replace('%', A_DATE), optionalDate, { year: 'nearest', ...more })
export const requiredDateColumn = (name: string, more: ColumnOptions = {}) =>
  required({ ...dateColumn(name, more), rule: requiredDate('Is required') })

/** A column with the name of a record. The lookup validates it, so the rule accepts any string. */
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
