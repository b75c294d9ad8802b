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
import { signInLimits } from './auth/limits'
import { authPages } from './auth/pages'
import { dashboardApi } from './dashboard/api'
import { dashboardPages } from './dashboard/pages'
import { docsPages } from './docs/pages'
import { filesApi } from './files/api'
import { filesPages } from './files/pages'
import { errors } from './http/errors'
import { securityHeaders } from './http/headers'
import { health } from './http/health'
import { json } from './http/json'
import { methodsOf } from './http/methods'
import { metricsApi } from './http/metrics'
import { uploads } from './http/uploads'
import { visitBook } from './http/visits'
import type { Office } from './office'
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

/** The guest list: what every answer carries, then one line per door. */
export function createApp(office: Office): Elysia {
  const limits = signInLimits(office.database)
  const app: { routes: Elysia['routes'] } = new Elysia({ serve: { maxRequestBodySize: office.config.maxUploadBytes + 16 * 1024 * 1024 } })
    .use(visitBook(office))
    .use(securityHeaders(office))
    .use(errors(office, (path) => methodsOf(app.routes, path)))
    .use(json())
    .use(uploads(office))
    .use(health(office))
    .use(metricsApi(office))
    .use(assetRoutes(office.assets))
    .use(office.assets.site)
    .use(docsPages(office, () => app.routes))
    .use(authPages(office, limits))
    .use(authApi(office, limits))
    .use(profilePages(office, limits))
    .use(dashboardPages(office))
    .use(dashboardApi(office))
    .use(transportsPages(office))
    .use(transportsApi(office))
    .use(oslPages(office))
    .use(oslApi(office))
    .use(registrationsPages(office))
    .use(registrationsApi(office))
    .use(vehiclesPages(office))
    .use(vehiclesApi(office))
    .use(titlesPages(office))
    .use(titlesApi(office))
    .use(reportsPages(office))
    .use(reportsApi(office))
    .use(auditPages(office))
    .use(auditApi(office))
    .use(filesPages(office))
    .use(filesApi(office))
    .use(locationsPages(office))
    .use(locationsApi(office))
    .use(transportCompaniesPages(office))
    .use(transportCompaniesApi(office))
    .use(vendorsPages(office))
    .use(vendorsApi(office))
    .use(usersPages(office))
    .use(usersApi(office))
  return app as unknown as Elysia
}
