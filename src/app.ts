import { Elysia } from 'elysia'
import { locationsApi } from './admin/locations/api'
import { locationsPages } from './admin/locations/pages'
import { transportCompaniesApi } from './admin/transport-companies/api'
import { transportCompaniesPages } from './admin/transport-companies/pages'
import { usersApi } from './admin/users/api'
import { usersPages } from './admin/users/pages'
import { vendorsApi } from './admin/vendors/api'
import { vendorsPages } from './admin/vendors/pages'
import { assetRoutes } from './assets'
import { auditApi } from './audit/api'
import { auditPages } from './audit/pages'
import { authApi } from './auth/api'
import { sessionReader } from './auth/guard'
import { signInLimits } from './auth/limits'
import { authPages } from './auth/pages'
import type { AppContext } from './context'
import { dashboardApi } from './dashboard/api'
import { dashboardPages } from './dashboard/pages'
import { docsPages } from './docs/pages'
import { errors } from './http/errors'
import { securityHeaders } from './http/headers'
import { health } from './http/health'
import { json } from './http/json'
import { methodsOf } from './http/methods'
import { metricsApi } from './http/metrics'
import { requestLog } from './http/request-log'
import { uploads } from './http/uploads'
import { filesApi } from './imports/api'
import { filesPages } from './imports/pages'
import { oslApi } from './osl/api'
import { oslPages } from './osl/pages'
import { profilePages } from './profile/pages'
import { registrationsApi } from './registrations/api'
import { registrationsPages } from './registrations/pages'
import { reportsApi } from './reports/api'
import { reportsPages } from './reports/pages'
import { titlesApi } from './titles/api'
import { titlesPages } from './titles/pages'
import { transportsApi } from './transports/api'
import { transportsPages } from './transports/pages'
import { vehiclesApi } from './vehicles/api'
import { vehiclesPages } from './vehicles/pages'

/** The list of modules: what every answer carries, then one line per module. */
export function createApp(ctx: AppContext): Elysia {
  const limits = signInLimits(ctx.database)
  const sessionOf = sessionReader(ctx)
  const app: { routes: Elysia['routes'] } = new Elysia({ serve: { maxRequestBodySize: ctx.config.maxUploadBytes + 16 * 1024 * 1024 } })
    .use(requestLog(ctx))
    .use(securityHeaders(ctx))
    .use(errors(ctx, { methodsOf: (path) => methodsOf(app.routes, path), sessionOf }))
    .use(uploads(ctx, async (request) => (await sessionOf(request)) !== null))
    .use(json(ctx))
    .use(health(ctx))
    .use(metricsApi(ctx))
    .use(assetRoutes(ctx.assets))
    .use(ctx.assets.site)
    .use(docsPages(ctx, () => app.routes))
    .use(authPages(ctx, limits))
    .use(authApi(ctx, limits))
    .use(profilePages(ctx, limits))
    .use(dashboardPages(ctx))
    .use(dashboardApi(ctx))
    .use(transportsPages(ctx))
    .use(transportsApi(ctx))
    .use(oslPages(ctx))
    .use(oslApi(ctx))
    .use(registrationsPages(ctx))
    .use(registrationsApi(ctx))
    .use(vehiclesPages(ctx))
    .use(vehiclesApi(ctx))
    .use(titlesPages(ctx))
    .use(titlesApi(ctx))
    .use(reportsPages(ctx))
    .use(reportsApi(ctx))
    .use(auditPages(ctx))
    .use(auditApi(ctx))
    .use(filesPages(ctx))
    .use(filesApi(ctx))
    .use(locationsPages(ctx))
    .use(locationsApi(ctx))
    .use(transportCompaniesPages(ctx))
    .use(transportCompaniesApi(ctx))
    .use(vendorsPages(ctx))
    .use(vendorsApi(ctx))
    .use(usersPages(ctx))
    .use(usersApi(ctx))
  ctx.routes.fill(app.routes)
  return app as unknown as Elysia
}
