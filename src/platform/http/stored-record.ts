import type { RouteTable } from './about'
import { methodsOf } from './methods'

/** Headers that `storedRecord` must not copy from the original request. */
const OWN_HEADERS = ['content-type', 'content-length', 'if-match', 'idempotency-key', 'accept-encoding']

/**
 * Returns the path of the record that a request path belongs to.
 * For example, `/api/transports/7/status` belongs to `/api/transports/7`. A path without an id, such as
 * `/api/settings`, is the path of the only record of its kind.
 */
function recordPath(routes: RouteTable, path: string): string | undefined {
  const parts = path.split('/')
  if (!parts.some((part) => /^\d+$/.test(part))) return methodsOf(routes.all, path).includes('PUT') ? path : undefined
  return parts
    .map((_, removedParts) => parts.slice(0, parts.length - removedParts).join('/'))
    .find((parent) => /\/\d+$/.test(parent) && methodsOf(routes.all, parent).includes('GET'))
}

/**
 * Loads the record that a request created or changed.
 * Calls the record's GET route with the credentials of the original request, so that the same permissions apply.
 * @param id id of the new record, if the request created one
 * @param recordsAt path before the id of the new record, such as `/api/files`; by default the path of the request
 * @returns undefined if there is no such record
 */
export async function storedRecord(
  routes: RouteTable,
  request: Request,
  id?: number,
  recordsAt?: string,
): Promise<unknown> {
  const { origin, pathname } = new URL(request.url)
  const created = id === undefined ? undefined : `${recordsAt ?? pathname.replace(/\/$/, '')}/${id}`
  const path = recordPath(routes, created ?? pathname)
  if (!path || (created && path !== created)) return undefined
  const headers = new Headers(request.headers)
  for (const name of OWN_HEADERS) headers.delete(name)
  const response = await routes.answer(new Request(origin + path, { headers }))
  return response.ok ? ((await response.json()) as { data?: unknown }).data : undefined
}
