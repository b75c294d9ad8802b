import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { sessions, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { Refused, SignedOut } from '../refusals'
import { passwordMatches } from './passwords'
import type { Session } from './sessions'

/** How long sensitive changes are allowed after entering credentials, in milliseconds. */
const FRESH_MS = 60 * 60 * 1000

/** How long a single sign-on replaces the password, in milliseconds. It applies to changes with the option `always`. */
export const JUST_SIGNED_ON_MS = 5 * 60 * 1000

/** With `OIDC_ONLY`, only accounts in `OIDC_LOCAL_ACCOUNTS` can use their password. */
export const canUsePassword = ({ config }: Pick<AppContext, 'config'>, username: string): boolean =>
  config.oidc?.passwordAccounts?.includes(username.toLowerCase()) ?? true

/** Sentence that the API document adds to the description of sensitive changes. */
export const CONFIRMED =
  'If you entered your password more than an hour ago, first confirm the password with `POST ' +
  '/api/auth/confirm-password`. If the call has the field `current_password`, you can send the ' +
  'password in this field instead.'

const FIELD = 'current_password'
const NEEDED = 'Enter your current password to confirm this change'

export const currentPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  z.string({ error: 'Must be text' }).max(1000, 'At most 1000 characters').optional(),
)

export const confirmationNeeded = () => Refused.field(FIELD, NEEDED)

/**
 * Requires that the user has confirmed a sensitive change. For example, a new API token is a sensitive change. See
 * `isConfirmed`.
 * @throws Refused at the field `current_password` when the password is missing or wrong
 * @throws RateLimited after too many wrong passwords
 */
export async function confirmIdentity(
  ctx: AppContext,
  session: Session,
  password: string | undefined,
  options: { always?: boolean } = {},
): Promise<void> {
  if (!(await isConfirmed(ctx, session, password, options))) throw confirmationNeeded()
}

/**
 * Returns whether the user has confirmed a sensitive change. The request must contain the correct password, or the user
 * must have entered credentials within the last hour. With `always`, the request must contain the password, unless the
 * user used single sign-on in the last five minutes.
 * Some changes are sensitive only for certain stored values. For such a change, call this function before the
 * transaction. If the result is false and the change is sensitive, throw `confirmationNeeded` inside the transaction.
 * @throws SignedOut when the session has ended
 * @throws Refused when the password is wrong, or when the account can only use single sign-on
 * @throws RateLimited after too many wrong passwords
 */
export async function isConfirmed(
  ctx: AppContext,
  session: Session,
  password: string | undefined,
  { always = false } = {},
): Promise<boolean> {
  const { db, clock, limits, log } = ctx
  const [stored] = await db
    .select({
      authenticated_at: sessions.authenticated_at,
      method: sessions.method,
      password_hash: users.password_hash,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.id, session.id))
  // The session has ended, so do not check the password or count an attempt against the account.
  if (!stored && !session.token) throw new SignedOut()
  if (password === undefined) {
    const age = stored ? clock.now().getTime() - stored.authenticated_at.getTime() : Number.POSITIVE_INFINITY
    return always ? stored?.method === 'single_sign_on' && age < JUST_SIGNED_ON_MS : age < FRESH_MS
  }
  // Do not count the attempt. Otherwise, somebody with a stolen API token could use up the owner's password attempts.
  if (session.token) throw Refused.field(FIELD, 'Sign in with a password to make this change')
  const { username } = session.user
  if (!canUsePassword(ctx, username))
    throw Refused.field(FIELD, 'Sign in again with single sign-on to confirm this change')
  await limits.countOwn(session)
  if (!(await limits.checkOwnInTurn(session, () => passwordMatches(password, stored?.password_hash ?? null)))) {
    log('warn', 'a password confirmation was refused', { username })
    throw Refused.field(FIELD, 'Current password is incorrect')
  }
  await limits.ownSucceeded(session)
  return true
}
