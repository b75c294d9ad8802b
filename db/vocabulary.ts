/** Fixed lists of values for forms, validation and the database schema. */

export const ROLES = ['admin', 'user'] as const
export type Role = (typeof ROLES)[number]

export const LOCATION_TYPES = ['Hub', 'Dealer', 'Vendor', 'Tow'] as const
export type LocationType = (typeof LOCATION_TYPES)[number]

export const TRANSPORT_STATUSES = [
  'Awaiting Pickup',
  'Searching For Driver',
  'Vehicle Not Ready',
  'In Transit',
  'Delivered',
] as const
export type TransportStatus = (typeof TRANSPORT_STATUSES)[number]

export const MOVE_TYPES = ['OSL', 'Fleet', 'TA', 'Sales'] as const
export type MoveType = (typeof MOVE_TYPES)[number]

export const OSL_STATUSES = ['Out of Service', 'Awaiting Parts', 'In Repair', 'Ready', 'Completed'] as const
export type OslStatus = (typeof OSL_STATUSES)[number]

export const INVOICE_DECIDERS = ['Administrators', 'Everybody'] as const

export const COST_VIEWERS = ['Everybody', 'Administrators'] as const

export const OSL_WAITS = ['Parts', 'Approval', 'Vendor', 'Title'] as const

export const TITLE_STAGES = ['Requested', 'Sent', 'In Transit', 'Received'] as const
export type TitleStage = (typeof TITLE_STAGES)[number]
/** A title that has been pending for more days is overdue. The days after which it is due are a setting. */
export const TITLE_OVERDUE_DAYS = 30

export const STAGE_FIELDS = {
  Requested: 'requested_on',
  Sent: 'sent_on',
  'In Transit': 'in_transit_on',
  Received: 'received_on',
} as const satisfies Record<TitleStage, string>

/** Possible results of comparing an invoice line with our records. */
export const INVOICE_LINE_STATUSES = ['matched', 'differs', 'not_ours', 'not_billed'] as const
export type InvoiceLineStatus = (typeof INVOICE_LINE_STATUSES)[number]
export const INVOICE_DECISIONS = ['accepted', 'disputed'] as const

/** Groups of users who must have a second factor at sign-in. */
export const FACTOR_REQUIRED = ['Nobody', 'Administrators', 'Everybody'] as const
export const PASSWORD_RULES = ['Letters and digits', 'Length only'] as const
export const SIGN_IN_METHODS = ['password', 'single_sign_on'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

/** Filter value for items that are assigned to nobody. */
export const NOBODY = '-'
export type DueSeverity = 'danger' | 'warning'
export const DUE_WHEN = ['today', 'overdue'] as const

export const LIST_DENSITIES = ['compact', 'roomy'] as const
export type ListDensity = (typeof LIST_DENSITIES)[number]

/** Statuses that the program derives from a vehicle's records. A user can also enter any other text as the status. */
export const VEHICLE_STATUSES = ['Available', 'In Transit', 'Out of Service', 'Sold'] as const
export type VehicleStatus = (typeof VEHICLE_STATUSES)[number]

export const FUEL_LEVELS = ['Full', '3/4', '1/2', '1/4', 'Empty'] as const
export type FuelLevel = (typeof FUEL_LEVELS)[number]

export const REGISTRATION_TYPES = ['New', 'Renewal', 'Transfer Plate', 'Replacement'] as const
export type RegistrationType = (typeof REGISTRATION_TYPES)[number]

export const REGISTRATION_STATUSES = ['Pending', 'Complete', 'Expired'] as const
export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number]

export const DATA_TYPES = ['transports', 'osl', 'registrations', 'titles'] as const
export type DataType = (typeof DATA_TYPES)[number]

export const DATA_TYPE_LABELS: Record<DataType, string> = {
  transports: 'Vehicle Transports',
  osl: 'OSL Logs',
  registrations: 'Vehicle Registrations',
  titles: 'Title Tracking',
}

/**
 * Scopes of an API token.
 * `read` allows only reading. `records` also allows changing records and running imports, but not changing master data.
 * `write` allows everything that the token's owner can do with the API, except changing accounts.
 */
export const TOKEN_SCOPES = ['read', 'records', 'write'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const CHANGE_SOURCES = ['screen', 'api', 'import', 'command', 'schedule'] as const
export type ChangeSource = (typeof CHANGE_SOURCES)[number]

export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'restore'] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export const SCHEDULE_FREQUENCIES = ['weekly', 'monthly'] as const
export type ScheduleFrequency = (typeof SCHEDULE_FREQUENCIES)[number]

export const REPORT_PERIODS = ['last week', 'last month', 'last 30 days', 'this month'] as const
export type ReportPeriod = (typeof REPORT_PERIODS)[number]

export const FILE_FORMATS = ['csv', 'xlsx'] as const

export const PRODUCT = { name: 'Yardmaster', subtitle: 'Fleet Management System', version: '1.0.0' } as const

/** An import with the status `ready` waits for a user. All other statuses are final or change without a user. */
export const UPLOAD_STATUSES = [
  'reading',
  'checking',
  'ready',
  'refused',
  'writing',
  'done',
  'undoing',
  'undone',
  'cancelled',
] as const
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]
export const IMPORT_MODES = ['skip', 'update'] as const
export type ImportMode = (typeof IMPORT_MODES)[number]
export const ROW_OUTCOMES = ['create', 'update', 'duplicate', 'error'] as const
export type RowOutcome = (typeof ROW_OUTCOMES)[number]
export const ALIAS_KINDS = ['column', 'location', 'company', 'value', 'word'] as const
/** Value of `header_row` for a file without headings. */
export const NO_HEADINGS = 0
export const ENCODINGS = ['utf-8', 'windows-1252', 'macintosh', 'utf-16le', 'utf-16be'] as const
export type Encoding = (typeof ENCODINGS)[number]

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/**
 * Maps each table to the first part of its webhook event types.
 * An example is `transport` in `transport.created`. The database trigger `queue_webhooks` must use the same names.
 */
export const WEBHOOK_KINDS = {
  transports: 'transport',
  osl_entries: 'osl',
  registrations: 'registration',
  titles: 'title',
  vehicles: 'vehicle',
  locations: 'location',
  transport_companies: 'transport_company',
  vendors: 'vendor',
} as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[keyof typeof WEBHOOK_KINDS]
export const WEBHOOK_ACTIONS = ['created', 'updated', 'deleted', 'restored'] as const
/** Event types for webhooks. This is a function, so that bundlers can remove it from browser bundles. */
export const webhookEvents = (): string[] => [
  '*',
  ...Object.values(WEBHOOK_KINDS).flatMap((kind) => WEBHOOK_ACTIONS.map((action) => `${kind}.${action}`)),
  'import.finished',
]
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export const DOCUMENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'application/pdf'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]
/** Kinds of records that can have documents. Each key is the name in URLs, and each value is the table. */
export const DOCUMENT_OWNERS = {
  transports: 'transports',
  osl: 'osl_entries',
  registrations: 'registrations',
  titles: 'titles',
  vehicles: 'vehicles',
  invoices: 'vendor_invoices',
} as const
export type DocumentOwner = keyof typeof DOCUMENT_OWNERS
