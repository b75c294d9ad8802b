import { auditEntries, importAliases } from '../../db/schema'
import { DATA_TYPES, ROW_OUTCOMES } from '../../db/vocabulary'
import { REPORT_TYPES } from '../reports/types'
import { apiToken, change, counts, openUpload, rowError, sums, undo, value } from './components'
import { instant, integer, list, number, object, oneOf, orNull, record, ref, type Schema, string } from './schema'

/** What every call answers with, by method and path; the tests hold real answers against it. */

const CSV = 'text/csv'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

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
