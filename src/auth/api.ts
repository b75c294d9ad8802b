import { Elysia } from 'elysia'
import { z } from 'zod'
import { changeOf, idParams } from '../fields'
import { answer, answerAll } from '../http/answers'
import { isCrossOrigin } from '../http/request'
import type { Office } from '../office'
import { SignedOut } from '../refusals'
import { foreign, signedIn, tokens } from './guard'
import type { SignInLimits } from './limits'
import { changeOwnPassword, changeProfile, endSession, endSessionCalled, endSessionsOf, findAccount, listSessions } from './queries'
import { passwordChange, profile } from './rules'
import { renewToken, signInWith } from './sign-in'
import { newToken } from './token-rules'
import { createToken, listTokens, revokeToken } from './tokens'

const open = (office: Office, limits: SignInLimits) =>
  new Elysia().use(tokens(office)).post(
    '/login',
    async ({ body, tokens, request, server }) => {
      if (isCrossOrigin(request, office.config)) throw foreign(office, request)
      const { token, account } = await signInWith(office, tokens, limits, body, { request, server })
      return answer({ user: account, token })
    },
    { detail: { summary: 'Sign in', description: 'Send the token as `Authorization: Bearer TOKEN` with every other call.' } },
  )

const own = (office: Office, limits: SignInLimits) =>
  new Elysia()
    .use(signedIn(office))
    .post(
      '/logout',
      async ({ session }) => {
        await endSession(office.db, session.id)
        return { success: true as const, message: 'Signed out' }
      },
      { detail: { summary: 'End this session' } },
    )
    .get(
      '/verify',
      async ({ clerk }) => {
        const account = await findAccount(office.db, clerk.id)
        if (!account) throw new SignedOut()
        const { previous_login: _, ...user } = account
        return answer({ user })
      },
      { detail: { summary: 'Who is signed in' } },
    )
    .post(
      '/refresh',
      async ({ session, tokens, request, server }) => {
        const token = await renewToken(office, tokens, session, { request, server })
        if (!token) throw new SignedOut()
        return answer({ token })
      },
      { detail: { summary: 'Change the token for a new one' } },
    )
    .post(
      '/change-password',
      async ({ body, session, actor }) => {
        await limits.countOwn(session.clerk.username)
        await changeOwnPassword(office.db, actor, session, body)
        await limits.ownSucceeded(session.clerk.username)
        return { success: true as const, message: 'Password changed successfully!' }
      },
      { body: passwordChange, detail: { summary: 'Change your own password', description: 'Ends your other sessions.' } },
    )
    .put('/profile', async ({ body, clerk, actor }) => answer(await changeProfile(office.db, actor, clerk.id, body.version, withoutVersion(body))), {
      body: changeOf(profile),
      detail: { summary: 'Change your own name and contact details' },
    })

/** One's own sessions and API tokens. */
const access = ({ db, clock, ...office }: Office) =>
  new Elysia()
    .use(signedIn({ db, clock, ...office }))
    .get('/sessions', async ({ session }) => answerAll(await listSessions(db, session.clerk.id, session.id, clock.now())), {
      detail: { summary: 'Where you are signed in' },
    })
    .delete(
      '/sessions',
      async ({ session }) => {
        await endSessionsOf(db, session.clerk.id, session.id)
        return { success: true as const, message: 'Every other session was ended' }
      },
      { detail: { summary: 'End all of your sessions but this one' } },
    )
    .delete(
      '/sessions/:key',
      async ({ session, params }) => {
        await endSessionCalled(db, session.clerk.id, params.key)
        return { success: true as const, message: 'The session was ended' }
      },
      { params: z.object({ key: z.string() }), detail: { summary: 'End one of your sessions' } },
    )
    .get('/tokens', async ({ clerk }) => answerAll(await listTokens(db, clerk.id)), { detail: { summary: 'Your API tokens' } })
    .post(
      '/tokens',
      async ({ session, actor, body, set }) => {
        set.status = 201
        return answer(await createToken(db, actor, session, body))
      },
      {
        body: newToken,
        detail: {
          summary: 'Make an API token',
          description: 'For integrations: sent as a bearer token, it does what its owner may do, or only reads. The answer shows it for the only time.',
        },
      },
    )
    .delete(
      '/tokens/:id',
      async ({ clerk, actor, params }) => {
        await revokeToken(db, actor, clerk.id, params.id)
        return { success: true as const, message: 'The token was revoked' }
      },
      { params: idParams, detail: { summary: 'Revoke one of your API tokens' } },
    )

const withoutVersion = <Body extends { version?: number | undefined }>({ version: _, ...values }: Body) => values

export const authApi = (office: Office, limits: SignInLimits) =>
  new Elysia({ prefix: '/api/auth', detail: { tags: ['Authentication'] } }).use(open(office, limits)).use(own(office, limits)).use(access(office))
