import type { DataType } from '../../db/vocabulary'

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
      column('storage_fee_daily_rate', MONEY),
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

/** Headers match whatever their case, spaces, `_` and `-`. */
export const headerKey = (header: string) => header.replace(/[\s_\-\uFEFF]/g, '').toLowerCase()
