import { Elysia } from 'elysia'
import { z } from 'zod'
import { CONFIRMED, currentPassword } from '../../platform/auth/confirmation'
import { signedIn } from '../../platform/auth/guard'
import { resetOtherSecondFactor } from '../../platform/auth/second-factor'
import type { AppContext } from '../../platform/context'
import { ref, string } from '../../platform/docs/schema'
import { idParams, versionOnly } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerList, answerRowsOrPage } from '../../platform/http/answers'
import { data, message, page } from '../../platform/http/shapes'
import { partQuery } from '../../platform/lists/list-query'
import { createUser, findUser, listUsers, resetPassword, updateUser } from './queries'
import { newUser, passwordReset, userChange, userFilters } from './rules'
import { endSessions, sessionsOf } from './sessions'

const passwordOnly = z.object({ current_password: currentPassword }).optional()
const sessionParams = idParams.extend({ key: z.string() })

export const usersApi = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia({ prefix: '/api/users', detail: about({ tags: ['users'], role: 'admin', tokens: 'read' }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listUsers(db, query)), {
      query: userFilters,
      detail: about({ summary: 'List users', answers: page(ref('User')) }),
    })
    .get('/:id', async ({ params }) => answer(await findUser(db, params.id)), {
      params: idParams,
      detail: about({ summary: 'One user', answers: data(ref('User')) }),
    })
    .post('/', async ({ body, write, session }) => answer(await createUser(ctx, write, session, body)), {
      body: newUser,
      detail: about({
        summary: 'Create a user',
        description:
          'With `temporary_password` and no `password`, a password is generated. `data.temporary_password` ' +
          'returns it ' +
          'once, and the user must change it at the first sign-in.',
        answers: data(ref('User'), 201),
      }),
    })
    .post(
      '/:id/reset-second-factor',
      async ({ params, body, write, session }) => {
        await resetOtherSecondFactor(ctx, write, session, params.id, body?.current_password)
        return { success: true as const, message: 'Two-factor authentication is off' }
      },
      {
        params: idParams,
        body: passwordOnly,
        detail: about({
          summary: 'Turn off the two-factor authentication of a user',
          description:
            `For a user who has lost both the authenticator device and the recovery codes. This is a ` +
            `sensitive change. ${CONFIRMED}`,
          what: 'Second factor',
          answers: message(),
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body, write, session }) => answer(await updateUser(ctx, write, session, params.id, body)),
      {
        params: idParams,
        body: userChange,
        detail: about({
          summary: 'Change a user',
          description: 'The fields `username` and `password` are ignored.',
          answers: data(ref('User')),
        }),
      },
    )
    .post(
      '/:id/reset-password',
      async ({ params, body, write, session }) => {
        const temporaryPassword = await resetPassword(ctx, write, session, params.id, body)
        return { success: true as const, message: 'Password reset successfully', ...temporaryPassword }
      },
      {
        params: idParams,
        body: passwordReset,
        detail: about({
          summary: "Set a user's password",
          description:
            'Ends every session of that user. With `temporary_password` and no `newPassword`, a password ' +
            'is generated and ' +
            'returned once.',
          answers: message({ temporary_password: string }, ['temporary_password']),
        }),
      },
    )
    .post(
      '/:id/deactivate',
      async ({ params, body, write, session }) =>
        answer(await updateUser(ctx, write, session, params.id, { version: body?.version, is_active: false })),
      {
        params: idParams,
        body: versionOnly,
        detail: about({ summary: 'Deactivate a user', answers: data(ref('User')) }),
      },
    )
    .post(
      '/:id/activate',
      async ({ params, body, write, session }) =>
        answer(await updateUser(ctx, write, session, params.id, { version: body?.version, is_active: true })),
      {
        params: idParams,
        body: versionOnly,
        detail: about({ summary: 'Activate a user', answers: data(ref('User')) }),
      },
    )
    .get(
      '/:id/sessions',
      async ({ params, session, query }) =>
        answerRowsOrPage(await sessionsOf(db, params.id, session, ctx.clock.now()), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ summary: 'Sessions of a user', answers: page(ref('Session')) }),
      },
    )
    .delete(
      '/:id/sessions',
      async ({ params, session, write }) => {
        await endSessions(ctx, write, session, params.id, null)
        return { success: true as const, message: 'Sessions ended' }
      },
      {
        params: idParams,
        detail: about({ summary: 'End all sessions of a user, except your current session', answers: message() }),
      },
    )
    .delete(
      '/:id/sessions/:key',
      async ({ params, session, write }) => {
        await endSessions(ctx, write, session, params.id, params.key)
        return { success: true as const, message: 'Session ended' }
      },
      { params: sessionParams, detail: about({ summary: 'End one session of a user', answers: message() }) },
    )
}
