/** URLs that scripts in the browser use. They have a module of their own, so that scripts do not contain all URLs. */

type Query = Record<string, string | number | boolean | null | undefined>

export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value))
  }
  return search.size ? `${path}?${search}` : path
}

/**
 * Defines a URL with one parameter.
 * The result is a function that builds a link. Its property `pattern` is the path of the route.
 */
export function at<const Pattern extends string>(pattern: Pattern) {
  const [before, after] = pattern.split(/:\w+/) as [string, string]
  return Object.assign((value: number | string) => `${before}${value}${after}`, { pattern })
}

export const apiPaths = {
  verify: '/api/auth/verify',
  transport: at('/api/transports/:id'),
  osl: at('/api/osl/:id'),
  search: '/api/search',
  events: '/api/events',
  viewCounts: '/api/views/counts',
  dueCounts: '/api/due/counts',
  upload: '/api/files/upload',
  files: '/api/files',
  imports: '/api/files/imports',
  auditExport: '/api/audit/export',
  exports: at('/api/exports/:name'),
  fullExport: '/api/export',
  completedTransports: '/api/transports/completed',
} as const

export const statusPaths = { transport: at('/transports/:id/status'), osl: at('/osl/:id/status') }
