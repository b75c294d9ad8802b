import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { ref, string } from '../../docs/schema'
import { idParams, versionOnly } from '../../fields'
import { about } from '../../http/about'
import { answer, answerAll, answerList } from '../../http/answers'
import { data, message, page } from '../../http/shapes'
import { createUser, findUser, listUsers, resetPassword, updateUser } from './queries'
import { newUser, passwordReset, userChange, userFilters } from './rules'
import { endSessions, sessionsOf } from './sessions'

const sessionParams = idParams.extend({ key: z.string() })

export const usersApi = ({ db, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/api/users', detail: about({ tags: ['users'], role: 'admin', tokens: 'read' }) })
    .use(signedIn({ db, ...ctx }))
    .get('/', async ({ query }) => answerList(query, await listUsers(db, query)), {
      query: userFilters,
      detail: about({ summary: 'List users', answers: page(ref('User')) }),
    })
    .get('/:id', async ({ params }) => answer(await findUser(db, params.id)), {
      params: idParams,
      detail: about({ summary: 'One user', answers: data(ref('User')) }),
    })
    .post('/', async ({ body, actor }) => answer(await createUser(db, actor, body)), {
      body: newUser,
      detail: about({
        summary: 'Create a user',
        description:
          'With `temporary_password` and no `password` one is made; `data.temporary_password` shows it for the only ' +
          'time, and the first sign-in asks for another.',
        answers: data(ref('User'), 201),
      }),
    })
    .put(
      '/:id',
      async ({ params, body, actor }) => {
        const { version, ...change } = body
        return answer(await updateUser(db, actor, params.id, version, change))
      },
      {
        params: idParams,
        body: userChange,
        detail: about({
          summary: 'Change a user',
          description: 'Username and password are ignored.',
          answers: data(ref('User')),
        }),
      },
    )
    .post(
      '/:id/reset-password',
      async ({ params, body, actor }) => {
        const made = await resetPassword(db, actor, params.id, body)
        return { success: true as const, message: 'Password reset successfully', ...made }
      },
      {
        params: idParams,
        body: passwordReset,
        detail: about({
          summary: "Set a user's password",
          description:
            'Ends every session of that user. With `temporary_password` and no `newPassword` one is made, and answered ' +
            'for the only time.',
          answers: message({ temporary_password: string }, ['temporary_password']),
        }),
      },
    )
    .post(
      '/:id/deactivate',
      async ({ params, body, actor }) =>
        answer(await updateUser(db, actor, params.id, body?.version, { is_active: false })),
      {
        params: idParams,
        body: versionOnly,
        detail: about({ summary: 'Deactivate a user', answers: data(ref('User')) }),
      },
    )
    .post(
      '/:id/activate',
      async ({ params, body, actor }) =>
        answer(await updateUser(db, actor, params.id, body?.version, { is_active: true })),
      {
        params: idParams,
        body: versionOnly,
        detail: about({ summary: 'Activate a user', answers: data(ref('User')) }),
      },
    )
    .get(
      '/:id/sessions',
      async ({ params, session }) => answerAll(await sessionsOf(db, params.id, session, ctx.clock.now())),
      { params: idParams, detail: about({ summary: 'Where a user is signed in', answers: page(ref('Session')) }) },
    )
    .delete(
      '/:id/sessions',
      async ({ params, session, actor }) => {
        await endSessions(db, actor, params.id, session, null)
        return { success: true as const, message: 'The sessions were ended' }
      },
      {
        params: idParams,
        detail: about({ summary: 'End every session of a user, but for your own', answers: message() }),
      },
    )
    .delete(
      '/:id/sessions/:key',
      async ({ params, session, actor }) => {
        await endSessions(db, actor, params.id, session, params.key)
        return { success: true as const, message: 'The session was ended' }
      },
      { params: sessionParams, detail: about({ summary: 'End one session of a user', answers: message() }) },
    )
