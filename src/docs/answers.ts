import {
  apiTokens,
  auditEntries,
  importAliases,
  locations,
  oslEntries,
  registrations,
  reportRuns,
  reportSchedules,
  titles,
  transportCompanies,
  transports,
  uploads,
  users,
  vehicles,
  vendors,
} from '../../db/schema'
import { DATA_TYPES, MOVE_TYPES, ROW_OUTCOMES } from '../../db/vocabulary'
import { REPORT_TYPES } from '../reports/types'
import { WARNING_CODES } from '../warnings'
import { boolean, date, instant, integer, list, number, object, oneOf, orNull, record, ref, type Schema, string } from './schema'

/** What every call answers with, by method and path; the tests hold real answers against it. */

const fieldError = object({ field: string, message: string })
const counts = (...names: string[]) => object(Object.fromEntries(names.map((name) => [name, integer])))

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const column = object({ key: string, label: string, kind: oneOf(['text', 'date', 'count', 'money', 'decimal', 'percent']), sum: boolean }, ['sum'])
const value: Schema = { type: ['string', 'number', 'null'] }
const sums: Schema = { type: 'object', additionalProperties: number }
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
const rowError = object({ row: integer, message: string })
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
const undo: Schema = { anyOf: [object({ removed: integer, restored: integer, kept: list(kept) }), { type: 'null' }] }
const openUpload = (more: Record<string, Schema>): Schema =>
  object({
    ...upload.properties,
    found: { anyOf: [found, { type: 'null' }] },
    date_orders: { type: 'object', additionalProperties: oneOf(['month', 'day']) },
    new_names: list(newName),
    validation_errors: list(string),
    ...more,
  })
const apiToken = record(apiTokens, {}, ['user_id', 'token_hash', 'version', 'created_by', 'updated_at', 'updated_by'])
const change = object({ old: {}, new: {} })

