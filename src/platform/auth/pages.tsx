import { Elysia } from 'elysia'
import { withPriority } from '../../../db/client'
import { HeldFormPage } from '../../../views/auth/held-form-page'
import { LoginPage } from '../../../views/auth/login-page'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { signedOutCookies } from '../http/errors'
import { failed } from '../http/message'
import { attempt, htmlAnswer, redirectAfterChange, renderDocument } from '../http/page'
import { isCrossOrigin, isLeaving, isSecure, leavingCookieName, setCookie } from '../http/request'
import { isOwnPath, paths, withQuery } from '../paths'
import { RateLimited } from '../refusals'
import { endSignInOf, foreign, sessionOf, tokens } from './admission'
import { isFactorDue } from './current-user'
import { deviceCookie } from './devices'
import { signOut } from './ending-sessions'
import { signedInPages } from './guard'
import { type HeldForm, typedFields, unseal } from './held-forms'
import { CODE_NEEDED, CODE_WRONG } from './second-factor-text'
import { sessionSetCookie } from './session-tokens'
import { CodeRequired, signInWith } from './sign-in'
import { signOnText } from './sign-on-text'

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const destination = (next: unknown) => (isOwnPath(text(next)) ? text(next) : paths.dashboard)

const login = (ctx: AppContext) => {
  const screen = (
    request: Request,
    { next, held: heldForm, unsaved }: { next?: unknown; held?: unknown; unsaved?: unknown },
    username: string,
    message: string | null,
    status = 200,
    retryAfter?: number,
    refused?: CodeRequired,
  ) => {
    const page = htmlAnswer(
      request,
      renderDocument(
        ctx,
        'Login',
        <LoginPage
          next={text(next)}
          heldForm={text(heldForm)}
          isUnsaved={unsaved === 'true'}
          username={username}
          message={message}
          ticket={refused?.ticket}
          passkey={refused?.passkey}
          singleSignOn={ctx.config.oidc ? withQuery(paths.singleSignOn, { next: text(next) || null }) : undefined}
          isPrompt={message === CODE_NEEDED}
        />,
      ),
      status,
    )
    if (retryAfter) page.headers.set('retry-after', String(retryAfter))
    return page
  }
  /**
   * Shows a form that the user submitted after the session had expired. The user has now signed in again. The form is
   * submitted only when the user clicks a button, never automatically.
   */
  const heldFormPage = (request: Request, heldForm: HeldForm, username: string, next: string) =>
    htmlAnswer(
      request,
      renderDocument(
        ctx,
        'Signed in again',
        <HeldFormPage {...heldForm} typed={typedFields(heldForm)} username={username} next={next} />,
      ),
    )
  return new Elysia({ detail: about({ role: 'anyone' }) })
    .use(tokens(ctx))
    .get(
      paths.login,
      async ({ query, request }) => {
        const session = await sessionOf(ctx, request)
        const problem = signOnText(query.sso)
        if (session) {
          const toast = problem === null ? undefined : failed(problem)
          return redirectAfterChange(ctx, request, destination(query.next), toast)
        }
        const page = screen(request, query, '', problem)
        if (isLeaving(request, ctx.config))
          for (const cookie of signedOutCookies(request, ctx.config)) page.headers.append('set-cookie', cookie)
        return page
      },
      { detail: about({ summary: 'Login' }) },
    )
    .post(
      paths.login,
      async ({ body, request, server, tokens }) => {
        if (isCrossOrigin(request, ctx.config)) throw foreign(ctx, request)
        const form = (body ?? {}) as { username?: unknown; password?: unknown; next?: unknown; held?: unknown }
        const { value, refusal } = await attempt(() =>
          withPriority(() => signInWith(ctx, tokens, form, { request, server })),
        )
        if (refusal)
          return screen(
            request,
            form,
            text(form.username),
            refusal instanceof CodeRequired && refusal.isWrong ? CODE_WRONG : refusal.message,
            refusal.status,
            refusal instanceof RateLimited ? refusal.retryAfter : undefined,
            refusal instanceof CodeRequired ? refusal : undefined,
          )
        // End the browser's previous session. Otherwise, that session would stay open unnoticed, because the new cookie
        // replaces the old token.
        await endSignInOf(ctx, request)
        const { must_change_password, id, username } = value.account
        const to = must_change_password ? paths.profilePassword : destination(form.next)
        const isShown = form.held && !must_change_password && !(await isFactorDue(ctx.db, id))
        const heldForm = isShown ? unseal(ctx, id, form.held) : undefined
        const answer = heldForm ? heldFormPage(request, heldForm, username, to) : redirectAfterChange(ctx, request, to)
        answer.headers.append('set-cookie', sessionSetCookie(ctx, request, value.token))
        answer.headers.append('set-cookie', deviceCookie(ctx, request, value.deviceKey))
        if (isLeaving(request, ctx.config))
          answer.headers.append(
            'set-cookie',
            setCookie(leavingCookieName(request, ctx.config), '', {
              maxAge: 0,
              secure: isSecure(request, ctx.config),
            }),
          )
        return answer
      },
      { detail: about({ summary: 'Sign in', failure: 'An error occurred. Please try again.' }) },
    )
}

const logout = (ctx: AppContext) =>
  new Elysia({
    detail: about({ isSensitive: true, isOpenWhileDue: true, isOpenWhileFactorDue: true, isOpenWhileFull: true }),
  })
    .use(signedInPages(ctx))
    .post(
      paths.logout,
      async ({ session, request, redirect }) => {
        await signOut(ctx.db, session)
        const answer = redirect(paths.login)
        for (const cookie of signedOutCookies(request, ctx.config)) answer.headers.append('set-cookie', cookie)
        // Clear the form drafts in browser storage. Do not clear cookies, because one of them identifies the device.
        answer.headers.set('clear-site-data', '"storage"')
        return answer
      },
      { detail: about({ summary: 'Sign out' }) },
    )

export const authPages = (ctx: AppContext) => new Elysia().use(login(ctx)).use(logout(ctx))
