import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { rows } from '../../db/client'
import { PRODUCT } from '../../db/vocabulary'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { paths } from '../paths'
import { gauge } from './metrics'

/** What an operator watches, in the form that Prometheus reads; for administrators and their API tokens. */
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
      set.headers['content-type'] = 'text/plain; version=0.0.4; charset=utf-8'
      return [
        metrics.text(),
        gauge('yardmaster_info', 'The version that runs, and its database', [
          [{ version: PRODUCT.version, engine: database.engine }, 1],
        ]),
        gauge('yardmaster_sessions', 'Open sessions', [[{}, counts?.sessions ?? 0]]),
        ...(free === null
          ? []
          : [gauge('yardmaster_disk_free_bytes', 'What is free on the disk of DATA_DIR', [[{}, free]])]),
        gauge('yardmaster_imports_at_work', 'Imports that are under way', [[{}, counts?.imports ?? 0]]),
        '',
      ].join('\n')
    },
    { detail: about({ summary: 'Figures for Prometheus' }) },
  )
