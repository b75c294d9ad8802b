import { Elysia } from 'elysia'
import { assetRoutes } from './assets'
import { sessionOf } from './auth/admission'
import { admitBody } from './auth/held'
import { bulkApi } from './bulk/api'
import { bulkPages } from './bulk/pages'
import { undoOf } from './bulk/queries'
import type { AppContext } from './context'
import { componentsPages } from './docs/components-pages'
import { docsPages } from './docs/pages'
import { exportsApi, exportsOf } from './exports/api'
import { bodies } from './http/bodies'
import { errors } from './http/errors'
import { securityHeaders } from './http/headers'
import { health } from './http/health'
import { hostCheck } from './http/host'
import { json } from './http/json'
import { methodsOf } from './http/methods'
import { requestLog } from './http/request-log'
import { metricsApi } from './metrics/api'
import { MODULES } from './modules'

/** What every answer carries, then the modules. */
export function createApp(ctx: AppContext): Elysia {
  const lists = exportsOf(MODULES)
  const app = new Elysia({ serve: { maxRequestBodySize: ctx.config.maxUploadBytes + 16 * 1024 * 1024 } })
    .use(requestLog(ctx))
    .use(securityHeaders(ctx))
    .use(
      errors(ctx, {
        methodsOf: (path) => methodsOf(ctx.routes.all, path),
        sessionOf: (request) => sessionOf(ctx, request),
      }),
    )
    .use(hostCheck())
    .use(bodies(ctx, { admit: (arrival) => admitBody(ctx, arrival) }))
    .use(json(ctx))
    .use(health(ctx))
    .use(metricsApi(ctx))
    .use(assetRoutes(ctx.assets))
    .use(ctx.assets.site)
    .use(docsPages(ctx, lists))
    .use(process.env.NODE_ENV === 'development' ? componentsPages(ctx) : new Elysia())
    .use(exportsApi(ctx, lists))
  const bulk = MODULES.flatMap((module) => module.bulk ?? [])
  const undos = [...bulk.map(undoOf), ...MODULES.flatMap((module) => module.undoes ?? [])]
  for (const part of [...bulkApi(ctx, bulk, undos), bulkPages(ctx, bulk, undos)]) app.use(part)
  for (const { routes } of MODULES) for (const part of routes(ctx, lists)) app.use(part)
  ctx.routes.fill(app.routes)
  return app as unknown as Elysia
}
