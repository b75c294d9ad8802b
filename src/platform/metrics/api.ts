import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { rows } from '../../../db/client'
import { PRODUCT } from '../../../db/vocabulary'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { paths } from '../paths'
import { COMMIT } from '../version'

export const metricsApi = (ctx: AppContext) =>
  new Elysia({ detail: about({ role: 'admin' }) }).use(signedIn(ctx)).get(
    paths.metrics,
    async ({ set }) => {
      const { db, database, disk, metrics } = ctx
      const free = disk.watch()
      const [counts] = await rows<{ sessions: number; imports: number }>(
        db,
        sql`select (select count(*) from sessions)::int as sessions,
          (select count(*) from uploads where status in ('reading', 'checking', 'writing', 'undoing'))::int as imports`,
      )
      metrics.info.set({ version: PRODUCT.version, commit: COMMIT, engine: database.engine }, 1)
      metrics.sessions.set(counts?.sessions ?? 0)
      metrics.imports.set(counts?.imports ?? 0)
      if (free !== null) metrics.diskFree.set(free)
      set.headers['content-type'] = metrics.registry.contentType
      return metrics.registry.metrics()
    },
    { detail: about({ summary: 'Metrics for Prometheus' }) },
  )
