import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import { answer } from '../http/answers'
import type { Office } from '../office'
import { adminMetrics, dashboardMetrics } from './queries'

const forStaff = (office: Office) =>
  new Elysia()
    .use(signedIn(office))
    .get('/metrics', async () => answer(await dashboardMetrics(office.db, office.clock)), { detail: { summary: 'Figures of the dashboard' } })
    .get('/user', async () => answer(await dashboardMetrics(office.db, office.clock)), { detail: { summary: 'Figures of the dashboard, as staff see them' } })

const forAdmins = (office: Office) =>
  new Elysia().use(signedIn(office, 'admin')).get('/admin', async () => answer(await adminMetrics(office.db, office.clock)), {
    detail: { summary: 'Figures of the dashboard with the storage fees, for administrators' },
  })

export const dashboardApi = (office: Office) =>
  new Elysia({ prefix: '/api/dashboard', detail: { tags: ['dashboard'] } }).use(forStaff(office)).use(forAdmins(office))
