import { and, count, desc, eq } from 'drizzle-orm'
import { type Db, oneOf } from '../../../db/client'
import { sessions } from '../../../db/schema'
import type { AppContext } from '../context'
import { audit } from '../records/audit-entry'
import { inTransaction, type Write } from '../records/write'
import { Missing } from '../refusals'
import { confirmIdentity } from './confirmation'
import { isLive } from './rules'
import { endSession, endSessionsOf, isLiveAt, type Session } from './sessions'
import { revokeTokensOf } from './tokens'

/** Returns a public identifier for a session. The session id itself is never exposed. */
const handleOf = (id: string) => new Bun.CryptoHasher('sha256').update(id).digest('hex').slice(0, 16)

export async function listSessions(db: Db, userId: number, current: string, now: Date) {
  const liveSessions = await db
    .select()
    .from(sessions)
    .where(eq(sessions.user_id, userId))
    .orderBy(desc(sessions.last_seen_at))
  return liveSessions
    .filter((session) => isLive(session, now))
    .map(({ id, created_at, last_seen_at, expires_at, address, user_agent }) => {
      return {
        key: handleOf(id),
        is_current: id === current,
        created_at,
        last_seen_at,
        expires_at,
        address,
        user_agent,
      }
    })
}

export async function countSessions(db: Db, userIds: number[], now: Date): Promise<Map<number, number>> {
  const sessionCounts = await db
    .select({ id: sessions.user_id, n: count() })
    .from(sessions)
    .where(and(oneOf(sessions.user_id, userIds), isLiveAt(now)))
    .groupBy(sessions.user_id)
  return new Map(sessionCounts.map(({ id, n }) => [id, n]))
}

export async function endSessionByHandle({ db, clock }: Pick<Write, 'db' | 'clock'>, userId: number, key: string) {
  const own = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.user_id, userId))
  const session = own.find(({ id }) => handleOf(id) === key)
  if (!session) throw new Missing('Session')
  await endSession(db, session.id, clock.now())
}

/**
 * Ends one of the user's own sessions.
 * @throws Missing when the user has no such session, Refused when the password must be confirmed first
 */
export async function endOwnSession(ctx: AppContext, write: Write, session: Session, key: string) {
  await confirmIdentity(ctx, session, undefined)
  await inTransaction(write, async (write) => {
    await endSessionByHandle(write, session.user.id, key)
    await auditEnded(write, session.user.id, 1)
  })
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
  await inTransaction(write, async (write) => {
    const { id } = session.user
    const others = (await listSessions(write.db, id, session.id, write.actor.now)).filter(
      ({ is_current }) => !is_current,
    )
    await endSessionsOf(write.db, id, session.id)
    if (others.length) await auditEnded(write, id, others.length)
    if (revoke_tokens) await revokeTokensOf(write, session.user.id)
  })
}
