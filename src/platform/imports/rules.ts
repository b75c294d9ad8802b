import { z } from 'zod'
import {
  type ALIAS_KINDS,
  DATA_TYPES,
  type DataType,
  ENCODINGS,
  IMPORT_MODES,
  ROW_OUTCOMES,
} from '../../../db/vocabulary'
import { fieldLabel } from '../field-label'
import {
  choice,
  choiceOr,
  optionalChoice,
  optionalCount,
  optionalYesNo,
  requiredChoiceOf,
  requiredText,
  yesNo,
} from '../fields'
import { listQuery } from '../lists/list-query'
import { Refused } from '../refusals'
import { columnOf, fieldsOf, importKind } from './kinds'
import type { NameLookup } from './names'
import { cellReader } from './parse/read-field'

const sheetName = z.string({ error: 'Must be the name of a sheet' }).max(200, 'Choose one of the sheets')

export const NO_DATA_TYPE = 'Please select a data type first'

const VALUE_LIMIT = 200

const NOT_DEFAULTS = 'Must be a JSON object with field names and their values'
/** Limits for the number of default values and their JSON text. No import kind has that many fields. */
const DEFAULTS_LIMIT = { fields: 50, characters: 50 * (VALUE_LIMIT + 50) }
const defaults = z.record(
  z.string().max(40, 'There is no such field'),
  z.preprocess(
    (value) => (value === null || value === undefined ? '' : typeof value === 'object' ? value : String(value).trim()),
    z.string({ error: 'Must be text' }).max(VALUE_LIMIT, `At most ${VALUE_LIMIT} characters`),
  ),
  { error: NOT_DEFAULTS },
)

/**
 * Reads default values from JSON text or from a parsed JSON body. If the input is not valid JSON or is too large,
 * returns a string. The schema rejects the string without checking each value.
 */
function readDefaults(value: unknown): unknown {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return undefined
  if (typeof value === 'string' && value.length > DEFAULTS_LIMIT.characters) return NOT_DEFAULTS
  try {
    const fields: unknown = typeof value === 'string' ? JSON.parse(value) : value
    const isTooLarge = typeof fields === 'object' && Object.keys(fields ?? {}).length > DEFAULTS_LIMIT.fields
    return isTooLarge ? NOT_DEFAULTS : fields
  } catch {
    return NOT_DEFAULTS
  }
}

const NO_NAMES: NameLookup = { locations: new Map(), companies: new Map(), words: new Map() }

export const sheetChoice = z.object({ sheet: sheetName.optional() })

/**
 * Validates default values for fields without a column. Returns the values that are not empty.
 * @throws Refused for an unknown field, for the unit number, or for an invalid value
 */
export function checkDefaults(
  dataType: DataType,
  input: Record<string, string>,
  today: string,
): Record<string, string> {
  const fieldNames = new Set(fieldsOf(dataType))
  const unknown = Object.keys(input).find((field) => !fieldNames.has(field))
  if (unknown !== undefined) throw Refused.field('defaults', `There is no field ${unknown}`)
  if (input.unit_number) throw Refused.field('defaults', 'A unit number cannot be the same in all rows')
  const filled = Object.entries(input).filter(([, value]) => value !== '')
  const reading = { today, names: NO_NAMES, dateOrders: {}, date1904: false }
  for (const [field, value] of filled) {
    const column = importKind(dataType).columns.find(({ name }) => name === field)
    // Location and company names are not checked here. The user is asked about unknown names in defaults and rows
    // together.
    if (!column || column.kind === 'location' || column.kind === 'company') continue
    if (column.rowDefaults?.some(({ label }) => label === value)) continue
    const { error } = cellReader(column, reading, fieldLabel(field))(value)
    if (error) throw Refused.field('defaults', `${fieldLabel(field)}: ${error}`)
  }
  return Object.fromEntries(filled)
}

export const upload = z.object({
  existing: choiceOr(IMPORT_MODES, 'skip'),
  /** True to write valid rows without waiting for a confirmation. */
  commit: yesNo(false),
  /**
   * True to wait for confirmation, despite `commit`, if there are suggestions. A suggestion says what a name, word or
   * column probably means. Has no effect without `commit`.
   */
  ask: yesNo(false),
  defaults: z.preprocess(readDefaults, defaults.default({})),
  /** Sheet of a workbook to import. Defaults to the first sheet that resembles a table with known headings. */
  sheet: sheetName.optional(),
  /** Id of the earlier import whose failed rows this import corrects. */
  mends: requiredChoiceOf('Must be the id of an import').optional(),
  data_type: choice(DATA_TYPES, NO_DATA_TYPE),
  file: z.preprocess(
    (value) => (Array.isArray(value) ? 'several' : value),
    z
      .instanceof(File, {
        error: ({ input }) => (input === 'several' ? 'Too many files: send one at a time' : 'Please choose a file'),
      })
      // A form part without a file name arrives as a File with an empty name.
      .refine((file) => Boolean(file.name), 'Please choose a file'),
  ),
})

