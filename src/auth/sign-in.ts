import type { AppContext } from '../context'
import { clientAddress } from '../http/request'
import { requestId } from '../http/request-log'
import type { Actor } from '../records/actor'
import { Refusal } from '../refusals'
import { type Account, changeOwnPassword } from './accounts'
import { deviceFor } from './devices'
import { credentials, requireCredentials } from './rules'
import { renewSession, type Session, signIn, type Visitor } from './sessions'

type From = { request: Request; server: Parameters<typeof clientAddress>[1] }

const visitorOf = ({ config }: AppContext, { request, server }: From): Visitor => ({
  address: clientAddress(request, server, config),
  userAgent: request.headers.get('user-agent'),
})

/** The token says nothing of its end: the session row that it names does, by the program's own clock. */
type Signer = { sign(claims: { sid: string; iat: true }): Promise<string> }

const tokenFor = (tokens: Signer, session: string) => tokens.sign({ sid: session, iat: true })

/**
 * Signs in with what was typed, for both kinds of routes.
 * @throws Refused when a field is empty, a 401 refusal when they do not match, RateLimited after too many failures
 */
export async function signInWith(
  ctx: AppContext,
  tokens: Signer,
  typed: unknown,
  from: From,
): Promise<{ token: string; account: Account; accountKey: string }> {
  const { username, password } = requireCredentials(
    credentials.parse(typeof typed === 'object' && typed !== null ? { ...typed } : {}),
  )
  const visitor = visitorOf(ctx, from)
  const accountKey = await ctx.limits.accountOf(username)
  const attempt = { account: accountKey, address: visitor.address, device: deviceFor(ctx, from.request, accountKey) }
  await ctx.limits.count(attempt)
  const opened = await signIn(ctx.db, { username, password }, visitor, ctx.clock.now())
  const isRefused = 'meant' in opened
  ctx.metrics.signIns.inc({ outcome: isRefused ? 'refused' : 'accepted' })
  // A name that nobody has is not logged: people type their password there.
  const name = isRefused ? opened.meant : opened.account.username
  ctx.log(isRefused ? 'warn' : 'info', isRefused ? 'sign-in refused' : 'signed in', {
    id: requestId(from.request),
    address: visitor.address,
    ...(name ? { username: name } : {}),
  })
  if (isRefused) throw new Refusal(401, 'Invalid username or password')
  await ctx.limits.succeeded(attempt)
  return { token: await tokenFor(tokens, opened.session), account: opened.account, accountKey }
}

/** A new token in place of the session's present one, which stops working. */
export async function renewToken(
  ctx: AppContext,
  tokens: Signer,
  session: Session,
  from: From,
): Promise<string | null> {
  const renewed = await renewSession(ctx.db, session.id, visitorOf(ctx, from), ctx.clock.now())
  return renewed ? tokenFor(tokens, renewed) : null
}

/**
 * Changes one's own password; wrong guesses of the present one count like failed sign-ins. @throws Refused,
 * RateLimited
 */
export async function changePassword(
  ctx: AppContext,
  actor: Actor,
  session: Session,
  change: { currentPassword: string; newPassword: string; revoke_tokens: boolean },
): Promise<void> {
  await ctx.limits.countOwn(session.user.username)
  await changeOwnPassword(ctx.db, actor, session, change)
  await ctx.limits.ownSucceeded(session.user.username)
}
