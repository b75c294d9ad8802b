import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { sessions, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { Refused } from '../refusals'
import { NO_PASSWORD, passwordMatches } from './passwords'
import type { Session } from './sessions'

/** Time after password entry during which sensitive changes need no confirmation. */
const FRESH_MS = 60 * 60 * 1000

/** Time in milliseconds after single sign-on during which an account without a password meets the `always` option. */
const JUST_SIGNED_ON_MS = 5 * 60 * 1000

/** Text for sensitive changes in the API document. */
export const CONFIRMED =
  'If the password was entered more than an hour ago, confirm it first: with `POST /api/auth/confirm-password`, or in `current_password` if the call accepts it.'

const FIELD = 'current_password'
const NEEDED = 'Enter your current password to confirm this change'

export const currentPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  z.string({ error: 'Must be text' }).max(1000, 'At most 1000 characters').optional(),
)

export const confirmationNeeded = () => Refused.field(FIELD, NEEDED)

/**
 * Requires the user's password for a sensitive change if `always` is set or if the user last entered it an hour ago or
 * more. The given password confirms only this change.
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
 * Returns whether the user has given the right password now or entered it within the last hour. With `always`, only a
 * password given now counts; an account without a password needs a recent single sign-on instead. If the stored record
 * decides whether a change is sensitive, call this before the transaction and throw `confirmationNeeded` inside the
 * transaction.
 * @throws Refused when the password is wrong
 * @throws RateLimited after too many wrong passwords
 */
export async function isConfirmed(
  { db, clock, limits, log }: AppContext,
  session: Session,
  password: string | undefined,
  { always = false } = {},
): Promise<boolean> {
  const [stored] = await db
    .select({ authenticated_at: sessions.authenticated_at, password_hash: users.password_hash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.id, session.id))
  if (password === undefined) {
    const age = stored ? clock.now().getTime() - stored.authenticated_at.getTime() : Number.POSITIVE_INFINITY
    const hasPassword = stored?.password_hash !== NO_PASSWORD
    return always ? !hasPassword && age < JUST_SIGNED_ON_MS : age < FRESH_MS
  }
  const { username } = session.user
  await limits.countOwn(username)
  if (!(await passwordMatches(password, stored?.password_hash ?? null))) {
    log('warn', 'a password confirmation was refused', { username })
    throw Refused.field(FIELD, 'Current password is incorrect')
  }
  await limits.ownSucceeded(username)
  return true
}
