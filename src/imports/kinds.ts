import type { DataType } from '../../db/vocabulary'

/**
 * Where each kind's rows go. The SQL that checks, writes and updates them is built from this alone; within it `r` is a
 * row of `upload_rows`, whose `cells` stand in the order of `columns`, `t` a record, and `x` a record with its new values
 * beside it, as `n_status` beside `status`.
 */
export type TargetColumn = {
  field: string
  column: string
  /** `word` is text that holds no quotes, such as a status; it needs no escaping. */
  type: 'word' | 'text' | 'date' | 'int' | 'numeric' | 'boolean'
  /** What a new record takes where the file has a blank. */
  usual?: string
  /** For a value that follows from others too: in a new record and in a changed one, with `:given` for what the file says. */
  follows?: { created: string; updated: string }
}

/** A column that the file does not fill, with its SQL value in a new record and, where it follows from others, in an updated one. */
type ExtraColumn = { column: string; type: TargetColumn['type']; created: string; updated?: string }

export type Target = {
  table: string
  columns: TargetColumn[]
  extras: ExtraColumn[]
  /** The fields that make two rows the same record. */
  key: string[]
  /** What else a record must be to be the same as a row. */
  only?: string
  /** A record of whose notes there are some is not taken back by an undo. */
  notes?: { table: string; column: string }
}

/** `:today` stands for the business date, `:given` for what the file says. */
export const TODAY = ':today'
export const GIVEN = ':given'

const column = (field: string, type: TargetColumn['type'], to = field, usual?: string): TargetColumn => ({
  field,
  column: to,
  type,
  ...(usual ? { usual } : {}),
})
const unit = column('unit_number', 'word')
const location = column('location', 'int', 'location_id')

export const TARGETS: Record<DataType, Target> = {
  transports: {
    table: 'transports',
    columns: [
      unit,
      column('location_out', 'int', 'location_out_id'),
      column('location_in', 'int', 'location_in_id'),
      column('move_date', 'date'),
      column('transport_company', 'int', 'transport_company_id'),
      column('status', 'word'),
      column('ra_number', 'text'),
      column('estimated_arrival_date', 'date'),
      column('mileage', 'int'),
      column('move_type', 'word', 'move_type', 'Fleet'),
      column('estimated_cost', 'numeric'),
      column('final_cost', 'numeric'),
      // Of a delivered row without one it is the move date, or today if that lies ahead; any other status has none.
      {
        ...column('actual_arrival_date', 'date'),
        follows: {
          created: `case when r.cells[6] = 'Delivered' then coalesce(${GIVEN}, least(r.cells[4]::date, ${TODAY}::date)) end`,
          updated: `case when x.n_status = 'Delivered' then coalesce(${GIVEN}, x.actual_arrival_date, least(x.move_date, ${TODAY}::date)) end`,
        },
      },
      column('issue_po', 'boolean', 'issue_po', 'false'),
      column('po_number', 'text'),
      column('notes', 'text'),
    ],
    extras: [],
    key: ['unit_number', 'move_date', 'location_out', 'location_in'],
  },
  osl: {
    table: 'osl_entries',
    columns: [
      unit,
      column('osl_date', 'date'),
      location,
      column('problem', 'text'),
      column('ra_number', 'text'),
      column('osl_mileage', 'int'),
      column('key_location', 'text'),
      column('contact_phone', 'text'),
      column('fuel_level', 'word'),
      column('storage_fee_daily_rate', 'numeric'),
      column('notes', 'text'),
    ],
    extras: [
      {
        column: 'storage_fees_applicable',
        type: 'boolean',
        created: 'r.cells[10] is not null',
        updated: 'x.storage_fees_applicable or x.cells[10] is not null',
      },
      { column: 'status', type: 'word', created: `'Out of Service'` },
      { column: 'fleet_registration_mailed', type: 'boolean', created: 'false' },
    ],
    key: ['unit_number', 'osl_date'],
    notes: { table: 'osl_notes', column: 'osl_id' },
  },
  registrations: {
    table: 'registrations',
    columns: [
      unit,
      location,
      column('plate_number', 'text'),
      column('state_province', 'word'),
      column('date_issued', 'date'),
      column('date_expires', 'date'),
      column('registration_type', 'word', 'registration_type', 'Renewal'),
      column('cost', 'numeric'),
      column('vlt', 'numeric'),
      column('notes', 'text'),
    ],
    extras: [
      { column: 'received', type: 'boolean', created: 'false' },
      // As on the form: a new day of expiry decides anew whether a received registration is expired.
      {
        column: 'status',
        type: 'word',
        created: `'Pending'`,
        updated: `case when x.n_date_expires = x.date_expires or not x.received then x.status when x.n_date_expires < ${TODAY}::date then 'Expired' else 'Complete' end`,
      },
    ],
    key: ['unit_number', 'plate_number', 'state_province', 'date_issued'],
  },
  titles: {
    table: 'titles',
    columns: [unit, location, column('dealer_name', 'text'), column('dealer_contact', 'text'), column('notes', 'text')],
    extras: [{ column: 'submitted_date', type: 'date', created: `${TODAY}::date` }],
    key: ['unit_number'],
    only: 't.transferred_date is null',
    notes: { table: 'title_notes', column: 'title_id' },
  },
}
