import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploads } from '../../../db/schema'
import { Forbidden } from '../refusals'

type RequestContext = { params?: { id?: unknown }; user: { username: string; sees_costs: boolean } }

/**
 * Restricts users who cannot see costs to their own imports. Any file can contain costs.
 * @throws Forbidden when the import belongs to another user
 */
export const checkReader =
  (db: Db) =>
  async ({ params, user }: RequestContext): Promise<void> => {
    const id = Number(params?.id)
    if (user.sees_costs || !Number.isInteger(id)) return
    const [upload] = await db.select({ created_by: uploads.created_by }).from(uploads).where(eq(uploads.id, id))
    if (upload && upload.created_by !== user.username)
      throw new Forbidden('Only administrators see costs, and this file may contain costs')
  }
