import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploads } from '../../../db/schema'
import { Forbidden } from '../refusals'

type Asked = { params?: { id?: unknown }; user: { username: string; sees_costs: boolean } }

/**
 * For all routes of one import: whatever its kind, a file may hold costs as they were typed, so who may not see any
 * gets at no other person's. @throws Forbidden
 */
export const checkReader =
  (db: Db) =>
  async ({ params, user }: Asked): Promise<void> => {
    const id = Number(params?.id)
    if (user.sees_costs || !Number.isInteger(id)) return
    const [upload] = await db.select({ created_by: uploads.created_by }).from(uploads).where(eq(uploads.id, id))
    if (upload && upload.created_by !== user.username)
      throw new Forbidden('Only administrators see costs, and this file may hold some')
  }
