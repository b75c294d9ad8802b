import { and, eq, exists, gt, lt, max, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { type Db, oneOf } from '../../../db/client'
import { apiTokens, companySettings, externalIdentities, secondFactors, sessions, users } from '../../../db/schema'
import type { Role, SignInMethod, TokenScope } from '../../../db/vocabulary'
import type { ListLayouts } from '../lists/layouts/rules'
import { layoutsOf } from '../lists/layouts/sql'
import { type SidebarView, sidebarViews } from '../lists/saved-views/sql'
import { prepared } from '../records/prepared-statements'
import { SignedOut } from '../refusals'
import { NO_PASSWORD } from './passwords'
import { ABSOLUTE_LIMIT_MS, IDLE_LIMIT_MS, isLive } from './rules'

export type CurrentUser = {
  id: number
  username: string
  role: Role
  first_name: string | null
  last_name: string | null
  must_change_password: boolean
  /**
   * Expiry time of a temporary password. Null for other passwords.
   * A password is temporary if someone other than the user has set or seen it.
   */
  password_expires_at: Date | null
  sees_costs: boolean
  has_password: boolean
  /** True if the account is linked to a person at the single sign-on provider. */
  has_single_sign_on: boolean
  /**
   * True if the user must still turn on two-factor authentication, because the settings require it.
   * Always false after single sign-on and for accounts without a password.
   */
  is_factor_due: boolean
}

/** The session of a signed-in user, or of an API token. Only the session of an API token has `token`. */
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
 * Name under which concurrent requests of a session are counted. The API tokens of an account are counted together, but
 * apart from its sessions, so that a stolen token cannot block its owner.
 */
export const callerOf = ({ user, token }: Pick<Session, 'user' | 'token'>) =>
  `${user.id} by ${token ? 'token' : 'session'}`

export const everybodySeesCosts = sql<boolean>`exists (
  select 1 from ${companySettings} where ${companySettings.cost_viewers} = 'Everybody')`

/** SQL condition: the account is linked to a person at the single sign-on provider, who can open it. */
export const hasSingleSignOn = sql<boolean>`(${users.single_sign_on} and exists (
  select 1 from ${externalIdentities} where ${externalIdentities.user_id} = ${users.id}))`

export const currentUserColumns = {
  id: users.id,
  username: users.username,
  role: users.role,
  first_name: users.first_name,
  last_name: users.last_name,
  must_change_password: users.must_change_password,
  password_expires_at: users.password_expires_at,
  has_password: sql<boolean>`(${users.password_hash} <> ${sql.raw(`'${NO_PASSWORD}'`)})`,
  has_single_sign_on: hasSingleSignOn,
  sees_costs: sql<boolean>`(${users.role} = 'admin' or ${everybodySeesCosts})`,
  is_factor_due: sql<boolean>`(${users.password_hash} <> ${sql.raw(`'${NO_PASSWORD}'`)} and exists (
    select 1 from ${companySettings} where ${companySettings.second_factor_required} = 'Everybody'
      or (${companySettings.second_factor_required} = 'Administrators' and ${users.role} = 'admin')
  ) and not exists (
    select 1 from ${secondFactors} where ${secondFactors.user_id} = ${users.id}
    and ${secondFactors.confirmed_at} is not null))`,
}

const SEEN_EVERY_MS = 60_000

/**
 * Id of the first session of a sign-in. It stays the same when a refresh or a password confirmation replaces the
 * session with a new one.
 */
export const firstId = sql<string>`coalesce(${sessions.first_id}, ${sessions.id})`

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
 * Loads a session. Returns null if the session has ended or expired, or if its account is inactive.
 * Updates `last_seen_at` at most once a minute.
 */
export async function findSession(db: Db, id: string, now: Date): Promise<Session | null> {
  const [session] = await prepared(db, 'find_session', () => sessionStatement(db)).execute({ id })
  if (!session?.is_active || !isLive(session, now)) return null
  if (now.getTime() - session.last_seen_at.getTime() > SEEN_EVERY_MS) {
    await db.update(sessions).set({ last_seen_at: now }).where(eq(sessions.id, id))
  }
  const { user, views, layouts, method, first_id } = session
  // After a single sign-on, the provider is responsible for the second factor.
  const is_factor_due = user.is_factor_due && method !== 'single_sign_on'
  return { id, user: { ...user, is_factor_due }, views, layouts, first_id }
}

/**
 * Returns the user roles of the valid sessions and API tokens among `ids`.
 * The time of their last use is not updated.
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
          .where(and(oneOf(apiTokens.id, tokenIds.map(Number)), gt(apiTokens.expires_at, now), users.is_active)),
  ])
  return new Map([...bySession, ...byToken].map(({ id, role }) => [id, role]))
}

/**
 * Returns the account id of an expired session, if the account is active.
 * Returns null for a session that was ended before it expired, because its row has been deleted.
 */
export async function findExpiredOwner(db: Db, id: string, now: Date): Promise<number | null> {
  const [owner] = await db
    .select({ id: users.id, expires_at: sessions.expires_at, last_seen_at: sessions.last_seen_at })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, id), eq(users.is_active, true)))
  return owner && !isLive(owner, now) ? owner.id : null
}

