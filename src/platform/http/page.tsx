import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { drawnFor } from '../../../views/costs'
import { Document } from '../../../views/document'
import { Layout } from '../../../views/layout'
import type { FormState } from '../../../views/ui/form-state'
import { Identity } from '../../../views/ui/identity'
import { Layouts } from '../../../views/ui/layouts'
import { createMarkupCache } from '../../../views/ui/markup-cache'
import { TimeZone } from '../../../views/ui/time-zone'
import { Today } from '../../../views/ui/today'
import { canUsePassword } from '../auth/confirmation'
import type { Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import { viewUrl } from '../lists/saved-views/rules'
import { isOwnPath, paths } from '../paths'
import { Refusal, Stale } from '../refusals'
import { VERSION_TEXT } from '../version'
import { renderCached } from './cached-page'
import { mergedWith } from './merge'
import { type Message, messageCookie, rowId, waitingToast } from './message'
import { addressOf as addressIn, isHtmx, isSecure, pathOf, setCookie, toastCookieName } from './request'
import { sidebarState } from './sidebar'
import { textAnswer } from './text-answer'

const HTML = 'text/html; charset=utf-8'

export function renderDocument(ctx: AppContext, title: string, body: ReactNode): string {
  return `<!doctype html>${renderToStaticMarkup(
    <Document title={title} assets={ctx.assets.links}>
      {body}
    </Document>,
  )}`
}

/**
 * Marks the place of a page's content in a cached layout.
 * User input cannot contain this markup, because user input is escaped.
 */
const CONTENT = '<template id="content-here"></template>'

/** Cache of rendered page layouts (everything around the content). The key contains everything that a layout shows. */
const layoutFor = createMarkupCache(200)

export const htmlAnswer = (request: Request, html: string | string[], status = 200) =>
  textAnswer(request, html, HTML, status)

export function redirectAfterChange(
  ctx: AppContext,
  request: Request,
  to: string,
  message?: Message | string,
): Response {
  const toast = typeof message === 'string' ? { text: message } : message
  const row = toast?.row
  // The fragment `#row-7` makes the browser scroll to the changed row. Send htmx no fragment, because htmx does not
  // reload the page if only the fragment of the URL changes.
  const headers = new Headers(isHtmx(request) ? { 'hx-redirect': to } : { location: row ? `${to}#${rowId(row)}` : to })
  if (toast?.text)
    headers.append(
      'set-cookie',
      setCookie(toastCookieName(request, ctx.config), messageCookie(toast), {
        maxAge: 60,
        secure: isSecure(request, ctx.config),
      }),
    )
  return new Response(null, { status: isHtmx(request) ? 204 : 303, headers })
}

/** Request header of a script that wants the updated row. Without this header, the response is a redirect. */
const ROW_HEADER = 'x-row'

type Submission<Value> = {
  title: string
  /** Defaults to the submitted form. */
  values?: Record<string, unknown>
  show: (form: FormState) => ReactNode | Promise<ReactNode>
  save: () => Promise<Value>
  done: (value: Value) => Response | Promise<Response>
}

/**
 * Returns the path of the page that shows the form.
 * A GET request is for this page itself. A POST request has a different path, so the referring page is returned.
 */
function formPage(request: Request): string {
  if (request.method === 'GET') return pathOf(request)
  const referrer = URL.parse(request.headers.get('referer') ?? '')?.pathname ?? ''
  return isOwnPath(referrer) ? referrer : paths.profileAccess
}

export function pageFor(
  ctx: AppContext,
  request: Request,
  { user, views, layouts }: Pick<Session, 'user' | 'views' | 'layouts'>,
  form: Record<string, unknown> = {},
) {
  const hasSingleSignOn = ctx.config.oidc !== null && user.has_single_sign_on
  const proof = {
    hasPassword: user.has_password && canUsePassword(ctx, user.username),
    hasSingleSignOn,
    // Set the path of the page only for users with single sign-on. Pages of all other users contain no path, so that
    // these users can share cached markup.
    page: hasSingleSignOn ? formPage(request) : '',
  }
  const within = (content: ReactNode) => (
    <TimeZone.Provider value={ctx.clock.timeZone}>
      <Today.Provider value={ctx.clock.today()}>
        <Layouts.Provider value={layouts}>
          <Identity.Provider value={proof}>{content}</Identity.Provider>
        </Layouts.Provider>
      </Today.Provider>
    </TimeZone.Provider>
  )
  const draw = (content: ReactNode) => drawnFor(user, () => renderToStaticMarkup(within(content)))
  const viewLink = (view: (typeof views)[number]) => {
    const url = viewUrl(view)
    return { ...view, url, isCurrent: url === addressIn(request) }
  }
  const answers = {
    page(title: string, body: ReactNode, status = 200, toastText?: string): Response {
      const sidebar = { ...sidebarState(request, ctx.config), views: views.map(viewLink) }
      const toast = waitingToast(request, ctx.config) ?? (toastText ? { tone: 'success', text: toastText } : null)
      const around = { title, version: VERSION_TEXT, user, path: pathOf(request), toast, sidebar }
      const layout = layoutFor(`${ctx.clock.today()} ${ctx.assets.links.boot}`, JSON.stringify(around), () =>
        renderDocument(
          ctx,
          title,
          within(
            <Layout {...around}>
              <template id="content-here" />
            </Layout>,
          ),
        ),
      )
      const at = layout.indexOf(CONTENT)
      const markup = renderCached(
        body,
        `${ctx.clock.today()} ${ctx.clock.timeZone} ${user.sees_costs} ${JSON.stringify([layouts, proof])}`,
        draw,
      )
      const pieces = [layout.slice(0, at), ...markup, layout.slice(at + CONTENT.length)]
      const answer = htmlAnswer(request, pieces, status)
      if (toast)
        answer.headers.append(
          'set-cookie',
          setCookie(toastCookieName(request, ctx.config), '', { maxAge: 0, secure: isSecure(request, ctx.config) }),
        )
      return answer
    },
    /**
     * Responds to a change made directly in a row of a list.
     * If a script in the page asks for the row, returns the updated row and the message. Otherwise, redirects and shows
     * the message on the next page.
     */
    async inRow(to: string, row: () => Promise<ReactNode>, message: Message & { row?: number }): Promise<Response> {
      if (!request.headers.has(ROW_HEADER))
        return redirectAfterChange(ctx, request, to, { ...message, row: undefined, made: message.row })
      const table = (
        <table>
          <tbody>{await row()}</tbody>
        </table>
      )
      const answer = htmlAnswer(request, draw(table))
      answer.headers.set('x-toast', encodeURIComponent(JSON.stringify(message)))
      return answer
    },
    fragment: (body: ReactNode): Response => htmlAnswer(request, draw(body)),
    redirect: (to: string, message?: Message | string) => redirectAfterChange(ctx, request, to, message),
  }
  return {
    ...answers,
    /** Responds to a submitted form. If saving is refused, shows the form again with the input and the errors. */
    async submit<Value>({ title, values = form, show, save, done }: Submission<Value>): Promise<Response> {
      const { value, refusal } = await attempt(save)
      if (!refusal) return done(value as Value)
      const stored = refusal instanceof Stale ? refusal.current : undefined
      const visibleRecord = user.sees_costs ? stored : (withoutCosts(stored) as typeof stored)
      const state = visibleRecord ? await mergedWith(ctx.db, visibleRecord, values, user.username) : { values }
      return answers.page(title, await show({ ...state, refusal }), refusal.status)
    },
  }
}

/** Runs a change. Returns a refusal that a form can show, such as 409 or 422, instead of throwing it. */
export async function attempt<Value>(
  change: () => Promise<Value>,
): Promise<{ value: Value; refusal?: undefined } | { refusal: Refusal; value?: undefined }> {
  try {
    return { value: await change() }
  } catch (error) {
    if (error instanceof Refusal && [401, 409, 413, 422, 429, 507].includes(error.status)) return { refusal: error }
    throw error
  }
}
