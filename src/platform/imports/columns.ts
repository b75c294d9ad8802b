import { z } from 'zod'
import { externalId, optionalChoice, optionalDate, requiredDate, unitNumber } from '../fields'
import type { ColumnKind, ImportColumn } from './kind'

/** Functions with which features declare the columns of the spreadsheets that can be imported. */

const A_DATE = 'a date: 1/31/2026, Jan 31 or a date cell'
const AN_AMOUNT = 'an amount: 1250.50 or $1,250.50'
type ColumnOptions = Partial<
  Pick<
    ImportColumn,
    'column' | 'usual' | 'follows' | 'year' | 'identifier' | 'prefix' | 'joins' | 'isTitle' | 'rowDefaults'
  >
> & {
  about?: string
}

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
export const textColumn = (name: string, about: string, rule: z.ZodType, more: ColumnOptions = {}) =>
  optional(name, 'text', about, rule, more)
export const externalIdColumn: ImportColumn = {
  ...textColumn('external_id', 'up to 100 characters; the id of the record in another system', externalId),
  isUnique: true,
}
export const countColumn = (name: string, rule: z.ZodType, { about = 'a whole number', ...more }: ColumnOptions = {}) =>
  optional(name, 'count', about, rule, more)
export const moneyColumn = (name: string, rule: z.ZodType, { about = '%', ...more }: ColumnOptions = {}) =>
  optional(name, 'money', about.replace('%', AN_AMOUNT), rule, more)
export const dateColumn = (name: string, { about = '%', ...more }: ColumnOptions = {}) =>
  optional(name, 'date', about.replace('%', A_DATE), optionalDate, { year: 'nearest', ...more })
export const requiredDateColumn = (name: string, more: ColumnOptions = {}) =>
  required({ ...dateColumn(name, more), rule: requiredDate('Is required') })

/**
 * Declares a spreadsheet column that contains names of locations or companies. Its validation rule accepts any string,
 * because unknown names are found only when their records are looked up.
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
  '✓': true,
  '✔': true,
  '☑': true,
  no: false,
  n: false,
  false: false,
  '0': false,
  '☐': false,
  '✗': false,
  '✘': false,
}
export const readYesNo = (value: unknown) => YES_NO[String(value).trim().toLowerCase()] ?? value
const yesOrNo = z.preprocess(
  (value) => (value === null || value === '' ? null : readYesNo(value)),
  z.boolean({ error: 'Must be Yes or No' }).nullable(),
)
export const flagColumn = (name: string, more: ColumnOptions = {}) =>
  optional(name, 'flag', 'Yes or No; a blank cell means No', yesOrNo, { usual: 'false', ...more })
