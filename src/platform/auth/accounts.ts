import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { users } from '../../../db/schema'
import { inTransaction, type Write } from '../records/transactions'
import { changeRecord, createRecord } from '../records/write'
import { Refused } from '../refusals'
import { type Account, accountColumns } from './account-columns'
import { endSessionsOf } from './ending-sessions'
import { refuseWeak } from './guessable'
import type { SignInLimits } from './limits'
import { hashPassword, passwordMatches } from './passwords'
import { SAME_PASSWORD, temporaryUntil } from './rules'
import { whileSignedIn } from './session-access'
import type { Session } from './sessions'
import { revokeTokensOf } from './tokens'

export async function findAccount(db: Db, id: number): Promise<(Account & { previous_login: Date | null }) | null> {
  const [account] = await db
    .select({ ...accountColumns, previous_login: users.previous_login })
    .from(users)
    .where(eq(users.id, id))
  return account ?? null
}

export async function activeUsernames(db: Db): Promise<string[]> {
  const active = await db
    .select({ username: users.username })
    .from(users)
    .where(eq(users.is_active, true))
    .orderBy(users.username)
  return active.map(({ username }) => username)
}

/**
 * Finds an active user by name, ignoring case. Returns the username as it is stored.
 * @throws Refused when there is no such user
 */
export async function usernameOf(db: Db, field: string, name: string): Promise<string> {
  const [account] = await db
    .select({ username: users.username })
    .from(users)
    .where(and(sql`lower(${users.username}) = lower(${name})`, eq(users.is_active, true)))
  if (!account) throw Refused.field(field, `There is no active user ${name}`)
  return account.username
}

/**
 * Changes the user's own password and ends their other sessions. With `revoke_tokens`, also revokes their API tokens.
 * @param limits the count of wrong passwords is cleared as soon as the current password is known to be right, even if
 * the new password is refused
 * @param renew called in the transaction with the id of the session that stays open. It can replace this session with a
 * new one, and returns the id of the open session.
 * @returns the id that `renew` returned
 * @throws Refused when the current password is wrong or the new one is not allowed
 */
export async function changeOwnPassword(
  write: Write,
  session: Session,
  input: { currentPassword: string; newPassword: string; revoke_tokens: boolean },
  limits: Pick<SignInLimits, 'checkOwnInTurn' | 'ownSucceeded'>,
  renew: (db: Db, sessionId: string) => Promise<string> = async (_, sessionId) => sessionId,
): Promise<string> {
  const [user] = await write.db
    .select({ password_hash: users.password_hash })
    .from(users)
    .where(eq(users.id, session.user.id))
  const incorrectPassword = () => Refused.field('currentPassword', 'Current password is incorrect')
  const matches = () => passwordMatches(input.currentPassword, user?.password_hash ?? null)
  if (!(await limits.checkOwnInTurn(session, matches))) throw incorrectPassword()
  await limits.ownSucceeded(session)
  await refuseWeak(write.db, input.newPassword, session.user)
  if (input.newPassword === input.currentPassword) throw Refused.field('newPassword', SAME_PASSWORD)
  const password_hash = await hashPassword(input.newPassword)
  return whileSignedIn(write, session, async (write) => {
    const values = (stored: typeof users.$inferSelect) => {
      // An administrator can have reset the password since it was checked.
      if (stored.password_hash !== user?.password_hash) throw incorrectPassword()
      return { password_hash, must_change_password: false, password_expires_at: null }
    }
    await changeRecord(write, users, { id: session.user.id, what: 'User', values })
    const sessionId = await endSessionsOf(write.db, session.user.id, session)
    if (input.revoke_tokens) await revokeTokensOf(write, session.user.id)
    return renew(write.db, sessionId ?? session.id)
  })
}

const hasUser = async (db: Db) => (await db.select({ id: users.id }).from(users).limit(1)).length > 0

export async function createFirstAdmin(write: Write, password: string, { isTemporary = false } = {}): Promise<boolean> {
  // Hashing a password takes as long as the rest of the startup, so hash it only if there is no account.
  if (await hasUser(write.db)) return false
  const password_hash = await hashPassword(password)
  return inTransaction(write, async (write) => {
    await write.db.execute(sql`lock table ${users} in exclusive mode`)
    if (await hasUser(write.db)) return false
    const password_expires_at = isTemporary ? temporaryUntil(write.actor.now) : null
    await createRecord(write, users, { username: 'admin', password_hash, role: 'admin', password_expires_at })
    return true
  })
}
