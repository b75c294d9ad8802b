import { Elysia } from 'elysia'
import { failureTexts } from '../../views/ui/failure-text'
import { isSignInOpen, sessionOf } from '../platform/auth/admission'
import { admitBody } from '../platform/auth/held-forms'
import type { AppContext } from '../platform/context'
import { components } from '../platform/docs/components'
import { componentsPages } from '../platform/docs/components-pages'
import { KnownFields } from '../platform/docs/known-fields'
import { docsPages } from '../platform/docs/pages'
import { bodies } from '../platform/http/bodies'
import { errors } from '../platform/http/errors'
import { securityHeaders } from '../platform/http/headers'
import { health } from '../platform/http/health'
import { hostCheck } from '../platform/http/host'
import { json } from '../platform/http/json'
import { methodsOf } from '../platform/http/methods'
import { query } from '../platform/http/query'
import { requestLog } from '../platform/http/request-log'
import { bulkApi } from '../platform/lists/bulk/api'
import { bulkPages } from '../platform/lists/bulk/pages'
import { undoOf } from '../platform/lists/bulk/queries'
import { exportsApi, exportsOf } from '../platform/lists/exports/api'
import { metricsApi } from '../platform/metrics/api'
import { assetRoutes } from './assets'
import './kinds'
import { MODULES } from './modules'

/**
 * Builds the HTTP application.
 * Registers the plugins that apply to every response, such as request logging, before the feature modules.
 */
export function createApp(ctx: AppContext): Elysia {
  const lists = exportsOf(MODULES)
  const schemas = () => Object.assign(components(), ...MODULES.map(({ schemas }) => schemas?.()))
  const app = new Elysia({ serve: { maxRequestBodySize: ctx.config.maxUploadBytes + 16 * 1024 * 1024 } })
    .use(requestLog(ctx))
    .use(securityHeaders(ctx))
    .use(
      errors(ctx, {
        methodsOf: (path) => methodsOf(ctx.routes.all, path),
        sessionOf: (request) => sessionOf(ctx, request),
        isSignInOpen: (request) => isSignInOpen(ctx, request),
      }),
    )
    .use(hostCheck())
    .use(query())
    .use(bodies(ctx, { admit: (arrival) => admitBody(ctx, arrival) }))
    .use(json(ctx))
    .use(health(ctx))
    .use(metricsApi(ctx))
    .use(assetRoutes(ctx.assets))
    .use(ctx.assets.site)
    .use(docsPages(ctx, lists, schemas))
    .use(process.env.NODE_ENV === 'development' ? componentsPages(ctx) : new Elysia())
    .use(exportsApi(ctx, lists))
  const bulk = MODULES.flatMap((module) => module.bulk ?? [])
  const undos = [...bulk.map(undoOf), ...MODULES.flatMap((module) => module.undoes ?? [])]
  for (const part of [...bulkApi(ctx, bulk, undos), bulkPages(ctx, bulk, undos)]) app.use(part)
  for (const { routes } of MODULES) for (const part of routes(ctx, lists)) app.use(part)
  ctx.routes.fill(app as unknown as Elysia, new KnownFields(ctx.routes, lists, schemas))
  failureTexts.of = (path) => ctx.routes.failureOf(path)
  return app as unknown as Elysia
}
