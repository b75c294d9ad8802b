import { Elysia } from 'elysia'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { ref } from '../../docs/schema'
import { idParams, versionOnly } from '../../fields'
import { about } from '../../http/about'
import { answer, answerList } from '../../http/answers'
import { data, message, page } from '../../http/shapes'
import { createUser, findUser, listUsers, resetPassword, updateUser } from './queries'
import { newUser, passwordReset, userChange, userFilters } from './rules'

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
      detail: about({ summary: 'Create a user', answers: data(ref('User'), 201) }),
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
        await resetPassword(db, actor, params.id, body)
        return { success: true as const, message: 'Password reset successfully' }
      },
      {
        params: idParams,
        body: passwordReset,
        detail: about({
          summary: "Set a user's password",
          description: 'Ends every session of that user.',
          answers: message(),
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
