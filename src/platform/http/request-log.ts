import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { paths } from '../paths'
import { clientAddress, isApi, pathOf } from './request'
import { endTurn } from './turns'

type Visit = { id: string; startedAt: number; address: string; username: string | null; token?: string | undefined }

const visits = new WeakMap<Request, Visit>()

export const requestId = (request: Request): string => visits.get(request)?.id ?? 'unknown'

export const loggedAddress = (request: Request): string => visits.get(request)?.address ?? 'unknown'

export function noteUser(request: Request, username: string, token?: string) {
  const visit = visits.get(request)
  if (!visit) return
  visit.username = username
  visit.token = token
}

/** Response timeout, in seconds, of a request without a body. */
const RESPONSE_TIMEOUT = 240

const UNTRACED = ['/healthz', '/readyz', paths.metrics, paths.api.events]

const GIVEN_ID = /^[\w.-]{1,64}$/

/** Elysia plugin that identifies, counts and logs requests. The log omits the query and the body. */
export const requestLog = ({ log, metrics, tracing, config, assets }: AppContext) => {
  const assetPaths = new Set([...assets.files, ...assets.site.routes].map(({ path }) => path))
  /** Returns the value of the metric label `door`. The label keeps its name from the first release. */
  const kindOf = (request: Request, path: string) => (assetPaths.has(path) ? 'asset' : isApi(request) ? 'api' : 'page')
  // Do not trace event streams, because they stay open for hours. Do not trace health checks, metrics and assets,
  // because they are requested all the time.
  const isTraced = (request: Request) => {
    const path = pathOf(request)
    return !UNTRACED.includes(path) && !assetPaths.has(path)
  }
  const plugin = new Elysia({ name: 'visits' })
  if (tracing) plugin.wrap((handle, request) => (isTraced(request) ? tracing.requestSpan(request, handle) : handle))
  return (
    plugin
      .onRequest(({ request, server, set }) => {
        // Elysia's default timeout is 30 seconds, but a request can wait longer for the embedded database. A request
        // with a body keeps the default. Only uploads set a longer timeout, in `bodies.ts`.
        if (request.body === null) server?.timeout(request, RESPONSE_TIMEOUT)
        const forwardedId = config.trustProxy ? request.headers.get('x-request-id') : null
        const id = forwardedId && GIVEN_ID.test(forwardedId) ? forwardedId : crypto.randomUUID().slice(0, 13)
        visits.set(request, {
          id,
          startedAt: performance.now(),
          address: clientAddress(request, server, config),
          username: null,
        })
        set.headers['x-request-id'] = id
      })
      // This handler must not throw, because nothing would catch the error, and the process would end.
      .onAfterResponse({ as: 'global' }, ({ request, responseValue, set, route }) => {
        endTurn(request)
        const visit = visits.get(request)
        if (!visit) return
        const ms = performance.now() - visit.startedAt
        const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
        const path = pathOf(request)
        const routeLabel = route || 'unknown'
        metrics.requests.inc({ method: request.method, route: routeLabel, status })
        metrics.durations.observe({ door: kindOf(request, path) }, ms / 1000)
        const trace = tracing?.endRequest(request, routeLabel, status, visit.id)
        // Requests refused by permissions or limits are logged as warnings, so that operators notice them.
        log(status === 403 || status === 429 ? 'warn' : 'info', 'request', {
          id: visit.id,
          method: request.method,
          path,
          status,
          ms: Math.round(ms),
          address: visit.address,
          ...(visit.username ? { username: visit.username } : {}),
          ...(visit.token ? { token: visit.token } : {}),
          ...(trace ? { trace } : {}),
        })
      })
  )
}
