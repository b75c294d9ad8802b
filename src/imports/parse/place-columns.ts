import type { DataType } from '../../../db/vocabulary'

/** One column of an import: its name in the header row and what belongs in it. */
export type ImportColumn = { name: string; about: string }

export type ImportColumns = { required: ImportColumn[]; optional: ImportColumn[] }

const column = (name: string, about: string): ImportColumn => ({ name, about })
const DATE = 'a date: 2026-01-31, 1/31/2026 or a date cell'
const MONEY = 'an amount: 1250.50 or $1,250.50'
const UNIT = column('unit_number', '6 digits')

/** What each kind of spreadsheet must and may hold; the guidelines and the importer read the same list. */
export const IMPORT_COLUMNS: Record<DataType, ImportColumns> = {
  transports: {
    required: [
      UNIT,
      column('location_out', 'name or code of a location'),
      column('location_in', 'name or code of a location'),
      column('move_date', DATE),
      column('transport_company', 'name of a transport company'),
      column('status', 'Awaiting Pickup, Searching For Driver, Vehicle Not Ready, In Transit or Delivered'),
    ],
    optional: [
      column('ra_number', 'up to 8 characters'),
      column('estimated_arrival_date', DATE),
      column('mileage', 'a whole number'),
      column('move_type', 'OSL, Fleet, TA or Sales; Fleet when blank'),
      column('estimated_cost', MONEY),
      column('final_cost', MONEY),
      column('actual_arrival_date', `${DATE}; of a delivered row, its move date when blank`),
      column('issue_po', 'Yes or No; No when blank'),
      column('po_number', 'up to 50 characters'),
      column('notes', 'any text'),
    ],
  },
  osl: {
    required: [UNIT, column('osl_date', DATE), column('location', 'name or code of a location'), column('problem', 'at least 10 characters')],
    optional: [
      column('ra_number', 'up to 8 characters'),
      column('osl_mileage', 'a whole number'),
      column('key_location', 'where the keys are'),
      column('contact_phone', 'up to 20 characters'),
      column('fuel_level', 'Full, 3/4, 1/2, 1/4 or Empty'),
      column('storage_fee_daily_rate', `${MONEY}; fees apply when it is there`),
      column('notes', 'any text'),
    ],
  },
  registrations: {
    required: [
      UNIT,
      column('location', 'name or code of a location'),
      column('plate_number', 'up to 20 characters'),
      column('state_province', '2 letters'),
      column('date_issued', DATE),
      column('date_expires', DATE),
    ],
    optional: [
      column('registration_type', 'New, Renewal, Transfer Plate or Replacement; Renewal when blank'),
      column('cost', MONEY),
      column('vlt', `vehicle licence tax, ${MONEY}`),
      column('notes', 'any text'),
    ],
  },
  titles: {
    required: [UNIT, column('location', 'name or code of a location')],
    optional: [column('dealer_name', 'up to 100 characters'), column('dealer_contact', 'up to 100 characters'), column('notes', 'any text')],
  },
}

/** Every field of a kind, the required ones first; rows keep their values in this order. */
export const fieldsOf = (dataType: DataType): string[] => [...IMPORT_COLUMNS[dataType].required, ...IMPORT_COLUMNS[dataType].optional].map(({ name }) => name)

/** `unit_number` as people read it. */
export const fieldLabel = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/^Ra /, 'RA ')
    .replace(/\bpo\b/i, 'PO')
    .replace(/^Osl /, 'OSL ')
    .replace(/^Vlt$/, 'VLT')

/** Headers match whatever their case, spaces, `_` and `-`. */
export const headerKey = (header: string) => header.replace(/[\s_\-\uFEFF]/g, '').toLowerCase()

/** A column's name as a message shows it; a pair of surrogates that the cut parts is not left in halves. */
const shortened = (text: string) => text.trim().slice(0, 100).toWellFormed()

/** The columns that a workbook of failed rows adds; they come back with the mended rows and mean nothing. */
export const FAILED_COLUMNS = { row: 'Row', reason: 'Reason' } as const
const isOwnColumn = (header: string) => Object.values<string>(FAILED_COLUMNS).includes(header.trim())

export type Placed = {
  /** The field that each column of the file fills; `null` leaves it out. */
  fields: (string | null)[]
  /** Required fields that no column fills. */
  missing: string[]
  warnings: string[]
}

/**
 * Which field each column of a file fills: by its own name, else by what a user said of that name before; `chosen` is
 * what one said of this very file.
 */
export function placeColumns(header: string[], dataType: DataType, remembered: Map<string, string>, chosen: (string | null)[] | null): Placed {
  const own = new Map(fieldsOf(dataType).map((field) => [headerKey(field), field]))
  const warnings: string[] = []
  const taken = new Set<string>()
  const place = (text: string, at: number): string | null => {
    if (chosen) return chosen[at] ?? null
    const key = headerKey(text)
    return own.get(key) ?? remembered.get(key) ?? null
  }
  const fields = header.map((text, at) => {
    const field = place(text, at)
    if (!field) {
      if (text.trim() && !isOwnColumn(text) && !chosen) warnings.push(`Column "${shortened(text)}" is not known and was ignored`)
      return null
    }
    if (taken.has(field)) {
      warnings.push(`Column "${shortened(text)}" appears twice; the first one was used`)
      return null
    }
    taken.add(field)
    return field
  })
  const missing = IMPORT_COLUMNS[dataType].required.map(({ name }) => name).filter((name) => !taken.has(name))
  return { fields, missing, warnings }
}

/** What to say of a file that lacks required columns. */
export function missingColumns(dataType: DataType, { fields, missing }: Pick<Placed, 'fields' | 'missing'>): string {
  const required = IMPORT_COLUMNS[dataType].required.map(({ name }) => name)
  return fields.some(Boolean) ? `Missing required columns: ${missing.join(', ')}` : `The file has no header row: expected ${required.join(', ')}`
}
