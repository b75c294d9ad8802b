import { type SQL, sql } from 'drizzle-orm'
import { savedViews } from '../../../../db/schema'

/** A view in the sidebar. */
export type SidebarView = { id: number; list: string; name: string; query: string }

/** How many views the sidebar holds; all of them are on their page. */
const IN_SIDEBAR = 20

/** The views in the sidebar of `username`, their own before those that others share, as one JSON value. */
export const sidebarViews = (username: SQL): SQL<SidebarView[]> => {
  const first = sql`v.created_by = ${username} desc, lower(v.name), v.id`
  return sql<SidebarView[]>`(select coalesce(json_agg(json_build_object('id', v.id, 'list', v.list, 'name', v.name,
      'query', v.query) order by ${first}), '[]')
    from (select * from ${savedViews} v where v.created_by = ${username} or v.shared order by ${first} limit ${IN_SIDEBAR}) v)`
}
