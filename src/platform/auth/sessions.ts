import { and, desc, eq, exists, gt, gte, ne, not, notExists, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, oneOf } from '../../../db/client'
import { apiTokens, sessions, users } from '../../../db/schema'
import type { Role, SignInMethod, TokenScope } from '../../../db/vocabulary'
import type { ListLayouts } from '../lists/layouts/rules'
import { layoutsOf } from '../lists/layouts/sql'
import { type SidebarView, sidebarViews } from '../lists/saved-views/sql'
import { prepared } from '../records/prepared-statements'
import { type CurrentUser, currentUserColumns } from './current-user'
import { ABSOLUTE_LIMIT_MS, IDLE_LIMIT_MS, isLive } from './rules'

/** The session of a signed-in user or an API token. Only the session of an API token has `token`. */
export type Session = {
  id: string
  user: CurrentUser
  /** Saved views in the sidebar. They are loaded with the session, because every page shows them. */
  views: SidebarView[]
  layouts: ListLayouts
  token?: { id: number; name: string; scope: TokenScope }
  /** Id of the first session of the same sign-in. Undefined for an API token. */
  first_id?: string
}

/**
 * Returns the name under which requests and event streams are counted. Each account has one name for all its sessions,
 * and a second name for all its API tokens. Many requests with a stolen token therefore cannot block the sessions of
 * the token's owner.
 */
export const callerOf = ({ user, token }: Pick<Session, 'user' | 'token'>) =>
  `${user.id} by ${token ? 'token' : 'session'}`

const SEEN_EVERY_MS = 60_000

/**
 * Id of the first session of a sign-in. It stays the same when a refresh or a password confirmation replaces the
 * session with a new one.
 */
export const firstId = sql<string>`coalesce(${sessions.first_id}, ${sessions.id})`

export const signInOf = ({ id, first_id }: Pick<Session, 'id' | 'first_id'>): string => first_id ?? id

const sessionStatement = (db: Db) =>
  db
    .select({
      last_seen_at: sessions.last_seen_at,
      first_id: firstId,
      expires_at: sessions.expires_at,
      is_active: users.is_active,
      method: sessions.method,
      user: currentUserColumns,
      views: sidebarViews(sql`${users.username}`),
      layouts: layoutsOf(sql`${users.id}`),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare('find_session')

/**
 * Loads a session. Returns null if the session has ended or expired, or if its account is inactive. Updates
 * `last_seen_at` at most once a minute. Background requests do not update `last_seen_at`, because the user did not
 * cause them.
 */
export async function findSession(
  db: Db,
  id: string,
  now: Date,
  { isBackground = false } = {},
): Promise<Session | null> {
  const [session] = await prepared(db, 'find_session', () => sessionStatement(db)).execute({ id })
  if (!session?.is_active || !isLive(session, now)) return null
  if (!isBackground && now.getTime() - session.last_seen_at.getTime() > SEEN_EVERY_MS) {
    await db.update(sessions).set({ last_seen_at: now }).where(eq(sessions.id, id))
  }
  const { user, views, layouts, method, first_id } = session
  // After a single sign-on, the provider is responsible for the second factor.
  const is_factor_due = user.is_factor_due && method !== 'single_sign_on'
  return { id, user: { ...user, is_factor_due }, views, layouts, first_id }
}

export const isLiveAt = (now: Date): SQL =>
  sql`(${gt(sessions.expires_at, now)} and ${gt(sessions.last_seen_at, new Date(now.getTime() - IDLE_LIMIT_MS))})`

/**
 * Loads the newest session of the same sign-in as `before`. Returns null if
 * - the sign-in has ended or expired,
 * - its account is inactive, or
 * - the row of `before` was deleted. For example, two-factor authentication was turned on.
 */
export async function findNewestSession(db: Db, before: Session, now: Date): Promise<Session | null> {
  const old = alias(sessions, 'old')
  const own = db.select({ id: old.id }).from(old).where(eq(old.id, before.id))
  const [newest] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.user_id, before.user.id), eq(firstId, signInOf(before)), exists(own)))
    // If several sessions expire at the same time, return the caller's own session.
    .orderBy(desc(sessions.expires_at), desc(eq(sessions.id, before.id)), desc(sessions.created_at))
    .limit(1)
  // Do not update `last_seen_at`, because the request has already counted as activity of the user.
  return newest ? findSession(db, newest.id, now, { isBackground: true }) : null
}

