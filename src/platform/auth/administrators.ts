import { and, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { externalIdentities, users } from '../../../db/schema'
import type { OidcConfig } from '../config'
import { inTransaction, type Write } from '../records/transactions'
import { Refused } from '../refusals'
import { NO_PASSWORD } from './passwords'
import { whileSignedIn } from './session-access'
import type { Session } from './sessions'

/** Postgres advisory lock for changes that could remove the last administrator. */
const ADMINISTRATORS_LOCK = 7_205_002

export const lockAdministrators = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`)

/**
 * Returns whether an active administrator other than `leaving` can sign in. A temporary password does not count,
 * because it expires. Call `lockAdministrators` first.
 */
export async function hasOtherAdministrator(tx: Db, leaving: number, oidc: OidcConfig | null): Promise<boolean> {
  const usesPassword = and(
    ne(users.password_hash, NO_PASSWORD),
    isNull(users.password_expires_at),
    oidc?.passwordAccounts ? inArray(sql`lower(${users.username})`, oidc.passwordAccounts) : undefined,
  )
  const signsOn = oidc && and(eq(users.single_sign_on, true), isLinked(oidc, sql`${users.id}`))
  const canSignIn = signsOn ? or(usesPassword, signsOn) : usesPassword
  const others = and(eq(users.role, 'admin'), eq(users.is_active, true), ne(users.id, leaving), canSignIn)
  return (await tx.$count(users, others)) > 0
}

/** SQL condition: a person at the provider is linked to the account. Links to a former provider do not count. */
const isLinked = ({ issuer }: OidcConfig, account: SQL) =>
  sql`exists (select 1 from ${externalIdentities}
    where ${externalIdentities.user_id} = ${account} and ${externalIdentities.issuer} = ${issuer})`

/**
 * Returns a function that tells whether an account is an administrator who can sign in, with the same rules as
 * `hasOtherAdministrator`. The function can be called with the stored and the changed values of the account.
 */
export async function administratorRule(tx: Db, id: number, oidc: OidcConfig | null) {
  const links = oidc ? await tx.$count(users, and(eq(users.id, id), isLinked(oidc, sql`${users.id}`))) : 0
  const { passwordAccounts } = oidc ?? {}
  return (user: typeof users.$inferSelect) => {
    const usesPassword =
      user.password_hash !== NO_PASSWORD &&
      user.password_expires_at === null &&
      (passwordAccounts?.includes(user.username.toLowerCase()) ?? true)
    return user.role === 'admin' && user.is_active && (usesPassword || (links > 0 && user.single_sign_on))
  }
}

/** @throws Refused when no active administrator other than the user `leaving` can sign in */
export async function keepAnAdministrator(tx: Db, leaving: number, oidc: OidcConfig | null): Promise<void> {
  if (!(await hasOtherAdministrator(tx, leaving, oidc)))
    throw Refused.field('role', 'At least one administrator must stay active')
}

/**
 * Runs an administrator's change to an account. Only one such change runs at a time. Locks the administrator's session.
 * Without this lock, an administrator who is being deactivated could change other accounts at the same time.
 * @throws SignedOut when the session has ended
 */
export const asAdministrator = <T>(write: Write, session: Session, work: (write: Write) => Promise<T>): Promise<T> =>
  inTransaction({ ...write, checkAccess: undefined }, async (write) => {
    await lockAdministrators(write.db)
    return whileSignedIn(write, session, work)
  })
