import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { changeOf, idParams, versionOnly } from '../fields'
import { answer, answerAll, answerList } from '../http/answers'
import type { MasterFilters, MasterItem, MasterQueries } from './master-data'

type Door<Item extends MasterItem> = {
  /** The path below `/api`, such as `locations`. */
  path: string
  queries: MasterQueries<Item>
  rules: z.ZodObject
  filters: z.ZodType<MasterFilters>
  /** As people say it, for the documentation: `location`, `locations`. */
  one: string
  many: string
}

const typeParams = z.object({ type: z.string().max(50) })

/** Everyone may read the master data, for the forms need it; only administrators may change it. */
export function masterApi<Item extends MasterItem>(ctx: AppContext, { path, queries, rules, filters, one, many }: Door<Item>) {
  const { db } = ctx
  const reading = new Elysia()
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query as MasterFilters, await queries.list(db, query as MasterFilters)), {
      query: filters,
      detail: { summary: `List ${many}` },
    })
    .get('/active', async () => answerAll(await queries.active(db)), { detail: { summary: `Every active ${one}, for drop-downs` } })
    .get('/:id', async ({ params }) => answer(await queries.find(db, params.id)), { params: idParams, detail: { summary: `One ${one}` } })
    .get('/:id/usage', async ({ params }) => answer(await queries.usage(db, params.id)), {
      params: idParams,
      detail: { summary: `How many records use a ${one}` },
    })
  const writing = new Elysia()
    .use(signedIn(ctx, 'admin'))
    .post(
      '/',
      async ({ body, actor, set }) => {
        set.status = 201
        return answer(await queries.create(db, actor, body))
      },
      { body: rules, detail: { summary: `Create a ${one}` } },
    )
    .put(
      '/:id',
      async ({ params, body, actor }) => {
        const { version, ...change } = body
        return answer(await queries.update(db, actor, params.id, version, change))
      },
      {
        params: idParams,
        body: changeOf(rules),
        detail: { summary: `Change a ${one}` },
      },
    )
    .post('/:id/deactivate', async ({ params, body, actor }) => answer(await queries.setActive(db, actor, params.id, body?.version, false)), {
      params: idParams,
      body: versionOnly,
      detail: { summary: `Deactivate a ${one}` },
    })
    .post('/:id/activate', async ({ params, body, actor }) => answer(await queries.setActive(db, actor, params.id, body?.version, true)), {
      params: idParams,
      body: versionOnly,
      detail: { summary: `Activate a ${one}` },
    })
    .delete('/:id', async ({ params, actor }) => answer(await queries.remove(db, actor, params.id)), {
      params: idParams,
      detail: { summary: `Delete a ${one} that nothing uses` },
    })
  return new Elysia({ prefix: `/api/${path}`, detail: { tags: [many] } }).use(reading).use(writing)
}

/** `GET /type/{type}`, for the nouns that have types. */
export function typeRoute<Item extends MasterItem>(ctx: AppContext, path: string, queries: MasterQueries<Item>, many: string) {
  return new Elysia({ prefix: `/api/${path}`, detail: { tags: [many] } })
    .use(signedIn(ctx))
    .get('/type/:type', async ({ params }) => answerAll(await queries.ofType(ctx.db, params.type)), {
      params: typeParams,
      detail: { summary: `Every one of the ${many} of a type` },
    })
}