/**
 * Returns the roles of the sessions and API tokens that are valid. Leaves out sessions whose user must first change the
 * password or set up a second factor. Does not update the time of last use.
 * @param ids values of `id` in `Session`
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
          not(users.must_change_password),
          sql`not (${currentUserColumns.is_factor_due} and ${sessions.method} <> 'single_sign_on')`,
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
          .where(
            and(
              oneOf(apiTokens.id, tokenIds.map(Number)),
              gt(apiTokens.expires_at, now),
              users.is_active,
              not(users.must_change_password),
            ),
          ),
  ])
  return new Map([...bySession, ...byToken].map(({ id, role }) => [id, role]))
}

/**
 * Returns the account id of an expired session. Returns null if
 * - the account is inactive,
 * - the session was ended before it expired, because its row has been deleted, or
 * - a newer session replaced this session, because the token of the replaced session may have been stolen.
 */
export async function findExpiredOwner(db: Db, id: string, now: Date): Promise<number | null> {
  const newerSessions = alias(sessions, 'newer')
  const newer = db
    .select({ id: newerSessions.id })
    .from(newerSessions)
    .where(
      and(
        eq(newerSessions.user_id, sessions.user_id),
        sql`${newerSessions.first_id} = ${firstId}`,
        ne(newerSessions.id, sessions.id),
        or(gt(newerSessions.expires_at, sessions.expires_at), gte(newerSessions.created_at, sessions.created_at)),
      ),
    )
  const [owner] = await db
    .select({ id: users.id, expires_at: sessions.expires_at, last_seen_at: sessions.last_seen_at })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, id), eq(users.is_active, true), notExists(newer)))
  return owner && !isLive(owner, now) ? owner.id : null
}

type SignIn = { user: { id: number }; first_id: string }

/**
 * Finds the sign-in of a session. The session can have expired or been replaced.
 * @param first id of the sign-in's first session, if known. It finds the sign-in even if the row of the session `id`
 * has been deleted.
 */
export async function findSignIn(db: Db, id: string, first = id): Promise<SignIn | null> {
  const [session] = await db
    .select({ user_id: sessions.user_id, first_id: firstId })
    .from(sessions)
    .where(or(eq(sessions.id, id), eq(sessions.id, first), eq(sessions.first_id, first)))
    .limit(1)
  return session ? { user: { id: session.user_id }, first_id: session.first_id } : null
}

export const hasOpenSession = async (db: Db, { user, first_id }: SignIn, now: Date): Promise<boolean> =>
  (await db.$count(sessions, and(eq(sessions.user_id, user.id), eq(firstId, first_id), isLiveAt(now)))) > 0

export type Visitor = { address: string; userAgent: string | null }

/** @param first_id first session of the sign-in, or null for a new sign-in */
export async function openSession(
  db: Db,
  userId: number,
  visitor: Visitor,
  now: Date,
  {
    expires = new Date(now.getTime() + ABSOLUTE_LIMIT_MS),
    authenticated = now,
    method = 'password',
    first_id = null,
  }: { expires?: Date; authenticated?: Date; method?: SignInMethod; first_id?: string | null } = {},
) {
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')
  await db.insert(sessions).values({
    id,
    first_id,
    user_id: userId,
    created_at: now,
    last_seen_at: now,
    authenticated_at: authenticated,
    expires_at: expires,
    method,
    address: visitor.address.slice(0, 64),
    user_agent: visitor.userAgent?.slice(0, 300) ?? null,
  })
  return id
}

/**
 * Returns the session of a sign-in that expires last. Returns null if the sign-in has no sessions. If several expire
 * last at the same time, prefers the session `own`.
 */
export async function lastSessionOf(db: Db, userId: number, first_id: string | undefined, own: string) {
  if (first_id === undefined) return null
  const [last] = await db
    .select({ id: sessions.id, expires_at: sessions.expires_at })
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), eq(firstId, first_id)))
    .orderBy(desc(sessions.expires_at), desc(eq(sessions.id, own)), desc(sessions.created_at))
    .limit(1)
  return last ?? null
}
