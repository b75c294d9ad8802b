import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { type reportSchedules, users } from '../../../db/schema'
import { seesCosts } from '../../platform/auth/permissions'

/**
 * Usernames of a schedule's creator and last editor. Both may have chosen the recipients. Built-in schedules have no
 * creator.
 */
type Owners = Pick<typeof reportSchedules.$inferSelect, 'created_by' | 'updated_by'>

export async function areOwnersActive(db: Db, { created_by, updated_by }: Owners): Promise<boolean> {
  const usernames = [...new Set([created_by, updated_by])].filter((username) => username !== null)
  if (usernames.length === 0) return true
  return (
    (await db.$count(users, and(inArray(users.username, usernames), eq(users.is_active, true)))) === usernames.length
  )
}

export async function canOwnersSeeCosts(db: Db, { created_by, updated_by }: Owners): Promise<boolean> {
  return (await seesCosts(db, created_by)) && (await seesCosts(db, updated_by))
}
