import { Elysia } from 'elysia'
import { withPriority } from '../../../db/client'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { failed as failedMessage } from '../http/message'
import { redirectAfterChange } from '../http/page'
import { cookie, hostCookieName, isLeaving, isSecure, leavingCookieName, ownOrigin, setCookie } from '../http/request'
import { requestId } from '../http/request-log'
import { redirects } from '../http/shapes'
import { inSignOnTurn } from '../http/turns'
import { isOwnPath, paths, withQuery } from '../paths'
import { Missing, RateLimited, Refusal } from '../refusals'
import { endSignInOf, sessionOf, tokens } from './admission'
import { deviceCookie, deviceIdOf } from './devices'
import { ProviderAway, type SignOnChecks, SignOnRefused } from './identity-provider'
import type { Person } from './person'
import { seal, unseal } from './sealing'
import { sessionSetCookie, tokenFor, visitorOf } from './session-tokens'
import { signInOf } from './sessions'
import { type SignOnFailure, signOnText } from './sign-on-text'
import { confirmSignOn, signOn } from './single-sign-on'

const COOKIE = 'yardmaster_oidc'
/** Time limit, in seconds, for signing in at the provider. */
const ATTEMPT_SECONDS = 15 * 60

/**
 * A single sign-on in progress. It is stored encrypted in a cookie, so that any server instance can process the
 * provider's response.
 */
type Attempt = { checks: SignOnChecks; next: string; until: number; confirms?: string }

type Failure = { address?: string; error?: unknown; person?: Person | undefined; keepsAttempt?: boolean }

/** Returns the text for the log. The message of `SignOnRefused` is more precise than its cause. */
const problemIn = (error: Error) => (error instanceof SignOnRefused ? error.message : String(error.cause ?? error))

/** Values of the header `Sec-Fetch-Site` for requests from other websites, including other hosts of our domain. */
const FOREIGN_SITES = ['cross-site', 'same-site']

const redirect = (to: string, cookies: string[]) => {
  const response = new Response(null, { status: 302, headers: { location: to } })
  for (const text of cookies) response.headers.append('set-cookie', text)
  return response
}

/**
 * Maximum length of the path to open after sign-in. The length is that of the path's JSON text, in characters. A longer
 * path would make the cookie too large.
 */
const NEXT_LIMIT = 1500
const destination = (next: unknown) =>
  typeof next === 'string' && JSON.stringify(next).length <= NEXT_LIMIT && isOwnPath(next) ? next : paths.dashboard

/**
 * Routes of single sign-on by OpenID Connect. Browsers open these routes directly, so a failure redirects to the login
 * page instead of returning JSON.
 */
