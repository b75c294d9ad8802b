import { type SQL, sql } from 'drizzle-orm'
import { listLayouts } from '../../../../db/schema'
import type { ListLayouts } from './rules'

export const layoutsOf = (userId: SQL): SQL<ListLayouts> =>
  sql<ListLayouts>`(select coalesce(json_object_agg(l.list,
      json_build_object('hidden', l.hidden, 'added', l.added, 'density', l.density)), '{}')
    from ${listLayouts} l where l.user_id = ${userId})`
