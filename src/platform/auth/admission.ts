import { jwt } from '@elysiajs/jwt'
import type { AppContext } from '../context'
import type { RouteFacts } from '../http/about'
import { deprecationHeaders } from '../http/deprecation'
import {
  bearer,
  isApi,
  isBackground,
  isCrossOrigin,
  isLeaving,
  isSameOrigin,
  isUnsafe,
  originOf,
  ownOrigin,
  sessionCookie,
} from '../http/request'
import { loggedAddress, noteUser, requestId } from '../http/request-log'
import { beginTurn } from '../http/turns'
import { isOwnAccess, isSignOut, paths } from '../paths'
import { Forbidden, PasswordChangeDue, RateLimited, SecondFactorDue, SignedOut } from '../refusals'
import { signOut } from './ending-sessions'
import { mayUse } from './permissions'
import { findNewestSession, findSession, findSignIn, hasOpenSession, type Session, signInOf } from './sessions'
import { TOKEN_PREFIX } from './token-rules'
import { findTokenSession } from './tokens'

/**
 * Signs and verifies session tokens. A token contains only the ids of a session and of its sign-in. Therefore, deleting
 * the session's row invalidates the token everywhere.
 */
export const tokens = (ctx: AppContext) => jwt({ name: 'tokens', secret: ctx.signingKey, alg: 'HS256' as const })

const VERIFIED_LIMIT = 2000
type Verifier = {
  verify: (token: string, options: { algorithms: string[] }) => Promise<false | Record<string, unknown>>
  claims: Map<string, Claims>
}
/**
 * Content of a session token. `first` is the id of the first session of the sign-in. Tokens of earlier versions of the
 * program do not have `first`.
 */
type Claims = { sid: string; first?: string }
const verifiers = new WeakMap<AppContext, Verifier>()

function verifierOf(ctx: AppContext): Verifier {
  const verifier = verifiers.get(ctx)
  if (verifier) return verifier
  const { verify } = tokens(ctx).decorator.tokens
  const newVerifier: Verifier = { verify: verify as Verifier['verify'], claims: new Map() }
  verifiers.set(ctx, newVerifier)
  return newVerifier
}

async function claimsOf(ctx: AppContext, token: string | null): Promise<Claims | null> {
  if (!token) return null
  // Cached claims can be reused, because the signature of a token stays valid. Callers check separately whether the
  // session still exists.
  const verifier = verifierOf(ctx)
  const cached = verifier.claims.get(token)
  if (cached) return cached
  const verified = await verifier.verify(token, { algorithms: ['HS256'] })
  if (!verified || typeof verified.sid !== 'string') return null
  const claims = { sid: verified.sid, ...(typeof verified.first === 'string' ? { first: verified.first } : {}) }
  if (verifier.claims.size >= VERIFIED_LIMIT) verifier.claims.delete(verifier.claims.keys().next().value as string)
  verifier.claims.set(token, claims)
  return claims
}

export const sessionIdOf = async (ctx: AppContext, token: string | null): Promise<string | null> =>
  (await claimsOf(ctx, token))?.sid ?? null

export async function sessionOf(ctx: AppContext, request: Request): Promise<Session | null> {
  const token = bearer(request) ?? sessionCookie(request, ctx.config)
  if (token?.startsWith(TOKEN_PREFIX))
    return isApi(request) && bearer(request)
      ? findTokenSession(
          ctx.db,
          {
            token,
            address: loggedAddress(request),
            // Called before the client address is checked, so that the log names the API token even if the address is
            // refused.
            onFound: (username, name) => noteUser(request, username, name),
          },
          ctx.clock.now(),
        )
      : null
  const id = await sessionIdOf(ctx, token)
  if (!id) return null
  // The user has signed out in this browser while the server was unreachable, so end the session now.
  if (isLeaving(request, ctx.config) && !bearer(request)) {
    await endSignInOf(ctx, request)
    return null
  }
  return findSession(ctx.db, id, ctx.clock.now(), { isBackground: isBackground(request) })
}

