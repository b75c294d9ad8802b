import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { companySettings, externalIdentities, secondFactors, users } from '../../../db/schema'
import type { Role, TokenScope } from '../../../db/vocabulary'
import { NO_PASSWORD } from './passwords'

export type CurrentUser = {
  id: number
  username: string
  role: Role
  first_name: string | null
  last_name: string | null
  must_change_password: boolean
  /**
   * Expiry time of a temporary password. Null for other passwords. A password is temporary if someone other than the
   * user has set or seen it.
   */
  password_expires_at: Date | null
  sees_costs: boolean
  has_password: boolean
  /** True if the account is linked to a person at the provider. */
  has_single_sign_on: boolean
  /**
   * True if the settings require two-factor authentication and it is off. Always false after single sign-on and for
   * accounts without a password.
   */
  is_factor_due: boolean
}

export const everybodySeesCosts = sql<boolean>`exists (
  select 1 from ${companySettings} where ${companySettings.cost_viewers} = 'Everybody')`

/**
 * Limits a user to the scope of an API token. With the scope `records`, even a token of an administrator has only the
 * permissions of an ordinary user.
 */
export const withScope = (user: CurrentUser, scope: TokenScope, isCostVisibleToAll: boolean): CurrentUser =>
  scope === 'records' ? { ...user, role: 'user', sees_costs: isCostVisibleToAll } : user

/** True if an account is linked to a person at the provider. This person can sign in with single sign-on. */
const hasSingleSignOn = sql<boolean>`(${users.single_sign_on} and exists (
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

export async function isFactorDue(db: Db, userId: number): Promise<boolean> {
  const [user] = await db.select({ isDue: currentUserColumns.is_factor_due }).from(users).where(eq(users.id, userId))
  return user?.isDue ?? false
}
