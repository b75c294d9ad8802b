import {
  apiTokens,
  auditEntries,
  companySettings,
  importAliases,
  locations,
  merges,
  oslEntries,
  oslRates,
  registrations,
  reportRuns,
  reportSchedules,
  savedViews,
  titles,
  transportCompanies,
  transports,
  uploads,
  users,
  vehicles,
  vendorInvoiceLines,
  vendorInvoices,
  vendors,
} from '../../db/schema'
import { DUE_KINDS, LIST_DENSITIES, MOVE_TYPES, TITLE_STAGES } from '../../db/vocabulary'
import { WARNING_CODES } from '../records/warnings'
import {
  boolean,
  date,
  instant,
  integer,
  list,
  number,
  object,
  oneOf,
  orNull,
  record,
  ref,
  type Schema,
  string,
} from './schema'

/** The shapes that answers are made of, from the tables where there is one. */

const fieldError = object({ field: string, message: string })
export const counts = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, integer])))

const column = object(
  { key: string, label: string, kind: oneOf(['text', 'date', 'count', 'money', 'decimal', 'percent']), sum: boolean },
  ['sum'],
)
export const value: Schema = { type: ['string', 'number', 'null'] }
export const sums: Schema = { type: 'object', additionalProperties: number }
const upload = record(uploads, {}, [
  'stored_as',
  'commits',
  'last_row',
  'found',
  'fields',
  'header_row',
  'new_names',
  'date_orders',
  'validation_errors',
  'undo',
  'is_cancelled',
  'runner_seen_at',
  'address',
])
const kept = object({ entity: string, id: integer, label: string })
export const rowError = object({ row: integer, message: string })
const newName = object({ kind: oneOf(['location', 'company']), name: string, id: integer }, ['id'])
const found = object({
  header_row: integer,
  first_rows: list(object({ row: integer, cells: list(string) })),
  header: list(string),
  fields: list(orNull(string)),
  missing: list(string),
  samples: list(list(string)),
  dates: list(object({ field: string, samples: list(string), rows: integer })),
  names: list(object({ kind: oneOf(['location', 'company']), name: string, rows: integer })),
})
export const undo: Schema = {
  anyOf: [object({ removed: integer, restored: integer, kept: list(kept) }), { type: 'null' }],
}
export const openUpload = (more: Record<string, Schema>): Schema =>
  object({
    ...upload.properties,
    found: { anyOf: [found, { type: 'null' }] },
    date_orders: { type: 'object', additionalProperties: oneOf(['month', 'day']) },
    new_names: list(newName),
    validation_errors: list(string),
    ...more,
  })
export const apiToken = record(apiTokens, {}, [
  'user_id',
  'token_hash',
  'version',
  'created_by',
  'updated_at',
  'updated_by',
])
export const change = object({ old: {}, new: {} })

