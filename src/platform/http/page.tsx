import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { drawnFor } from '../../../views/costs'
import { Document } from '../../../views/document'
import { Layout } from '../../../views/layout'
import type { FormState } from '../../../views/ui/form-state'
import { Layouts } from '../../../views/ui/layouts'
import { remembered } from '../../../views/ui/remembered'
import { TimeZone } from '../../../views/ui/time-zone'
import { Today } from '../../../views/ui/today'
import type { Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import { addressOf } from '../lists/saved-views/rules'
import { Refusal, Stale } from '../refusals'
import { framed } from './framed'
import { mergedWith } from './merge'
import { type Message, messageCookie, rowId, waitingToast } from './message'
import { addressOf as addressIn, isHtmx, isSecure, pathOf, setCookie, toastCookieName } from './request'
import { sidebarState } from './sidebar'
import { textAnswer } from './text-answer'

const HTML = 'text/html; charset=utf-8'

/** A whole HTML document as text. Islands inside bring their own markup. */
export function renderDocument(ctx: AppContext, title: string, body: ReactNode): string {
  return `<!doctype html>${renderToStaticMarkup(
    <Document title={title} assets={ctx.assets.links}>
      {body}
    </Document>,
  )}`
}

/** Where the content stands in the layout; what people write cannot say this, for it is escaped. */
const CONTENT = '<template id="content-here"></template>'

/** The layouts of pages by all that they show: every page of one reader has much of it in common with the last. */
const layoutFor = remembered(200)

export const htmlAnswer = (request: Request, html: string, status = 200) => textAnswer(request, html, HTML, status)

/** Sends the browser elsewhere after a change, with a message to show there. */
export function seeOther(ctx: AppContext, request: Request, to: string, message?: Message | string): Response {
  const said = typeof message === 'string' ? { text: message } : message
  const row = said?.row
  // Where there are no scripts the address leads to the row; with them it would not load the page anew.
  const headers = new Headers(isHtmx(request) ? { 'hx-redirect': to } : { location: row ? `${to}#${rowId(row)}` : to })
  if (said?.text)
    headers.append(
      'set-cookie',
      setCookie(toastCookieName(request, ctx.config), messageCookie(said), {
        maxAge: 60,
        secure: isSecure(request, ctx.config),
      }),
    )
  return new Response(null, { status: isHtmx(request) ? 204 : 303, headers })
}

/** The page's script sends it with a change that a row is to show. */
const ROW_HEADER = 'x-row'

/** A posted form. */
type Submission<Value> = {
  /** The title of the page that shows it again. */
  title: string
  /** What was typed, when it is not just what was sent. */
  values?: Record<string, unknown>
  show: (form: FormState) => ReactNode | Promise<ReactNode>
  /** Accepts and writes what was typed; whatever it refuses is shown with the form. */
  save: () => Promise<Value>
  done: (value: Value) => Response
}

/** What a signed-in page answers with; `form` is what was sent. */
export function pageFor(
  ctx: AppContext,
  request: Request,
  { user, views, layouts }: Pick<Session, 'user' | 'views' | 'layouts'>,
  form: Record<string, unknown> = {},
) {
  /** What every piece of a page may ask for: the day, the zone, and how its reader has their lists laid out. */
  const within = (content: ReactNode) => (
    <TimeZone.Provider value={ctx.clock.timeZone}>
      <Today.Provider value={ctx.clock.today()}>
        <Layouts.Provider value={layouts}>{content}</Layouts.Provider>
      </Today.Provider>
    </TimeZone.Provider>
  )
  const draw = (content: ReactNode) => drawnFor(user, () => renderToStaticMarkup(within(content)))
  /** The view that stands in the address itself is the one that is looked at. */
  const viewLink = (view: (typeof views)[number]) => {
    const url = addressOf(view)
    return { ...view, url, isCurrent: url === addressIn(request) }
  }
  const answers = {
    /** A whole page within the layout; `said` is a message for this page itself. */
    page(title: string, body: ReactNode, status = 200, said?: string): Response {
      const sidebar = { ...sidebarState(request, ctx.config), views: views.map(viewLink) }
      const toast = waitingToast(request, ctx.config) ?? (said ? { tone: 'success', text: said } : null)
      const around = { title, user, path: pathOf(request), toast, sidebar }
      const layout = layoutFor(`${ctx.clock.today()} ${ctx.assets.links.boot} ${JSON.stringify(around)}`, () =>
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
      const shown = framed(
        body,
        `${ctx.clock.today()} ${ctx.clock.timeZone} ${user.sees_costs} ${JSON.stringify(layouts)}`,
        draw,
      )
      const whole = layout.slice(0, at) + shown + layout.slice(at + CONTENT.length)
      const answer = htmlAnswer(request, whole, status)
      if (toast)
        answer.headers.append(
          'set-cookie',
          setCookie(toastCookieName(request, ctx.config), '', { maxAge: 0, secure: isSecure(request, ctx.config) }),
        )
      return answer
    },
    /**
     * For a change that is made where its row stands: the row as it is now and what to say of it, when the page's
     * script asks for that; else post, redirect, message.
     */
    async inRow(to: string, row: () => Promise<ReactNode>, message: Message & { row: number }): Promise<Response> {
      if (!request.headers.has(ROW_HEADER))
        return seeOther(ctx, request, to, { ...message, row: undefined, made: message.row })
      const table = (
        <table>
          <tbody>{await row()}</tbody>
        </table>
      )
      const answer = htmlAnswer(request, draw(table))
      answer.headers.set('x-said', encodeURIComponent(JSON.stringify(message)))
      return answer
    },
    /** A piece of a page, which its script puts in its place. */
    fragment: (body: ReactNode): Response => htmlAnswer(request, draw(body)),
    /** Post, redirect, message. */
    redirect: (to: string, message?: Message | string) => seeOther(ctx, request, to, message),
  }
  return {
    ...answers,
    /** Answers a posted form: saved, or the form again with what was typed and what was wrong with it. */
    async submit<Value>({ title, values = form, show, save, done }: Submission<Value>): Promise<Response> {
      const { value, refusal } = await attempt(save)
      if (!refusal) return done(value as Value)
      const stored = refusal instanceof Stale ? refusal.current : undefined
      const seen = user.sees_costs ? stored : (withoutCosts(stored) as typeof stored)
      const state = seen ? await mergedWith(ctx.db, seen, values) : { values }
      return answers.page(title, await show({ ...state, refusal }), refusal.status)
    },
  }
}

/** Runs a change that a form asks for; a refusal comes back as a value, so that the form can show it. */
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
