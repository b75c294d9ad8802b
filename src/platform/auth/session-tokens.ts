import type { AppContext } from '../context'
import { clientAddress, isSecure, sessionCookieName, setCookie } from '../http/request'
import { ABSOLUTE_LIMIT_MS } from './rules'
import { renewSession } from './session-renewal'
import { type Session, signInOf, type Visitor } from './sessions'

export type From = { request: Request; server: Parameters<typeof clientAddress>[1] }

export const visitorOf = ({ config }: AppContext, { request, server }: From): Visitor => ({
  address: clientAddress(request, server, config),
  userAgent: request.headers.get('user-agent'),
})

/**
 * Signs session tokens. The tokens have no expiry claim, because the expiry is stored in the session row and checked
 * with the program's own clock.
 */
export type Signer = { sign(claims: { sid: string; first: string; iat: true }): Promise<string> }

/** @param first id of the first session of the same sign-in. Omit it if `session` is the first one. */
export const tokenFor = (tokens: Signer, session: string, first = session) =>
  tokens.sign({ sid: session, first, iat: true })

/**
 * Replaces the token of a session. The old token stops working at once.
 * @returns the new token, or null if the session has ended
 */
export async function renewToken(
  ctx: AppContext,
  tokens: Signer,
  session: Session,
  from: From,
): Promise<string | null> {
  const sessionId = await renewSession(ctx.db, session.id, visitorOf(ctx, from), ctx.clock.now())
  return sessionId ? tokenFor(tokens, sessionId, signInOf(session)) : null
}

export const sessionSetCookie = (ctx: AppContext, request: Request, token: string) =>
  setCookie(sessionCookieName(request, ctx.config), token, {
    maxAge: ABSOLUTE_LIMIT_MS / 1000,
    secure: isSecure(request, ctx.config),
  })
