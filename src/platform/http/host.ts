import { Elysia } from 'elysia'
import { Refusal } from '../refusals'

/** Matches a valid `Host` header. Two `Host` headers do not match, because they arrive joined by a comma. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Returns whether a request without a `Host` header is acceptable.
 * The URL must contain the host, or the request must be a health check. Load balancers send health checks by HTTP/1.0,
 * which does not require the header.
 */
const isNamed = ({ url }: Request) => URL.canParse(url) || url === '/healthz' || url === '/readyz'

/**
 * Refuses a request whose `Host` header is repeated or malformed. Also refuses a request without the header, unless
 * `isNamed` accepts it.
 * Without a valid header, Bun gives the request a relative URL. Elysia could then route the request to a different path
 * from the one that a proxy has checked.
 */
export const hostCheck = () =>
  new Elysia({ name: 'host' }).onRequest(({ request }) => {
    const host = request.headers.get('host')
    if (host === null ? isNamed(request) : HOST.test(host) && URL.canParse(request.url)) return
    throw new Refusal(400, 'The request does not name a valid server address (Host header)')
  })
