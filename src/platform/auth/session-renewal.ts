import { and, desc, eq, lte, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { sessions } from '../../../db/schema'
import type { SignInMethod } from '../../../db/vocabulary'
import { JUST_SIGNED_ON_MS } from './confirmation'
import { moveSetups } from './factor-setups'
import { isLive } from './rules'
import { holdAccount } from './session-access'
import { firstId, lastSessionOf, openSession, type Visitor } from './sessions'

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
