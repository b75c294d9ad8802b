import { DrizzleQueryError } from 'drizzle-orm'
import { Elysia, type ErrorHandler } from 'elysia'
import { databaseError, reasonOf } from '../../../db/client'
import { AccessDenied } from '../../../views/errors/access-denied'
import { Problem } from '../../../views/errors/problem'
import { SignedOutHere } from '../../../views/layout'
import type { Session } from '../auth/sessions'
import type { Config } from '../config'
import type { AppContext } from '../context'
import { paths, withQuery } from '../paths'
import {
  Forbidden,
  INTERNAL_ERROR,
  PasswordChangeDue,
  RateLimited,
  Refusal,
  SecondFactorDue,
  SignedOut,
  Stale,
  UnderWay,
} from '../refusals'
import { releaseAttempt } from './idempotency'
import { htmlAnswer, pageFor, renderDocument } from './page'
import { OPERATOR_REFUSALS, refusalOf, VALUE_REJECTED } from './refusal-of'
import {
  isApi,
  isHtmx,
  isSecure,
  isUnsafe,
  leavingCookieName,
  pathOf,
  sessionCookie,
  sessionCookieName,
  setCookie,
} from './request'
import { requestId } from './request-log'
import { storedRecord } from './stored-record'

const WRONG_METHOD = 'This address does not accept this type of request (HTTP method)'
const NO_PAGE = 'This page cannot be opened directly. Go back, and use the button or form on the previous page.'

type RequestLookups = {
  methodsOf: (path: string) => string[]
  sessionOf: (request: Request) => Promise<Session | null>
  /** Returns true if the user still has an open session. The session may have a newer token than the request. */
  isSignInOpen: (request: Request) => Promise<boolean>
}
/** `route` is the path pattern that the request matched, such as `/vendors/:id`. */
type Failing = Omit<RequestLookups, 'methodsOf'> & { request: Request; route: string | undefined }

/**
 * Elysia plugin that creates every error response.
 * Unexpected errors are logged once, with the request id that the user sees.
 */
export function errors(ctx: AppContext, { methodsOf, ...lookups }: RequestLookups) {
  const handler: ErrorHandler = async ({ code, error, request, set, route }) => {
    const answer = await answerTo(code, error, { request, route, ...lookups })
    // Set the status here too. Otherwise, Elysia would replace the status of the response with that of its own error.
    set.status = answer.status
    return answer
  }

  const answerTo = (code: string | number, error: unknown, failing: Failing) => {
    const { request } = failing
    const isUnknown = code === 'NOT_FOUND' || (code === 'VALIDATION' && (error as { type?: string }).type === 'params')
    const methods = isUnknown ? methodsOf(pathOf(request)) : []
    if (methods.length && !methods.includes(request.method))
      return send(ctx, failing, new Refusal(405, isApi(request) ? WRONG_METHOD : NO_PAGE), {
        allow: methods.join(', '),
      })
    const refusal = refusalOf(code, error, ctx.routes.factsOf(request.method, failing.route)?.what)
    const event = refusal && OPERATOR_REFUSALS.get(refusal)
    if (event)
      ctx.log('warn', event, {
        id: requestId(request),
        path: pathOf(request),
        reason: reasonOf(error),
      })
    // Log the statement, because the fault may be in it. Do not log the message, because it contains the value.
    if (refusal === VALUE_REJECTED)
      ctx.log('warn', 'the database rejected a value', {
        ...requestOf(request),
        code: databaseError(error)?.code,
        statement: error instanceof DrizzleQueryError ? error.query : undefined,
      })
    if (refusal) return send(ctx, failing, refusal)
    logFault(ctx, request, error)
    return send(ctx, failing, null)
  }
  return new Elysia({ name: 'errors' }).onError({ as: 'global' }, handler)
}

const requestOf = (request: Request) => ({ id: requestId(request), method: request.method, path: pathOf(request) })

function logFault({ log }: AppContext, request: Request, error: unknown) {
  const { stack, cause } = error instanceof Error ? error : new Error(String(error))
  const because = cause instanceof Error ? cause.message : undefined
  const withoutValues = stack?.replace(/\nparams: .*(\n(?! {4}at ).*)*/, '')
  log('error', 'unexpected error', { ...requestOf(request), error: withoutValues, because })
}

export const signedOutCookies = (request: Request, config: Config) =>
  [sessionCookieName(request, config), leavingCookieName(request, config)].map((name) =>
    setCookie(name, '', { maxAge: 0, secure: isSecure(request, config) }),
  )

