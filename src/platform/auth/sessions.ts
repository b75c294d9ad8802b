import { and, eq, gt, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Db, oneOf } from '../../../db/client'
import { apiTokens, companySettings, sessions, users } from '../../../db/schema'
import type { Role, TokenScope } from '../../../db/vocabulary'
import type { ListLayouts } from '../lists/layouts/rules'
import { layoutsOf } from '../lists/layouts/sql'
import { type SidebarView, sidebarViews } from '../lists/saved-views/sql'
import { prepared } from '../records/prepared'
import { type Account, withoutSecrets } from './account-columns'
import { passwordMatches } from './passwords'
import { ABSOLUTE_LIMIT_MS, IDLE_LIMIT_MS, isLive } from './rules'

/** The signed-in person, as far as every page needs to know them. */
export type CurrentUser = {
  id: number
  username: string
  role: Role
  first_name: string | null
  last_name: string | null
  must_change_password: boolean
  /** Of a password that somebody else set or read. */
  password_expires_at: Date | null
  /** Administrators always, others when the settings let everybody. */
  sees_costs: boolean
}

/** Who asks; with `token`, an integration that was let in by an API token instead of a sign-in. */
export type Session = {
  id: string
  user: CurrentUser
  /** What the sidebar of every page shows: read along with the session, not by a query of its own. */
  views: SidebarView[]
  /** How this person has their lists laid out; read along in the same way. */
  layouts: ListLayouts
  token?: { name: string; scope: TokenScope }
}

export const everybodySeesCosts = sql<boolean>`exists (
  select 1 from ${companySettings} where ${companySettings.cost_viewers} = 'Everybody')`

export const currentUserColumns = {
  id: users.id,
  username: users.username,
  role: users.role,
  first_name: users.first_name,
  last_name: users.last_name,
  must_change_password: users.must_change_password,
  password_expires_at: users.password_expires_at,
  sees_costs: sql<boolean>`(${users.role} = 'admin' or ${everybodySeesCosts})`,
}

const SEEN_EVERY_MS = 60_000

const sessionStatement = (db: Db) =>
  db
    .select({
      last_seen_at: sessions.last_seen_at,
      expires_at: sessions.expires_at,
      is_active: users.is_active,
      user: currentUserColumns,
      views: sidebarViews(sql`${users.username}`),
      layouts: layoutsOf(sql`${users.id}`),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare('find_session')

/** The live session of that id, or null when it ended, expired, or its account is inactive. */
export async function findSession(db: Db, id: string, now: Date): Promise<Session | null> {
  const [found] = await prepared(db, 'find_session', () => sessionStatement(db)).execute({ id })
  if (!found?.is_active || !isLive(found, now)) return null
  if (now.getTime() - found.last_seen_at.getTime() > SEEN_EVERY_MS) {
    await db.update(sessions).set({ last_seen_at: now }).where(eq(sessions.id, id))
  }
  return { id, user: found.user, views: found.views, layouts: found.layouts }
}

/**
 * The roles of those of these sessions and API tokens that are still open. Asking does not count as using them.
 * @param ids ids of `Session`
 */
export async function openSessionRoles(db: Db, ids: string[], now: Date): Promise<Map<string, Role>> {
  const tokenIds = ids.flatMap((id) => /^token (\d+)$/.exec(id)?.[1] ?? [])
  const [bySession, byToken] = await Promise.all([
    db
      .select({ id: sessions.id, role: users.role })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.user_id))
      .where(
        and(
          sql`${sessions.id} = any(${`{${ids.map((id) => `"${id}"`).join()}}`}::text[])`,
          isLiveAt(now),
          users.is_active,
        ),
      ),
    tokenIds.length === 0
      ? []
      : db
          .select({
            id: sql<string>`'token ' || ${apiTokens.id}`,
            role: sql<Role>`case when ${apiTokens.scope} = 'records' then 'user' else ${users.role} end`,
          })
          .from(apiTokens)
          .innerJoin(users, eq(users.id, apiTokens.user_id))
          .where(and(oneOf(apiTokens.id, tokenIds.map(Number)), gt(apiTokens.expires_at, now), users.is_active)),
  ])
  return new Map([...bySession, ...byToken].map(({ id, role }) => [id, role]))
}

/** The active account of a session that was not ended but has expired, as long as its row is kept. */
export async function findExpiredOwner(db: Db, id: string, now: Date): Promise<number | null> {
  const [found] = await db
    .select({ id: users.id, expires_at: sessions.expires_at, last_seen_at: sessions.last_seen_at })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, id), eq(users.is_active, true)))
  return found && !isLive(found, now) ? found.id : null
}

