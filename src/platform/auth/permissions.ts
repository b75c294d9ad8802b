import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { companySettings, users } from '../../../db/schema'
import type { Role } from '../http/about'
import { type CurrentUser, currentUserColumns } from './current-user'

export async function decidesInvoices(db: Db, { role }: Pick<CurrentUser, 'role'>): Promise<boolean> {
  if (role === 'admin') return true
  const [settings] = await db.select({ deciders: companySettings.invoice_deciders }).from(companySettings).limit(1)
  return settings?.deciders === 'Everybody'
}

/**
 * Returns whether the user who created a record can see costs.
 * @param username null for a record that the program created itself; the result is then true
 */
export async function seesCosts(db: Db, username: string | null): Promise<boolean> {
  if (username === null) return true
  const [account] = await db.select(currentUserColumns).from(users).where(eq(users.username, username))
  return account?.sees_costs ?? false
}

export async function mayUse(
  db: Db,
  user: Pick<CurrentUser, 'role' | 'sees_costs'>,
  role: Role | undefined,
): Promise<boolean> {
  if (role === 'admin') return user.role === 'admin'
  if (role === 'costs') return user.sees_costs
  return role === 'decider' ? user.sees_costs && decidesInvoices(db, user) : true
}
