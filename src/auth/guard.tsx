import { jwt } from '@elysiajs/jwt'
import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { checkAsked, keepingCosts } from '../costs'
import type { RouteFacts } from '../http/about'
import { withChoices } from '../http/merge'
import { pageFor } from '../http/page'
import {
  bearer,
  cameFrom,
  clientAddress,
  cookie,
  isApi,
  isCrossOrigin,
  isSameOrigin,
  isUnsafe,
  LEAVING_COOKIE,
  ownHost,
  SESSION_COOKIE,
} from '../http/request'
import { noteUser, requestId } from '../http/request-log'
import { isOwnPath } from '../paths'
import type { Actor } from '../records/actor'
import { Forbidden, PasswordChangeDue, SignedOut } from '../refusals'
import { mayUse } from './permissions'
import { endSession, findSession, type Session } from './sessions'
import { TOKEN_PREFIX } from './token-rules'
import { findTokenSession } from './tokens'

/** Signs and reads session tokens. A token only names a session row, so ending the row ends the token everywhere. */
export const tokens = (ctx: AppContext) => jwt({ name: 'tokens', secret: ctx.signingKey, alg: 'HS256' as const })

type Tokens = { verify(token?: string): Promise<false | Record<string, unknown>> }

/** A signature that was found good stays good; only its session says whether the token still counts. */
const verified = new WeakMap<AppContext, Map<string, string>>()
const MOST_VERIFIED = 2000

/** The session that a token of ours names, or null for any other text. */
async function sessionNamed(ctx: AppContext, tokens: Tokens, token: string): Promise<string | null> {
  const known = verified.get(ctx) ?? new Map<string, string>()
  verified.set(ctx, known)
  const found = known.get(token)
  if (found) return found
  const named = await tokens.verify(token)
  if (!named || typeof named.sid !== 'string') return null
  if (known.size >= MOST_VERIFIED) known.delete(known.keys().next().value as string)
  known.set(token, named.sid)
  return named.sid
}

/** The live session that a request's bearer token or cookie names, or null. */
export async function sessionOf(ctx: AppContext, tokens: Tokens, request: Request): Promise<Session | null> {
  const token = bearer(request) ?? cookie(request, SESSION_COOKIE)
  if (token?.startsWith(TOKEN_PREFIX))
    return isApi(request) && bearer(request) ? findTokenSession(ctx.db, token, ctx.clock.now()) : null
  const id = token ? await sessionNamed(ctx, tokens, token) : null
  if (!id) return null
  // Signed out while the server was away; what the browser says now is carried out now.
  if (cookie(request, LEAVING_COOKIE) && !bearer(request)) {
    await endSession(ctx.db, id)
    return null
  }
  return findSession(ctx.db, id, ctx.clock.now())
}

/** Finds the live session of a request, for what comes before or after the routes. */
export function sessionReader(ctx: AppContext): (request: Request) => Promise<Session | null> {
  const signer = tokens(ctx).decorator.tokens
  return (request) => sessionOf(ctx, signer, request)
}

/**
 * The refusal of a request that another site asked for. The log says what did not match, for it may be a proxy that
 * keeps `Host` back.
 */
export function foreign({ log, config }: AppContext, request: Request): Forbidden {
  const says = request.headers.get('origin') ?? request.headers.get('referer') ?? ''
  log('warn', 'a change from another origin was refused', {
    id: requestId(request),
    origin: says.slice(0, 200),
    expected: ownHost(request, config).slice(0, 200),
  })
  return new Forbidden('This request did not come from Yardmaster')
}

/**
 * What an API token cannot do: look after the sign-in itself, change accounts, or write when it may only read.
 * @throws Forbidden
 */
function checkToken({ scope }: NonNullable<Session['token']>, policy: RouteFacts['tokens'], request: Request) {
  if (policy === 'none') throw new Forbidden('An API token cannot do this; sign in instead')
  // Else whoever finds a token makes themselves an account, or takes over its owner's.
  if (policy === 'read' && isUnsafe(request))
    throw new Forbidden('An API token cannot change accounts; sign in instead')
  if (scope === 'read' && isUnsafe(request)) throw new Forbidden('This API token may only read')
}

async function admit(ctx: AppContext, tokens: Tokens, request: Request, route: string | undefined): Promise<Session> {
  const facts = ctx.routes.factsOf(request.method, route)
  if (!facts) throw new Forbidden()
  // Before the session: a form of another site comes without the cookie, and must not be answered like a user whose
  // sign-in ended.
  if (isUnsafe(request) && !bearer(request) && isCrossOrigin(request, ctx.config)) throw foreign(ctx, request)
  const session = await sessionOf(ctx, tokens, request)
  if (!session) throw new SignedOut()
  noteUser(request, session.user.username)
  if (isUnsafe(request) && !bearer(request) && !isSameOrigin(request, ctx.config)) throw foreign(ctx, request)
  if (session.token) checkToken(session.token, facts.tokens, request)
  if (session.user.must_change_password && !facts.isOpenWhileDue) throw new PasswordChangeDue()
  if (ctx.database.engine === 'embedded' && isUnsafe(request) && !facts.isOpenWhileFull) ctx.disk.mustHaveRoom()
  if (!(await mayUse(ctx.db, session.user, facts.role))) throw new Forbidden()
  return session
}

function actorOf(
  ctx: AppContext,
  session: Session,
  request: Request,
  server: Parameters<typeof clientAddress>[1],
): Actor {
  return {
    username: session.user.username,
    source: isApi(request) && bearer(request) ? 'api' : 'screen',
    address: clientAddress(request, server, ctx.config),
    now: ctx.clock.now(),
  }
}

/**
 * Locks the routes of an API module that follow it. It must be a `derive` of the module's own instance: Elysia runs
 * those before it looks at the body, so a stranger learns nothing about what would be accepted.
 */
export const signedIn = (ctx: AppContext) =>
  new Elysia().use(tokens(ctx)).derive({ as: 'scoped' }, async ({ tokens, request, server, route, query }) => {
    const session = await admit(ctx, tokens, request, route)
    checkAsked(session.user, query)
    return { session, user: session.user, actor: actorOf(ctx, session, request, server) }
  })

/** What a form sent, field by field. A ticked box comes with its hidden "no" before it, so the last value counts. */
function formFields(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return withChoices(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
    ),
  )
}

/** Where a form was opened: it says so itself, else the browser does. */
const backOf = (request: Request, form: Record<string, unknown>) => {
  const stated = typeof form.back === 'string' && isOwnPath(form.back) ? form.back : null
  const from = stated ?? cameFrom(request)
  return (otherwise: string) => from ?? otherwise
}

/**
 * Locks the routes of the pages that follow it, and gives them the `form` that was sent, where it was opened
 * (`back`), and `page`, `redirect`, `submit` to answer with.
 */
export const signedInPages = (ctx: AppContext) =>
  new Elysia().use(tokens(ctx)).derive({ as: 'scoped' }, async ({ tokens, request, server, body, route, query }) => {
    const session = await admit(ctx, tokens, request, route)
    checkAsked(session.user, query)
    const actor = actorOf(ctx, session, request, server)
    const form = session.user.sees_costs ? formFields(body) : keepingCosts(formFields(body))
    return {
      session,
      user: session.user,
      actor,
      form,
      back: backOf(request, form),
      ...pageFor(ctx, request, session, form),
    }
  })
