import type { RouteTable } from './about'
import { methodsOf } from './methods'

/** Headers that belong to the body or the conditions of the request itself. */
const OWN_HEADERS = ['content-type', 'content-length', 'if-match', 'idempotency-key', 'accept-encoding']

/** The address of the nearest record at or above a path: `/api/transports/7/status` is about `/api/transports/7`. */
function recordPath(routes: RouteTable, path: string): string | undefined {
  const parts = path.split('/')
  return parts
    .map((_, removedParts) => parts.slice(0, parts.length - removedParts).join('/'))
    .find((parent) => /\/\d+$/.test(parent) && methodsOf(routes.all, parent).includes('GET'))
}

/**
 * The record that a request is about, as its own GET answers it, so with the rights of the same user.
 * @param id of a record below the request's path, which was created by it
 * @returns undefined if there is none
 */
export async function storedRecord(routes: RouteTable, request: Request, id?: number): Promise<unknown> {
  const { origin, pathname } = new URL(request.url)
  const created = id === undefined ? undefined : `${pathname.replace(/\/$/, '')}/${id}`
  const path = recordPath(routes, created ?? pathname)
  if (!path || (created && path !== created)) return undefined
  const headers = new Headers(request.headers)
  for (const name of OWN_HEADERS) headers.delete(name)
  const response = await routes.answer(new Request(origin + path, { headers }))
  return response.ok ? ((await response.json()) as { data?: unknown }).data : undefined
}
