import { isIP } from 'node:net'
import type { Server } from 'bun'
import { BACKGROUND_HEADER } from '../background-header'
import type { Config } from '../config'
import { isOwnPath, paths } from '../paths'

const SESSION_COOKIE = 'yardmaster_session'
/**
 * Returns the full name of one of our cookies. Over HTTPS, the name starts with `__Host-`.
 * This prefix makes browsers reject a cookie that a sibling host or an unencrypted page tries to set.
 */
export const hostCookieName = (name: string, request: Request, config: Config) =>
  isSecure(request, config) ? `__Host-${name}` : name
export const sessionCookieName = (request: Request, config: Config) => hostCookieName(SESSION_COOKIE, request, config)
export const sessionCookie = (request: Request, config: Config) => cookie(request, sessionCookieName(request, config))
export const toastCookieName = (request: Request, config: Config) => hostCookieName(TOAST_COOKIE, request, config)
export const leavingCookieName = (request: Request, config: Config) => hostCookieName(LEAVING_COOKIE, request, config)
/** Returns whether the user signed out while the server was unreachable. */
export const isLeaving = (request: Request, config: Config) =>
  cookie(request, leavingCookieName(request, config)) !== null

const TOAST_COOKIE = 'yardmaster_toast'
/** Cookie of a sign-out while the server is unreachable. A script in the page sets the cookie. */
const LEAVING_COOKIE = 'yardmaster_leaving'

/**
 * Removes only spaces and tabs around a cookie name.
 * Browsers protect cookies whose name starts with `__Host-`, but not cookies with other white space before `__Host-`. A
 * sibling host may have set such a cookie, so its name must not match.
 * Does not use a regular expression, because a regular expression would take seconds for text with thousands of spaces.
 */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t'
  let [start, end] = [0, text.length]
  while (start < end && isBlank(start)) start++
  while (end > start && isBlank(end - 1)) end--
  return text.slice(start, end)
}

export function cookie(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && trimBlanks(pair.slice(0, at)) === name) {
      try {
        return decodeURIComponent(pair.slice(at + 1).trim())
      } catch {
        return null
      }
    }
  }
  return null
}

/**
 * Returns true for a request that a page makes automatically.
 * Examples are its event stream, and the reload of a list after another user's change.
 */
export const isBackground = ({ headers }: Request): boolean =>
  headers.has(BACKGROUND_HEADER) || (headers.get('accept') ?? '').includes('text/event-stream')

export function bearer(request: Request): string | null {
  return /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? null
}

const UNKNOWN_ADDRESS = 'unknown'

/**
 * Returns the client's IP address. Behind a trusted proxy, this is the address that the proxy reports.
 * If the proxy reports an invalid address, returns `unknown`. API tokens with a list of allowed addresses refuse
 * `unknown`.
 */
export function clientAddress(request: Request, server: Server<unknown> | null, config: Config): string {
  const forwarded = config.trustProxy ? request.headers.get('x-forwarded-for') : null
  if (forwarded) return ipOf(forwarded.split(',').at(-1)?.trim() ?? '') ?? UNKNOWN_ADDRESS
  return server?.requestIP(request)?.address ?? UNKNOWN_ADDRESS
}

/**
 * Returns an IP address without the port that some proxies add. Returns null for other text.
 * The port differs for each connection, so each connection would otherwise look like a new client.
 */
function ipOf(text: string): string | null {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) ? address : null
}

export function isSecure(request: Request, config: Config): boolean {
  if (config.tls) return true
  return config.trustProxy && request.headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https'
}

/**
 * Returns this program's own origin, such as `https://yard.example`.
 * This is the origin that the browser sees. Returns an empty string if the `Host` header is invalid.
 */
export function ownOrigin(request: Request, config: Config): string {
  const forwarded = config.trustProxy ? request.headers.get('x-forwarded-host')?.split(',').at(-1)?.trim() : null
  const host = forwarded || request.headers.get('host') || (URL.canParse(request.url) ? new URL(request.url).host : '')
  return originOf(`${isSecure(request, config) ? 'https' : 'http'}://${host}/`) ?? ''
}

/**
 * Returns the origin of a URL. Returns null if the URL has a username or password, because these can imitate another
 * host.
 */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, username, password } = new URL(url)
  return username || password || url.includes('@') ? null : origin
}

/**
 * Returns whether a request comes from one of this program's own pages.
 * Browsers send the page's address in `Origin` or `Referer`. In `Sec-Fetch-Site`, they report whether the page belongs
 * to the requested site. A request without `Origin` and `Referer` counts as foreign.
 */
export function isSameOrigin(request: Request, config: Config): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site && site !== 'same-origin' && site !== 'none') return false
  const page = request.headers.get('origin') ?? request.headers.get('referer')
  const origin = page === null ? null : originOf(page)
  return origin !== null && origin === ownOrigin(request, config)
}

/**
 * Returns true if the headers show that another site sent the request.
 * A request without `Origin`, `Referer` and `Sec-Fetch-Site` does not count as foreign.
 */
export function isCrossOrigin(request: Request, config: Config): boolean {
  const hasSourceHeader = ['origin', 'sec-fetch-site', 'referer'].some((name) => request.headers.has(name))
  return hasSourceHeader && !isSameOrigin(request, config)
}

export const isUnsafe = (request: Request) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
export function isApi(request: Request): boolean {
  const path = pathOf(request)
  return path.startsWith('/api/') || path === '/api' || path === paths.metrics
}
export const isHtmx = (request: Request) => request.headers.has('hx-request')

export function pathOf(request: Request): string {
  const { url } = request
  // A URL with an invalid host cannot be parsed, so extract its path with a regular expression.
  return URL.canParse(url) ? new URL(url).pathname : (/^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? '/')
}

type CookieOptions = { maxAge: number; secure: boolean }

export function setCookie(name: string, value: string, { maxAge, secure }: CookieOptions): string {
  return (
    `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax; ` +
    `Max-Age=${maxAge}${secure ? '; Secure' : ''}`
  )
}

export const addressOf = (request: Request) =>
  pathOf(request) + (URL.canParse(request.url) ? new URL(request.url).search : '')

/**
 * Returns the path and query of the page that sent the request.
 * Returns null if the page is unknown, is not one of ours, or has the same path as the request.
 */
export function cameFrom(request: Request): string | null {
  try {
    const from = new URL(request.headers.get('hx-current-url') ?? request.headers.get('referer') ?? '')
    const isOurs = from.host === (request.headers.get('host') ?? new URL(request.url).host)
    const path = from.pathname + from.search
    return isOurs && isOwnPath(path) && from.pathname !== pathOf(request) ? path : null
  } catch {
    return null
  }
}
