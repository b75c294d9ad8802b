import { isIP } from 'node:net'
import type { Server } from 'bun'
import type { Config } from '../config'
import { isOwnPath, paths } from '../paths'

const SESSION_COOKIE = 'yardmaster_session'
/**
 * The name of a cookie of ours. Over HTTPS its prefix makes browsers refuse one that a neighbouring host or a page
 * without encryption has set.
 */
export const hostCookieName = (name: string, request: Request, config: Config) =>
  isSecure(request, config) ? `__Host-${name}` : name
export const sessionCookieName = (request: Request, config: Config) => hostCookieName(SESSION_COOKIE, request, config)
export const sessionCookie = (request: Request, config: Config) => cookie(request, sessionCookieName(request, config))
export const toastCookieName = (request: Request, config: Config) => hostCookieName(TOAST_COOKIE, request, config)
export const leavingCookieName = (request: Request, config: Config) => hostCookieName(LEAVING_COOKIE, request, config)
/** Did somebody sign out in this browser while the server was away? */
export const isLeaving = (request: Request, config: Config) =>
  cookie(request, leavingCookieName(request, config)) !== null

const TOAST_COOKIE = 'yardmaster_toast'
/** Set by the page's script when somebody signed out while the server was away. */
const LEAVING_COOKIE = 'yardmaster_leaving'

/**
 * Without the blanks and tabs around it, and no other white space: a browser does not see the prefix of a name behind
 * that. Not by a regular expression, which takes seconds for thousands of blanks within.
 */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t'
  let [start, end] = [0, text.length]
  while (start < end && isBlank(start)) start++
  while (end > start && isBlank(end - 1)) end--
  return text.slice(start, end)
}

/** One cookie of a request, decoded; null when it is missing or mangled. */
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

/** The token of an `Authorization: Bearer` header. */
export function bearer(request: Request): string | null {
  return /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim() ?? null
}

/** The address that the request came from; behind a trusted proxy, the one that the proxy saw. */
export function clientAddress(request: Request, server: Server<unknown> | null, config: Config): string {
  const forwarded = config.trustProxy
    ? ipOf(request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '')
    : null
  return forwarded ?? server?.requestIP(request)?.address ?? 'unknown'
}

/** Some proxies add the port of each connection, which would make every one a stranger of its own. */
function ipOf(text: string): string | null {
  const address = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(address) ? address : null
}

/** Did the browser reach us over HTTPS? */
export function isSecure(request: Request, config: Config): boolean {
  if (config.tls) return true
  return config.trustProxy && request.headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim() === 'https'
}

/** The origin of our own pages as the browser sees it, `https://yard.example`; empty for a `Host` that is none. */
export function ownOrigin(request: Request, config: Config): string {
  const forwarded = config.trustProxy ? request.headers.get('x-forwarded-host')?.split(',').at(-1)?.trim() : null
  const host = forwarded || request.headers.get('host') || (URL.canParse(request.url) ? new URL(request.url).host : '')
  return originOf(`${isSecure(request, config) ? 'https' : 'http'}://${host}/`) ?? ''
}

/** The origin of an address; null for one with a username or password, which can imitate another host. */
function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin, username, password } = new URL(url)
  return username || password || url.includes('@') ? null : origin
}

/**
 * Does the request come from one of our own pages? Browsers name the page in `Origin` (or at least `Referer`) and its
 * relation to us in `Sec-Fetch-Site`; a request with neither counts as foreign.
 */
export function isSameOrigin(request: Request, config: Config): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site && site !== 'same-origin' && site !== 'none') return false
  const page = request.headers.get('origin') ?? request.headers.get('referer')
  const origin = page === null ? null : originOf(page)
  return origin !== null && origin === ownOrigin(request, config)
}

/** Does the request say that it comes from somewhere else? */
export function isCrossOrigin(request: Request, config: Config): boolean {
  const says = ['origin', 'sec-fetch-site', 'referer'].some((name) => request.headers.has(name))
  return says && !isSameOrigin(request, config)
}

export const isUnsafe = (request: Request) => !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
/** Is it a program that asks, rather than somebody's browser? */
export function isApi(request: Request): boolean {
  const path = pathOf(request)
  return path.startsWith('/api/') || path === '/api' || path === paths.metrics
}
export const isHtmx = (request: Request) => request.headers.has('hx-request')

/** The path of a request, without host and query. */
export function pathOf(request: Request): string {
  const { url } = request
  // A request without a host, or with one that is none, has an address that is none either.
  return URL.canParse(url) ? new URL(url).pathname : (/^(?:[a-z]+:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] ?? '/')
}

type CookieOptions = { maxAge: number; secure: boolean }

/** A `Set-Cookie` value that scripts cannot read and other sites cannot send along. */
export function setCookie(name: string, value: string, { maxAge, secure }: CookieOptions): string {
  return `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}

/** The path of a request with its query. */
export const addressOf = (request: Request) =>
  pathOf(request) + (URL.canParse(request.url) ? new URL(request.url).search : '')

/** The page of ours that the browser was on, with its search and filters; null when it does not say. */
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