async function send(
  ctx: AppContext,
  failing: Failing,
  refusal: Refusal | null,
  extra: Record<string, string> = {},
): Promise<Response> {
  const { request } = failing
  await releaseAttempt(ctx, request)
  const status = refusal?.status ?? 500
  const message =
    refusal?.message ??
    `Something went wrong on our side. Please tell your administrator this number: ${requestId(request)}`
  const headers = new Headers(extra)
  if (refusal instanceof RateLimited || refusal instanceof UnderWay)
    headers.set('retry-after', String(refusal.retryAfter))
  if (status === 503) headers.set('retry-after', '2')
  // Clear the sign-in cookies after a 401. Also clear them after a failed sign-out, so that the browser is signed out
  // although the session is still open on the server.
  // Keep the cookies if the request has no session cookie, because a form on another site can send such a request. Also
  // keep them if the sign-in is still open, because another tab may just have received a new token.
  const isLeaving = status >= 500 && pathOf(request) === paths.logout
  const isOver = status === 401 && !(await failing.isSignInOpen(request).catch(() => false))
  if ((isOver || isLeaving) && sessionCookie(request, ctx.config))
    for (const cookie of signedOutCookies(request, ctx.config)) headers.append('set-cookie', cookie)
  const answer = isApi(request)
    ? jsonAnswer(status, {
        code: refusal?.code ?? INTERNAL_ERROR,
        message,
        ...(refusal?.errors?.length ? { errors: refusal.errors } : {}),
        ...(refusal instanceof Stale ? { data: refusal.shown ?? (await storedRecord(ctx.routes, request)) } : {}),
      })
    : await pageAnswer(ctx, failing, refusal, status, message)
  for (const [name, value] of headers) answer.headers.append(name, value)
  return answer
}

const jsonAnswer = (status: number, failure: Record<string, unknown>) =>
  Response.json({ success: false, ...failure }, { status })

/**
 * Returns the page to reopen after sign-in.
 * For a submitted form, this is the page with the form, not the URL to which the form was submitted.
 */
function backTo(request: Request): string {
  const current =
    request.headers.get('hx-current-url') ?? (isUnsafe(request) ? request.headers.get('referer') : request.url)
  try {
    const { pathname, search } = new URL(current ?? request.url)
    return pathname === '/' ? '' : pathname + search
  } catch {
    return ''
  }
}

async function pageAnswer(
  ctx: AppContext,
  failing: Failing,
  refusal: Refusal | null,
  status: number,
  message: string,
): Promise<Response> {
  const { request, route, sessionOf } = failing
  if (refusal instanceof SignedOut) {
    const { held } = refusal
    const unsaved = isUnsafe(request) && !held ? 'true' : null
    return sendTo(request, withQuery(paths.login, { next: backTo(request), held, unsaved }), 401)
  }
  if (refusal instanceof PasswordChangeDue) return sendTo(request, paths.profilePassword, 403)
  if (refusal instanceof SecondFactorDue) return sendTo(request, paths.twoFactor.show, 403)
  if (refusal?.status === 404 && !isUnsafe(request) && refusal.message === 'Page not found')
    return sendTo(request, paths.dashboard, 404)
  // When the server is overloaded, render the page without sidebar, because loading the session would add load.
  const session = status === 503 || status === 429 ? null : await sessionOf(request).catch(() => null)
  const routeFailure =
    ctx.routes.factsOf(request.method, route)?.failure ?? (isUnsafe(request) ? 'An error occurred' : null)
  const failure = status >= 500 ? routeFailure : null
  if (isHtmx(request) && isUnsafe(request))
    return failedInPlace(failure ?? message, failure ? message : undefined, status)
  if (status >= 500 && pathOf(request) === paths.logout)
    return htmlAnswer(request, renderDocument(ctx, 'Signed out', <SignedOutHere />), status)
  const body =
    refusal instanceof Forbidden ? (
      <AccessDenied message={message} />
    ) : (
      <Problem
        status={status}
        message={message}
        title={failure}
        // The many requests can come from somebody with a copy of the session. Let the user end the session by signing
        // out.
        canSignOut={status === 429 && sessionCookie(request, ctx.config) !== null}
      />
    )
  const title = refusal instanceof Forbidden ? 'Access Denied' : 'Problem'
  if (session) return pageFor(ctx, request, session).page(title, body, status)
  return htmlAnswer(request, renderDocument(ctx, title, body), status)
}

/**
 * Creates an error response for htmx.
 * The page does not change. A script in the page shows the message from the header `HX-Trigger`.
 */
function failedInPlace(text: string, reason: string | undefined, status: number): Response {
  const trigger = JSON.stringify({ 'yardmaster:failed': { text, reason } })
  // Escape all characters except printable ASCII, because a header cannot contain other characters.
  const plain = trigger.replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return new Response(null, { status, headers: { 'hx-trigger': plain } })
}

/**
 * Redirects the browser after an error.
 * For htmx, the response keeps its error status and has a header that redirects the whole page.
 */
function sendTo(request: Request, to: string, htmxStatus: number): Response {
  if (isHtmx(request)) return new Response(null, { status: htmxStatus, headers: { 'hx-redirect': to } })
  return new Response(null, { status: 303, headers: { location: to } })
}