/** Where a sign-in comes from. */
export type Visitor = { address: string; userAgent: string | null }

/** Opens a session; 256 random bits name it. */
export async function openSession(
  db: Db,
  userId: number,
  visitor: Visitor,
  now: Date,
  { expires = new Date(now.getTime() + ABSOLUTE_LIMIT_MS), authenticated = now } = {},
) {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  await db.insert(sessions).values({
    id,
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    authenticated_at: authenticated,
    expires_at: expires,
    address: visitor.address.slice(0, 64),
    user_agent: visitor.userAgent?.slice(0, 300) ?? null,
  })
  return id
}

export async function endSession(db: Db, id: string) {
  await db.delete(sessions).where(eq(sessions.id, id))
}

/** Keeps what may change an account's sessions and tokens in a row until the transaction ends. */
export const holdAccount = (tx: Db, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/** Ends every session of an account, but for the one that asks. One that is being renewed just now is ended too. */
export function endSessionsOf(db: Db, userId: number, except?: string) {
  return db.transaction(async (tx) => {
    await holdAccount(tx, userId)
    await tx
      .delete(sessions)
      .where(except ? and(eq(sessions.user_id, userId), ne(sessions.id, except)) : eq(sessions.user_id, userId))
  })
}

/** `isLive`, where the database is asked. */
export const isLiveAt = (now: Date): SQL =>
  sql`(${gt(sessions.expires_at, now)} and ${gt(sessions.last_seen_at, new Date(now.getTime() - IDLE_LIMIT_MS))})`

/** How long an expired session stays known, so that a form sent with it can be held for its account. */
const EXPIRED_KEPT_MS = 86_400_000

/** Deletes the sessions that expired more than a day ago. */
export async function sweepSessions(db: Db, now: Date) {
  const expired = new Date(now.getTime() - EXPIRED_KEPT_MS)
  const idle = new Date(expired.getTime() - IDLE_LIMIT_MS)
  await db.delete(sessions).where(or(lt(sessions.expires_at, expired), lt(sessions.last_seen_at, idle)))
}

const GRACE_MS = 60_000
const afterGrace = (now: Date) => sql`${new Date(now.getTime() + GRACE_MS).toISOString()}::timestamptz`

/** A new session in place of an old one; it lives no longer than the old one would have. */
export async function renewSession(
  db: Db,
  old: string,
  visitor: Visitor,
  now: Date,
  { isConfirmed = false } = {},
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [own] = await tx.select({ user: sessions.user_id }).from(sessions).where(eq(sessions.id, old))
    if (own) await holdAccount(tx, own.user)
    // Requests that are under way when a password is confirmed, such as an upload, still come with the old token.
    const ending = isConfirmed
      ? tx.update(sessions).set({ expires_at: sql`least(${sessions.expires_at}, ${afterGrace(now)})` })
      : tx.delete(sessions)
    const [before] = await tx.select().from(sessions).where(eq(sessions.id, old))
    if (!before) return null
    await ending.where(eq(sessions.id, old))
    const authenticated = isConfirmed ? now : before.authenticated_at
    return openSession(tx, before.user_id, visitor, now, { expires: before.expires_at, authenticated })
  })
}

/**
 * Checks a password and opens a session.
 * @returns for a wrong password, an unknown name or an inactive account, which take the same time, whose account
 * was meant
 */
export async function signIn(
  db: Db,
  typed: { username: string; password: string },
  visitor: Visitor,
  now: Date,
): Promise<{ session: string; account: Account } | { meant: string | null; isExpired?: true }> {
  const [user] = await db.select().from(users).where(sql`lower(${users.username}) = lower(${typed.username})`)
  const matches = await passwordMatches(typed.password, user?.password_hash ?? null)
  if (!user?.is_active || !matches) return { meant: user?.username ?? null }
  if (user.password_expires_at && user.password_expires_at <= now) return { meant: user.username, isExpired: true }
  return db.transaction(async (tx) => {
    const [account] = await tx
      .update(users)
      .set({ previous_login: user.last_login, last_login: now })
      // Someone may have set another password while this one was being checked.
      .where(and(eq(users.id, user.id), eq(users.is_active, true), eq(users.password_hash, user.password_hash)))
      .returning()
    return account
      ? { session: await openSession(tx, user.id, visitor, now), account: withoutSecrets(account) }
      : { meant: user.username }
  })
}