export function singleSignOnRoutes(ctx: AppContext) {
  const { clock } = ctx
  const providerOf = () => {
    if (!ctx.identityProvider) throw new Missing('Single sign-on')
    return ctx.identityProvider
  }
  const attemptCookie = (request: Request, value: string) =>
    setCookie(hostCookieName(COOKIE, request, ctx.config), value, {
      maxAge: value ? ATTEMPT_SECONDS : 0,
      secure: isSecure(request, ctx.config),
    })
  const readAttempt = (request: Request): Attempt | null => {
    try {
      const sealed = cookie(request, hostCookieName(COOKIE, request, ctx.config)) ?? ''
      const attempt: Attempt = JSON.parse(unseal(ctx, 'single sign-on', sealed))
      return attempt.until > clock.now().getTime() ? attempt : null
    } catch {
      return null
    }
  }
  const failed = (request: Request, reason: SignOnFailure, { address, error, person, keepsAttempt }: Failure = {}) => {
    if (reason !== 'busy') ctx.metrics.signIns.inc({ outcome: 'refused' })
    ctx.log('warn', 'single sign-on refused', {
      id: requestId(request),
      ...(address ? { address } : {}),
      reason,
      ...(error instanceof Error ? { error: problemIn(error) } : {}),
      ...(person ? { subject: person.subject, username: person.username } : {}),
    })
    return redirect(withQuery(paths.login, { sso: reason }), keepsAttempt ? [] : [attemptCookie(request, '')])
  }
  /**
   * Redirects a user whose confirmation by single sign-on has failed. The user returns to the page that asked for the
   * confirmation. The page shows an error message.
   */
  const notConfirmed = (request: Request, next: string, reason: SignOnFailure) => {
    const to = withQuery(paths.confirmPassword, { next })
    const response = redirectAfterChange(ctx, request, to, failedMessage(signOnText(reason) ?? ''))
    response.headers.append('set-cookie', attemptCookie(request, ''))
    return response
  }
  const failure = (error: unknown): SignOnFailure | null => {
    if (error instanceof ProviderAway) return 'away'
    if (error instanceof SignOnRefused) return 'refused'
    if (error instanceof RateLimited) return 'busy'
    return error instanceof Refusal ? 'unavailable' : null
  }
  /** @throws Refusal (400) when the public address of the program cannot be determined from the request headers */
  const originOf = (request: Request) => {
    const origin = ownOrigin(request, ctx.config)
    if (!origin)
      throw new Refusal(400, 'The address of this server is missing or not valid in the request (Host header)')
    return origin
  }

  return new Elysia()
    .use(tokens(ctx))
    .get(
      paths.singleSignOn,
      async ({ query, request }) => {
        const provider = providerOf()
        const origin = originOf(request)
        const current = await sessionOf(ctx, request)
        // Ignore sign-ons that another website starts. They must neither replace the session of a signed-in user, nor
        // sign anybody in without an action of that person.
        if (FOREIGN_SITES.includes(request.headers.get('sec-fetch-site') ?? ''))
          return redirect(current ? destination(query.next) : paths.login, [])
        const session = query.confirm ? current : null
        try {
          const { url, checks } = await provider.begin(origin + paths.singleSignOnCallback, session !== null)
          const attempt: Attempt = {
            checks,
            next: destination(query.next),
            until: clock.now().getTime() + ATTEMPT_SECONDS * 1000,
            ...(session ? { confirms: signInOf(session) } : {}),
          }
          return redirect(url.href, [attemptCookie(request, seal(ctx, 'single sign-on', JSON.stringify(attempt)))])
        } catch (error) {
          const reason = failure(error)
          if (!reason) throw error
          return failed(request, reason, { error })
        }
      },
      {
        detail: about({
          role: 'anyone',
          summary: 'Sign in with single sign-on (OpenID Connect)',
          what: 'Single sign-on',
          description:
            'For browsers. Redirects to the provider. `next` is the path to open after the sign-in. ' +
            'Returns 404 if single sign-on is not set up.',
          answers: redirects('The provider’s sign-in page'),
        }),
      },
    )
    .get(
      paths.singleSignOnCallback,
      async ({ request, server, tokens }) => {
        const provider = providerOf()
        const visitor = visitorOf(ctx, { request, server })
        const { address } = visitor
        const attempt = readAttempt(request)
        if (!attempt) return failed(request, 'expired', { address })
        const answer = new URL(request.url).searchParams
        // The cookie now belongs to a newer sign-on in another tab. Keep the cookie, so that the other tab can finish.
        const { state } = attempt.checks
        if (answer.get('state') !== state) return failed(request, 'expired', { address, keepsAttempt: true })
        const origin = { address, device: deviceIdOf(ctx, request) }
        const isCounted = answer.has('code')
        const limit = isCounted ? await ctx.limits.countCallback(state, origin) : null
        if (limit) return failed(request, limit, { address })
        const response = new URL(originOf(request) + paths.singleSignOnCallback)
        response.search = new URL(request.url).search
        const before = await sessionOf(ctx, request)
        const finish = async (username: string, session: string, first = session) =>
          redirect(attempt.next, [
            sessionSetCookie(ctx, request, await tokenFor(tokens, session, first)),
            deviceCookie(ctx, request, (await ctx.limits.keysOf(username)).signOnDevice),
            attemptCookie(request, ''),
            ...(isLeaving(request, ctx.config) ? [leavingEnded(ctx, request)] : []),
          ])
        let person: Person | undefined
        const inTurn = <T>(person: Person, work: () => Promise<T>) =>
          inSignOnTurn(ctx, person, () => withPriority(work))
        try {
          person = await provider.finish(response, attempt.checks, attempt.confirms !== undefined)
          await ctx.limits.callbackNotFailed(origin)
          if (!(await ctx.limits.callbackSucceeded(state))) return failed(request, 'refused', { address })
          if (attempt.confirms !== undefined) {
            const isOwn = before !== null && signInOf(before) === attempt.confirms
            const session = isOwn
              ? await inTurn(person, () => confirmSignOn(ctx, before, person as Person, visitor))
              : null
            if (!session || !before) throw new SignOnRefused('This confirmation was requested in another sign-in')
            return finish(before.user.username, session, signInOf(before))
          }
          const opened = await inTurn(person, () => signOn(ctx, person as Person, visitor))
          if (typeof opened === 'string') return failed(request, opened, { address, person })
          // End the browser's previous session. Otherwise, that session would stay open unnoticed, because the new
          // cookie replaces the old token.
          await endSignInOf(ctx, request)
          ctx.metrics.signIns.inc({ outcome: 'accepted' })
          const { username } = opened.account
          ctx.log('info', 'signed in', { id: requestId(request), address, username, method: 'oidc' })
          return finish(username, opened.session)
        } catch (error) {
          const reason = failure(error)
          if (!reason) throw error
          if (error instanceof ProviderAway && isCounted) await ctx.limits.callbackNotFailed(origin)
          const refused = failed(request, reason, { address, error, person })
          return attempt.confirms !== undefined && before
            ? notConfirmed(request, attempt.next, reason === 'busy' ? reason : 'refused')
            : refused
        }
      },
      {
        detail: about({
          role: 'anyone',
          summary: 'Finish a sign-in with OpenID Connect',
          what: 'Single sign-on',
          description:
            'The provider redirects the browser to this address. The call opens a session, or shows the ' +
            'login page with a message.',
          answers: redirects('The page that the browser opens next'),
        }),
      },
    )
}

const leavingEnded = (ctx: AppContext, request: Request) =>
  setCookie(leavingCookieName(request, ctx.config), '', { maxAge: 0, secure: isSecure(request, ctx.config) })