export const historyFilters = listQuery(['created_at', 'file_name', 'imported', 'failed'], 'created_at', 'desc').extend(
  {
    data_type: optionalChoice(DATA_TYPES),
  },
)

export const rowFilters = listQuery(['row'], 'row').extend({ outcome: optionalChoice(ROW_OUTCOMES) })

const NAME_KINDS = ['location', 'company'] satisfies (typeof ALIAS_KINDS)[number][]

/** Request to change how the file of a previewed import is read. Omitted fields stay unchanged. */
export const importChange = z.object({
  /**
   * Data type of the file. If it differs from the import's current data type, all other fields of this request are
   * ignored.
   */
  data_type: choice(DATA_TYPES, NO_DATA_TYPE).optional(),
  existing: choice(IMPORT_MODES, 'Must be "skip" or "update"').optional(),
  /** Row number of the headings. 0 means that the file has no headings. */
  header_row: optionalCount(1_048_576)
    .transform((row) => row ?? undefined)
    .optional(),
  /** Field of each column, in the order of the file. Null means that the column is ignored. */
  fields: z
    .array(z.string({ error: 'Must be a field name, or null to ignore the column' }).nullable(), {
      error: 'Must be a list of field names',
    })
    .max(200, 'At most 200 columns')
    .optional(),
  /** Chosen order of day and month by field. It applies to ambiguous dates such as 3/4/2026. */
  date_orders: z
    .record(z.string().max(40), z.enum(['month', 'day'], { error: 'Must be "month" or "day"' }), {
      error: 'Must be a JSON object with "month" or "day" for each field name',
    })
    .optional(),
  sheet: sheetName.optional(),
  encoding: choice(ENCODINGS, 'Choose an encoding').optional(),
  /** True to leave out rows that the spreadsheet hides or filters. */
  skip_hidden: optionalYesNo,
  /** True to skip probable mistakes, such as a unit's second open record. */
  skip_conflicts: optionalYesNo,
  /** True to add a prefix to text that is too short. For example, `Brakes` is stored as `Problem: Brakes`. */
  extend_short: optionalYesNo,
  /** Defaults by field for all rows. They replace all defaults that were submitted earlier. */
  defaults: defaults.optional(),
  names: z
    .array(
      z.object({
        kind: z.enum(NAME_KINDS, { error: 'Must be "location" or "company"' }),
        name: requiredText('Name is required', 200),
        id: requiredChoiceOf('Choose one from the list').optional(),
        create: yesNo(false),
      }),
      { error: 'Must be a list of names' },
    )
    .max(500, 'At most 500 names')
    .optional(),
  /**
   * Meanings of unknown words in cells. `value` is the allowed value that `text` stands for in the column `field`. Null
   * means that the word counts as blank.
   */
  words: z
    .array(
      z.object({
        field: requiredText('Field is required', 40),
        text: requiredText('Text is required', 200),
        value: z.string({ error: 'Must be a value that the field accepts, or null' }).max(VALUE_LIMIT).nullable(),
      }),
      { error: 'Must be a list of words' },
    )
    .max(500, 'At most 500 words')
    .optional(),
})
export type ImportChange = z.output<typeof importChange>

/**
 * @throws Refused when `fields` does not have one entry per column of the file, or when a field is unknown or chosen
 * twice
 */
export function checkFields(dataType: DataType, width: number, fields: (string | null)[]) {
  const fieldNames = new Set(fieldsOf(dataType))
  const assignedFields = fields.filter((field) => field !== null)
  if (fields.length !== width) throw Refused.field('fields', `Send one entry per column; the file has ${width} columns`)
  const unknown = assignedFields.find((field) => !fieldNames.has(field))
  if (unknown !== undefined) throw Refused.field('fields', 'Choose only fields that exist for the selected data type')
  const duplicate = assignedFields.find(
    (field, at) => assignedFields.indexOf(field) !== at && !columnOf(dataType, field)?.joins,
  )
  if (duplicate)
    throw Refused.field('fields', `${fieldLabel(duplicate)} was chosen for two columns. Choose one of them.`)
}

/** Counts of an import that has written nothing. */
export const NOTHING = { imported: 0, updated: 0, duplicates: 0, failed: 0 }

/** Result of an import. `row` is the row number in the spreadsheet, starting at 1. */
export type UploadResult = {
  imported: number
  updated: number
  failed: number
  duplicates: number
  errors: { row: number; message: string }[]
  validation_errors: string[]
}

export function resultMessage({
  imported,
  updated,
  failed,
  duplicates,
  skip_conflicts,
}: Omit<UploadResult, 'errors' | 'validation_errors'> & { skip_conflicts?: boolean | null }): string {
  const parts = [`${imported} record${imported === 1 ? '' : 's'} imported`]
  if (updated) parts.push(`${updated} updated`)
  if (failed) parts.push(`${failed} failed`)
  const skipped = skip_conflicts ? 'row' : 'duplicate'
  if (duplicates) parts.push(`${duplicates} ${skipped}${duplicates === 1 ? '' : 's'} skipped`)
  return parts.join(', ')
}
