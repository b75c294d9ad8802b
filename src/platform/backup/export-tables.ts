/** Content of `export.json`. */
export type ExportHead = {
  yardmaster: string
  format: 1
  made_at: string
  tables: ExportedTable[]
  /** Checksum of each document and thumbnail, by file name. */
  files: Record<string, string>
  missing_files?: string[] | undefined
}
export type ExportedTable = {
  table: string
  columns: string[]
  last_id: number | null
  rows: number
  checksum: string
}

export const checksumOf = (content: Uint8Array): string => new Bun.CryptoHasher('sha256').update(content).digest('hex')

export const HEAD_FILE = 'export.json'
export const tableFileName = (table: string) => `tables/${table}.csv`
/**
 * Returns the file name of a document in an export. Windows does not accept some characters in file names, and Linux
 * accepts at most 255 bytes.
 */
export const documentFileName = ({ id, file_name }: { id: number; file_name: string }) =>
  `documents/${id}-${[...file_name]
    .slice(-50)
    .join('')
    .replace(/[<>:"|?*]/g, '_')}`
export const thumbnailFileName = (id: number) => `thumbnails/${id}.jpg`

/**
 * Tables of a full export, each with its omitted columns. Passwords and other secrets are never exported. The contents
 * of documents are exported as separate files. Imports are not exported, so exported audit entries do not refer to an
 * import.
 */
export const EXPORTED_TABLES: Record<string, string[]> = {
  company_settings: [],
  users: ['password_hash', 'password_expires_at', 'must_change_password'],
  external_identities: [],
  locations: [],
  transport_companies: [],
  vendors: [],
  merges: [],
  vehicles: [],
  vehicle_readings: [],
  transports: [],
  osl_entries: [],
  osl_rates: [],
  osl_notes: [],
  registrations: [],
  titles: [],
  title_notes: [],
  vendor_invoices: [],
  vendor_invoice_lines: [],
  budgets: [],
  due_assignments: [],
  due_snoozes: [],
  report_schedules: [],
  saved_views: [],
  import_aliases: [],
  documents: ['stored_as'],
  audit_entries: ['upload_id'],
}

/**
 * SQL conditions for the exported rows, by table name. Audit entries of webhooks are excluded, because they contain the
 * URL of the webhook, which can include a key.
 */
export const EXPORTED_ROWS: Record<string, string> = { audit_entries: "entity <> 'webhooks'" }

/** Tables that a backup contains and a full export does not. */
export const NOT_EXPORTED = {
  secrets: [
    'settings',
    'api_tokens',
    'second_factors',
    'passkeys',
    'webhooks',
    'webhook_deliveries',
    'idempotency_keys',
  ],
  imports: ['uploads', 'upload_rows', 'upload_files'],
  files: ['document_contents', 'document_thumbnails'],
  history: ['sign_ins', 'bulk_changes', 'report_runs'],
  layouts: ['list_layouts'],
}
