import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { ref } from '../../platform/docs/schema'
import { about } from '../../platform/http/about'
import { answer } from '../../platform/http/answers'
import { data } from '../../platform/http/shapes'
import { adminMetrics, dashboardMetrics } from './queries'

export const dashboardApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/dashboard', detail: about({ tags: ['dashboard'] }) })
    .use(signedIn(ctx))
    .get('/metrics', async () => answer(await dashboardMetrics(ctx.db, ctx.clock)), {
      detail: about({ summary: 'Dashboard figures', answers: data(ref('Dashboard')) }),
    })
    .get('/user', async () => answer(await dashboardMetrics(ctx.db, ctx.clock)), {
      detail: about({ summary: 'Dashboard figures for staff', answers: data(ref('Dashboard')) }),
    })
    .get('/admin', async () => answer(await adminMetrics(ctx.db, ctx.clock)), {
      detail: about({
        role: 'admin',
        summary: 'Dashboard figures including storage fees, for administrators',
        answers: data(ref('Dashboard')),
      }),
    })
