import { and, eq, sql } from 'drizzle-orm'
import { externalIdentities, users } from '../../../db/schema'
import type { AppContext } from '../context'
import { changeRecord, createRecord, inTransaction, type Write } from '../records/write'
import { hasOtherAdministrator, lockAdministrators } from './administrators'
import type { Person } from './identity-provider'
import { NO_PASSWORD } from './passwords'
import { endSessionsOf, openSession, type Visitor } from './sessions'
import { revokeTokensOf } from './tokens'
import { newUsername, normalizeUsername } from './usernames'

/** Why a person who signed on at the provider gets no session. */
export type SignOnProblem = 'no-account' | 'taken' | 'inactive' | 'no-username'

type StoredUser = typeof users.$inferSelect
type Opened = { session: string; account: StoredUser }

/**
 * Opens a session for a person whom the provider has identified. The account is, in this order: the account that
 * belongs to this person, an account with the same username that allows single sign-on and belongs to nobody yet, or a
 * new account. The e-mail address never selects an account, because people can change it at many providers.
 */
export async function signOn(ctx: AppContext, person: Person, visitor: Visitor): Promise<Opened | SignOnProblem> {
  const now = ctx.clock.now()
  const actor = { username: person.username ?? null, source: 'screen' as const, address: visitor.address, now }
  return inTransaction({ db: ctx.db, clock: ctx.clock, actor }, async (write) => {
    // Also serializes two first sign-ons of one person.
    await lockAdministrators(write.db)
    const found = (await ownAccount(write, person)) ?? (await accountToLink(write, person, ctx))
    if (typeof found === 'string') return found
    if (!found.is_active) return 'inactive'
    const account = await withRole(ctx, { ...write, actor: { ...actor, username: found.username } }, found, person)
    await write.db
      .update(users)
      .set({ previous_login: account.last_login, last_login: now })
      .where(eq(users.id, account.id))
    return { session: await openSession(write.db, account.id, visitor, now), account }
  })
}

/** Returns whether the account belongs to this person. */
export async function isOwner(ctx: AppContext, user_id: number, { issuer, subject }: Person): Promise<boolean> {
  const { issuer: issuers, subject: subjects } = externalIdentities
  const [identity] = await ctx.db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.user_id, user_id), eq(issuers, issuer), eq(subjects, subject)))
  return identity !== undefined
}

async function ownAccount(write: Write, { issuer, subject }: Person): Promise<StoredUser | undefined> {
  const [own] = await write.db
    .select({ user: users })
    .from(externalIdentities)
    .innerJoin(users, eq(users.id, externalIdentities.user_id))
    .where(and(eq(externalIdentities.issuer, issuer), eq(externalIdentities.subject, subject)))
  return own?.user
}

async function accountToLink(
  write: Write,
  person: Person,
  { config }: AppContext,
): Promise<StoredUser | SignOnProblem> {
  if (!person.username) return 'no-username'
  const username = normalizeUsername(person.username)
  const [named] = await write.db
    .select({ user: users, identity: externalIdentities.id })
    .from(users)
    .leftJoin(externalIdentities, eq(externalIdentities.user_id, users.id))
    .where(sql`lower(${users.username}) = lower(${username})`)
  if (named && (named.identity !== null || !named.user.single_sign_on)) return 'taken'
  if (named && !named.user.is_active) return 'inactive'
  if (!named && !config.oidc?.createsAccounts) return 'no-account'
  if (!named && !newUsername.safeParse(username).success) return 'no-username'
  const { first_name, last_name, email, issuer, subject } = person
  const user =
    named?.user ??
    (await createRecord(write, users, {
      username,
      password_hash: NO_PASSWORD,
      first_name,
      last_name,
      email,
      role: 'user',
      single_sign_on: true,
    }))
  await createRecord(write, externalIdentities, { user_id: user.id, issuer, subject })
  return user
}

/** Gives the account the role that the person's groups imply, if groups decide roles. Never removes the last administrator. */
async function withRole(ctx: AppContext, write: Write, user: StoredUser, { groups }: Person): Promise<StoredUser> {
  const { adminGroup } = ctx.config.oidc ?? {}
  if (!adminGroup) return user
  const role = groups.includes(adminGroup) ? 'admin' : 'user'
  if (role === user.role) return user
  if (role === 'user' && !(await hasOtherAdministrator(write.db, user.id))) {
    ctx.log('warn', 'the last administrator is not in the group of administrators', { username: user.username })
    return user
  }
  const { after } = await changeRecord(write, users, { id: user.id, what: 'User', values: { role } })
  await endSessionsOf(write.db, user.id)
  await revokeTokensOf(write, user.id)
  return after
}

/** Returns whether an account has been used with single sign-on. */
export async function usesSingleSignOn(ctx: AppContext, user_id: number): Promise<boolean> {
  const [own] = await ctx.db
    .select({ id: externalIdentities.id })
    .from(externalIdentities)
    .where(eq(externalIdentities.user_id, user_id))
  return own !== undefined
}
