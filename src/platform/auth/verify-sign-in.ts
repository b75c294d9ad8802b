import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { users } from '../../../db/schema'
import { type Account, withoutSecrets } from './account-columns'
import { passwordMatches } from './passwords'
import { openSession, type Visitor } from './sessions'

/** Rolls back the sign-in transaction when a code is missing or wrong. */
class CodeNeeded extends Error {}

/**
 * Username with a password (first step) or a password hash (second step). In the second step, the user enters only the
 * second-factor code. `hash` is then the password hash that the account had in the first step. If the password has
 * changed since then, the sign-in fails.
 */
type SignInProof = { username: string } & ({ password: string } | { hash: string })
type SignInChecks = {
  mayUsePassword: (username: string) => boolean
  checkInTurn: (check: () => Promise<boolean>) => Promise<boolean>
  countCode: () => Promise<void>
  acceptCode: (tx: Db, user_id: number) => Promise<boolean>
}
type SignInResult =
  | { session: string; account: Account; previousLogin: Date | null }
  | { meant: string | null; isExpired?: true; needsCode?: { hash: string } }

/**
 * Checks a password and opens a session. A wrong password, an unknown username, an inactive account and an account that
 * can only use single sign-on take the same time.
 * @param checks `mayUsePassword` returns whether the account with this stored username can use a password.
 * `checkInTurn` runs the check of the password. `countCode` is called before a code is checked. `acceptCode` checks the
 * second factor within the transaction.
 * @returns the session, or a failure. In a failure, `meant` is the stored username that matches the input, or null if
 * no account with a password matches. `needsCode` is present if only the second-factor code is missing or wrong.
 */
export async function signIn(
  db: Db,
  input: SignInProof,
  visitor: Visitor,
  now: Date,
  { mayUsePassword, checkInTurn, countCode, acceptCode }: SignInChecks,
): Promise<SignInResult> {
  const [stored] = await db.select().from(users).where(sql`lower(${users.username}) = lower(${input.username})`)
  const user = stored && mayUsePassword(stored.username) ? stored : undefined
  const matches =
    'hash' in input
      ? user?.password_hash === input.hash
      : await checkInTurn(() => passwordMatches(input.password, user?.password_hash ?? null))
  if (!user?.is_active || !matches) return { meant: user?.username ?? null }
  if (user.password_expires_at && user.password_expires_at <= now) return { meant: user.username, isExpired: true }
  await countCode()
  const refused = { meant: user.username }
  return db
    .transaction(async (tx): Promise<SignInResult> => {
      const [account] = await tx
        .update(users)
        .set({ previous_login: user.last_login, last_login: now })
        // The password may have changed since its hash was checked.
        .where(and(eq(users.id, user.id), eq(users.is_active, true), eq(users.password_hash, user.password_hash)))
        .returning()
      if (!account) return refused
      if (!(await acceptCode(tx, user.id))) throw new CodeNeeded()
      const session = await openSession(tx, user.id, visitor, now)
      return { session, account: withoutSecrets(account), previousLogin: user.last_login }
    })
    .catch((error) => {
      if (!(error instanceof CodeNeeded)) throw error
      return { ...refused, needsCode: { hash: user.password_hash } }
    })
}
