import type { Db } from '../../db/client'
import { companySettings } from '../../db/schema'
import type { Role } from '../http/about'
import type { CurrentUser } from './sessions'

/** May this user decide what becomes of invoices? Administrators always, others when the settings let everybody. */
export async function decidesInvoices(db: Db, { role }: Pick<CurrentUser, 'role'>): Promise<boolean> {
  if (role === 'admin') return true
  const [found] = await db.select({ deciders: companySettings.invoice_deciders }).from(companySettings).limit(1)
  return found?.deciders === 'Everybody'
}

/** Does a route that asks for `wanted` let this user in? */
export async function mayUse(db: Db, user: Pick<CurrentUser, 'role'>, wanted: Role | undefined): Promise<boolean> {
  if (wanted === 'admin') return user.role === 'admin'
  return wanted === 'decider' ? decidesInvoices(db, user) : true
}
