import { Elysia } from 'elysia'
import { z } from 'zod'
import { IMPORT_MODES, ROW_OUTCOMES } from '../../../db/vocabulary'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { counts, integer, list, object, oneOf, orNull, ref, type Schema, string } from '../../platform/docs/schema'
import { changeOf, choiceOr, idParams, versionOnly, yesNo } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerRowsOrPage, answerText } from '../../platform/http/answers'
import { data, page, recordPage } from '../../platform/http/shapes'
import { inTurn } from '../../platform/http/turns'
import { partQuery } from '../../platform/lists/list-query'
import { mergeInto } from '../../platform/records/master-data/merge'
import type { MasterFilters, MasterItem, MasterQueries } from '../../platform/records/master-data/queries'
import { countOutcomes, importRows, previewRows, ROWS_LIMIT } from './import-rows'

type MasterApi<Item extends MasterItem> = {
  /** Path of the routes below `/api`, such as `locations`. */
  path: string
  queries: MasterQueries<Item>
  rules: z.ZodObject
  filters: z.ZodType<MasterFilters>
  item: Schema
  /** Singular noun for the API document, such as `location`. `many` is the plural. */
  noun: string
  many: string
}

/** The response numbers the rows from 1. */
const importBody = z.object({
  rows: z
    .array(z.record(z.string(), z.unknown()), { error: 'Must be a list of records' })
    .min(1, 'There are no rows')
    .max(ROWS_LIMIT, `At most ${ROWS_LIMIT.toLocaleString('en-US')} rows at once`),
  existing: choiceOr(IMPORT_MODES, 'skip'),
  dry_run: yesNo(false),
})

const importResult = object({
  ...counts('imported', 'updated', 'duplicates', 'failed').properties,
  rows: list(object({ row: integer, name: string, outcome: oneOf(ROW_OUTCOMES), message: orNull(string) })),
})

const typeParams = z.object({ type: z.string().max(50) })

/**
 * Routes for master data, such as locations. Every user can read it, because forms need it. Only administrators can
 * change it.
 */
export function masterApi<Item extends MasterItem>(
  ctx: AppContext,
  { path, queries, rules, filters, item, noun, many }: MasterApi<Item>,
) {
  const { db } = ctx
  return new Elysia({ prefix: `/api/${path}`, detail: about({ tags: [many] }) })
    .use(signedIn(ctx))
    .get(
      '/',
      async ({ query }) => answerText(query as MasterFilters, await queries.listing(db, query as MasterFilters).text()),
      {
        query: filters,
        detail: about({ summary: `List ${many}`, answers: recordPage(item) }),
      },
    )
    .get('/active', async ({ query }) => answerRowsOrPage(await queries.active(db), query), {
      query: partQuery,
      detail: about({ summary: `Every active ${noun}, for drop-downs`, answers: page(item) }),
    })
    .get('/:id', async ({ params }) => answer(await queries.find(db, params.id)), {
      params: idParams,
      detail: about({ summary: `One ${noun}`, answers: data(item) }),
    })
    .get(
      '/:id/usage',
      async ({ params }) => {
        const { counts } = await queries.usage(db, params.id)
        return answer({ ...counts, total: Object.values(counts).reduce((sum, count) => sum + count, 0) })
      },
      {
        params: idParams,
        detail: about({ summary: `How many records use a ${noun}`, answers: data(ref('Usage')) }),
      },
    )
    .post('/', async ({ body, write }) => answer(await queries.create(write, body)), {
      body: rules,
      detail: about({ role: 'admin', summary: `Create a ${noun}`, answers: data(item, 201) }),
    })
    .post(
      '/import',
      async ({ body: { rows, existing, dry_run }, write }) => {
        const lines = rows.map((values, at) => ({ row: at + 1, values }))
        const results = await inTurn(ctx, write, (write) =>
          dry_run
            ? previewRows(db, { queries, rules }, lines, existing)
            : importRows(write, { queries, rules }, lines, existing),
        )
        const { create, update, duplicate, error } = countOutcomes(results)
        return answer({ imported: create, updated: update, duplicates: duplicate, failed: error, rows: results })
      },
      {
        body: importBody,
        detail: about({
          role: 'admin',
          summary: `Create or update several ${many} at once`,
          description:
            'Each row is validated like a single record. Invalid rows are not imported and are reported in ' +
            '`rows`. `existing` decides what happens to existing records: `skip` or `update`. With ' +
            '`dry_run`, nothing is saved.',
          answers: data(importResult),
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body, write }) => {
        const { version, ...change } = body
        return answer(await queries.update(write, params.id, version, change))
      },
      {
        params: idParams,
        body: changeOf(rules),
        detail: about({ role: 'admin', summary: `Change a ${noun}`, answers: data(item) }),
      },
    )
    .post(
      '/:id/deactivate',
      async ({ params, body, write }) => answer(await queries.setActive(write, params.id, body?.version, false)),
      {
        params: idParams,
        body: versionOnly,
        detail: about({ role: 'admin', summary: `Deactivate a ${noun}`, answers: data(item) }),
      },
    )
    .post(
      '/:id/activate',
      async ({ params, body, write }) => answer(await queries.setActive(write, params.id, body?.version, true)),
      {
        params: idParams,
        body: versionOnly,
        detail: about({ role: 'admin', summary: `Activate a ${noun}`, answers: data(item) }),
      },
    )
    .get('/merges', async ({ query }) => answerRowsOrPage(await queries.recentMerges(db, ctx.clock.now()), query), {
      query: partQuery,
      detail: about({
        role: 'admin',
        summary: `Merges of ${many} that can still be undone`,
        answers: page(ref('Merge')),
      }),
    })
    .post(
      '/:id/merge',
      async ({ params, body, write }) => answer(await queries.merge(write, params.id, body.into_id)),
      {
        params: idParams,
        body: mergeInto,
        detail: about({
          role: 'admin',
          summary: `Merge a ${noun} and its records into another ${noun}`,
          answers: data(ref('Merge')),
        }),
      },
    )
    .post('/merges/:id/undo', async ({ params, write }) => answer(await queries.takeBack(write, params.id)), {
      params: idParams,
      detail: about({
        role: 'admin',
        summary: `Undo a merge of ${many} within 24 hours`,
        answers: data(ref('Merge')),
      }),
    })
    .delete('/:id', async ({ params, write }) => answer(await queries.remove(write, params.id)), {
      params: idParams,
      detail: about({ role: 'admin', summary: `Delete an unused ${noun}`, answers: data(item) }),
    })
}

export function typeRoute<Item extends MasterItem>(
  ctx: AppContext,
  path: string,
  queries: MasterQueries<Item>,
  item: Schema,
  many: string,
) {
  return new Elysia({ prefix: `/api/${path}`, detail: about({ tags: [many] }) })
    .use(signedIn(ctx))
    .get(
      '/type/:type',
      async ({ params, query }) => answerRowsOrPage(await queries.listByType(ctx.db, params.type), query),
      {
        params: typeParams,
        query: partQuery,
        detail: about({ summary: `All ${many} of a type`, answers: page(item) }),
      },
    )
}
