import { sql } from 'drizzle-orm'
import type { Database, Db } from '../../../db/client'
import { users } from '../../../db/schema'
import { lockAdministrators } from '../../platform/auth/administrators'
import { endSessionsOf } from '../../platform/auth/ending-sessions'
import { signInLimits } from '../../platform/auth/limits'
import { hashPassword, randomPassword } from '../../platform/auth/passwords'
import { temporaryUntil } from '../../platform/auth/rules'
import { resetSecondFactor } from '../../platform/auth/second-factor'
import { unlinkPerson } from '../../platform/auth/single-sign-on'
import { revokeTokensOf } from '../../platform/auth/tokens'
import { newUsername } from '../../platform/auth/usernames'
import { audit } from '../../platform/records/audit-entry'
import { commandWrite } from '../../platform/records/transactions'
import { changeRecord, createRecord } from '../../platform/records/write'
import { Missing } from '../../platform/refusals'
import { StartError } from '../../platform/start-error'

type Account = Pick<typeof users.$inferSelect, 'id' | 'username' | 'is_active'>

async function findByName(db: Db, name: string): Promise<Account | undefined> {
  const { id, username, is_active } = users
  const [user] = await db
    .select({ id, username, is_active })
    .from(users)
    .where(sql`lower(${users.username}) = lower(${name})`)
  return user
}

async function loadAccount(db: Db, name: string): Promise<Account> {
  const user = await findByName(db, name)
  if (!user) throw new StartError(`There is no account "${name}"`)
  return user
}

type Changes = Partial<typeof users.$inferInsert>

async function newRandomPassword() {
  const password = randomPassword()
  return { password, password_hash: await hashPassword(password), password_expires_at: temporaryUntil(new Date()) }
}

type Rights = { role: string; is_active: boolean }
const hasMoreRights = (before: Rights, after: Rights) =>
  (after.role === 'admin' && before.role !== 'admin') || (after.is_active && !before.is_active)

/**
 * Also ends the account's sessions and revokes its API tokens.
 * @returns the password
 */
async function setRandomPassword(
  db: Db,
  id: number,
  changesOf: (stored: typeof users.$inferSelect) => Changes,
): Promise<string> {
  const { password, ...secret } = await newRandomPassword()
  await db.transaction(async (tx) => {
    // The lock also keeps a simultaneous single sign-on from opening a session after the sessions have ended.
    await lockAdministrators(tx)
    const { before, after } = await changeRecord(commandWrite(tx), users, {
      id,
      what: 'User',
      values: (stored) => ({ ...changesOf(stored), ...secret }),
    })
    if (hasMoreRights(before, after)) await unlinkPerson(commandWrite(tx), id)
    await endSessionsOf(tx, id)
    await revokeTokensOf(commandWrite(tx), id)
  })
  return password
}

/**
 * Sets a temporary password. The user must change it at the next sign-in. Clears the account's failed sign-ins.
 * @throws StartError when the account does not exist
 */
export async function resetAccountPassword(database: Database, name: string) {
  const { id, username } = await loadAccount(database.db, name)
  const password = await setRandomPassword(database.db, id, () => ({ must_change_password: true }))
  await signInLimits(database).unlock(username)
  return { username, password }
}

/**
 * Clears the failed sign-ins of an account.
 * @throws StartError when the account does not exist
 */
export async function unlockAccount(database: Database, name: string) {
  const { id, username, is_active } = await loadAccount(database.db, name)
  const was_locked = await signInLimits(database).unlock(username)
  if (was_locked)
    await audit(commandWrite(database.db), 'update', 'users', id, { sign_ins_unlocked: { old: null, new: true } })
  return { username, was_locked, is_active }
}

/** @throws StartError when the account does not exist or has no second factor */
export async function resetAccountFactor(database: Database, name: string) {
  const { id, username } = await loadAccount(database.db, name)
  await resetSecondFactor(commandWrite(database.db), id).catch((error) => {
    throw error instanceof Missing ? new StartError(`${username} has no two-factor authentication`) : error
  })
  return { username }
}

/**
 * Makes an account an active administrator with a random password. Creates the account if it does not exist. If the
 * account gets more rights, also turns single sign-on off, because a person with the same name could have been linked
 * to the account at the provider.
 */
export async function ensureAdmin(db: Db, name: string): Promise<{ password: string; isUnlinked: boolean }> {
  const rights = { role: 'admin', is_active: true, must_change_password: false } as const
  const { data: username, error } = newUsername.safeParse(name)
  const user = (await findByName(db, name)) ?? (await findByName(db, username ?? name))
  if (user) {
    let isUnlinked = false
    const password = await setRandomPassword(db, user.id, (stored) => {
      const isPromoted = hasMoreRights(stored, rights)
      isUnlinked = isPromoted && stored.single_sign_on
      return isPromoted ? { ...rights, single_sign_on: false } : rights
    })
    return { password, isUnlinked }
  }
  if (error) throw new StartError(`Username: ${error.issues[0]?.message}`)
  const { password, ...secret } = await newRandomPassword()
  await createRecord(commandWrite(db), users, { username, ...secret, ...rights })
  return { password, isUnlinked: false }
}
