import { and, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../../db/client'
import { listLayouts } from '../../../../db/schema'
import { audit, changesBetween } from '../../records/audit-entry'
import { inTransaction, type Write } from '../../records/transactions'
import type { ListLayout, ListLayouts } from './rules'
import { layoutsOf } from './sql'

export const USUAL_LAYOUT: ListLayout = { hidden: [], added: [], density: 'compact' }

export async function findLayouts(db: Db, userId: number): Promise<ListLayouts> {
  const [layoutRow] = await rows<{ layouts: ListLayouts }>(db, sql`select ${layoutsOf(sql`${userId}::int`)} as layouts`)
  return layoutRow?.layouts ?? {}
}

/** Saves a user's layout of a list. `null` restores the default layout. */
export async function layOut(write: Write, userId: number, list: string, layout: ListLayout | null) {
  const isThisList = and(eq(listLayouts.user_id, userId), eq(listLayouts.list, list))
  return inTransaction(write, async (write) => {
    const [before] = await write.db.select().from(listLayouts).where(isThisList).for('update')
    if (layout)
      await write.db
        .insert(listLayouts)
        .values({ user_id: userId, list, ...layout })
        .onConflictDoUpdate({ target: [listLayouts.user_id, listLayouts.list], set: layout })
    else await write.db.delete(listLayouts).where(isThisList)
    const after = layout && { user_id: userId, list, ...layout }
    const changes = changesBetween(before ?? null, after)
    if (Object.keys(changes).length > 0)
      await audit(write, layout ? 'update' : 'delete', 'list_layouts', userId, changes)
    return layout ?? USUAL_LAYOUT
  })
}
