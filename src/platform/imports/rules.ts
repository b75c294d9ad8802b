import { z } from 'zod'
import { ALIAS_KINDS, DATA_TYPES, type DataType, IMPORT_MODES, ROW_OUTCOMES } from '../../../db/vocabulary'
import { choice, choiceOr, optionalChoice, optionalCount, requiredChoiceOf, requiredText, yesNo } from '../fields'
import { listQuery } from '../lists/list-query'
import { Refused } from '../refusals'
import { fieldsOf } from './kinds'

export const NO_DATA_TYPE = 'Please select a data type first'

export const upload = z.object({
  existing: choiceOr(IMPORT_MODES, 'skip'),
  /** Of an import that is begun: write the rows once they are checked. */
  commit: yesNo(false),
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

const NAME_KINDS = ALIAS_KINDS.filter((kind) => kind !== 'column')

/** What a user decides about a file that was read; what is left out stays as it is. */
export const importChange = z.object({
  existing: choice(IMPORT_MODES, 'Must be skip or update').optional(),
  /** The row of the file that names the columns. */
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
  /** Whom unknown names stand for: an existing record, or a new one of that name. */
  names: z
    .array(
      z.object({
        kind: z.enum(NAME_KINDS as ['location', 'company'], { error: 'Must be location or company' }),
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
