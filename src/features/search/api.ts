import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { list, object, oneOf, orNull, string } from '../../platform/docs/schema'
import { about } from '../../platform/http/about'
import { answer } from '../../platform/http/answers'
import { data } from '../../platform/http/shapes'
import { namedKinds, nameOf, unitKinds } from '../../platform/records/kind'
import { search } from './queries'
import { searchQuery } from './rules'

const searchResponse = () => [
  ...unitKinds()
    .filter(({ search }) => search)
    .map(nameOf),
  ...namedKinds().map(nameOf),
  'page',
]

export const searchApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/search', detail: about({ tags: ['search'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query, user }) => answer(await search(ctx.db, user, query.q)), {
      query: searchQuery,
      detail: about({
        summary: 'Find a unit, a record or a page',
        description:
          'Returns at most ten matches by unit number, VIN or VIN ending, plate, RA or PO number, or page ' +
          'name. If no record matches all words together, each word is searched separately.',
        answers: data(
          list(object({ kind: oneOf(searchResponse()), label: string, url: string, unit_number: orNull(string) })),
        ),
      }),
    })
