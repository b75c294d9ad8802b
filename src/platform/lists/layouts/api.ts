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
        summary: 'Get your list layouts',
        description:
          'The result contains an entry for each list whose layout you have changed, by list name. All ' +
          'other lists have the default layout.',
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
          summary: 'Save your list layout',
          description:
            'Columns are identified by their headings: `hidden` contains the default columns to hide, ' +
            '`added` the optional columns to show.',
          answers: data(layout),
        }),
      },
    )
    .delete(
      '/:list/layout',
      async ({ params, user, write }) => answer(await layOut(write, user.id, params.list, null)),
      { params: listParams, detail: about({ summary: 'Reset a list to its default layout', answers: data(layout) }) },
    )
