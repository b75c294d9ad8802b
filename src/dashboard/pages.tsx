import { Elysia } from 'elysia'
import { DashboardPage } from '../../views/dashboard/dashboard-page'
import { signedInPages } from '../auth/guard'
import type { Office } from '../office'
import { paths } from '../paths'
import { runsFor } from '../reports/schedules'
import { adminMetrics, dashboardMetrics } from './queries'

export const dashboardPages = ({ db, clock, ...office }: Office) =>
  new Elysia()
    .use(signedInPages({ db, clock, ...office }))
    .get(paths.home, ({ leave }) => leave(paths.dashboard))
    .get(paths.dashboard, async ({ clerk, page }) => {
      const metrics = clerk.role === 'admin' ? await adminMetrics(db, clock) : await dashboardMetrics(db, clock)
      const runs = await runsFor(db, clerk, clock)
      return page('Dashboard', <DashboardPage clerk={clerk} metrics={metrics} runs={runs} timeZone={clock.timeZone} />)
    })
