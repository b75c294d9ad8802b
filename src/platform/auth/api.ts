import { Elysia } from 'elysia'
import { z } from 'zod'
import { withPriority } from '../../../db/client'
import { signIns } from '../../../db/schema'
import { accept } from '../accept'
import type { AppContext } from '../context'
import { apiToken } from '../docs/components'
import { object, record, ref, string } from '../docs/schema'
import { idParams, yesNo } from '../fields'
import { about } from '../http/about'
import { answer, answerRowsOrPage } from '../http/answers'
import { isCrossOrigin } from '../http/request'
import { data, message, page } from '../http/shapes'
import { partQuery } from '../lists/list-query'
import { SignedOut } from '../refusals'
import { findAccount } from './accounts'
import { foreign, tokens } from './admission'
import { CONFIRMED, currentPassword } from './confirmation'
import { signOut } from './ending-sessions'
import { signedIn } from './guard'
import { changePassword, confirmPassword } from './own-password'
import { passkeysApi } from './passkeys-api'
import { updateProfile } from './profile'
import { passwordChange, profileChange, signInFields } from './rules'
import { secondFactorApi } from './second-factor-api'
import { endOtherSessions, endOwnSession, listSessions } from './session-list'
import { renewToken } from './session-tokens'
import { signInWith } from './sign-in'
import { listSignIns } from './sign-in-log'
import { newToken } from './token-rules'
import { createToken, listTokens, revokeToken } from './tokens'

const open = (ctx: AppContext) =>
  new Elysia().use(tokens(ctx)).post(
    '/login',
    async ({ body, tokens, request, server }) => {
      if (isCrossOrigin(request, ctx.config)) throw foreign(ctx, request)
      if (typeof body === 'object' && !Array.isArray(body)) accept(signInFields, body ?? {})
      const { token, account } = await withPriority(() => signInWith(ctx, tokens, body, { request, server }))
      return answer({ user: account, token })
    },
    {
      detail: about({
        role: 'anyone',
        summary: 'Sign in',
        description:
          'Send the token as `Authorization: Bearer TOKEN` with every other call. An account with ' +
          'two-factor authentication also needs `code`, a code of its authenticator app or a recovery code.',
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
        await signOut(ctx.db, session)
        return { success: true as const, message: 'Signed out' }
      },
      {
        detail: about({
          summary: 'Sign out of this session',
          isOpenWhileDue: true,
          isOpenWhileFactorDue: true,
          isOpenWhileFull: true,
          answers: message(),
        }),
      },
    )
    .get(
      '/verify',
      async ({ user }) => {
        const account = await findAccount(ctx.db, user.id)
        if (!account) throw new SignedOut()
        const { previous_login: _, ...profileFields } = account
        return answer({ user: profileFields })
      },
      {
        detail: about({
          summary: 'Get the signed-in user',
          tokens: 'all',
          isOpenWhileDue: true,
          isOpenWhileFactorDue: true,
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
          summary: 'Exchange the session token for a new token',
          isOpenWhileDue: true,
          isOpenWhileFactorDue: true,
          answers: data(object({ token: string })),
        }),
      },
    )
    .post(
      '/change-password',
      async ({ body, session, write }) => {
        await changePassword(ctx, write, session, body)
        return { success: true as const, message: 'Password changed successfully!' }
      },
      {
        body: passwordChange,
        detail: about({
          summary: 'Change your own password',
          description: 'Ends your other sessions and, unless `revoke_tokens` is false, revokes your API tokens.',
          isOpenWhileDue: true,
          answers: message(),
        }),
      },
    )
    .put('/profile', async ({ body, session, write }) => answer(await updateProfile(ctx, write, session, body)), {
      body: profileChange,
      detail: about({
        summary: 'Change your own name and contact details',
        description: `Changing the e-mail address is a sensitive change. ${CONFIRMED}`,
        answers: data(ref('User')),
      }),
    })
    .post(
      '/confirm-password',
      async ({ body, session, tokens, request, server }) =>
        answer({ token: await confirmPassword(ctx, tokens, session, body.current_password, { request, server }) }),
      {
        body: z.object({ current_password: currentPassword }),
        detail: about({
          summary: 'Confirm your password',
          description:
            'You can then make sensitive changes for an hour. ' +
            'The response contains a new session token, and the old one stops working.',
          answers: data(object({ token: string })),
        }),
      },
    )

const access = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia()
    .use(signedIn(ctx))
    .get(
      '/sessions',
      async ({ session, query }) =>
        answerRowsOrPage(await listSessions(db, session.user.id, session, clock.now()), query),
      {
        query: partQuery,
        detail: about({ summary: 'List your sessions', answers: page(ref('Session')) }),
      },
    )
    .delete(
      '/sessions',
      async ({ session, write, query }) => {
        await endOtherSessions(ctx, write, session, query)
        return { success: true as const, message: 'All other sessions ended' }
      },
      {
        query: z.object({ revoke_tokens: yesNo(true) }),
        detail: about({
          summary: 'End all your other sessions',
          description: `Also revokes your API tokens, unless \`revoke_tokens=false\`. ${CONFIRMED}`,
          answers: message(),
        }),
      },
    )
    .delete(
      '/sessions/:key',
      async ({ session, write, params }) => {
        await endOwnSession(ctx, write, session, params.key)
        return { success: true as const, message: 'Session ended' }
      },
      {
        params: z.object({ key: z.string() }),
        detail: about({ summary: 'End one of your sessions', description: CONFIRMED, answers: message() }),
      },
    )
    .get('/sign-ins', async ({ user, query }) => answerRowsOrPage(await listSignIns(db, user.id), query), {
      query: partQuery,
      detail: about({
        summary: 'List your sign-ins',
        description: 'The 50 most recent stored sign-ins and failed attempts.',
        answers: page(record(signIns, {}, ['user_id'])),
      }),
    })
    .get('/tokens', async ({ user, query }) => answerRowsOrPage(await listTokens(db, user.id), query), {
      query: partQuery,
      detail: about({ summary: 'List your API tokens', answers: page(ref('ApiToken')) }),
    })
    .post('/tokens', async ({ session, write, body }) => answer(await createToken(ctx, write, session, body)), {
      body: newToken,
      detail: about({
        summary: 'Create an API token',
        description:
          'Integrations send the token as a bearer token. The scope is `read`, `records` (records and ' +
          'imports, without master data and administration) or `write` (everything that the owner can ' +
          'do). `allowed_addresses` limits the token to IP addresses and networks. The token is ' +
          'shown only in this response. `current_password` is required.',
        answers: data(object({ ...apiToken.properties, token: string }), 201),
      }),
    })
    .delete(
      '/tokens/:id',
      async ({ user, write, params }) => {
        await revokeToken(write, user.id, params.id)
        return { success: true as const, message: 'The token was revoked' }
      },
      { params: idParams, detail: about({ summary: 'Revoke one of your API tokens', answers: message() }) },
    )
}

export const authApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/auth', detail: about({ tags: ['Authentication'], tokens: 'none' }) })
    .use(open(ctx))
    .use(own(ctx))
    .use(secondFactorApi(ctx))
    .use(passkeysApi(ctx))
    .use(access(ctx))
