import { and, eq, exists, gt, not } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/client'
import { apiTokens, sessions, users } from '../../../db/schema'
import type { Clock } from '../clock'
import type { Role } from '../http/about'
import { inTransaction, type Write } from '../records/transactions'
import { costsHidden, Forbidden, SignedOut } from '../refusals'
import { currentUserColumns, everybodySeesCosts, withScope } from './current-user'
import { mayUse } from './permissions'
import { firstId, isLiveAt, type Session, signInOf } from './sessions'

/** Locks an account row until the transaction ends. This serializes changes to the account's sessions and tokens. */
export const holdAccount = (tx: Db, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/**
 * Returns whether a session, or the session that replaced it, is open. For an API token, returns whether the token is
 * still valid.
 * Returns false if the session was ended, for example by a password change. Also returns false if the account is
 * inactive, or if a password change has become due since the session was read.
 * Does not check whether a second factor is due. The running change can be the one that makes a second factor
 * mandatory, and must not be refused for that reason.
 */
async function isOpen(tx: Db, session: Session, now: Date): Promise<boolean> {
  const { user, token } = session
  const isActive = exists(
    tx
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          eq(users.id, user.id),
          users.is_active,
          user.must_change_password ? undefined : not(users.must_change_password),
        ),
      ),
  )
  const old = alias(sessions, 'old')
  const own = tx.select({ id: old.id }).from(old).where(eq(old.id, session.id))
  const open = token
    ? await tx.$count(apiTokens, and(eq(apiTokens.id, token.id), gt(apiTokens.expires_at, now), isActive))
    : await tx.$count(
        sessions,
        and(eq(sessions.user_id, user.id), eq(firstId, signInOf(session)), isLiveAt(now), isActive, exists(own)),
      )
  return open > 0
}

/**
 * Duration, in milliseconds, after which a change checks the session again. The check runs before the commit, because
 * the session can have ended while the change waited for a lock.
 */
const SLOW_MS = 100

/**
 * Checks that an account still has the permissions of the request.
 * @param required role that the route requires
 * @throws Forbidden when the account has lost a permission that it had when the request arrived
 */
async function checkPermissions(tx: Db, { user, token }: Session, required: Role | undefined): Promise<void> {
  const [stored] = await tx
    .select({ user: currentUserColumns, everybodySeesCosts })
    .from(users)
    .where(eq(users.id, user.id))
  if (!stored) throw new SignedOut()
  const current = token ? withScope(stored.user, token.scope, stored.everybodySeesCosts) : stored.user
  if (user.sees_costs && !current.sees_costs) throw costsHidden()
  if (!(await mayUse(tx, current, required))) throw new Forbidden()
}

/**
 * Returns a check to run before a transaction is committed. The check throws if the session has ended or the user has
 * lost permissions. It does nothing if the change took less than `SLOW_MS`.
 * @param required role that the route requires
 */
export function accessCheck(
  session: Session,
  clock: Pick<Clock, 'now'>,
  required?: Role,
): NonNullable<Write['checkAccess']> {
  const began = performance.now()
  return async (tx) => {
    if (performance.now() - began <= SLOW_MS) return
    if (!(await isOpen(tx, session, clock.now()))) throw new SignedOut()
    await checkPermissions(tx, session, required)
  }
}

/**
 * Locks the account of a session that must be open. The lock lasts until the transaction ends.
 * @throws SignedOut when the session has ended, for example because the password was reset
 */
export async function holdSession({ db, clock }: Pick<Write, 'db' | 'clock'>, session: Session): Promise<void> {
  await holdAccount(db, session.user.id)
  if (!(await isOpen(db, session, clock.now()))) throw new SignedOut()
}

/**
 * Runs a change to accounts, sessions or tokens in a transaction. The transaction first locks the account and checks
 * that the session is open (`holdSession`). The session is not checked again at the end, because such a change can end
 * its own session.
 * @throws SignedOut when the session has ended, for example because the password was reset
 */
export const whileSignedIn = <T>(write: Write, session: Session, work: (write: Write) => Promise<T>): Promise<T> =>
  inTransaction({ ...write, checkAccess: undefined }, async (write) => {
    await holdSession(write, session)
    return work(write)
  })