/**
 * Ends all sessions of the sign-in to which a request belongs. This works even if the session of the request's token
 * has expired or was replaced. For example, it ends the session of a thief who has renewed a stolen token.
 */
export async function endSignInOf(ctx: AppContext, request: Request): Promise<void> {
  const signIn = await signInOfToken(ctx, request)
  if (signIn) await signOut(ctx.db, signIn)
}

async function signInOfToken(ctx: AppContext, request: Request) {
  const claims = await claimsOf(ctx, bearer(request) ?? sessionCookie(request, ctx.config))
  return claims ? findSignIn(ctx.db, claims.sid, claims.first) : null
}

/**
 * Returns whether the sign-in to which a request belongs is open. The session of the request's token may have been
 * replaced, for example in another tab of the browser.
 */
export async function isSignInOpen(ctx: AppContext, request: Request): Promise<boolean> {
  const signIn = await signInOfToken(ctx, request)
  return signIn !== null && hasOpenSession(ctx.db, signIn, ctx.clock.now())
}

/**
 * Creates the error for a cross-origin request, and logs both origins. With a misconfigured proxy, requests from our
 * own pages look cross-origin, and the log shows why.
 */
export function foreign({ log, config }: AppContext, request: Request): Forbidden {
  // The path and query of the referrer can contain search texts, so log only its origin.
  const origin = request.headers.get('origin') || originOf(request.headers.get('referer') ?? '') || ''
  log('warn', 'a cross-origin request was refused; behind a proxy, set TRUST_PROXY', {
    id: requestId(request),
    origin: origin.slice(0, 200),
    expected: ownOrigin(request, config).slice(0, 200),
  })
  return new Forbidden('This request did not come from a Yardmaster page. Reload the page, or tell your administrator.')
}

function checkToken({ scope }: NonNullable<Session['token']>, facts: RouteFacts, request: Request) {
  if (facts.tokens === 'none') throw new Forbidden('You cannot do this with an API token; sign in instead')
  // With a stolen token, a thief could otherwise create an account or take over the owner's account.
  if (facts.tokens === 'read' && isUnsafe(request))
    throw new Forbidden('You cannot change accounts with an API token; sign in instead')
  if (scope === 'read' && isUnsafe(request) && !facts.isReadOnly)
    throw new Forbidden('This API token can only read data, not change it')
  if (scope === 'records' && (facts.role === 'admin' || (facts.isSensitive && isUnsafe(request))))
    throw new Forbidden('This API token can be used only for records and imports')
}

/** @throws PasswordChangeDue, SecondFactorDue when the user must change the password or set up a second factor first */
function checkDuties({ user, token }: Session, facts: RouteFacts) {
  const { must_change_password, is_factor_due } = user
  if (must_change_password && !facts.isOpenWhileDue) throw new PasswordChangeDue()
  if (is_factor_due && !token && !facts.isOpenWhileFactorDue && !(must_change_password && facts.isOpenWhileDue))
    throw new SecondFactorDue()
}

export type Arrival = {
  request: Request
  /** Path pattern of the route, such as `/transports/:id/edit`. */
  route: string | undefined
  set: { headers: Record<string, string | number | undefined> }
}

const counted = new WeakSet<Request>()

async function check(ctx: AppContext, { request, route, set }: Arrival): Promise<Session> {
  const facts = ctx.routes.factsOf(request.method, route)
  if (!facts) throw new Forbidden()
  // The client has disconnected, so the response would be lost.
  if (request.signal.aborted) throw new RateLimited(1)
  // Check the origin before the session. When another site submits a form, browsers omit the session cookie, so the
  // form would look like a form with an expired session.
  if (isUnsafe(request) && !bearer(request) && isCrossOrigin(request, ctx.config)) throw foreign(ctx, request)
  const session = await sessionOf(ctx, request)
  if (!session) {
    if (isSignOut(route)) await endSignInOf(ctx, request)
    throw new SignedOut()
  }
  noteUser(request, session.user.username, session.token?.name)
  if (isUnsafe(request) && !bearer(request) && !isSameOrigin(request, ctx.config)) throw foreign(ctx, request)
  // Count each request with a token only once, although this check runs twice if the body arrives slowly. Do not count
  // requests that end sessions or tokens, because users must always be able to end a stolen session.
  const endsAccess = isSignOut(route) || (request.method === 'DELETE' && isOwnAccess(route))
  if (bearer(request) && !counted.has(request) && !endsAccess) {
    counted.add(request)
    await ctx.requestLimits.count(signInOf(session), set.headers)
  }
  if (facts.deprecated) Object.assign(set.headers, deprecationHeaders(facts.deprecated))
  if (session.token) checkToken(session.token, facts, request)
  checkDuties(session, facts)
  if (ctx.database.engine === 'embedded' && isUnsafe(request) && !(facts.isOpenWhileFull && !ctx.readOnly))
    ctx.disk.mustHaveRoom()
  if (!(await mayUse(ctx.db, session.user, facts.role))) throw new Forbidden()
  return session
}