/** The parts that answers are made of, by the names that generated code gives them. */
export const COMPONENTS: Record<string, Schema> = {
  Meta: counts('page', 'per_page', 'total', 'pages'),
  Failure: object({ success: { type: 'boolean', const: false }, message: string, errors: list(fieldError) }, [
    'errors',
  ]),
  Warning: object({ code: oneOf(WARNING_CODES), message: string, field: string }),
  Settings: record(companySettings),
  User: record(users, {}, ['password_hash', 'previous_login', 'due_mailed_on']),
  Session: object({
    key: string,
    is_current: boolean,
    created_at: instant,
    last_seen_at: instant,
    expires_at: instant,
    address: orNull(string),
    user_agent: orNull(string),
  }),
  ApiToken: apiToken,
  Location: record(locations),
  TransportCompany: record(transportCompanies),
  Vendor: record(vendors),
  Merge: record(merges, { moved: { type: 'object', additionalProperties: integer }, records: integer }),
  Usage: counts('transports', 'osl', 'registrations', 'titles', 'total'),
  Transport: record(transports, {
    location_out_name: string,
    location_out_code: string,
    location_in_code: string,
    location_in_name: string,
    transport_company_name: string,
  }),
  TransportTotal: object({ move_type: oneOf(MOVE_TYPES), count: integer, total_cost: number }),
  OslEntry: record(oslEntries, {
    location_name: string,
    vendor_name: orNull(string),
    completed_on: orNull(date),
    days_out_of_service: integer,
    storage_fees_total: number,
    current_daily_rate: orNull(number),
  }),
  StoredTransport: record(transports),
  StoredOslEntry: record(oslEntries),
  StoredRegistration: record(registrations),
  StoredTitle: record(titles),
  Fees: object({
    days_out_of_service: integer,
    storage_fee_daily_rate: orNull(number),
    storage_grace_days: integer,
    storage_fees_total: number,
    total: number,
    lines: list(object({ from: date, to: date, days: integer, daily_rate: number, amount: number })),
    waived: number,
    waived_reason: orNull(string),
    as_of: date,
  }),
  OslRate: record(oslRates),
  VendorInvoiceLine: record(vendorInvoiceLines),
  VendorInvoice: record(vendorInvoices, {
    vendor_name: string,
    totals: object({ billed: number, expected: number, accepted: number, disputed: number, open: number }),
    lines: list(ref('VendorInvoiceLine')),
  }),
  Note: object({ id: integer, note_text: string, created_at: instant, created_by: orNull(string) }),
  Vehicle: record(vehicles),
  Registration: record(registrations, { location_name: string, days_until_expiry: integer }),
  RegistrationTotals: object({
    pending: integer,
    completed: integer,
    expiring: integer,
    expired: integer,
    total_cost: number,
    total_vlt: number,
  }),
  Title: record(titles, { location_name: string, days_pending: integer, stage: orNull(oneOf(TITLE_STAGES)) }),
  Dashboard: object(
    {
      active_transports: integer,
      active_osl: integer,
      pending_registrations: integer,
      pending_titles: integer,
      recent_transports: list(ref('Transport')),
      recent_osl: list(ref('OslEntry')),
      expiring_registrations: list(ref('Registration')),
      expiring_total: integer,
      storage_fees_total: number,
    },
    ['storage_fees_total'],
  ),
  DueItem: object({
    kind: oneOf(DUE_KINDS),
    entity: string,
    id: integer,
    unit_number: string,
    text: string,
    due_on: date,
    days: integer,
    severity: oneOf(['danger', 'warning']),
    snoozed_until: orNull(date),
    snooze_reason: orNull(string),
    assigned_to: orNull(string),
  }),
  YearOfCosts: object({
    year: integer,
    transport_cost: number,
    registration_cost: number,
    storage_fees: number,
    total_cost: number,
  }),
  KnownUnit: object({
    unit_number: string,
    is_known: boolean,
    model_year: orNull(integer),
    current_status: orNull(string),
    current_location: orNull(string),
    open_transport: orNull(string),
    open_osl: orNull(string),
    registered_until: orNull(date),
    has_pending_title: boolean,
  }),
  ListLayout: object({ hidden: list(string), added: list(string), density: oneOf(LIST_DENSITIES) }),
  SavedView: record(savedViews, { url: string, is_own: boolean }),
  Upload: upload,
  Alias: record(importAliases, { location_name: orNull(string), transport_company_name: orNull(string) }),
  ReportColumn: column,
  Report: object({
    columns: list(ref('ReportColumn')),
    rows: list({ type: 'object', additionalProperties: value }),
    behind: list({ type: 'object', additionalProperties: string }),
    totals: sums,
    previous: { anyOf: [object({ start_date: date, end_date: date, totals: sums }), { type: 'null' }] },
    chart: { anyOf: [object({ label: string, value: string }), { type: 'null' }] },
  }),
  Schedule: record(reportSchedules),
  ScheduleWithRun: record(reportSchedules, { location_name: orNull(string), last_run_id: orNull(integer) }),
  ReportRun: record(reportRuns, { schedule_name: string }, ['content']),
  AuditEntry: record(auditEntries, { changes: { type: 'object', additionalProperties: change } }),
}
