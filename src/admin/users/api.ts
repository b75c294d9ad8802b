import { Elysia } from 'elysia'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { idParams, versionOnly } from '../../fields'
import { answer, answerList } from '../../http/answers'
import { createUser, findUser, listUsers, resetPassword, updateUser } from './queries'
import { newUser, passwordReset, userChange, userFilters } from './rules'

export const usersApi = ({ db, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/api/users', detail: { tags: ['users'] } })
    .use(signedIn({ db, ...ctx }, 'admin'))
    .get('/', async ({ query }) => answerList(query, await listUsers(db, query)), { query: userFilters, detail: { summary: 'List users' } })
    .get('/:id', async ({ params }) => answer(await findUser(db, params.id)), { params: idParams, detail: { summary: 'One user' } })
    .post(
      '/',
      async ({ body, actor, set }) => {
        set.status = 201
        return answer(await createUser(db, actor, body))
      },
      { body: newUser, detail: { summary: 'Create a user' } },
    )
    .put(
      '/:id',
      async ({ params, body, actor }) => {
        const { version, ...change } = body
        return answer(await updateUser(db, actor, params.id, version, change))
      },
      { params: idParams, body: userChange, detail: { summary: 'Change a user', description: 'Username and password are ignored.' } },
    )
    .post(
      '/:id/reset-password',
      async ({ params, body, actor }) => {
        await resetPassword(db, actor, params.id, body)
        return { success: true as const, message: 'Password reset successfully' }
      },
      { params: idParams, body: passwordReset, detail: { summary: "Set a user's password", description: 'Ends every session of that user.' } },
    )
    .post('/:id/deactivate', async ({ params, body, actor }) => answer(await updateUser(db, actor, params.id, body?.version, { is_active: false })), {
      params: idParams,
      body: versionOnly,
      detail: { summary: 'Deactivate a user' },
    })
    .post('/:id/activate', async ({ params, body, actor }) => answer(await updateUser(db, actor, params.id, body?.version, { is_active: true })), {
      params: idParams,
      body: versionOnly,
      detail: { summary: 'Activate a user' },
    })
