import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { list, object, oneOf, orNull, string } from '../docs/schema'
import { about } from '../http/about'
import { answer } from '../http/answers'
import { data } from '../http/shapes'
import { search } from './queries'
import { searchQuery } from './rules'

const KINDS = ['vehicles', 'transports', 'osl', 'registrations', 'titles', 'page'] as const

export const searchApi = (ctx: AppContext) =>
  new Elysia({ prefix: '/api/search', detail: about({ tags: ['search'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query, user }) => answer(await search(ctx.db, user.role === 'admin', query.q)), {
      query: searchQuery,
      detail: about({
        summary: 'Find a unit, a record or a page',
        description:
          'At most ten, by unit number, VIN or its ending, plate, RA or PO number, or the name of a page. Several words that are none of these together are looked for one by one.',
        answers: data(list(object({ kind: oneOf(KINDS), label: string, url: string, unit_number: orNull(string) }))),
      }),
    })
