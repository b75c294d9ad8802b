import { Elysia } from 'elysia'
import { signedIn } from '../../auth/guard'
import type { AppContext } from '../../context'
import { ref } from '../../docs/schema'
import { about } from '../../http/about'
import { answer } from '../../http/answers'
import { data } from '../../http/shapes'
import { findLayouts, layOut } from './queries'
import { listLayout, listParams } from './rules'

const layout = ref('ListLayout')

export const listsApi = ({ db, ...ctx }: AppContext) =>
  new Elysia({ prefix: '/api/lists', detail: about({ tags: ['lists'] }) })
    .use(signedIn({ db, ...ctx }))
    .get('/layouts', async ({ user }) => answer(await findLayouts(db, user.id)), {
      detail: about({
        summary: 'How one has one’s lists laid out',
        description: 'By the name of the list; one that is not there is as it comes.',
        answers: data({ type: 'object', additionalProperties: layout }),
      }),
    })
    .put(
      '/:list/layout',
      async ({ params, body, user, write }) => answer(await layOut(write, user.id, params.list, body)),
      {
        params: listParams,
        body: listLayout,
        detail: about({
          summary: 'Lay a list out for oneself',
          description:
            'Columns are named by their headings: `hidden` are those that the list has and that are not wanted, `added` those that it only has on demand.',
          answers: data(layout),
        }),
      },
    )
    .delete(
      '/:list/layout',
      async ({ params, user, write }) => answer(await layOut(write, user.id, params.list, null)),
      { params: listParams, detail: about({ summary: 'Have a list as it comes', answers: data(layout) }) },
    )
