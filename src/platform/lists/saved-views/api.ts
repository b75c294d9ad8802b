import { Elysia } from 'elysia'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { integer, list, object, orNull, ref } from '../../docs/schema'
import { idParams } from '../../fields'
import { about } from '../../http/about'
import { answer, answerList } from '../../http/answers'
import { data, page } from '../../http/shapes'
import { countViews, createView, findView, listViews, removeView, updateView } from './queries'
import { savedView, savedViewChange, savedViewFilters } from './rules'

const savedViewSchema = ref('SavedView')

export const savedViewsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/views', detail: about({ tags: ['views'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query, user }) => answerList(query, await listViews(db, user, query)), {
      query: savedViewFilters,
      detail: about({
        summary: 'List saved views',
        description:
          'Returns your own views and the views that other users share. `url` is the page that shows the view.',
        answers: page(savedViewSchema),
      }),
    })
    .get('/counts', async ({ user }) => answer(await countViews(db, clock, user)), {
      detail: about({
        summary: 'Get the current number of rows in each saved view in your sidebar',
        description:
          'Returns the counts for at most twenty views, which are the views in the sidebar. `count` is ' +
          'null if the filters of the view are not valid.',
        answers: data(list(object({ id: integer, count: orNull(integer) }))),
      }),
    })
    .get('/:id', async ({ params, user }) => answer(await findView(db, user, params.id)), {
      params: idParams,
      detail: about({ summary: 'Get a saved view', answers: data(savedViewSchema) }),
    })
    .post('/', async ({ body, user, write }) => answer(await createView(write, user, body)), {
      body: savedView,
      detail: about({
        summary: 'Save a view',
        description: '`query` is the part of the list address after the `?`.',
        answers: data(savedViewSchema, 201),
      }),
    })
    .put(
      '/:id',
      async ({ params, body: { version, ...change }, user, write }) =>
        answer(await updateView(write, user, params.id, version, change)),
      {
        params: idParams,
        body: savedViewChange,
        detail: about({ summary: 'Edit a saved view', answers: data(savedViewSchema) }),
      },
    )
    .delete('/:id', async ({ params, user, write }) => answer(await removeView(write, user, params.id)), {
      params: idParams,
      detail: about({ summary: 'Delete a saved view', answers: data(savedViewSchema) }),
    })
}
