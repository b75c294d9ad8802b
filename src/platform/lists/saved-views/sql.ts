import { type SQL, sql } from 'drizzle-orm'
import { savedViews } from '../../../../db/schema'
import { naturally } from '../../records/natural-order'

export type SidebarView = { id: number; list: string; name: string; query: string }

/** Maximum number of saved views in the sidebar. The page of saved views shows all. */
const IN_SIDEBAR = 20

/** Selects a user's saved views for the sidebar as one JSON value. Own views come before shared ones. */
export const sidebarViews = (username: SQL): SQL<SidebarView[]> => {
  const first = sql`v.created_by = ${username} desc, ${naturally(sql`v.name`)}, v.id`
  return sql<SidebarView[]>`(select coalesce(json_agg(json_build_object('id', v.id, 'list', v.list, 'name', v.name,
      'query', v.query) order by ${first}), '[]')
    from (select * from ${savedViews} v where v.created_by = ${username} or v.shared order by ${first}
    limit ${IN_SIDEBAR}) v)`
}