export type Visitor = { address: string; userAgent: string | null }

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

const GRACE_MS = 60_000
const afterGrace = (now: Date) => sql`${new Date(now.getTime() + GRACE_MS).toISOString()}::timestamptz`

/**
 * Ends a session, and all sessions that it replaced or that replaced it. Does nothing for an API token.
 * Locks the account first. Otherwise, a session that is being renewed at the same time would stay open.
 */
export async function endSession(db: Db, { user, first_id }: Pick<Session, 'first_id'> & { user: { id: number } }) {
  if (first_id === undefined) return
  await db.transaction(async (tx) => {
    await holdAccount(tx, user.id)
    await tx.delete(sessions).where(and(eq(sessions.user_id, user.id), eq(firstId, first_id)))
  })
}

/** Locks an account row until the transaction ends. This serializes changes to the account's sessions and tokens. */
export const holdAccount = (tx: Db, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')

/**
 * Locks the account of a session until the transaction ends, and checks that the session is still open, or was renewed.
 * For an API token, checks that the token is still valid.
 * @throws SignedOut when the session has ended, for example because the password was reset
 */
export async function holdSession(tx: Db, session: Session): Promise<void> {
  const { user, token } = session
  await holdAccount(tx, user.id)
  const open = token
    ? await tx.$count(apiTokens, eq(apiTokens.id, token.id))
    : await tx.$count(sessions, and(eq(sessions.user_id, user.id), eq(firstId, signInOf(session))))
  if (open === 0) throw new SignedOut()
}

/** Returns the id of the sign-in to which a session belongs. It stays the same when the session is renewed. */
export const signInOf = ({ id, first_id }: Pick<Session, 'id' | 'first_id'>): string => first_id ?? id

/**
 * Ends all sessions of an account, except those of the same sign-in as `except`.
 * Locks the account first. Otherwise, a session that is being renewed at the same time would stay open.
 */
export function endSessionsOf(db: Db, userId: number, except?: Pick<Session, 'id' | 'first_id'>) {
  return db.transaction(async (tx) => {
    await holdAccount(tx, userId)
    const isOther = except && ne(firstId, signInOf(except))
    await tx.delete(sessions).where(and(eq(sessions.user_id, userId), isOther))
  })
}

/** Returns true if the account must set up a second factor before its user can do anything else. */
export async function isFactorDue(db: Db, userId: number): Promise<boolean> {
  const [user] = await db.select({ isDue: currentUserColumns.is_factor_due }).from(users).where(eq(users.id, userId))
  return user?.isDue ?? false
}

/**
 * Ends the password sessions of all accounts except `usernames`, which are in lower case.
 * Sessions can be left from a time in which all accounts could sign in with a password.
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

export const isLiveAt = (now: Date): SQL =>
  sql`(${gt(sessions.expires_at, now)} and ${gt(sessions.last_seen_at, new Date(now.getTime() - IDLE_LIMIT_MS))})`

/**
 * Time, in milliseconds, for which expired sessions stay in the database.
 * If a user submits a form with an expired session, the stored session identifies the user. The user can then submit
 * the form again after sign-in.
 */
const EXPIRED_KEPT_MS = 86_400_000

export async function sweepSessions(db: Db, now: Date) {
  const expired = new Date(now.getTime() - EXPIRED_KEPT_MS)
  const idle = new Date(expired.getTime() - IDLE_LIMIT_MS)
  await db.delete(sessions).where(or(lt(sessions.expires_at, expired), lt(sessions.last_seen_at, idle)))
}

/**
 * Replaces a session with a new one that expires at the same time.
 * @returns the id of the new session, or null if the old session has ended
 */
export async function renewSession(
  db: Db,
  old: string,
  visitor: Visitor,
  now: Date,
  { isConfirmed = false, method }: { isConfirmed?: boolean; method?: SignInMethod } = {},
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const [own] = await tx.select({ user: sessions.user_id }).from(sessions).where(eq(sessions.id, old))
    if (own) await holdAccount(tx, own.user)
    // After a password confirmation, the old session stays valid for a minute, because requests in progress, such as
    // uploads, still use its token.
    const ending = isConfirmed
      ? tx.update(sessions).set({ expires_at: sql`least(${sessions.expires_at}, ${afterGrace(now)})` })
      : tx.delete(sessions)
    const [before] = await tx.select().from(sessions).where(eq(sessions.id, old))
    if (!before) return null
    const first_id = before.first_id ?? before.id
    // Use the latest expiry time of all sessions of the sign-in. The old session expires within a minute if it was
    // already confirmed, for example in another tab. The new session must not expire that soon.
    const [signIn] = isConfirmed
      ? await tx
          .select({ expires_at: max(sessions.expires_at) })
          .from(sessions)
          .where(and(eq(sessions.user_id, before.user_id), eq(firstId, first_id)))
      : []
    await ending.where(eq(sessions.id, old))
    const authenticated = isConfirmed ? now : before.authenticated_at
    return openSession(tx, before.user_id, visitor, now, {
      expires: signIn?.expires_at ?? before.expires_at,
      authenticated,
      method: method ?? before.method,
      first_id,
    })
  })
}
