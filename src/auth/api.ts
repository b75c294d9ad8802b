import { Elysia } from 'elysia'
import { z } from 'zod'
import type { AppContext } from '../context'
import { apiToken } from '../docs/components'
import { object, ref, string } from '../docs/schema'
import { changeOf, idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerAll } from '../http/answers'
import { isCrossOrigin } from '../http/request'
import { data, message, page } from '../http/shapes'
import { SignedOut } from '../refusals'
import { changeProfile, findAccount } from './accounts'
import { foreign, signedIn, tokens } from './guard'
import { passwordChange, profile } from './rules'
import { endSessionCalled, listSessions } from './session-list'
import { endSession, endSessionsOf } from './sessions'
import { changePassword, renewToken, signInWith } from './sign-in'
import { newToken } from './token-rules'
import { createToken, listTokens, revokeToken } from './tokens'

const open = (ctx: AppContext) =>
  new Elysia().use(tokens(ctx)).post(
    '/login',
    async ({ body, tokens, request, server }) => {
      if (isCrossOrigin(request, ctx.config)) throw foreign(ctx, request)
      const { token, account } = await signInWith(ctx, tokens, body, { request, server })
      return answer({ user: account, token })
    },
    {
      detail: about({
        role: 'anyone',
        summary: 'Sign in',
        description: 'Send the token as `Authorization: Bearer TOKEN` with every other call.',
        answers: data(object({ user: ref('User'), token: string })),
      }),
    },
  )

const own = (ctx: AppContext) =>
  new Elysia()
    .use(signedIn(ctx))
    .post(
      '/logout',
      async ({ session }) => {
        await endSession(ctx.db, session.id)
        return { success: true as const, message: 'Signed out' }
      },
      {
        detail: about({ summary: 'End this session', isOpenWhileDue: true, isOpenWhileFull: true, answers: message() }),
      },
    )
    .get(
      '/verify',
      async ({ user }) => {
        const account = await findAccount(ctx.db, user.id)
        if (!account) throw new SignedOut()
        const { previous_login: _, ...shown } = account
        return answer({ user: shown })
      },
      {
        detail: about({
          summary: 'Who is signed in',
          tokens: 'all',
          isOpenWhileDue: true,
          answers: data(object({ user: ref('User') })),
        }),
      },
    )
    .post(
      '/refresh',
      async ({ session, tokens, request, server }) => {
        const token = await renewToken(ctx, tokens, session, { request, server })
        if (!token) throw new SignedOut()
        return answer({ token })
      },
      {
        detail: about({
          summary: 'Change the token for a new one',
          isOpenWhileDue: true,
          answers: data(object({ token: string })),
        }),
      },
    )
    .post(
      '/change-password',
      async ({ body, session, actor }) => {
        await changePassword(ctx, actor, session, body)
        return { success: true as const, message: 'Password changed successfully!' }
      },
      {
        body: passwordChange,
        detail: about({
          summary: 'Change your own password',
          description: 'Ends your other sessions.',
          isOpenWhileDue: true,
          answers: message(),
        }),
      },
    )
    .put(
      '/profile',
      async ({ body, user, actor }) =>
        answer(await changeProfile(ctx.db, actor, user.id, body.version, withoutVersion(body))),
      {
        body: changeOf(profile),
        detail: about({ summary: 'Change your own name and contact details', answers: data(ref('User')) }),
      },
    )

/** One's own sessions and API tokens. */
const access = ({ db, clock, ...ctx }: AppContext) =>
  new Elysia()
    .use(signedIn({ db, clock, ...ctx }))
    .get(
      '/sessions',
      async ({ session }) => answerAll(await listSessions(db, session.user.id, session.id, clock.now())),
      {
        detail: about({ summary: 'Where you are signed in', answers: page(ref('Session')) }),
      },
    )
    .delete(
      '/sessions',
      async ({ session }) => {
        await endSessionsOf(db, session.user.id, session.id)
        return { success: true as const, message: 'Every other session was ended' }
      },
      { detail: about({ summary: 'End all of your sessions but this one', answers: message() }) },
    )
    .delete(
      '/sessions/:key',
      async ({ session, params }) => {
        await endSessionCalled(db, session.user.id, params.key)
        return { success: true as const, message: 'The session was ended' }
      },
      {
        params: z.object({ key: z.string() }),
        detail: about({ summary: 'End one of your sessions', answers: message() }),
      },
    )
    .get('/tokens', async ({ user }) => answerAll(await listTokens(db, user.id)), {
      detail: about({ summary: 'Your API tokens', answers: page(ref('ApiToken')) }),
    })
    .post('/tokens', async ({ session, actor, body }) => answer(await createToken(db, actor, session, body)), {
      body: newToken,
      detail: about({
        summary: 'Make an API token',
        description:
          'For integrations: sent as a bearer token, it does what its owner may do, or only reads. The answer shows it for the only time.',
        answers: data(object({ ...apiToken.properties, token: string }), 201),
      }),
    })
    .delete(
      '/tokens/:id',
      async ({ user, actor, params }) => {
        await revokeToken(db, actor, user.id, params.id)
        return { success: true as const, message: 'The token was revoked' }
      },
      { params: idParams, detail: about({ summary: 'Revoke one of your API tokens', answers: message() }) },
    )

const withoutVersion = <Body extends { version?: number | undefined }>({ version: _, ...values }: Body) => values

export const authApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/auth', detail: about({ tags: ['Authentication'], tokens: 'none' }) })
    .use(open(ctx))
    .use(own(ctx))
    .use(access(ctx))
