import { Elysia } from 'elysia'
import { DashboardPage } from '../../views/dashboard/dashboard-page'
import { signedInPages } from '../auth/guard'
import type { Office } from '../office'
import { paths } from '../paths'
import { countActiveTransports, recentTransports } from '../transports/queries'

const RECENT = 5

export const dashboardPages = (office: Office) =>
  new Elysia()
    .use(signedInPages(office))
    .get(paths.home, ({ leave }) => leave(paths.dashboard))
    .get(paths.dashboard, async ({ clerk, page }) => {
      const [activeTransports, recent] = await Promise.all([countActiveTransports(office.db), recentTransports(office.db, RECENT)])
      return page('Dashboard', <DashboardPage clerk={clerk} activeTransports={activeTransports} recentTransports={recent} />)
    })
