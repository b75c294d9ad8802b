import type { Db } from '../../../db/client'
import type { AppContext } from '../context'
import type { Write } from '../records/transactions'
import { Refused, SignedOut } from '../refusals'
import { changeOwnPassword } from './accounts'
import { canUsePassword, confirmationNeeded, confirmIdentity } from './confirmation'
import { renewSession } from './session-renewal'
import { type From, type Signer, tokenFor, visitorOf } from './session-tokens'
import { type Session, signInOf } from './sessions'

const ONLY_SINGLE_SIGN_ON = 'Your account can only use single sign-on'

/**
 * Confirms the user's password for sensitive changes in the next hour. Replaces the session, so that a stolen token
 * cannot make such changes.
 * @returns a new token; the old one stops working after a minute
 * @throws Refused when the password is missing or wrong, RateLimited after too many wrong passwords, SignedOut when the
 * session has just ended
 */
export async function confirmPassword(
  ctx: AppContext,
  tokens: Signer,
  session: Session,
  password: string | undefined,
  from: From,
): Promise<string> {
  // Accounts without a password use another route, which confirms the user at the single sign-on provider.
  if (password === undefined) throw confirmationNeeded()
  await confirmIdentity(ctx, session, password, { always: true })
  const sessionId = await renewSession(ctx.db, session.id, visitorOf(ctx, from), ctx.clock.now(), { isConfirmed: true })
  if (!sessionId) throw new SignedOut()
  return tokenFor(tokens, sessionId, signInOf(session))
}

/**
 * Wrong entries of the current password are counted like failed sign-ins.
 * @param from request of the user. If given, the session that stays open is replaced with a new session for this
 * visitor.
 * @returns the id of the user's session that stays open
 * @throws Refused when the current password is wrong, when the new one is not allowed, or when the account can only use
 * single sign-on, RateLimited after too many attempts
 */
export async function changePassword(
  ctx: AppContext,
  write: Write,
  session: Session,
  change: { currentPassword: string; newPassword: string; revoke_tokens: boolean },
  from?: From,
): Promise<string> {
  if (!canUsePassword(ctx, session.user.username)) throw Refused.field('currentPassword', ONLY_SINGLE_SIGN_ON)
  const { username } = session.user
  await ctx.limits.countOwn(session)
  // Replace the session in the same transaction. Otherwise, somebody with a copy of the old token could renew it first.
  const renew = async (db: Db, sessionId: string) => {
    if (!from) return sessionId
    const renewed = await renewSession(db, sessionId, visitorOf(ctx, from), ctx.clock.now(), { isConfirmed: true })
    if (!renewed) throw new SignedOut()
    return renewed
  }
  return changeOwnPassword(write, session, change, ctx.limits, renew).catch((error) => {
    if (error instanceof Refused && error.errors?.[0]?.field === 'currentPassword')
      ctx.log('warn', 'a password change was refused', { username })
    throw error
  })
}
