import { and, asc, desc, eq, ilike, or } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, violatedUnique } from '../../../db/client'
import { users } from '../../../db/schema'
import type { Role } from '../../../db/vocabulary'
import { checkAll } from '../../platform/accept'
import { type Account, accountColumns, withoutSecrets } from '../../platform/auth/account-columns'
import {
  administratorRule,
  asAdministrator,
  hasOtherAdministrator,
  keepAnAdministrator,
} from '../../platform/auth/administrators'
import { confirmationNeeded, confirmIdentity, isConfirmed } from '../../platform/auth/confirmation'
import { endSessionsOf } from '../../platform/auth/ending-sessions'
import { refuseWeak } from '../../platform/auth/guessable'
import { hashPassword, NO_PASSWORD } from '../../platform/auth/passwords'
import { temporaryUntil } from '../../platform/auth/rules'
import type { Session } from '../../platform/auth/sessions'
import { unlinkPerson } from '../../platform/auth/single-sign-on'
import { revokeTokensOf } from '../../platform/auth/tokens'
import type { AppContext } from '../../platform/context'
import type { Page } from '../../platform/http/answers'
import type { ListQuery } from '../../platform/lists/list-query'
import { listing } from '../../platform/records/listing'
import { naturally } from '../../platform/records/natural-order'
import { containing } from '../../platform/records/search'
import type { Write } from '../../platform/records/transactions'
import { changeRecord, createRecord } from '../../platform/records/write'
import { Conflict, Missing, Refused } from '../../platform/refusals'
import { checkOwnAccount, type newUser, type passwordReset } from './rules'

const SORTS = {
  username: naturally(users.username),
  first_name: naturally(users.first_name),
  last_name: naturally(users.last_name),
  role: users.role,
  last_login: users.last_login,
  created_at: users.created_at,
}

type UserFilters = ListQuery & { role: Role | null; is_active?: boolean | undefined; sort: keyof typeof SORTS }

export async function listUsers(db: Db, query: UserFilters): Promise<Page<Account>> {
  const text = query.q ? containing(query.q) : null
  const where = and(
    text
      ? or(...[users.username, users.first_name, users.last_name, users.email].map((column) => ilike(column, text)))
      : undefined,
    query.role ? eq(users.role, query.role) : undefined,
    query.is_active === undefined ? undefined : eq(users.is_active, query.is_active),
  )
  const direction = query.order === 'desc' ? desc : asc
  const order = [direction(SORTS[query.sort]), asc(users.id)]
  return listing<Account>(db, {
    select: () => db.select(accountColumns).from(users).$dynamic(),
    from: { of: accountColumns },
    table: users,
    where,
    order,
    query,
  }).page()
}

export async function findUser(db: Db, id: number): Promise<Account> {
  const [user] = await db.select(accountColumns).from(users).where(eq(users.id, id))
  if (!user) throw new Missing('User')
  return user
}

/** A generated password, shown only once. Missing if the administrator typed the password. */
export type GeneratedPassword = { temporary_password?: string }

const generatedPassword = (password: string, isGenerated: boolean): GeneratedPassword =>
  isGenerated ? { temporary_password: password } : {}

type NewUser = z.output<typeof newUser>

const nameIsTaken = () =>
  new Conflict('Username already exists', [{ field: 'username', message: 'Username already exists' }])

/**
 * Checks a new account, except for its single fields. A missing username or password is not checked.
 * @throws Conflict when the username already exists, ignoring case
 * @throws Refused when the new password is easy to guess, or when the signed-in user's own password is not confirmed
 */
export async function checkNewUser(
  ctx: AppContext,
  session: Session,
  { password, username, current_password, ...owner }: Pick<NewUser, 'current_password'> & Partial<NewUser>,
): Promise<void> {
  const { db } = ctx
  await checkAll(
    async () => {
      if (username && (await db.$count(users, eq(users.username, username)))) throw nameIsTaken()
    },
    async () => {
      if (password) await refuseWeak(db, password, { ...owner, username: username ?? '' }, 'password')
    },
    () => confirmIdentity(ctx, session, current_password),
  )
}

/**
 * Creates an account. The signed-in user must confirm their own password, because somebody with a stolen session could
 * otherwise create an account for later use.
 * @throws Conflict when the username already exists, ignoring case
 * @throws Refused when the new password is easy to guess, or when the signed-in user's own password is not confirmed
 */
export async function createUser(
  ctx: AppContext,
  write: Write,
  session: Session,
  newUser: NewUser,
): Promise<Account & GeneratedPassword> {
  await checkNewUser(ctx, session, newUser)
  const { password, temporary_password, current_password, ...values } = newUser
  const password_expires_at = values.must_change_password ? temporaryUntil(write.actor.now) : null
  const password_hash = await hashPassword(password)
  const creating = asAdministrator(write, session, async (write) => {
    return createRecord(write, users, { ...values, password_hash, password_expires_at })
  })
  const account = await creating.then(withoutSecrets, (error) => {
    if (violatedUnique(error) === null) throw error
    throw nameIsTaken()
  })
  return { ...account, ...generatedPassword(password, temporary_password) }
}

/**
 * True if this change requires the administrator's own password. A new email address or single sign-on could let
 * another person take over the account. The account's sessions and tokens stop working until a required new password is
 * chosen.
 */
