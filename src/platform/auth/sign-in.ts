import type { AppContext } from '../context'
import { clientAddress, isSecure, sessionCookieName, setCookie } from '../http/request'
import { requestId } from '../http/request-log'
import type { Write } from '../records/write'
import { RateLimited, Refusal, SignedOut } from '../refusals'
import type { Account } from './account-columns'
import { changeOwnPassword } from './accounts'
import { confirmationNeeded, confirmIdentity } from './confirmation'
import { deviceFor } from './devices'
import { ABSOLUTE_LIMIT_MS, credentials, requireCredentials, signInCode } from './rules'
import { seal, unseal } from './sealing'
import { acceptCode } from './second-factor'
import { CODE_NEEDED } from './second-factor-text'
import { renewSession, type Session, type Visitor } from './sessions'
import { isNewDevice, mailNewDevice, recordSignIn } from './sign-in-log'
import { signIn } from './verify-sign-in'

type From = { request: Request; server: Parameters<typeof clientAddress>[1] }

export const visitorOf = ({ config }: AppContext, { request, server }: From): Visitor => ({
  address: clientAddress(request, server, config),
  userAgent: request.headers.get('user-agent'),
})

const TEMPORARY_PASSWORD_EXPIRED = 'Your temporary password has expired. Ask an administrator for a new password.'

const TICKET_MS = 5 * 60_000

/** Refusal (401) when the password is right, but the second-factor code is missing or wrong. */
export class CodeRequired extends Refusal {
  constructor(
    /** Encrypted proof that the password was right. The form sends it with the code instead of the password. */
    readonly ticket: string,
    readonly isWrong: boolean,
  ) {
    super(401, CODE_NEEDED, [{ field: 'code', message: CODE_NEEDED }])
  }
}

const newTicket = (ctx: AppContext, username: string, hash: string) =>
  seal(ctx, 'sign-in', JSON.stringify({ username, hash, until: ctx.clock.now().getTime() + TICKET_MS }))

/**
 * Decrypts the proof that an earlier request had the right password.
 * @returns undefined for a ticket that is missing, forged or expired
 */
function readTicket(ctx: AppContext, ticket: unknown): { username: string; hash: string } | undefined {
  if (typeof ticket !== 'string' || ticket === '') return undefined
  try {
    const { username, hash, until } = JSON.parse(unseal(ctx, 'sign-in', ticket))
    return until > ctx.clock.now().getTime() ? { username, hash } : undefined
  } catch {
    return undefined
  }
}

/**
 * Signs session tokens. The tokens have no expiry claim, because the expiry is stored in the session row and checked
 * with the program's own clock.
 */
export type Signer = { sign(claims: { sid: string; iat: true }): Promise<string> }

export const tokenFor = (tokens: Signer, session: string) => tokens.sign({ sid: session, iat: true })

/**
 * Signs a user in, for both API and page routes.
 * @throws Refused when a field is empty, Refusal (401) when the credentials do not match, RateLimited after too many
 * failures
 */
