import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { checkCostAccess, keepingCosts } from '../costs'
import { beginAttempt } from '../http/idempotency'
import { withChoices } from '../http/merge'
import { pageFor } from '../http/page'
import { bearer, cameFrom, clientAddress, isApi, isUnsafe } from '../http/request'
import { isOwnPath } from '../paths'
import type { Actor } from '../records/actor'
import type { Write } from '../records/write'
import { Refused } from '../refusals'
import { admit, tokens } from './admission'
import type { Session } from './sessions'

function actorOf(
  ctx: AppContext,
  session: Session,
  request: Request,
  server: Parameters<typeof clientAddress>[1],
): Actor {
  return {
    username: session.user.username,
    source: isApi(request) && bearer(request) ? 'api' : 'screen',
    address: clientAddress(request, server, ctx.config),
    now: ctx.clock.now(),
    token_name: session.token?.name ?? null,
  }
}

const isJson = (request: Request) =>
  request.headers.get('content-type')?.toLowerCase().startsWith('application/json') ?? false

/** An `ETag` of ours holds the version of a record. */
const ETAG = /^(?:W\/)?"(\d{1,10})"$/

/** The body of a change with the version that `If-Match` names, unless it names one itself. @throws Refused */
function withVersion(request: Request, body: unknown): unknown {
  const ifMatch = request.headers.get('if-match')?.trim()
  if (!ifMatch || ifMatch === '*' || !isUnsafe(request)) return body
  const [, version] = ETAG.exec(ifMatch) ?? []
  if (!version) throw Refused.field('If-Match', 'Must be the ETag of this record')
  if (body === undefined || body === null) return { version: Number(version) }
  return typeof body === 'object' && !Array.isArray(body) && !('version' in body)
    ? { ...body, version: Number(version) }
    : body
}

/**
 * Requires sign-in for the API routes registered after it.
 * Must be a `derive` of the module's own instance: Elysia runs it before it validates the body, so that an
 * unauthenticated caller learns nothing about accepted input.
 */
export const signedIn = (ctx: AppContext) =>
  new Elysia()
    .use(tokens(ctx))
    .derive({ as: 'scoped' }, async (context) => {
      const { request, server, route, query, set } = context
      const session = await admit(ctx, { request, route, set })
      checkCostAccess(session.user, query)
      context.body = withVersion(request, context.body)
      // The fields of an upload are checked by its rule.
      const body = isJson(request) ? context.body : undefined
      ctx.routes.checkInput(request.method, route, query, body)
      const actor = actorOf(ctx, session, request, server)
      const write: Write = { db: ctx.db, actor, clock: ctx.clock }
      return { session, user: session.user, actor, write }
    })
    .onBeforeHandle({ as: 'scoped' }, async ({ request, route, body, user, write }) => {
      const attempt = await beginAttempt(ctx, { request, route, body, user })
      if (attempt instanceof Response) return attempt
      if (attempt) write.attempt = attempt
    })

/** Returns form fields by name. A checked box sends a hidden "no" first, so the last value counts. */
function formFields(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return withChoices(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
    ),
  )
}

/** Returns the form's origin page: its `back` field, otherwise the referring page. */
const backOf = (request: Request, form: Record<string, unknown>) => {
  const submittedBack = typeof form.back === 'string' && isOwnPath(form.back) ? form.back : null
  const from = submittedBack ?? cameFrom(request)
  return (fallback: string) => from ?? fallback
}

/**
 * Requires sign-in for the page routes registered after it.
 * Provides the submitted `form`, the page that it was opened from (`back`), and response helpers such as `page`,
 * `redirect` and `submit`.
 */
export const signedInPages = (ctx: AppContext) =>
  new Elysia().use(tokens(ctx)).derive({ as: 'scoped' }, async ({ request, server, body, route, query, set }) => {
    const session = await admit(ctx, { request, route, set })
    checkCostAccess(session.user, query)
    const actor = actorOf(ctx, session, request, server)
    const form = session.user.sees_costs ? formFields(body) : keepingCosts(formFields(body))
    return {
      session,
      user: session.user,
      actor,
      write: { db: ctx.db, actor, clock: ctx.clock },
      form,
      back: backOf(request, form),
      ...pageFor(ctx, request, session, form),
    }
  })
