import { z } from 'zod'
import type { DataType } from '../../../db/vocabulary'
import { optionalChoice, optionalDate, requiredDate, unitNumber } from '../fields'
import type { YearRule } from '../reading/dates'

/** What each feature says of its spreadsheets, once: everything about an import is derived from it, by name. */

/** `word` is text that holds no quotes, such as a status. A location or company must be known already. */
export type ColumnKind = 'unit' | 'date' | 'text' | 'word' | 'count' | 'money' | 'flag' | 'location' | 'company'

/**
 * What an SQL expression can name: a cell of the row (typed), what the file gives for this very column, and the
 * business day.
 */
export type SqlNames = { cell: (name: string) => string; given: string; today: string }
type SqlOf = (names: SqlNames) => string

/** One column of a spreadsheet: what it is called, what belongs in it, and where it goes. */
export type ImportColumn = {
  name: string
  /** For the guidelines. */
  about: string
  isRequired: boolean
  kind: ColumnKind
  /** What a cell must be: the form's own rule. Blank is null, so that an existing record keeps what it has. */
  rule: z.ZodType
  /** The column of the table. */
  column: string
  /** Of a date: which year one without a year means. */
  year?: YearRule
  /** Of a word: another way to write it. */
  cleans?: (text: string) => string
  /** Text that stands for one thing, such as a plate: a cell that Excel has changed is refused. */
  isIdentifier?: true
  /** What a new record takes where the file has a blank. */
  usual?: string
  /** The words of which a cell must be one. */
  words?: readonly string[]
  /** For a value that follows from others too: in a new record, and in a changed one `x` whose new values are `n_…`. */
  follows?: { created: SqlOf; updated: SqlOf }
}

/**
 * A column that the file does not fill, with its SQL value in a new record and, where it follows from others, in a
 * changed one.
 */
export type DerivedColumn = { column: string; kind: ColumnKind; created: SqlOf; updated?: SqlOf }

/** The names that a sample refers to: those that exist when there are enough of them. */
export type SampleNames = { locations: [string, string]; company: string; exist: boolean }
export type SampleRow = Record<string, string | number | undefined>

export type ImportKind = {
  dataType: DataType
  table: string
  /** In the order of staged cells; the unit number is the first. */
  columns: ImportColumn[]
  /** Other headings of a column, in whole words and lower case: `from` for the location that a transport leaves. */
  headings?: Record<string, readonly string[]>
  derived: DerivedColumn[]
  /** The columns that make two rows the same record. */
  key: string[]
  /** What else a record `t` must be to be the same as a row, and what to say of it then. */
  only?: { sql: string; message: string }
  /** A record with notes is not taken back by an undo. */
  notes?: { table: string; column: string }
  /** The column that holds a reading of the vehicle's mileage. */
  mileage?: string
  /** What only the row's dates together show. @throws Refused */
  check?: (dates: never, today: string) => void
  /** What is odd about a row, or left open by it, for its preview. */
  remarks?: (values: Record<string, string | null>, today: string) => string[]
  /** Two or three rows that import without an error. */
  sample: (names: SampleNames, today: string) => SampleRow[]
}

const A_DATE = 'a date: 1/31/2026, Jan 31 or a date cell'
const AN_AMOUNT = 'an amount: 1250.50 or $1,250.50'
type More = Partial<Pick<ImportColumn, 'column' | 'usual' | 'follows' | 'year'>> & { about?: string }

const optional = (name: string, kind: ColumnKind, about: string, rule: z.ZodType, more: More = {}): ImportColumn => ({
  name,
  about,
  isRequired: false,
  kind,
  rule,
  column: name,
  ...more,
})

export const required = (column: ImportColumn): ImportColumn => ({ ...column, isRequired: true })

export const unitColumn = required(optional('unit_number', 'unit', '6 digits', unitNumber))
export const textColumn = (name: string, about: string, rule: z.ZodType) => optional(name, 'text', about, rule)
export const countColumn = (name: string, rule: z.ZodType) => optional(name, 'count', 'a whole number', rule)
export const moneyColumn = (name: string, rule: z.ZodType, { about = '%', ...more }: More = {}) =>
  optional(name, 'money', about.replace('%', AN_AMOUNT), rule, more)
export const dateColumn = (name: string, { about = '%', ...more }: More = {}) =>
  optional(name, 'date', about.replace('%', A_DATE), optionalDate, { year: 'nearest', ...more })
export const requiredDateColumn = (name: string, more: More = {}) =>
  required({ ...dateColumn(name, more), rule: requiredDate('Is required') })

/** Something that must be known by its name or code; the rule is the look-up itself. */
const named = (kind: 'location' | 'company', name: string, about: string) =>
  required({ ...optional(name, kind, about, z.string()), column: `${name}_id` })
export const locationColumn = (name = 'location') => named('location', name, 'name or code of a location')
export const companyColumn = (name: string) => named('company', name, 'name of a transport company')

/** A choice from a list of words, whatever case it was typed in. */
export const anyCase = (words: readonly string[]) => (value: unknown) => {
  if (typeof value !== 'string') return value
  const wanted = value.trim().toLowerCase()
  return words.find((word) => word.toLowerCase() === wanted) ?? value
}
export const wordColumn = <const Words extends readonly [string, ...string[]]>(
  name: string,
  words: Words,
  about: string,
  more: More = {},
) => ({ ...optional(name, 'word', about, z.preprocess(anyCase(words), optionalChoice(words)), more), words })

/** The ways that people write yes and no. */
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
/** Yes or no, in any of the ways that people write it. */
export const flagColumn = (name: string, more: More = {}) =>
  optional(name, 'flag', 'Yes or No; No when blank', yesOrNo, { usual: 'false', ...more })
