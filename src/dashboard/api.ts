import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { answer } from '../http/answers'
import { adminMetrics, dashboardMetrics } from './queries'

const forStaff = (ctx: AppContext) =>
  new Elysia()
    .use(signedIn(ctx))
    .get('/metrics', async () => answer(await dashboardMetrics(ctx.db, ctx.clock)), { detail: { summary: 'Figures of the dashboard' } })
    .get('/user', async () => answer(await dashboardMetrics(ctx.db, ctx.clock)), { detail: { summary: 'Figures of the dashboard, as staff see them' } })

const forAdmins = (ctx: AppContext) =>
  new Elysia().use(signedIn(ctx, 'admin')).get('/admin', async () => answer(await adminMetrics(ctx.db, ctx.clock)), {
    detail: { summary: 'Figures of the dashboard with the storage fees, for administrators' },
  })

export const dashboardApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/dashboard', detail: { tags: ['dashboard'] } }).use(forStaff(ctx)).use(forAdmins(ctx))