function needsConfirmation(
  stored: Pick<Account, 'role' | 'is_active' | 'email' | 'single_sign_on' | 'must_change_password'>,
  change: UserChange,
): boolean {
  const next = { role: change.role ?? stored.role, is_active: change.is_active ?? stored.is_active }
  const isMoved = change.single_sign_on !== undefined && change.single_sign_on !== stored.single_sign_on
  const isActivated = next.is_active && !stored.is_active
  const isDeactivatedAdmin = stored.role === 'admin' && stored.is_active && !next.is_active
  return (
    (change.email !== undefined && change.email !== stored.email) ||
    isMoved ||
    isActivated ||
    (change.must_change_password === true && !stored.must_change_password) ||
    next.role !== stored.role ||
    isDeactivatedAdmin
  )
}

type UserChange = Partial<
  Pick<
    typeof users.$inferInsert,
    | 'role'
    | 'first_name'
    | 'last_name'
    | 'email'
    | 'phone'
    | 'is_active'
    | 'must_change_password'
    | 'single_sign_on'
    | 'version'
  >
> & { current_password?: string | undefined }

/**
 * Changes an account. Ends its sessions and revokes its tokens if the role changes, the account is deactivated or
 * single sign-on is turned off. An active account without single sign-on has no link to a person at the provider. A
 * deactivated account keeps its link, so that the person cannot get a new account. When single sign-on is allowed
 * again, the link is removed.
 * @throws Stale when another user has changed the account
 * @throws Refused when users change their own role or deactivate themselves, or no active administrator would be left
 * @throws Refused when the administrator's own password is not confirmed, or when `must_change_password` cannot be
 * turned on or off for this account
 */
export async function updateUser(
  ctx: AppContext,
  write: Write,
  session: Session,
  id: number,
  { version, current_password, ...change }: UserChange,
): Promise<Account> {
  const wasConfirmed = await isConfirmed(ctx, session, current_password)
  return asAdministrator(write, session, async (write) => {
    const { before, after } = await changeRecord(write, users, {
      id,
      version,
      what: 'User',
      values: async (stored, write) => {
        // Check this while the transaction locks the account's row. Otherwise, one request could set the administrator
        // role while another request activates the account, both without the password.
        if (!wasConfirmed && needsConfirmation(stored, change)) throw confirmationNeeded()
        const next = { ...stored, ...change }
        if (stored.must_change_password && !next.must_change_password)
          throw Refused.field(
            'must_change_password',
            'The user must choose a new password before you can turn off this setting',
          )
        if (next.must_change_password && !stored.must_change_password && stored.password_hash === NO_PASSWORD)
          throw Refused.field('must_change_password', 'This user signs in with single sign-on and has no password')
        checkOwnAccount(write.actor.username, stored, { role: next.role, is_active: next.is_active })
        const { oidc } = ctx.config
        const isAdministrator = await administratorRule(write.db, id, oidc)
        if (isAdministrator(stored) && !isAdministrator(next)) await keepAnAdministrator(write.db, id, oidc)
        return change
      },
    })
    const isUnlinked = before.single_sign_on && !after.single_sign_on
    const isAllowedAgain = after.single_sign_on && !before.single_sign_on
    if (isAllowedAgain || (!after.single_sign_on && after.is_active)) await unlinkPerson(write, id)
    if (after.role !== before.role || (before.is_active && !after.is_active) || isUnlinked) {
      await endSessionsOf(write.db, id)
      await revokeTokensOf(write, id)
    }
    return withoutSecrets(after)
  })
}

/**
 * Sets a new password, ends all sessions, revokes the tokens and deletes the counts of failed sign-ins.
 * @throws Missing when the account does not exist
 * @throws Refused when the new password is easy to guess, or the administrator's own password is not confirmed
 * @throws Refused when the only administrator would get a temporary password
 */
export async function resetPassword(
  ctx: AppContext,
  write: Write,
  session: Session,
  id: number,
  { newPassword, temporary_password, must_change_password, current_password }: z.output<typeof passwordReset>,
): Promise<GeneratedPassword> {
  const { db } = ctx
  const account = await findUser(db, id)
  await confirmIdentity(ctx, session, current_password, { always: id === session.user.id })
  await refuseWeak(db, newPassword, account)
  const password_hash = await hashPassword(newPassword)
  await asAdministrator(write, session, async (write) => {
    const password_expires_at = must_change_password ? temporaryUntil(write.actor.now) : null
    const change = { password_hash, must_change_password, password_expires_at }
    const { oidc } = ctx.config
    const values = async (stored: typeof users.$inferSelect, { db }: Write) => {
      const isAdministrator = await administratorRule(db, id, oidc)
      const isLeaving = isAdministrator(stored) && !isAdministrator({ ...stored, ...change })
      if (isLeaving && !(await hasOtherAdministrator(db, id, oidc)))
        throw Refused.field('must_change_password', 'The only administrator needs a password that does not expire')
      return change
    }
    await changeRecord(write, users, { id, what: 'User', values })
    await endSessionsOf(write.db, id)
    await revokeTokensOf(write, id)
  })
  await ctx.limits.unlock(account.username)
  return generatedPassword(newPassword, temporary_password)
}
