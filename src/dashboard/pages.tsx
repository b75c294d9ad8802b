import { Elysia } from 'elysia'
import { DashboardPage } from '../../views/dashboard/dashboard-page'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { paths } from '../paths'
import { runsFor } from '../reports/schedules'
import { adminMetrics, dashboardMetrics } from './queries'

export const dashboardPages = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia()
    .use(signedInPages({ db, clock, ...ctx }))
    .get(paths.home, ({ redirect }) => redirect(paths.dashboard), {
      detail: about({ summary: 'Leads to the dashboard' }),
    })
    .get(
      paths.dashboard,
      async ({ user, page }) => {
        const metrics = user.role === 'admin' ? await adminMetrics(db, clock) : await dashboardMetrics(db, clock)
        const runs = await runsFor(db, user, clock)
        return page('Dashboard', <DashboardPage user={user} metrics={metrics} runs={runs} timeZone={clock.timeZone} />)
      },
      { detail: about({ summary: 'Dashboard', failure: 'Failed to load dashboard data' }) },
    )
