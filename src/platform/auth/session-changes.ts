import { and, desc, eq, exists, gt, lt, lte, ne, not, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, withPriority } from '../../../db/client'
import { apiTokens, sessions, users } from '../../../db/schema'
import type { SignInMethod } from '../../../db/vocabulary'
import type { Clock } from '../clock'
import type { Role } from '../http/about'
import { inTransaction, type Write } from '../records/transactions'
import { costsHidden, Forbidden, SignedOut } from '../refusals'
import { JUST_SIGNED_ON_MS } from './confirmation'
import { currentUserColumns, everybodySeesCosts, withScope } from './current-user'
import { moveSetups } from './factor-setups'
import { mayUse } from './permissions'
import { IDLE_LIMIT_MS, isLive } from './rules'
import { firstId, isLiveAt, openSession, type Session, signInOf, type Visitor } from './sessions'

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
 * Returns the session of a sign-in that expires last. Returns null if the sign-in has no sessions. If several expire
 * last at the same time, prefers the session `own`.
 */
async function lastSessionOf(db: Db, userId: number, first_id: string | undefined, own: string) {
  if (first_id === undefined) return null
  const [last] = await db
    .select({ id: sessions.id, expires_at: sessions.expires_at })
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), eq(firstId, first_id)))
    .orderBy(desc(sessions.expires_at), desc(eq(sessions.id, own)), desc(sessions.created_at))
    .limit(1)
  return last ?? null
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

const GRACE_MS = 60_000
const LONG_AGO = new Date(0)
const afterGrace = (now: Date) => sql`${new Date(now.getTime() + GRACE_MS).toISOString()}::timestamptz`

const REPLACED_KEPT = 5

/** Without this function, many refreshes would fill the table of sessions. */
async function dropReplaced(tx: Db, userId: number, first_id: string, now: Date) {
  const ofSignIn = and(eq(sessions.user_id, userId), eq(firstId, first_id))
  const newestIds = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(ofSignIn)
    .orderBy(desc(sessions.created_at), desc(sessions.expires_at))
    .limit(REPLACED_KEPT + 1)
  await tx.delete(sessions).where(and(ofSignIn, lte(sessions.expires_at, now), notInArray(sessions.id, newestIds)))
}

type Renewal = {
  /** True if the user has just entered credentials, which confirms sensitive changes. */
  isConfirmed?: boolean
  /** True to delete the old session. As a result, requests that have its token and are still waiting are refused. */
  isDeleted?: boolean
  method?: SignInMethod
}

/**
 * Replaces a session with one that expires at the same time.
 * @returns the id of the new session, or null if the old session has ended
 */
export async function renewSession(
  db: Db,
  old: string,
  visitor: Visitor,
  now: Date,
  { isConfirmed = false, isDeleted = false, method }: Renewal = {},
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [own] = await tx.select({ user: sessions.user_id }).from(sessions).where(eq(sessions.id, old))
    if (own) await holdAccount(tx, own.user)
    // After a password confirmation, the old session stays valid for a minute, because requests in progress, such as
    // uploads, still use its token. The old session cannot make sensitive changes. After a refresh, the old session
    // expires at once. Its row stays, so that a sign-out with the old token also ends the new session.
    const expires_at = isConfirmed ? sql`least(${sessions.expires_at}, ${afterGrace(now)})` : now
    const ending = isDeleted ? tx.delete(sessions) : tx.update(sessions).set({ expires_at, authenticated_at: LONG_AGO })
    const [before] = await tx.select().from(sessions).where(eq(sessions.id, old))
    if (!before || !isLive(before, now)) return null
    const first_id = before.first_id ?? before.id
    // The old session can already be about to expire, because the user has just confirmed the password in another tab.
    // The new session must not expire that soon, so use the latest expiry time of all sessions of this sign-in.
    const latest = isConfirmed ? await lastSessionOf(tx, before.user_id, first_id, old) : null
    await ending.where(eq(sessions.id, old))
    // If the user of a single sign-on session enters the password, sensitive changes are allowed for an hour. But the
    // password must not count as a single sign-on within the last five minutes. Therefore, store a time five minutes
    // before `now`.
    const isSignOn = method === 'single_sign_on' || before.method !== 'single_sign_on'
    const confirmed = isSignOn ? now : new Date(now.getTime() - JUST_SIGNED_ON_MS)
    const authenticated = isConfirmed ? confirmed : before.authenticated_at
    const id = await openSession(tx, before.user_id, visitor, now, {
      expires: latest?.expires_at ?? before.expires_at,
      authenticated,
      method: method ?? before.method,
      first_id,
    })
    await moveSetups(tx, before.user_id, old, id)
    await dropReplaced(tx, before.user_id, first_id, now)
    return id
  })
}

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
