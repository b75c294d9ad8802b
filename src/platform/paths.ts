import { apiPaths, at, statusPaths } from './script-paths'

export { withQuery } from './script-paths'

/** All URLs of the program. Links use these definitions, so a broken link is a type error. */

/** Administration URLs for one kind of record, such as locations. */
const records = <const Base extends string>(base: Base) => ({
  list: base,
  create: `${base}/new` as const,
  import: `${base}/import` as const,
  sample: `${base}/import/sample.csv` as const,
  edit: at(`${base}/:id/edit`),
  remove: at(`${base}/:id/delete`),
  activate: at(`${base}/:id/activate`),
  deactivate: at(`${base}/:id/deactivate`),
  merge: at(`${base}/:id/merge`),
  takeBack: at(`${base}/merges/:id/undo`),
})

export type RecordPaths = ReturnType<typeof records<string>>

export const paths = {
  home: '/',
  login: '/login',
  singleSignOn: '/api/auth/oidc',
  singleSignOnCallback: '/api/auth/oidc/callback',
  logout: '/logout',
  dashboard: '/dashboard',
  profile: '/profile',
  profilePassword: '/profile/password',
  profileAccess: '/profile/access',
  confirmPassword: '/profile/confirm',
  twoFactor: {
    show: '/profile/two-factor',
    begin: '/profile/two-factor/begin',
    confirm: '/profile/two-factor/confirm',
    remove: '/profile/two-factor/remove',
    removePasskey: at('/profile/two-factor/passkeys/:id/remove'),
  },
  endSession: at('/profile/access/sessions/:key/end'),
  endOtherSessions: '/profile/access/end-others',
  createToken: '/profile/access/tokens',
  revokeToken: at('/profile/access/tokens/:id/revoke'),
  locations: records('/admin/locations'),
  transportCompanies: records('/admin/transport-companies'),
  vendors: records('/admin/vendors'),
  vendorBilling: {
    show: at('/vendors/:id'),
    statement: at('/vendors/:id/statement'),
    createInvoice: at('/vendors/:id/invoices/new'),
  },
  companyBilling: {
    show: at('/transport-companies/:id'),
    createInvoice: at('/transport-companies/:id/invoices/new'),
  },
  invoices: {
    show: at('/invoices/:id'),
    dispute: at('/invoices/:id/dispute'),
    accept: at('/invoices/:id/accept'),
    reopen: at('/invoices/:id/reopen'),
    remove: at('/invoices/:id/delete'),
    restore: at('/invoices/:id/restore'),
    decide: at('/invoices/lines/:id/decision'),
  },
  budgets: {
    list: '/budgets',
    months: '/budgets/months',
    show: at('/locations/:id'),
    edit: at('/locations/:id/budget'),
  },
  users: {
    ...records('/admin/users'),
    resetPassword: at('/admin/users/:id/reset-password'),
    sessions: at('/admin/users/:id/sessions'),
    endSessions: at('/admin/users/:id/sessions/end'),
    resetFactor: at('/admin/users/:id/reset-second-factor'),
  },
  settings: '/admin/settings',
  documents: {
    ofPattern: '/records/:owner/:id/documents',
    of: (owner: string, id: number) => `/records/${owner}/${id}/documents`,
    remove: at('/documents/:id/delete'),
    restore: at('/documents/:id/restore'),
    file: (id: number) => `/api/documents/${id}?inline=1`,
    thumbnail: (id: number) => `/api/documents/${id}/thumbnail`,
    upload: (owner: string, id: number) => `/api/${owner}/${id}/documents`,
  },
  webhooks: {
    list: '/admin/webhooks',
    create: '/admin/webhooks/new',
    edit: at('/admin/webhooks/:id/edit'),
    rotate: at('/admin/webhooks/:id/secret'),
    remove: at('/admin/webhooks/:id/delete'),
    deliveries: at('/admin/webhooks/:id'),
    replay: at('/admin/webhooks/:id/replay'),
  },
  due: {
    list: '/due',
    assignPattern: '/due/:kind/:id/assign',
    assign: (kind: string, id: number) => `/due/${kind}/${id}/assign`,
    snoozePattern: '/due/:kind/:id/snooze',
    snooze: (kind: string, id: number) => `/due/${kind}/${id}/snooze`,
    unsnoozePattern: '/due/:kind/:id/unsnooze',
    unsnooze: (kind: string, id: number) => `/due/${kind}/${id}/unsnooze`,
  },
  search: '/search',
  scan: '/scan',
  bulk: { change: at('/bulk/change/:kind'), undo: at('/bulk/:id/undo') },
  /** Gallery of page components. The route exists only in development. */
  components: '/docs/components',
  metrics: '/metrics',
  audit: '/admin/audit',
  /**
   * URLs of a record's history. `entity` is the name of its table.
   * The history of accounts and settings is in the audit trail instead.
   */
  historyPattern: '/history/:entity/:id',
  history: (entity: string, id: number) =>
    ['users', 'company_settings'].includes(entity)
      ? `/admin/audit?entity=${entity}&entity_id=${id}`
      : `/history/${entity}/${id}`,
  transports: {
    active: '/transports/active',
    create: '/transports/new',
    completed: '/transports/completed',
    edit: at('/transports/:id/edit'),
    status: statusPaths.transport,
    order: at('/transports/:id/order'),
    issuePo: at('/transports/:id/po'),
    remove: at('/transports/:id/delete'),
    restore: at('/transports/:id/restore'),
  },
  osl: {
    active: '/osl/active',
    create: '/osl/new',
    completed: '/osl/completed',
    show: at('/osl/:id'),
    edit: at('/osl/:id/edit'),
    status: statusPaths.osl,
    notes: at('/osl/:id/notes'),
    followUp: at('/osl/:id/follow-up'),
    rates: at('/osl/:id/rates'),
    removeRate: at('/osl/rates/:id/delete'),
    remove: at('/osl/:id/delete'),
    restore: at('/osl/:id/restore'),
  },
  vehicles: {
    lookup: '/vehicles/lookup',
    create: '/vehicles/new',
    many: '/vehicles/many',
    known: '/vehicles/known',
    show: at('/vehicles/:unit'),
    edit: at('/vehicles/:unit/edit'),
  },
  registrations: {
    list: '/vehicles/registrations',
    create: '/vehicles/registrations/new',
    edit: at('/vehicles/registrations/:id/edit'),
    toggle: at('/vehicles/registrations/:id/toggle-received'),
    renew: at('/vehicles/registrations/:id/renew'),
    renewMany: '/vehicles/registrations/renew',
    renewTable: '/vehicles/registrations/renew-table',
    remove: at('/vehicles/registrations/:id/delete'),
    restore: at('/vehicles/registrations/:id/restore'),
  },
  titles: {
    list: '/titles',
    create: '/titles/new',
    show: at('/titles/:id'),
    edit: at('/titles/:id/edit'),
    transfer: at('/titles/:id/transfer'),
    reopen: at('/titles/:id/reopen'),
    notes: at('/titles/:id/notes'),
    chase: at('/titles/:id/chase'),
    remove: at('/titles/:id/delete'),
    restore: at('/titles/:id/restore'),
  },
  lists: { columns: at('/lists/:list/columns'), filter: at('/lists/:list/filter') },
  views: {
    list: '/views',
    create: '/views/new',
    edit: at('/views/:id/edit'),
    remove: at('/views/:id/delete'),
  },
  files: {
    upload: '/files/upload',
    uploadShortcut: '/upload',
    paste: '/files/paste',
    grid: '/files/grid',
    sample: (dataType: string) => `/files/samples/${dataType}.xlsx`,
    /** Sample spreadsheets. `name` is an import kind with a file extension, such as `osl.xlsx`. */
    samples: '/files/samples/:name',
    result: (id: number) => `/files/upload?upload=${id}`,
    imports: '/files/imports',
    import: at('/files/imports/:id'),
    sheets: at('/files/imports/:id/sheets'),
    settle: at('/files/imports/:id/settle'),
    commit: at('/files/imports/:id/commit'),
    cancel: at('/files/imports/:id/cancel'),
    undo: at('/files/imports/:id/undo'),
    failed: at('/files/imports/:id/failed.xlsx'),
    mend: at('/files/imports/:id/mend'),
    original: at('/files/imports/:id/original'),
    remembered: '/files/remembered',
    forget: at('/files/remembered/:id/forget'),
  },
  reports: '/reports',
  reportDefinitions: '/reports/definitions',
  reportRecords: '/reports/records',
  schedules: {
    create: '/reports/schedules/new',
    edit: at('/reports/schedules/:id/edit'),
    remove: at('/reports/schedules/:id/delete'),
    file: at('/api/reports/runs/:run/file'),
  },
  api: apiPaths,
} as const

/**
 * True if a redirect to the path after sign-in is safe.
 * The path must belong to this program, and must not be the sign-in page.
 */
export function isOwnPath(path: string): boolean {
  // Our own URLs are always percent-encoded, so a path with a non-ASCII character is not one of ours.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return false
  // Browsers resolve `/./` and `/%2e/`, so compare the resolved path.
  const { pathname } = new URL(path, 'http://localhost')
  return ![paths.login, paths.singleSignOn, '//'].some((start) => pathname.startsWith(start))
}

export const isSignOut = (route: string | undefined): boolean => route === paths.logout || route === '/api/auth/logout'

/**
 * True for pages and API calls that manage the user's own access. Users sign out, end sessions and revoke tokens there.
 * These routes are exempt from the limits on the concurrent requests of an account. Otherwise, somebody with a stolen
 * session could use up these limits, and the user could not end the stolen session.
 */
export const isOwnAccess = (route: string | undefined): boolean =>
  route !== undefined && (route === paths.logout || /^\/(?:profile|api\/auth)\b/.test(route))
