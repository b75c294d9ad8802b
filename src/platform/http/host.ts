import { Elysia } from 'elysia'
import { Refusal } from '../refusals'

/** Name or address with an optional port. Two `Host` headers arrive joined by a comma and do not match. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Load balancers probe with HTTP/1.0, which has no `Host`. */
const isNamed = ({ url }: Request) => URL.canParse(url) || url === '/healthz' || url === '/readyz'

/**
 * Refuses a request whose `Host` is missing, repeated or malformed.
 * Bun gives such a request a relative URL, which Elysia would route by a different path than the one a proxy checked.
 */
export const hostCheck = () =>
  new Elysia({ name: 'host' }).onRequest(({ request }) => {
    const host = request.headers.get('host')
    if (host === null ? isNamed(request) : HOST.test(host) && URL.canParse(request.url)) return
    throw new Refusal(400, 'The request has no valid Host header')
  })