/**
 * Cache time of a permission check, in milliseconds. The time is short, because a session can end while the body of a
 * request arrives.
 */
const CACHE_MS = 100
const admitted = new WeakMap<Request, { session: Promise<Session>; at: number }>()

/**
 * Checks that the caller can use the route, and returns the session. The check runs twice per request: before the body
 * is read and in the route. Therefore, the result is cached.
 * @throws Refusal when the request is not allowed
 */
export function admit(ctx: AppContext, arrival: Arrival): Promise<Session> {
  const cached = admitted.get(arrival.request)
  if (cached && performance.now() - cached.at < CACHE_MS) return cached.session
  const session = check(ctx, arrival).then((session) => inReadTurn(ctx, session, arrival))
  admitted.set(arrival.request, { session, at: performance.now() })
  return session
}

/**
 * Waits until the caller can run one more read request. Without this limit, the read requests of one account would
 * delay other users. Event streams do not wait, because they stay open for hours and have their own limit.
 * @throws RateLimited when too many read requests of the caller wait, and the errors of `admitAgain` after a wait
 */
async function inReadTurn(ctx: AppContext, session: Session, arrival: Arrival): Promise<Session> {
  const { request, route } = arrival
  if (isUnsafe(request) || route === paths.api.events) return session
  const hasWaited = await beginTurn(ctx, session, request, { isOwnAccess: isOwnAccess(route) })
  return hasWaited ? admitAgain(ctx, session, arrival) : session
}

/**
 * Does the check of `admit`, then waits until a change can run. Call this function after the body of the request has
 * arrived, because slow bodies would delay the other changes of the caller.
 * Sign-outs do not wait. Otherwise, somebody with a stolen session could send so many requests that the user cannot end
 * this session.
 * @throws RateLimited when too many changes of the caller wait, and the errors of `admit`
 */
export async function admitToRun(ctx: AppContext, arrival: Arrival): Promise<Session> {
  const { request, route } = arrival
  const session = await admit(ctx, arrival)
  if (!isUnsafe(request) || isSignOut(route)) return session
  const isRead = ctx.routes.factsOf(request.method, route)?.isReadOnly ?? false
  const hasWaited = await beginTurn(ctx, session, request, { isRead, isOwnAccess: isOwnAccess(route) })
  return hasWaited ? admitAgain(ctx, session, arrival) : session
}

/**
 * Checks again, after a wait, that the caller can use the route. The session can have been renewed during the wait. The
 * result keeps the session id of the request, because a password confirmation in the new session must not apply to this
 * request.
 * @param before session with which the request was admitted
 * @throws SignedOut, Forbidden, PasswordChangeDue, SecondFactorDue
 */
export async function admitAgain(ctx: AppContext, before: Session, { request, route }: Arrival): Promise<Session> {
  const session = before.token
    ? await sessionOf(ctx, request)
    : await findNewestSession(ctx.db, before, ctx.clock.now())
  if (!session) throw new SignedOut()
  const facts = ctx.routes.factsOf(request.method, route)
  if (facts) checkDuties(session, facts)
  if (!(await mayUse(ctx.db, session.user, facts?.role))) throw new Forbidden()
  return { ...session, id: before.id }
}
