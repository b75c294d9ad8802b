import { Elysia } from 'elysia'
import type { CurrentUser } from '../auth/sessions'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import { JsonText } from './answers'
import { textAnswer } from './text-answer'

/** Sends the answers of the JSON routes, without costs for users who may not see them. */
export const json = ({ routes }: AppContext) =>
  new Elysia({ name: 'json' }).mapResponse({ as: 'global' }, ({ responseValue, request, set, route, ...rest }) => {
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

const isPlainData = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What a route answers as JSON; undefined for what is no data, such as a file. */
const textOf = (value: unknown): string | undefined =>
  value instanceof JsonText ? value.text : isPlainData(value) ? JSON.stringify(value) : undefined
