import { Elysia } from 'elysia'
import type { AppContext } from '../context'
import { checkCostAccess, keepingCosts } from '../costs'
import { beginAttempt } from '../http/idempotency'
import { withChoices } from '../http/merge'
import { pageFor } from '../http/page'
import { bearer, cameFrom, clientAddress, isApi, isUnsafe } from '../http/request'
import { endTurn } from '../http/turns'
import { isOwnPath } from '../paths'
import type { Actor } from '../records/actor'
import { safeSince } from '../records/slow-writes'
import type { Write } from '../records/transactions'
import { Refused } from '../refusals'
import { admitAgain, admitToRun, tokens } from './admission'
import { accessCheck } from './session-access'
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
    hides_costs: !session.user.sees_costs,
  }
}

const isJson = (request: Request) =>
  request.headers.get('content-type')?.toLowerCase().startsWith('application/json') ?? false

/** The number is the version of a record. */
const ETAG = /^(?:W\/)?"(\d{1,10})"$/

/**
 * Adds the version from the `If-Match` header to the body. If the body also contains a version, the lower one is used,
 * so that the change fails if either is outdated.
 * @throws Refused when the header is not the ETag of a record
 */
function withVersion(request: Request, body: unknown): unknown {
  const ifMatch = request.headers.get('if-match')?.trim()
  if (!ifMatch || ifMatch === '*' || !isUnsafe(request)) return body
  const [, version] = ETAG.exec(ifMatch) ?? []
  if (!version) throw Refused.field('If-Match', 'Must be the version tag (ETag) of this record')
  if (body === undefined || body === null) return { version: Number(version) }
  if (typeof body !== 'object' || Array.isArray(body)) return body
  if (!('version' in body)) return { ...body, version: Number(version) }
  return typeof body.version === 'number' ? { ...body, version: Math.min(Number(version), body.version) } : body
}

/**
 * Elysia plugin that requires sign-in for the API routes registered after it. The check must be a `derive` hook of the
 * feature's own Elysia instance, because Elysia runs such a hook before it validates the body. If the body were
 * validated first, validation errors would show signed-out callers which input is accepted.
 */
export const signedIn = (ctx: AppContext) =>
  new Elysia()
    .use(tokens(ctx))
    .derive({ as: 'scoped' }, async (context) => {
      const { request, server, route, query, set } = context
      const session = await admitToRun(ctx, { request, route, set })
      checkCostAccess(session.user, query)
      context.body = withVersion(request, context.body)
      const [body, form] = isJson(request) ? [context.body, undefined] : [undefined, context.body]
      ctx.routes.checkInput(request.method, route, { query, body, form })
      const actor = actorOf(ctx, session, request, server)
      const renewActor = async () =>
        actorOf(ctx, await admitAgain(ctx, session, { request, route, set }), request, server)
      const checkAccess = accessCheck(session, ctx.clock, ctx.routes.factsOf(request.method, route)?.role)
      const write: Write = {
        db: ctx.db,
        actor,
        clock: ctx.clock,
        renewActor,
        checkAccess,
        endTurn: () => endTurn(request),
      }
      return { session, user: session.user, actor, write }
    })
    .onBeforeHandle({ as: 'scoped' }, async ({ request, route, query, body, session, write }) => {
      const { updated_since } = query as { updated_since?: unknown }
      if (updated_since instanceof Date) Object.assign(query, { updated_since: await safeSince(ctx.db, updated_since) })
      const attempt = await beginAttempt(ctx, { request, route, body, session })
      if (attempt instanceof Response) return attempt
      if (attempt) write.attempt = attempt
    })

/**
 * Returns the fields of a submitted form, by name. For a repeated field, the last value is used, because a hidden field
 * with the value "no" precedes each checkbox.
 */
function formFields(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return withChoices(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
    ),
  )
}

/**
 * Returns a function that returns the page that opened the form. This is the page in the form's field `back`, else the
 * referring page, else `fallback`.
 */
const backOf = (request: Request, form: Record<string, unknown>) => {
  const submittedBack = typeof form.back === 'string' && isOwnPath(form.back) ? form.back : null
  const from = submittedBack ?? cameFrom(request)
  return (fallback: string) => from ?? fallback
}

/**
 * Elysia plugin that requires sign-in for the page routes registered after it. It provides the submitted `form`, the
 * page that opened the form (`back`), and response helpers such as `page`, `redirect` and `submit`.
 */
export const signedInPages = (ctx: AppContext) =>
  new Elysia().use(tokens(ctx)).derive({ as: 'scoped' }, async ({ request, server, body, route, query, set }) => {
    const session = await admitToRun(ctx, { request, route, set })
    checkCostAccess(session.user, query)
    const actor = actorOf(ctx, session, request, server)
    const renewActor = async () =>
      actorOf(ctx, await admitAgain(ctx, session, { request, route, set }), request, server)
    const form = session.user.sees_costs ? formFields(body) : keepingCosts(formFields(body))
    return {
      session,
      user: session.user,
      actor,
      write: {
        db: ctx.db,
        actor,
        clock: ctx.clock,
        renewActor,
        checkAccess: accessCheck(session, ctx.clock, ctx.routes.factsOf(request.method, route)?.role),
        endTurn: () => endTurn(request),
      },
      form,
      back: backOf(request, form),
      ...pageFor(ctx, request, session, form),
    }
  })
