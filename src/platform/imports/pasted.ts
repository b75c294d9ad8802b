import Papa from 'papaparse'
import { z } from 'zod'
import { DATA_TYPES, type DataType } from '../../../db/vocabulary'
import { nextRound } from '../event-loop'
import { choice } from '../fields'
import { pastedCells } from '../pasted-cells'
import { Refused } from '../refusals'
import { fieldsOf, importKind } from './kinds'
import { namesOwnColumns, placeColumns } from './parse/place-columns'
import { NO_DATA_TYPE } from './rules'
import { COLUMN_LIMIT, HEADER_SEARCH_LINES } from './spreadsheet/lines'

const LIMIT = 1_000_000
const NO_ROWS = 'Please paste some rows'
const TOO_LONG = 'There is too much text to paste. Upload the rows as a file.'
/** Maximum number of pasted lines. They are parsed in the server's thread, so more lines would delay other users. */
const LINES_LIMIT = 20_000
/** Maximum length of a value for all rows, in characters. */
const EVERY_LIMIT = 500
/**
 * Maximum number of characters that values for all rows can add. Each of these values is copied into every row of the
 * file.
 */
const ADDED_LIMIT = 10_000_000

/**
 * Form with rows that the user pasted from a spreadsheet. A field named `every.{column}` contains one value for all
 * rows.
 */
export const pastedRows = z.object({
  data_type: choice(DATA_TYPES, NO_DATA_TYPE),
  rows: z
    .string({ error: NO_ROWS })
    .max(LIMIT, { error: TOO_LONG, abort: true })
    .refine((text) => text.split('\n', LINES_LIMIT + 1).length <= LINES_LIMIT, TOO_LONG)
    .refine((text) => text.trim() !== '', NO_ROWS),
})
export type PastedRows = z.output<typeof pastedRows>

export const dataTypeIn = (values: Record<string, unknown>): DataType =>
  DATA_TYPES.find((type) => type === values.data_type) ?? 'transports'

const EVERY = 'every.'
const LABEL = 'label.'
export const everyName = (column: string) => `${EVERY}${column}`

const fieldsWith = (prefix: string, form: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) =>
      name.startsWith(prefix) && typeof value === 'string' && value.trim()
        ? [[name.slice(prefix.length), value.trim()]]
        : [],
    ),
  )

export const everyIn = (form: Record<string, unknown>) => fieldsWith(EVERY, form)

/**
 * Returns the labels of form fields that cannot be imported. No import column exists for these changed fields. Users
 * must enter their values by hand after the import.
 */
export function notImported(form: Record<string, unknown>, dataType: DataType): string[] {
  const fields = new Set(fieldsOf(dataType))
  return Object.entries(fieldsWith(LABEL, form)).flatMap(([column, label]) =>
    fields.has(column) ? [] : [label.slice(0, 50).toWellFormed()],
  )
}

/**
 * Required import columns that can have one value for all rows. The unit number is excluded, because it differs in each
 * row.
 */
export const everyColumns = (dataType: DataType) =>
  importKind(dataType).columns.filter(({ isRequired, kind }) => isRequired && kind !== 'unit')

/**
 * Returns true if a pasted line is a heading row. The line is a heading row if
 * - one of its cells is a field name, or
 * - one of its cells is a common heading for the unit number, such as `Vehicle`, and no cell looks like a unit number.
 */
function isHeadings(line: string[], dataType: DataType): boolean {
  const hasUnit = line.some((cell) => /^\s*\d{1,6}\s*$/.test(cell))
  return namesOwnColumns(line, dataType) || (placeColumns(line, dataType).fields.includes('unit_number') && !hasUnit)
}

/**
 * Returns the position of the first heading row, or -1. Checking a wide line takes up to 70 ms, so let other requests
 * run between the lines.
 */
async function findHeadings(lines: string[][], dataType: DataType): Promise<number> {
  for (const [at, line] of lines.slice(0, HEADER_SEARCH_LINES).entries()) {
    if (isHeadings(line, dataType)) return at
    await nextRound()
  }
  return -1
}

/**
 * Converts pasted rows to a CSV file for the importer. Rows without headings must have the columns of the sample file,
 * in the same order. `every` supplies the values of columns that the rows lack.
 * @throws Refused when the text cannot be used
 */
export async function pastedFile({ data_type, rows }: PastedRows, every: Record<string, string>): Promise<File> {
  const data = pastedCells(rows).filter((line) => line.some((cell) => cell.trim() !== ''))
  const fields = fieldsOf(data_type)
  if (data.length === 0) throw Refused.field('rows', NO_ROWS)
  const width = data.reduce((widest, line) => Math.max(widest, line.length), 0)
  if (width > COLUMN_LIMIT) throw Refused.field('rows', `The table has more than ${COLUMN_LIMIT} columns`)
  const headingsAt = await findHeadings(data, data_type)
  const hasHeadings = headingsAt >= 0
  const first = data[Math.max(headingsAt, 0)] ?? []
  const placedFields = placeColumns(first, data_type).fields
  if (!hasHeadings && width > fields.length)
    throw Refused.field('rows', `Has more than the ${fields.length} known columns; paste the header row too`)
  const header = hasHeadings ? first : fields.slice(0, width)
  const filled = new Set(hasHeadings ? placedFields : header)
  const added = Object.entries(every).filter(([column]) => fields.includes(column) && !filled.has(column))
  const long = added.find(([, value]) => value.length > EVERY_LIMIT)
  if (long) throw Refused.field(everyName(long[0]), `At most ${EVERY_LIMIT} characters`)
  const addedLength = added.reduce((sum, [, value]) => sum + value.length + 1, 0)
  if (addedLength * data.length > ADDED_LIMIT) throw Refused.field('rows', TOO_LONG)
  // Put the values that apply to all rows before the pasted cells. After the pasted cells, they would be in the wrong
  // columns in a line with fewer cells than the header.
  const values = added.map(([, value]) => value)
  const lines = data.slice(headingsAt + 1).map((line) => [...values, ...line])
  const text = Papa.unparse([[...added.map(([column]) => column), ...header], ...lines])
  return new File([text], 'Pasted rows.csv', { type: 'text/csv' })
}
