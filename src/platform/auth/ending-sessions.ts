import { and, eq, exists, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { type Db, withPriority } from '../../../db/client'
import { sessions, users } from '../../../db/schema'
import { IDLE_LIMIT_MS } from './rules'
import { holdAccount } from './session-access'
import { firstId, lastSessionOf, type Session } from './sessions'

/**
 * Ends a session and all other sessions of its sign-in. Does nothing for an API token. Locks the account first.
 * Otherwise, a session that is being renewed at the same time would stay open.
 */
export async function endSession(db: Db, { user, first_id }: Pick<Session, 'first_id'> & { user: { id: number } }) {
  if (first_id === undefined) return
  await db.transaction(async (tx) => {
    await holdAccount(tx, user.id)
    await tx.delete(sessions).where(and(eq(sessions.user_id, user.id), eq(firstId, first_id)))
  })
}

type Ending = { run: Promise<void>; next?: Promise<void> }
/** Sign-outs that are running, by the id of their sign-in. */
const endings = new Map<string, Ending>()

/**
 * Ends all sessions of a sign-in, before usual changes. Does nothing for an API token.
 * Sign-outs that arrive while another one of the same sign-in is running share one transaction. Otherwise, many
 * sign-outs of one user would delay those of others. They do not share the running transaction, because it may miss a
 * session that was renewed in the meantime.
 */
export function signOut(db: Db, signIn: Parameters<typeof endSession>[1]): Promise<void> {
  const { first_id } = signIn
  if (first_id === undefined) return Promise.resolve()
  const start = () => {
    const run = withPriority(() => endSession(db, signIn)).finally(() => endings.delete(first_id))
    endings.set(first_id, { run })
    return run
  }
  const current = endings.get(first_id)
  if (!current) return start()
  current.next ??= current.run.catch(() => {}).then(start)
  return current.next
}

/**
 * Ends all sessions of an account. If `except` is given, the newest session of its sign-in stays open. This is `except`
 * itself, unless a newer session has replaced it. A replaced session is ended, because its token may be stolen.
 * Locks the account first. Otherwise, a session that is being renewed at the same time would stay open.
 * @returns the id of the session that stays open, or null
 */
export function endSessionsOf(
  db: Db,
  userId: number,
  except?: Pick<Session, 'id' | 'first_id'>,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    await holdAccount(tx, userId)
    const isOwn = eq(sessions.user_id, userId)
    const newest = except ? await lastSessionOf(tx, userId, except.first_id, except.id) : null
    await tx.delete(sessions).where(and(isOwn, newest ? ne(sessions.id, newest.id) : undefined))
    return newest?.id ?? null
  })
}

/**
 * Ends sessions that were opened with a password, except for `usernames`. The usernames are in lower case. Called when
 * only these accounts can sign in with a password. Other accounts can still have sessions that they opened with a
 * password before this rule was set.
 */
export const endPasswordSessions = (db: Db, usernames: string[]) =>
  db.delete(sessions).where(
    and(
      ne(sessions.method, 'single_sign_on'),
      exists(
        db
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.id, sessions.user_id), notInArray(sql`lower(${users.username})`, usernames))),
      ),
    ),
  )

/**
 * How long expired sessions stay in the database, in milliseconds. If a user submits a form with an expired session,
 * the stored session identifies the user. The user can then submit the form again after sign-in.
 */
const EXPIRED_KEPT_MS = 86_400_000

export async function sweepSessions(db: Db, now: Date) {
  const expired = new Date(now.getTime() - EXPIRED_KEPT_MS)
  const idle = new Date(expired.getTime() - IDLE_LIMIT_MS)
  await db.delete(sessions).where(or(lt(sessions.expires_at, expired), lt(sessions.last_seen_at, idle)))
}
