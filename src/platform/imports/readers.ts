import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploads } from '../../../db/schema'
import { seesCosts } from '../auth/permissions'
import { Forbidden } from '../refusals'

type Reader = { username: string | null; sees_costs: boolean }
type RequestContext = { params?: { id?: unknown }; user: { username: string; sees_costs: boolean } }

/**
 * Restricts users who cannot see costs to their own imports, because any file can contain costs. A token that hides the
 * costs from its owner can read only imports that were started without costs.
 * @throws Forbidden when the user may not read the import
 */
export async function mustReadImport(db: Db, id: number, { username, sees_costs }: Reader): Promise<void> {
  if (sees_costs) return
  const [upload] = await db
    .select({ created_by: uploads.created_by, hides_costs: uploads.hides_costs })
    .from(uploads)
    .where(eq(uploads.id, id))
  if (!upload) return
  const isOwn = upload.created_by === username
  if (!isOwn || (!upload.hides_costs && (await seesCosts(db, username))))
    throw new Forbidden('Only administrators see costs, and this file may contain costs')
}

/** The same for the import with the id in the path of a request. */
export const checkReader =
  (db: Db) =>
  async ({ params, user }: RequestContext): Promise<void> => {
    const id = Number(params?.id)
    if (Number.isInteger(id)) await mustReadImport(db, id, user)
  }
