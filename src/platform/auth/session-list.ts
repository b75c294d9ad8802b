import { and, countDistinct, desc, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { type Db, oneOf } from '../../../db/client'
import { secondFactors, sessions, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { audit } from '../records/audit-entry'
import type { Write } from '../records/transactions'
import { Missing } from '../refusals'
import { confirmIdentity } from './confirmation'
import { endSession, endSessionsOf } from './ending-sessions'
import { whileSignedIn } from './session-access'
import { firstId, isLiveAt, type Session, signInOf } from './sessions'
import { revokeTokensOf } from './tokens'

/**
 * Returns a public identifier of a sign-in. It is a hash, so that no session id is exposed.
 * @param id id of the first session of the sign-in
 */
const handleOf = (id: string) => new Bun.CryptoHasher('sha256').update(id).digest('hex').slice(0, 16)

/** Maximum number of sessions of which the sign-ins are listed. An account can have any number of sessions. */
const LISTED = 500

/** Lists the latest open sign-ins of an account, and the current one. `current` is the session of the caller. */
export async function listSessions(db: Db, userId: number, current: Session, now: Date) {
  const ofAccount = await db
    .select({ ...getTableColumns(sessions), first_id: firstId })
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), isLiveAt(now)))
    .orderBy(desc(eq(firstId, signInOf(current))), desc(sessions.last_seen_at), desc(sessions.expires_at))
    .limit(LISTED)
  const bySignIn = Map.groupBy(ofAccount, ({ first_id }) => first_id)
  return [...bySignIn].map(([first, all]) => {
    const { created_at, last_seen_at, expires_at, address, user_agent } = all[0] as (typeof all)[number]
    const is_current = first === signInOf(current)
    return { key: handleOf(first), is_current, created_at, last_seen_at, expires_at, address, user_agent }
  })
}

export async function listAccess(db: Db, userIds: number[], now: Date) {
  const rows = await db
    .select({
      id: users.id,
      sessions: countDistinct(firstId),
      hasSecondFactor: sql<boolean>`bool_or(${secondFactors.confirmed_at} is not null)`,
    })
    .from(users)
    .leftJoin(sessions, and(eq(sessions.user_id, users.id), isLiveAt(now)))
    .leftJoin(secondFactors, eq(secondFactors.user_id, users.id))
    .where(oneOf(users.id, userIds))
    .groupBy(users.id)
  return new Map(rows.map(({ id, ...access }) => [id, access]))
}

export async function endSessionByHandle({ db }: Pick<Write, 'db'>, userId: number, key: string) {
  const handle = sql`left(encode(sha256(convert_to(${firstId}, 'UTF8')), 'hex'), 16)`
  const [session] = await db
    .select({ first_id: firstId })
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), sql`${handle} = ${key}`))
    .limit(1)
  if (!session) throw new Missing('Session')
  await endSession(db, { ...session, user: { id: userId } })
}

/** @throws Missing when the user has no such session, Refused when the password must be confirmed first */
export async function endOwnSession(ctx: AppContext, write: Write, session: Session, key: string) {
  await confirmIdentity(ctx, session, undefined)
  await whileSignedIn(write, session, async (write) => {
    await endSessionByHandle(write, session.user.id, key)
    await auditEnded(write, session.user.id, 1)
  })
}

/** Counts the open sign-ins of an account, except that of `current`. */
export async function countOtherSignIns(db: Db, userId: number, current: Session, now: Date): Promise<number> {
  const [found] = await db
    .select({ count: countDistinct(firstId) })
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), isLiveAt(now), ne(firstId, signInOf(current))))
  return found?.count ?? 0
}

const auditEnded = (write: Write, user: number, count: number) =>
  audit(write, 'update', 'users', user, { sessions_ended: { old: null, new: count } })

/** @throws Refused when the password must be confirmed first */
export async function endOtherSessions(
  ctx: AppContext,
  write: Write,
  session: Session,
  { revoke_tokens }: { revoke_tokens: boolean },
) {
  await confirmIdentity(ctx, session, undefined)
  await whileSignedIn(write, session, async (write) => {
    const { id } = session.user
    const others = await countOtherSignIns(write.db, id, session, write.actor.now)
    await endSessionsOf(write.db, id, session)
    if (others) await auditEnded(write, id, others)
    if (revoke_tokens) await revokeTokensOf(write, session.user.id)
  })
}
