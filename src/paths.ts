/** Every address of the program, so that a link that leads nowhere is a type error. */

type Query = Record<string, string | number | boolean | null | undefined>

/** Adds the query's set values to a path. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value))
  }
  return search.size ? `${path}?${search}` : path
}

/** The addresses of one kind of master data or other record that has a page for each step. */
const records = (base: string) => ({
  list: base,
  create: `${base}/new`,
  edit: (id: number) => `${base}/${id}/edit`,
  remove: (id: number) => `${base}/${id}/delete`,
  activate: (id: number) => `${base}/${id}/activate`,
  deactivate: (id: number) => `${base}/${id}/deactivate`,
})

export const paths = {
  home: '/',
  login: '/login',
  logout: '/logout',
  dashboard: '/dashboard',
  profile: '/profile',
  profilePassword: '/profile/password',
  profileAccess: '/profile/access',
  endSession: (key: string) => `/profile/access/sessions/${key}/end`,
  endOtherSessions: '/profile/access/end-others',
  createToken: '/profile/access/tokens',
  revokeToken: (id: number) => `/profile/access/tokens/${id}/revoke`,
  locations: records('/admin/locations'),
  transportCompanies: records('/admin/transport-companies'),
  vendors: records('/admin/vendors'),
  users: {
    ...records('/admin/users'),
    resetPassword: (id: number) => `/admin/users/${id}/reset-password`,
  },
  metrics: '/metrics',
  audit: '/admin/audit',
  /** Of one record, by the name of its table; that of accounts is part of the audit trail. */
  history: (entity: string, id: number) => (entity === 'users' ? `/admin/audit?entity=users&entity_id=${id}` : `/history/${entity}/${id}`),
  transports: {
    active: '/transports/active',
    create: '/transports/new',
    completed: '/transports/completed',
    edit: (id: number) => `/transports/${id}/edit`,
    status: (id: number) => `/transports/${id}/status`,
    remove: (id: number) => `/transports/${id}/delete`,
    restore: (id: number) => `/transports/${id}/restore`,
  },
  osl: {
    active: '/osl/active',
    create: '/osl/new',
    completed: '/osl/completed',
    show: (id: number) => `/osl/${id}`,
    edit: (id: number) => `/osl/${id}/edit`,
    status: (id: number) => `/osl/${id}/status`,
    notes: (id: number) => `/osl/${id}/notes`,
    remove: (id: number) => `/osl/${id}/delete`,
    restore: (id: number) => `/osl/${id}/restore`,
  },
  vehicles: {
    lookup: '/vehicles/lookup',
    create: '/vehicles/new',
    show: (unit: string) => `/vehicles/${unit}`,
    edit: (unit: string) => `/vehicles/${unit}/edit`,
  },
  registrations: {
    list: '/vehicles/registrations',
    create: '/vehicles/registrations/new',
    edit: (id: number) => `/vehicles/registrations/${id}/edit`,
    toggle: (id: number) => `/vehicles/registrations/${id}/toggle-received`,
    remove: (id: number) => `/vehicles/registrations/${id}/delete`,
    restore: (id: number) => `/vehicles/registrations/${id}/restore`,
  },
  titles: {
    list: '/titles',
    create: '/titles/new',
    show: (id: number) => `/titles/${id}`,
    edit: (id: number) => `/titles/${id}/edit`,
    transfer: (id: number) => `/titles/${id}/transfer`,
    reopen: (id: number) => `/titles/${id}/reopen`,
    notes: (id: number) => `/titles/${id}/notes`,
    remove: (id: number) => `/titles/${id}/delete`,
    restore: (id: number) => `/titles/${id}/restore`,
  },
  files: {
    upload: '/files/upload',
    uploadShortcut: '/upload',
    sample: (dataType: string) => `/files/samples/${dataType}.xlsx`,
    result: (id: number) => `/files/upload?upload=${id}`,
    imports: '/files/imports',
    import: (id: number) => `/files/imports/${id}`,
    settle: (id: number) => `/files/imports/${id}/settle`,
    commit: (id: number) => `/files/imports/${id}/commit`,
    cancel: (id: number) => `/files/imports/${id}/cancel`,
    undo: (id: number) => `/files/imports/${id}/undo`,
    failed: (id: number) => `/files/imports/${id}/failed.xlsx`,
    original: (id: number) => `/files/imports/${id}/original`,
    remembered: '/files/remembered',
    forget: (id: number) => `/files/remembered/${id}/forget`,
  },
  reports: '/reports',
  reportDefinitions: '/reports/definitions',
  reportRecords: '/reports/records',
  schedules: {
    create: '/reports/schedules/new',
    edit: (id: number) => `/reports/schedules/${id}/edit`,
    remove: (id: number) => `/reports/schedules/${id}/delete`,
    file: (run: number) => `/api/reports/runs/${run}/file`,
  },
  api: {
    verify: '/api/auth/verify',
    transport: (id: number) => `/api/transports/${id}`,
    osl: (id: number) => `/api/osl/${id}`,
    upload: '/api/files/upload',
    files: '/api/files',
    imports: '/api/files/imports',
    auditExport: '/api/audit/export',
    exports: (name: string) => `/api/exports/${name}`,
    completedTransports: '/api/transports/completed',
  },
} as const

/** The lists that a record stands in. */
export type RecordKind = 'transports' | 'osl' | 'registrations' | 'titles' | 'vehicles'

/** Where a record is looked at, whatever its kind. */
export function recordPath(kind: RecordKind, record: { record_id: number; unit_number: string }): string {
  if (kind === 'vehicles') return paths.vehicles.show(record.unit_number)
  if (kind === 'osl' || kind === 'titles') return paths[kind].show(record.record_id)
  return paths[kind].edit(record.record_id)
}

const BY_ENTITY: Record<string, (id: number) => string> = {
  transports: paths.transports.edit,
  osl_entries: paths.osl.show,
  registrations: paths.registrations.edit,
  titles: paths.titles.show,
  locations: paths.locations.edit,
  transport_companies: paths.transportCompanies.edit,
  vendors: paths.vendors.edit,
  users: paths.users.edit,
  uploads: paths.files.import,
  report_schedules: paths.schedules.edit,
}

/** Where a record of the audit trail is looked at, when it has a page of its own; `entity` is its table. */
export const entityPath = (entity: string, id: number): string | null => BY_ENTITY[entity]?.(id) ?? null

/** Is this an address of our own, safe to send a browser to after sign-in? */
export function isOwnPath(path: string): boolean {
  // What browsers and our own redirects send is percent-encoded, so a letter outside ASCII is not of ours.
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path) && !path.startsWith(paths.login)
}
