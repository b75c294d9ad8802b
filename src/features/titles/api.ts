import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { counts, ref } from '../../platform/docs/schema'
import { idParams, unitNumber } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerAllOrPage, answerRowsOrPage, answerText } from '../../platform/http/answers'
import { data, page, recordPage, warned } from '../../platform/http/shapes'
import { partQuery } from '../../platform/lists/list-query'
import { withWarnings } from '../../platform/records/warnings'
import { vinParams } from '../vehicles'
import {
  chaseTitle,
  createTitle,
  removeTitle,
  reopenTitle,
  restoreTitle,
  titleEntryNotes,
  transferTitle,
  updateTitle,
} from './mutations'
import {
  countPendingTitles,
  findTitle,
  titleListings,
  titlesAtLocation,
  titlesOfVehicle,
  titlesOfVin,
  totalTitles,
} from './queries'
import { chase, note, overdueFilters, title, titleChange, titleFilters, titleReopening, titleTransfer } from './rules'
import { titleChangeWarnings, titleWarnings } from './warnings'

export const titlesApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/titles', detail: about({ tags: ['titles'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerText(query, await titleListings.all(db, clock, query).text()), {
      query: titleFilters,
      detail: about({ summary: 'List titles', answers: recordPage(ref('Title')) }),
    })
    .get('/pending', async ({ query }) => answerText(query, await titleListings.pending(db, clock, query).text()), {
      query: titleFilters,
      detail: about({ summary: 'Titles that have not been transferred yet', answers: recordPage(ref('Title')) }),
    })
    .get(
      '/transferred',
      async ({ query }) => answerText(query, await titleListings.transferred(db, clock, query).text()),
      {
        query: titleFilters,
        detail: about({ summary: 'Transferred titles', answers: recordPage(ref('Title')) }),
      },
    )
    .get('/overdue', async ({ query }) => answerText(query, await titleListings.overdue(db, clock, query).text()), {
      query: overdueFilters,
      detail: about({ summary: 'Titles pending for more than `days` (default 30)', answers: recordPage(ref('Title')) }),
    })
    .get('/totals', async () => answer(await totalTitles(db, clock)), {
      detail: about({ summary: 'Counts of titles', answers: data(counts('pending', 'transferred', 'overdue')) }),
    })
    .get('/:id', async ({ params }) => answer(await findTitle(db, clock, params.id)), {
      params: idParams,
      detail: about({ summary: 'One title', answers: data(ref('Title')) }),
    })
    .get(
      '/vehicle/:unit',
      async ({ params, query }) => answerAllOrPage(db, (db) => titlesOfVehicle(db, clock, params.unit), query),
      {
        params: z.object({ unit: unitNumber }),
        query: partQuery,
        detail: about({ summary: 'All titles of a vehicle, newest first', answers: page(ref('Title')) }),
      },
    )
    .get('/vin/:vin', async ({ params, query }) => answerRowsOrPage(await titlesOfVin(db, clock, params.vin), query), {
      params: vinParams,
      query: partQuery,
      detail: about({ summary: 'All titles of the vehicle with a given VIN', answers: page(ref('Title')) }),
    })
    .get(
      '/hub/:id',
      async ({ params, query }) => answerAllOrPage(db, (db) => titlesAtLocation(db, clock, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ summary: 'All titles at a location', answers: page(ref('Title')) }),
      },
    )
    .get(
      '/:id/notes',
      async ({ params, query }) => answerRowsOrPage(await titleEntryNotes.list(db, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ summary: 'Notes of a title, newest first', answers: page(ref('Note')) }),
      },
    )
    .get(
      '/:id/calculate-days',
      async ({ params }) => answer({ days_pending: (await findTitle(db, clock, params.id)).days_pending }),
      {
        params: idParams,
        detail: about({ summary: 'Number of days a title has been pending', answers: data(counts('days_pending')) }),
      },
    )
    .post(
      '/',
      async ({ body, write }) => {
        const warnings = await titleWarnings(db, clock, body)
        return withWarnings(answer(await createTitle(write, body)), warnings)
      },
      {
        body: title,
        detail: about({
          summary: 'Create a title',
          description:
            '`submitted_date` defaults to today. If the unit is not in the vehicle list, the call also ' +
            'adds the vehicle.',
          answers: warned(ref('Title'), 201),
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body, write }) => {
        const { version, ...change } = body
        const warnings = await titleChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateTitle(write, params.id, version, change)), warnings)
      },
      {
        params: idParams,
        body: titleChange,
        detail: about({ summary: 'Change a title', answers: warned(ref('Title'), 200) }),
      },
    )
    .patch(
      '/:id/transfer',
      async ({ params, body, write }) =>
        answer(await transferTitle(write, params.id, body?.version, body?.transferred_date)),
      {
        params: idParams,
        body: titleTransfer,
        detail: about({
          summary: 'Mark a title as transferred today or on a given date',
          answers: data(ref('Title')),
        }),
      },
    )
    .patch(
      '/:id/reopen',
      async ({ params, body, write }) => answer(await reopenTitle(write, params.id, body?.version)),
      {
        params: idParams,
        body: titleReopening,
        detail: about({ summary: 'Undo a transfer', answers: data(ref('Title')) }),
      },
    )
    .post(
      '/:id/notes',
      async ({ params, body, write }) => answer(await titleEntryNotes.add(write, params.id, body.note_text)),
      {
        params: idParams,
        body: note,
        detail: about({ summary: 'Add a note', answers: data(ref('Note'), 201) }),
      },
    )
    .post('/:id/chase', async ({ params, body, write }) => answer(await chaseTitle(write, params.id, body)), {
      params: idParams,
      body: chase,
      detail: about({
        summary: 'Follow up on a title',
        description: 'Adds a note and sets `last_chased_on` to today and `next_chase_on` to `next_on`.',
        answers: data(ref('Title')),
      }),
    })
    .delete('/:id', async ({ params, write }) => answer(await removeTitle(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Delete a title with its notes', answers: data(ref('StoredTitle')) }),
    })
    .post('/:id/restore', async ({ params, write }) => answer(await restoreTitle(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Restore a deleted title', answers: data(ref('Title')) }),
    })
    .post('/update-all-days', async () => answer({ updated: await countPendingTitles(db) }), {
      detail: about({
        summary: 'Number of pending titles',
        description: 'Does not change any data. Yardmaster calculates the days pending each time it reads a title.',
        answers: data(counts('updated')),
      }),
    })
}
