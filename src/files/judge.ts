import { z } from 'zod'
import { type DataType, MOVE_TYPES, TRANSPORT_STATUSES } from '../../db/vocabulary'
import { choice, choiceOr, fieldErrors, optionalCount, optionalDate, optionalMoney, optionalText, requiredDate, unitNumber } from '../fields'
import { Refused } from '../refusals'
import { type Cell, readDate, readPlain, readText, readUnit } from './cells'
import { headerKey, IMPORT_COLUMNS } from './columns'
import type { Sheet } from './read-sheet'

/** Names that rows may use, in lower case, each with the id it stands for; `null` where it stands for several. */
export type Names = { locations: Record<string, number | null>; companies: Record<string, number | null> }

export type JudgedRow = { row: number; values: Record<string, unknown> }
export type Judged = { accepted: JudgedRow[]; errors: { row: number; message: string }[]; warnings: string[] }

/** A choice from a list of words, whatever case it was typed in. */
const anyCase = (words: readonly string[]) => (value: unknown) => {
  if (typeof value !== 'string') return value
  const typed = value.trim().toLowerCase()
  return words.find((word) => word.toLowerCase() === typed) ?? value
}

function named(what: string, ids: Record<string, number | null>) {
  return z.unknown().transform((value, context) => {
    const name = typeof value === 'string' ? value.trim() : ''
    const id = Object.hasOwn(ids, name.toLowerCase()) ? ids[name.toLowerCase()] : undefined
    if (id) return id
    const message = !name
      ? `${what} is required`
      : id === null
        ? `${what} "${name}" stands for several; use its code`
        : `Unknown ${what.toLowerCase()} "${name}"`
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

type Rules = {
  schema: (names: Names) => z.ZodType<Record<string, unknown>>
  dates: string[]
  /** What the rules cannot see in one field. @throws Refused */
  check?: (values: Record<string, unknown>) => void
}

const RULES: Partial<Record<DataType, Rules>> = {
  transports: {
    dates: ['move_date', 'estimated_arrival_date'],
    schema: ({ locations, companies }) =>
      z.object({
        unit_number: unitNumber,
        location_out: named('Location', locations),
        location_in: named('Location', locations),
        move_date: requiredDate('Move date is required'),
        transport_company: named('Transport company', companies),
        status: z.preprocess(anyCase(TRANSPORT_STATUSES), choice(TRANSPORT_STATUSES, 'Is required')),
        ra_number: optionalText(8),
        estimated_arrival_date: optionalDate,
        mileage: optionalCount(),
        move_type: z.preprocess(anyCase(MOVE_TYPES), choiceOr(MOVE_TYPES, 'Fleet')),
        estimated_cost: optionalMoney,
        final_cost: optionalMoney,
      }),
    check: (values) => {
      const [move, arrival] = [values.move_date as string, values.estimated_arrival_date as string | null]
      if (arrival && arrival < move) throw Refused.field('estimated_arrival_date', 'Arrival is before the move date')
    },
  },
}

const TEXT_COLUMNS = new Set([
  'ra_number',
  'location',
  'location_out',
  'location_in',
  'transport_company',
  'status',
  'move_type',
  'key_location',
  'contact_phone',
  'fuel_level',
  'plate_number',
  'state_province',
  'registration_type',
  'notes',
  'problem',
  'dealer_name',
  'dealer_contact',
])

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

/** Judges every row by itself: accepted with trusted values, or refused with the reasons. @throws Refused when the columns do not fit */
export function judge(sheet: Sheet, dataType: DataType, names: Names): Judged {
  const { places, warnings } = placeColumns(sheet.header, dataType)
  const rules = RULES[dataType]
  if (!rules) throw Refused.field('data_type', 'This kind of file cannot be imported')
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
      rules.check?.(result.data)
      accepted.push({ row, values: result.data })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      errors.push({ row, message: (error.errors ?? []).map(({ field, message }) => `${label(field)}: ${message}`).join('; ') })
    }
  }
  return { accepted, errors, warnings }
}
