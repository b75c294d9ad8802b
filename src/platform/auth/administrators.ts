import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { users } from '../../../db/schema'
import { Refused } from '../refusals'

/** Key of a Postgres advisory lock for changes that could remove the last administrator. */
const ADMINISTRATORS_LOCK = 7_205_002

export const lockAdministrators = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`)

/** Returns whether an active administrator other than the user `leaving` exists. Call `lockAdministrators` first. */
export async function hasOtherAdministrator(tx: Db, leaving: number): Promise<boolean> {
  const [other] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'admin'), eq(users.is_active, true), ne(users.id, leaving)))
    .limit(1)
  return other !== undefined
}

/**
 * Checks that an active administrator other than the user `leaving` exists.
 * @throws Refused when there is no other active administrator
 */
export async function keepAnAdministrator(tx: Db, leaving: number): Promise<void> {
  if (!(await hasOtherAdministrator(tx, leaving)))
    throw Refused.field('role', 'At least one administrator must stay active')
}
