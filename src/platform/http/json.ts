import { Elysia } from 'elysia'
import type { CurrentUser } from '../auth/current-user'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import { JsonText, versionIn } from './answers'
import { releaseAttempt, storeAnswer } from './idempotency'
import { textAnswer } from './text-answer'

export const json = (ctx: AppContext) =>
  new Elysia({ name: 'json' }).mapResponse(
    { as: 'global' },
    async ({ responseValue, request, set, route, ...rest }) => {
      const { user } = rest as { user?: Pick<CurrentUser, 'sees_costs'> }
      const whole = textOf(responseValue)
      const text = whole && user?.sees_costs === false ? JSON.stringify(withoutCosts(JSON.parse(whole))) : whole
      if (text === undefined) return releaseAttempt(ctx, request)
      const success = ctx.routes.factsOf(request.method, route)?.answers?.[0]?.status ?? 200
      const status = typeof set.status === 'number' && set.status !== 200 ? set.status : success
      await storeAnswer(ctx, request, status, text)
      const answer = textAnswer(request, text, 'application/json; charset=utf-8', status)
      const version = isPlainData(responseValue) ? versionIn(responseValue) : undefined
      if (version !== undefined) answer.headers.set('etag', `"${version}"`)
      for (const [name, value] of Object.entries(set.headers))
        if (!answer.headers.has(name)) answer.headers.set(name, String(value))
      return answer
    },
  )

const isPlainData = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const textOf = (value: unknown): string | undefined =>
  value instanceof JsonText ? value.text : isPlainData(value) ? JSON.stringify(value) : undefined
