import { Elysia } from 'elysia'
import type { CurrentUser } from '../auth/sessions'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import { Refusal } from '../refusals'
import { JsonText } from './answers'
import { isApi } from './request'
import { textAnswer } from './text-answer'

const JSON_BODY_LIMIT = 2 * 1024 * 1024

/** What the JSON routes accept and how their answers leave. Uploads are multipart and have their own limit. */
export const json = ({ routes }: AppContext) =>
  new Elysia({ name: 'json' })
    .onParse({ as: 'global' }, async ({ request, contentType, route }) => {
      if (!isApi(request) || request.body === null) return
      const facts = routes.factsOf(request.method, route)
      const isUpload = facts?.upload !== undefined && !(facts.takesJson && contentType === 'application/json')
      if (contentType !== (isUpload ? 'multipart/form-data' : 'application/json')) {
        throw new Refusal(
          415,
          isUpload ? 'Send the file as multipart/form-data' : 'Send JSON with the content type application/json',
        )
      }
      if (isUpload) return
      if (Number(request.headers.get('content-length') ?? 0) > JSON_BODY_LIMIT)
        throw new Refusal(413, 'The request is too large')
      const text = await request.text()
      if (text.length > JSON_BODY_LIMIT) throw new Refusal(413, 'The request is too large')
      return parsed(text)
    })
    .mapResponse({ as: 'global' }, ({ responseValue, request, set, route, ...rest }) => {
      const { user } = rest as { user?: Pick<CurrentUser, 'sees_costs'> }
      const whole = textOf(responseValue)
      const text = whole && user?.sees_costs === false ? JSON.stringify(withoutCosts(JSON.parse(whole))) : whole
      if (text === undefined) return
      const success = routes.factsOf(request.method, route)?.answers?.[0]?.status ?? 200
      const status = typeof set.status === 'number' && set.status !== 200 ? set.status : success
      const answer = textAnswer(request, text, 'application/json; charset=utf-8', status)
      for (const [name, value] of Object.entries(set.headers))
        if (!answer.headers.has(name)) answer.headers.set(name, String(value))
      return answer
    })

/**
 * Nothing that is sent to us is nested deeper than a list of objects; checking values a thousand deep takes
 * seconds.
 */
const DEEPEST = 20

/** @throws a 400 refusal for what is no JSON */
function parsed(text: string): unknown {
  let depth = 0
  for (let at = 0, isQuoted = false; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (isQuoted) {
      if (sign === BACKSLASH) at++
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) depth++
    else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--
    // As something that no call takes: whether somebody may call at all is decided before what they sent.
    if (depth > DEEPEST) return 'nested too deeply'
  }
  try {
    return JSON.parse(text)
  } catch {
    throw UNREADABLE
  }
}

const UNREADABLE = new Refusal(400, 'The request could not be read')
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]

const isPlainData = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What a route answers as JSON; undefined for what is no data, such as a file. */
const textOf = (value: unknown): string | undefined =>
  value instanceof JsonText ? value.text : isPlainData(value) ? JSON.stringify(value) : undefined