export async function signInWith(
  ctx: AppContext,
  tokens: Signer,
  input: unknown,
  from: From,
): Promise<{ token: string; account: Account; deviceKey: string }> {
  const fields: Record<string, unknown> = typeof input === 'object' && input !== null ? { ...input } : {}
  const ticket = readTicket(ctx, fields.ticket)
  const proof = ticket ?? requireCredentials(credentials.parse(fields))
  const { username } = proof
  const { passwordAccounts } = ctx.config.oidc ?? {}
  if (passwordAccounts && !passwordAccounts.includes(username.toLowerCase()))
    throw new Refusal(401, 'Sign in with single sign-on')
  const code = signInCode.parse(fields.code)
  const visitor = visitorOf(ctx, from)
  const keys = await ctx.limits.keysOf(username)
  const device = deviceFor(ctx, from.request, keys.device)
  const attempt = { account: keys.account, address: visitor.address, device }
  await ctx.limits.count(attempt).catch((error) => {
    if (error instanceof RateLimited)
      ctx.log('warn', 'sign-in blocked', { id: requestId(from.request), address: visitor.address })
    throw error
  })
  const now = ctx.clock.now()
  if (code) await ctx.limits.countCode(attempt)
  const opened = await signIn(ctx.db, proof, visitor, now, (tx, user) => acceptCode(ctx, tx, user, code, now))
  const isRefused = 'meant' in opened
  ctx.metrics.signIns.inc({ outcome: isRefused ? 'refused' : 'accepted' })
  // Unknown usernames are not logged, because people type their password into that field.
  const name = isRefused ? opened.meant : opened.account.username
  ctx.log(isRefused ? 'warn' : 'info', isRefused ? 'sign-in refused' : 'signed in', {
    id: requestId(from.request),
    address: visitor.address,
    ...(name ? { username: name } : {}),
  })
  const isNew = !isRefused && device === null && (await isNewDevice(ctx.db, username, visitor, 'password'))
  // A right password without a code is not recorded as a failed sign-in, because the user has not been asked for the
  // code yet.
  if (!isRefused || !opened.needsCode || code)
    await recordSignIn(ctx.db, username, visitor, { at: now, method: 'password', isAccepted: !isRefused })
  if (code && !(isRefused && opened.needsCode)) await ctx.limits.codeNotWrong(attempt)
  if (isRefused && opened.needsCode && !code) await ctx.limits.codeAsked(attempt)
  if (isRefused && opened.needsCode)
    throw new CodeRequired(newTicket(ctx, username, opened.needsCode.hash), code !== '')
  if (isRefused)
    throw new Refusal(401, 'isExpired' in opened ? TEMPORARY_PASSWORD_EXPIRED : 'Invalid username or password')
  await ctx.limits.succeeded(attempt)
  if (isNew && opened.previousLogin) mailNewDevice(ctx, opened.account, visitor)
  return { token: await tokenFor(tokens, opened.session), account: opened.account, deviceKey: keys.device }
}

export async function renewToken(
  ctx: AppContext,
  tokens: Signer,
  session: Session,
  from: From,
): Promise<string | null> {
  const sessionId = await renewSession(ctx.db, session.id, visitorOf(ctx, from), ctx.clock.now())
  return sessionId ? tokenFor(tokens, sessionId) : null
}

/**
 * Confirms the user's password for sensitive changes in the next hour.
 * @returns a new token; the old one stops working after a minute
 * @throws Refused when the password is missing or wrong, RateLimited after too many wrong ones, SignedOut when the
 * session has just ended
 */
export async function confirmPassword(
  ctx: AppContext,
  tokens: Signer,
  session: Session,
  password: string | undefined,
  from: From,
): Promise<string> {
  // Requires a password. An account without a password is confirmed at the single sign-on provider instead.
  if (password === undefined) throw confirmationNeeded()
  await confirmIdentity(ctx, session, password, { always: true })
  const sessionId = await renewSession(ctx.db, session.id, visitorOf(ctx, from), ctx.clock.now(), { isConfirmed: true })
  if (!sessionId) throw new SignedOut()
  return tokenFor(tokens, sessionId)
}

/**
 * Changes the user's own password. Wrong entries of the current password are counted like failed sign-ins.
 * @throws Refused when the current password is wrong or the new one is not allowed, RateLimited after too many attempts
 */
export async function changePassword(
  ctx: AppContext,
  write: Write,
  session: Session,
  change: { currentPassword: string; newPassword: string; revoke_tokens: boolean },
): Promise<void> {
  await ctx.limits.countOwn(session.user.username)
  await changeOwnPassword(write, session, change)
  await ctx.limits.ownSucceeded(session.user.username)
}

export const sessionSetCookie = (ctx: AppContext, request: Request, token: string) =>
  setCookie(sessionCookieName(request, ctx.config), token, {
    maxAge: ABSOLUTE_LIMIT_MS / 1000,
    secure: isSecure(request, ctx.config),
  })
