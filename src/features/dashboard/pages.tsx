import { Elysia } from 'elysia'
import { DashboardPage } from '../../../views/dashboard/dashboard-page'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { paths } from '../../platform/paths'
import { dueAtAGlance } from '../due'
import { runsFor } from '../reports'
import { dueCalendar } from '../settings'
import { adminMetrics, dashboardMetrics } from './queries'

/** Number of due items that the dashboard shows for each kind. */
const WORST = 3

export const dashboardPages = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia()
    .use(signedInPages({ db, clock, ...ctx }))
    .get(paths.home, ({ redirect }) => redirect(paths.dashboard), {
      detail: about({ summary: 'Redirect to the dashboard' }),
    })
    .get(
      paths.dashboard,
      async ({ user, page }) => {
        const [metrics, runs, due] = await Promise.all([
          user.role === 'admin' ? adminMetrics(db, clock) : dashboardMetrics(db, clock),
          runsFor(db, user, clock),
          dueCalendar(db, clock).then((today) => dueAtAGlance(db, today, WORST)),
        ])
        return page('Dashboard', <DashboardPage {...{ user, metrics, runs, due }} timeZone={clock.timeZone} />)
      },
      { detail: about({ summary: 'Dashboard', failure: 'Failed to load dashboard data' }) },
    )
