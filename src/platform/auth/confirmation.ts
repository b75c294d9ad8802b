import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { sessions, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { Refused } from '../refusals'
import { passwordMatches } from './passwords'
import type { Session } from './sessions'

/** How long after a password was entered its session can make sensitive changes without it. */
const FRESH_MS = 60 * 60 * 1000

const FIELD = 'current_password'
const NEEDED = 'Enter your current password to confirm this change'

/** The optional field of every call that makes a sensitive change. */
export const currentPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  z.string({ error: 'Must be text' }).max(1000, 'At most 1000 characters').optional(),
)

export const confirmationNeeded = () => Refused.field(FIELD, NEEDED)

/**
 * Asks for the user's password before a sensitive change: always, or when it was last entered an hour ago or more. A
 * password that is given counts for this change alone.
 * @throws Refused at `current_password` when it is needed or wrong, RateLimited after too many wrong ones
 */
export async function confirmIdentity(
  ctx: AppContext,
  session: Session,
  given: string | undefined,
  options: { always?: boolean } = {},
): Promise<void> {
  if (!(await isConfirmed(ctx, session, given, options))) throw confirmationNeeded()
}

/**
 * Is the password given, or was it entered within the last hour? For a change whose sensitivity depends on the stored
 * record: ask before the transaction, and throw `confirmationNeeded` in it.
 * @throws Refused when the password is wrong, RateLimited
 */
export async function isConfirmed(
  { db, clock, limits, log }: AppContext,
  session: Session,
  given: string | undefined,
  { always = false } = {},
): Promise<boolean> {
  const [found] = await db
    .select({ authenticated_at: sessions.authenticated_at, password_hash: users.password_hash })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.id, session.id))
  if (given === undefined) {
    const isFresh = found && clock.now().getTime() - found.authenticated_at.getTime() < FRESH_MS
    return Boolean(isFresh && !always)
  }
  const { username } = session.user
  await limits.countOwn(username)
  if (!(await passwordMatches(given, found?.password_hash ?? null))) {
    log('warn', 'a password confirmation was refused', { username })
    throw Refused.field(FIELD, 'Current password is incorrect')
  }
  await limits.ownSucceeded(username)
  return true
}
