import { Elysia } from 'elysia'
import { Refusal } from '../refusals'

/** A name or address with an optional port. Two `Host` headers arrive as one with a comma, which is no name. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Load balancers probe with HTTP/1.0, which has no `Host`. */
const isNamed = ({ url }: Request) => URL.canParse(url) || url === '/healthz' || url === '/readyz'

/**
 * Refuses a request whose `Host` is missing, repeated or malformed. Bun gives it a relative address, which Elysia
 * would route by another path than the one that a proxy has checked.
 */
export const hostCheck = () =>
  new Elysia({ name: 'host' }).onRequest(({ request }) => {
    const host = request.headers.get('host')
    if (host === null ? isNamed(request) : HOST.test(host) && URL.canParse(request.url)) return
    throw new Refusal(400, 'The request has no valid Host header')
  })
