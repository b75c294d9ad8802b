import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { users } from '../../../db/schema'
import { Refused } from '../refusals'
import { hasSingleSignOn } from './sessions'

/** Key of a Postgres advisory lock for changes that could remove the last administrator. */
const ADMINISTRATORS_LOCK = 7_205_002

export const lockAdministrators = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`)

/**
 * Returns whether an active administrator other than the user `leaving` exists. Call `lockAdministrators` first.
 * @param passwordAccounts usernames in lower case, if only these accounts can sign in with a password. Other
 * administrators then count only if single sign-on opens their account.
 */
export async function hasOtherAdministrator(
  tx: Db,
  leaving: number,
  passwordAccounts: string[] | null = null,
): Promise<boolean> {
  const canSignIn = passwordAccounts && or(inArray(sql`lower(${users.username})`, passwordAccounts), hasSingleSignOn)
  const others = and(eq(users.role, 'admin'), eq(users.is_active, true), ne(users.id, leaving), canSignIn ?? undefined)
  return (await tx.$count(users, others)) > 0
}

/**
 * Checks that an active administrator other than the user `leaving` exists.
 * @throws Refused when there is no other active administrator
 */
export async function keepAnAdministrator(tx: Db, leaving: number): Promise<void> {
  if (!(await hasOtherAdministrator(tx, leaving)))
    throw Refused.field('role', 'At least one administrator must stay active')
}
