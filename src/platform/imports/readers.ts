import { eq } from 'drizzle-orm'
import type { Db } from '../../../db/client'
import { uploads } from '../../../db/schema'
import { seesCosts } from '../auth/permissions'
import { Forbidden } from '../refusals'

type Reader = { username: string | null; sees_costs: boolean }
type RequestContext = { params?: { id?: unknown }; user: { username: string; sees_costs: boolean } }

/**
 * True if the owner of an import can see its costs. The owner must have been able to see costs when uploading the file,
 * and must still be able to see them.
 */
export const seesCostsOf = async (
  db: Db,
  { hides_costs, created_by }: { hides_costs: boolean; created_by: string | null },
): Promise<boolean> => !hides_costs && (await seesCosts(db, created_by))

/**
 * Checks that a user or API token can read an import.
 * Any file can contain costs. Readers who can see costs can read every import. All other readers can read only imports
 * of their own account. Exception: if the owner can see the costs in an import, the owner's API tokens that cannot see
 * costs cannot read it.
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
  if (!isOwn || (await seesCostsOf(db, upload)))
    throw new Forbidden('This file may contain costs, which only administrators can see')
}

export const checkReader =
  (db: Db) =>
  async ({ params, user }: RequestContext): Promise<void> => {
    const id = Number(params?.id)
    if (Number.isInteger(id)) await mustReadImport(db, id, user)
  }