/** The parts that answers are made of, by the names that generated code gives them. */
export const COMPONENTS: Record<string, Schema> = {
  Meta: counts('page', 'per_page', 'total', 'pages'),
  Failure: object({ success: { type: 'boolean', const: false }, message: string, errors: list(fieldError) }, ['errors']),
  Warning: object({ code: oneOf(WARNING_CODES), message: string, field: string }),
  User: record(users, {}, ['password_hash', 'previous_login']),
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
  Usage: counts('transports', 'osl', 'registrations', 'titles', 'total'),
  Transport: record(transports, { location_out_name: string, location_in_name: string, transport_company_name: string }),
  TransportTotal: object({ move_type: oneOf(MOVE_TYPES), count: integer, total_cost: number }),
  OslEntry: record(oslEntries, {
    location_name: string,
    vendor_name: orNull(string),
    completed_on: orNull(date),
    days_out_of_service: integer,
    storage_fees_total: number,
  }),
  StoredTransport: record(transports),
  StoredOslEntry: record(oslEntries),
  StoredRegistration: record(registrations),
  StoredTitle: record(titles),
  Fees: object({ days_out_of_service: integer, storage_fee_daily_rate: orNull(number), storage_fees_total: number, as_of: date }),
  Note: object({ id: integer, note_text: string, created_at: instant, created_by: orNull(string) }),
  Vehicle: record(vehicles),
  Registration: record(registrations, { location_name: string, days_until_expiry: integer }),
  RegistrationTotals: object({ pending: integer, completed: integer, expiring: integer, expired: integer, total_cost: number, total_vlt: number }),
  Title: record(titles, { location_name: string, days_pending: integer }),
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

export type Answer = { status: number; description: string; content: Record<string, Schema> }

const json = (schema: Schema): Answer['content'] => ({ 'application/json': schema })
const success = { type: 'boolean', const: true } as const

/** `{"success":true,"data":…}` */
const data = (schema: Schema, status = 200): Answer[] => [
  {
    status,
    description: { 200: 'Success', 201: 'Created', 202: 'Accepted: it works on by itself' }[status] ?? 'Success',
    content: json(object({ success, data: schema })),
  },
]
const page = (schema: Schema, more: Record<string, Schema> = {}): Answer[] => [
  { status: 200, description: 'A page of the list', content: json(object({ success, data: list(schema), meta: ref('Meta'), ...more })) },
]
/** A record with what may be odd about it. */
const warned = (schema: Schema, ...statuses: number[]): Answer[] =>
  statuses.map((status) => ({
    status,
    description: status === 201 ? 'Created' : 'Changed',
    content: json(object({ success, data: schema, warnings: list(ref('Warning')) }, ['warnings'])),
  }))
const message = (more: Record<string, Schema> = {}): Answer[] => [
  { status: 200, description: 'Success', content: json(object({ success, message: string, ...more })) },
]
const binary: Schema = { type: 'string', format: 'binary' }
const file = (...types: string[]): Answer['content'] => Object.fromEntries(types.map((type) => [type, type === CSV ? string : binary]))
const download = (...types: string[]): Answer[] => [{ status: 200, description: 'The file', content: file(...types) }]
/** A list or report that comes as a file too, when `format` asks for one. */
const orFile = ([answer]: Answer[], ...types: string[]): Answer[] => [{ ...(answer as Answer), content: { ...(answer as Answer).content, ...file(...types) } }]

const masterData = (path: string, item: Schema, hasTypes: boolean): Record<string, Answer[]> => ({
  [`GET /api/${path}`]: page(item),
  [`GET /api/${path}/active`]: page(item),
  ...(hasTypes ? { [`GET /api/${path}/type/{type}`]: page(item) } : {}),
  [`GET /api/${path}/{id}`]: data(item),
  [`GET /api/${path}/{id}/usage`]: data(ref('Usage')),
  [`POST /api/${path}`]: data(item, 201),
  [`PUT /api/${path}/{id}`]: data(item),
  [`POST /api/${path}/{id}/deactivate`]: data(item),
  [`POST /api/${path}/{id}/activate`]: data(item),
  [`DELETE /api/${path}/{id}`]: data(item),
})

const [transport, osl, registration, title, vehicle] = ['Transport', 'OslEntry', 'Registration', 'Title', 'Vehicle'].map(ref) as [
  Schema,
  Schema,
  Schema,
  Schema,
  Schema,
]

export const ANSWERS: Record<string, Answer[]> = {
  'POST /api/auth/login': data(object({ user: ref('User'), token: string })),
  'POST /api/auth/logout': message(),
  'GET /api/auth/verify': data(object({ user: ref('User') })),
  'POST /api/auth/refresh': data(object({ token: string })),
  'POST /api/auth/change-password': message(),
  'PUT /api/auth/profile': data(ref('User')),
  'GET /api/auth/sessions': page(ref('Session')),
  'DELETE /api/auth/sessions': message(),
  'DELETE /api/auth/sessions/{key}': message(),
  'GET /api/auth/tokens': page(ref('ApiToken')),
  'POST /api/auth/tokens': data(object({ ...apiToken.properties, token: string }), 201),
  'DELETE /api/auth/tokens/{id}': message(),

  'GET /api/dashboard/metrics': data(ref('Dashboard')),
  'GET /api/dashboard/user': data(ref('Dashboard')),
  'GET /api/dashboard/admin': data(ref('Dashboard')),

  ...masterData('locations', ref('Location'), true),
  ...masterData('transport-companies', ref('TransportCompany'), false),
  ...masterData('vendors', ref('Vendor'), true),

  'GET /api/users': page(ref('User')),
  'GET /api/users/{id}': data(ref('User')),
  'POST /api/users': data(ref('User'), 201),
  'PUT /api/users/{id}': data(ref('User')),
  'POST /api/users/{id}/reset-password': message(),
  'POST /api/users/{id}/deactivate': data(ref('User')),
  'POST /api/users/{id}/activate': data(ref('User')),

  'GET /api/transports': page(transport),
  'GET /api/transports/active': page(transport),
  'GET /api/transports/completed': orFile(page(transport), CSV),
  'GET /api/transports/totals': data(list(ref('TransportTotal'))),
  'GET /api/transports/{id}': data(transport),
  'GET /api/transports/vehicle/{unit}': page(transport),
  'GET /api/transports/location/{id}': page(transport),
  'POST /api/transports': warned(transport, 201),
  'PUT /api/transports/{id}': warned(transport, 200),
  'PATCH /api/transports/{id}/status': data(transport),
  'DELETE /api/transports/{id}': data(ref('StoredTransport')),
  'POST /api/transports/{id}/restore': data(transport),

  'GET /api/osl': page(osl),
  'GET /api/osl/active': page(osl),
  'GET /api/osl/completed': page(osl),
  'GET /api/osl/storage-fees': data(object({ total: number, entries: list(osl) })),
  'GET /api/osl/{id}': data(osl),
  'GET /api/osl/vehicle/{unit}': page(osl),
  'GET /api/osl/location/{id}': page(osl),
  'GET /api/osl/{id}/notes': page(ref('Note')),
  'GET /api/osl/{id}/calculate-fees': data(ref('Fees')),
  'POST /api/osl': warned(osl, 201),
  'PUT /api/osl/{id}': warned(osl, 200),
  'PATCH /api/osl/{id}/status': data(osl),
  'POST /api/osl/{id}/notes': data(ref('Note'), 201),
  'DELETE /api/osl/{id}': data(ref('StoredOslEntry')),
  'POST /api/osl/{id}/restore': data(osl),

  'GET /api/vehicles': page(vehicle),
  'GET /api/vehicles/search': page(vehicle),
  'GET /api/vehicles/unit/{unit}': data(vehicle),
  'GET /api/vehicles/vin/{vin}': data(vehicle),
  'GET /api/vehicles/{unit}/history': data(
    object({ vehicle, transports: list(transport), osl_logs: list(osl), registrations: list(registration), titles: list(title) }),
  ),
  'POST /api/vehicles': warned(vehicle, 200, 201),
  'PATCH /api/vehicles/{id}/status': data(vehicle),

  'GET /api/registrations': page(registration),
  'GET /api/registrations/pending': page(registration),
  'GET /api/registrations/completed': page(registration),
  'GET /api/registrations/expiring': page(registration),
  'GET /api/registrations/totals': data(ref('RegistrationTotals')),
  'GET /api/registrations/{id}': data(registration),
  'GET /api/registrations/location/{id}': page(registration),
  'POST /api/registrations': warned(registration, 201),
  'POST /api/registrations/batch': data(object({ created: integer, failed: integer, errors: list(object({ index: integer, message: string })) })),
  'PUT /api/registrations/{id}': warned(registration, 200),
  'PATCH /api/registrations/{id}/status': data(registration),
  'PATCH /api/registrations/{id}/toggle-received': data(registration),
  'POST /api/registrations/update-expired': data(counts('updated')),
  'DELETE /api/registrations/{id}': data(ref('StoredRegistration')),
  'POST /api/registrations/{id}/restore': data(registration),

  'GET /api/titles': page(title),
  'GET /api/titles/pending': page(title),
  'GET /api/titles/transferred': page(title),
  'GET /api/titles/overdue': page(title),
  'GET /api/titles/totals': data(counts('pending', 'transferred', 'overdue')),
  'GET /api/titles/{id}': data(title),
  'GET /api/titles/vehicle/{unit}': page(title),
  'GET /api/titles/vin/{vin}': page(title),
  'GET /api/titles/hub/{id}': page(title),
  'GET /api/titles/{id}/notes': page(ref('Note')),
  'GET /api/titles/{id}/calculate-days': data(counts('days_pending')),
  'POST /api/titles': warned(title, 201),
  'PUT /api/titles/{id}': warned(title, 200),
  'PATCH /api/titles/{id}/transfer': data(title),
  'PATCH /api/titles/{id}/reopen': data(title),
  'POST /api/titles/{id}/notes': data(ref('Note'), 201),
  'POST /api/titles/update-all-days': data(counts('updated')),
  'DELETE /api/titles/{id}': data(ref('StoredTitle')),
  'POST /api/titles/{id}/restore': data(title),

  'POST /api/files/upload': message({
    imported: integer,
    updated: integer,
    failed: integer,
    duplicates: integer,
    errors: list(rowError),
    validation_errors: list(string),
    data: counts('id'),
  }),
  'POST /api/files/imports': data(openUpload({ undo: {} }), 202),
  'GET /api/files/imports': page(ref('Upload')),
  'GET /api/files/history': page(ref('Upload')),
  'GET /api/files/stats': data(
    list(object({ data_type: oneOf(DATA_TYPES), uploads: integer, imported: integer, failed: integer, duplicates: integer, last_upload: instant })),
  ),
  'GET /api/files/aliases': page(ref('Alias')),
  'DELETE /api/files/aliases/{id}': data(record(importAliases)),
  'GET /api/files/{id}': data(openUpload({ undo, errors: list(rowError) })),
  'PUT /api/files/{id}': data(openUpload({ undo: {} })),
  'GET /api/files/{id}/rows': page(
    object({
      row: integer,
      outcome: oneOf(ROW_OUTCOMES),
      values: { type: 'object', additionalProperties: orNull(string) },
      notes: list(string),
      message: orNull(string),
    }),
  ),
  'POST /api/files/{id}/commit': data(openUpload({ undo: {} }), 202),
  'POST /api/files/{id}/cancel': data(counts('id')),
  'POST /api/files/{id}/undo': data(openUpload({ undo: {} }), 202),
  'GET /api/files/{id}/failed.xlsx': download(XLSX),
  'GET /api/files/{id}/original': download('application/octet-stream'),

  'GET /api/reports': data(list(object({ type: oneOf(REPORT_TYPES), label: string, description: string }))),
  'GET /api/reports/schedules': page(ref('ScheduleWithRun')),
  'POST /api/reports/schedules': data(ref('Schedule'), 201),
  'PUT /api/reports/schedules/{id}': data(ref('Schedule')),
  'DELETE /api/reports/schedules/{id}': data(ref('Schedule')),
  'GET /api/reports/schedules/{id}/runs': page(ref('ReportRun')),
  'GET /api/reports/runs/{id}/file': download(CSV, XLSX),
  'GET /api/reports/{type}': orFile(data(ref('Report')), CSV, XLSX),
  'GET /api/reports/{type}/records': page({ type: 'object', additionalProperties: value }, { totals: sums }),
  'GET /api/exports/{name}': download(CSV, XLSX),

  'GET /api/audit': page(ref('AuditEntry')),
  'GET /api/audit/export': download(CSV, XLSX),
  'GET /api/history/{entity}/{id}': page(record(auditEntries, { changes: { type: 'object', additionalProperties: change } }, ['address'])),
}
