import type { DataType } from '../../db/vocabulary'
import { fieldErrors } from '../fields'
import { type FieldError, Refused } from '../refusals'
import { type Cell, readDate, readPlain, readText, readUnit } from './cells'
import { headerKey, IMPORT_COLUMNS } from './columns'
import type { Sheet } from './read-sheet'
import { type Names, ROW_RULES } from './row-rules'

export type JudgedRow = { row: number; values: Record<string, unknown> }
export type Judged = { accepted: JudgedRow[]; errors: { row: number; message: string }[]; warnings: string[] }

/** What is text even where a cell holds a number, such as an RA number. */
const TEXT_COLUMNS = new Set(
  'ra_number location location_out location_in transport_company status move_type key_location contact_phone fuel_level plate_number state_province registration_type notes problem dealer_name dealer_contact'.split(
    ' ',
  ),
)

/** Where each known column stands in the file. @throws Refused naming the required ones that are missing */
export function placeColumns(header: string[], dataType: DataType): { places: Map<string, number>; warnings: string[] } {
  const { required, optional } = IMPORT_COLUMNS[dataType]
  const known = new Map([...required, ...optional].map((column) => [headerKey(column.name), column.name]))
  const places = new Map<string, number>()
  const warnings: string[] = []
  header.forEach((text, at) => {
    const name = known.get(headerKey(text))
    if (!text.trim()) return
    if (!name) warnings.push(`Column "${text.trim().slice(0, 100)}" is not known and was ignored`)
    else if (places.has(name)) warnings.push(`Column "${text.trim()}" appears twice; the first one was used`)
    else places.set(name, at)
  })
  const missing = required.filter((column) => !places.has(column.name)).map((column) => column.name)
  if (missing.length) {
    throw Refused.field(
      'file',
      places.size === 0
        ? `The file has no header row: expected ${required.map((column) => column.name).join(', ')}`
        : `Missing required columns: ${missing.join(', ')}`,
    )
  }
  return { places, warnings }
}

const label = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/^Ra /, 'RA ')
    .replace(/^Vlt$/, 'VLT')

/** The column and what is wrong with it, without saying its name twice. */
const complaint = ({ field, message }: FieldError) =>
  message.toLowerCase().startsWith(field.split('_')[0] as string) ? message : `${label(field)}: ${message}`

/** Judges every row by itself: accepted with trusted values, or refused with the reasons. @throws Refused when the columns do not fit */
export function judge(sheet: Sheet, dataType: DataType, names: Names): Judged {
  const { places, warnings } = placeColumns(sheet.header, dataType)
  const rules = ROW_RULES[dataType]
  const schema = rules.schema(names)
  const dates = new Set(rules.dates)
  const accepted: JudgedRow[] = []
  const errors: { row: number; message: string }[] = []

  const read = (column: string, cell: Cell, row: number): unknown => {
    if (column === 'unit_number') {
      const { value, restored } = readUnit(cell)
      if (restored) warnings.push(`Row ${row}: unit number ${cell} was read as ${value}`)
      return value
    }
    if (dates.has(column)) return readDate(cell, sheet.date1904)
    return TEXT_COLUMNS.has(column) ? readText(cell) : readPlain(cell)
  }

  for (const { row, cells } of sheet.rows) {
    const raw = Object.fromEntries([...places].map(([column, at]) => [column, read(column, cells[at] ?? null, row)]))
    const result = schema.safeParse(raw)
    try {
      if (!result.success) throw new Refused(fieldErrors(result.error.issues))
      rules.check(result.data as never)
      accepted.push({ row, values: result.data })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      errors.push({ row, message: (error.errors ?? []).map(complaint).join('; ') })
    }
  }
  return { accepted, errors, warnings }
}
