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
import { choice, choiceOr, optionalChoice, optionalCount, requiredChoiceOf, requiredText, yesNo } from '../fields'
import { listQuery } from '../lists/list-query'
import { Refused } from '../refusals'
import { fieldsOf, importKind } from './kinds'
import type { Names } from './names'
import { cellReader } from './parse/read-field'

const sheetName = z.string({ error: 'Must be the name of a sheet' }).max(200, 'Choose one of the sheets')

export const NO_DATA_TYPE = 'Please select a data type first'

/** In characters: the longest value that any field takes from all rows. */
const VALUE_LIMIT = 200

const NOT_DEFAULTS = 'Must be a JSON object of fields and values'
const defaults = z.record(
  z.string().max(40, 'There is no such field'),
  z.preprocess(
    (value) => (value === null || value === undefined ? '' : typeof value === 'object' ? value : String(value).trim()),
    z.string({ error: 'Must be text' }).max(VALUE_LIMIT, `At most ${VALUE_LIMIT} characters`),
  ),
  { error: NOT_DEFAULTS },
)

function readJson(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined
  if (value.trim() === '') return undefined
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const NO_NAMES: Names = { locations: new Map(), companies: new Map() }

/** Another sheet of a workbook that was imported. */
export const sheetChoice = z.object({ sheet: sheetName })

/** The values that are not blank. @throws Refused for a field that there is none of, the unit number or a bad value */
export function checkDefaults(
  dataType: DataType,
  given: Record<string, string>,
  today: string,
): Record<string, string> {
  const known = new Set(fieldsOf(dataType))
  const unknown = Object.keys(given).find((field) => !known.has(field))
  if (unknown !== undefined) throw Refused.field('defaults', `There is no field ${unknown}`)
  if (given.unit_number) throw Refused.field('defaults', 'A unit number cannot be the same in all rows')
  const filled = Object.entries(given).filter(([, value]) => value !== '')
  const reading = { today, names: NO_NAMES, dateOrders: {}, date1904: false }
  for (const [field, value] of filled) {
    const column = importKind(dataType).columns.find(({ name }) => name === field)
    // Names that are not known are asked about with those of the rows.
    if (!column || column.kind === 'location' || column.kind === 'company') continue
    const { error } = cellReader(column, reading, fieldLabel(field))(value)
    if (error) throw Refused.field('defaults', `${fieldLabel(field)}: ${error}`)
  }
  return Object.fromEntries(filled)
}

export const upload = z.object({
  existing: choiceOr(IMPORT_MODES, 'skip'),
  /** Of an import that is begun: write the rows once they are checked. */
  commit: yesNo(false),
  /** One value for all rows, by the fields that the file has no column for; JSON in a form. */
  defaults: z.preprocess(readJson, defaults.default({})),
  /** The sheet of a workbook; without it the first with data. */
  sheet: sheetName.optional(),
  /** The import whose failed rows it brings again. */
  mends: requiredChoiceOf('Must be an id').optional(),
  data_type: choice(DATA_TYPES, NO_DATA_TYPE),
  file: z.preprocess(
    (value) => (Array.isArray(value) ? 'several' : value),
    z
      .instanceof(File, {
        error: ({ input }) => (input === 'several' ? 'Too many files: send one at a time' : 'Please choose a file'),
      })
      // A part without a file name arrives as a file that has none.
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

/** What a user decides about a file that was read; what is left out stays as it is. */
export const importChange = z.object({
  existing: choice(IMPORT_MODES, 'Must be skip or update').optional(),
  /** The row of the file that names the columns; 0 if none does. */
  header_row: optionalCount(1_048_576)
    .transform((row) => row ?? undefined)
    .optional(),
  /** The field that each column of the file fills, in the order of the file; `null` leaves it out. */
  fields: z
    .array(z.string({ error: 'Must be a field or null' }).nullable(), { error: 'Must be a list of fields' })
    .max(200, 'At most 200 columns')
    .optional(),
  /** How dates such as 3/4/2026 are meant, by field. */
  date_orders: z
    .record(z.string().max(40), z.enum(['month', 'day'], { error: 'Must be month or day' }), {
      error: 'Must name fields',
    })
    .optional(),
  /** The sheet of a workbook that is read, and the encoding of a text file. */
  sheet: sheetName.optional(),
  encoding: choice(ENCODINGS, 'Choose an encoding').optional(),
  /** One value for all rows, by the fields that no column fills; it replaces what was given before. */
  defaults: defaults.optional(),
  /** Whom unknown names stand for: an existing record, or a new one of that name. */
  names: z
    .array(
      z.object({
        kind: z.enum(NAME_KINDS, { error: 'Must be location or company' }),
        name: requiredText('Name is required', 200),
        id: requiredChoiceOf('Choose one from the list').optional(),
        create: yesNo(false),
      }),
      { error: 'Must be a list of names' },
    )
    .max(500, 'At most 500 names')
    .optional(),
})
export type ImportChange = z.output<typeof importChange>

/** A user's choice of columns must fit the kind of file. @throws Refused */
export function checkFields(dataType: DataType, width: number, fields: (string | null)[]) {
  const known = new Set(fieldsOf(dataType))
  const chosen = fields.filter((field) => field !== null)
  if (fields.length !== width) throw Refused.field('fields', `The file has ${width} columns`)
  const unknown = chosen.find((field) => !known.has(field))
  if (unknown !== undefined) throw Refused.field('fields', 'Choose the fields from the list')
  const twice = chosen.find((field, at) => chosen.indexOf(field) !== at)
  if (twice) throw Refused.field('fields', `${twice} was chosen for two columns`)
}

/** What became of a file. `row` counts as the spreadsheet shows it: the header is row 1. */
export type UploadResult = {
  imported: number
  updated: number
  failed: number
  duplicates: number
  errors: { row: number; message: string }[]
  validation_errors: string[]
}

/** The sentence after an upload. */
export function resultMessage({
  imported,
  updated,
  failed,
  duplicates,
}: Omit<UploadResult, 'errors' | 'validation_errors'>): string {
  const parts = [`${imported} record${imported === 1 ? '' : 's'} imported`]
  if (updated) parts.push(`${updated} updated`)
  if (failed) parts.push(`${failed} failed`)
  if (duplicates) parts.push(`${duplicates} duplicate${duplicates === 1 ? '' : 's'} skipped`)
  return parts.join(', ')
}
