import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams, unitNumber } from '../fields'
import { answer, answerAll, answerList } from '../http/answers'
import { withWarnings } from '../records/warnings'
import { vinParams } from '../vehicles/rules'
import {
  countPendingTitles,
  createTitle,
  findTitle,
  listOverdueTitles,
  listPendingTitles,
  listTitles,
  listTransferredTitles,
  removeTitle,
  reopenTitle,
  restoreTitle,
  titleEntryNotes,
  titlesAtLocation,
  titlesOfVehicle,
  titlesOfVin,
  totalTitles,
  transferTitle,
  updateTitle,
} from './queries'
import { note, overdueFilters, title, titleChange, titleFilters, titleReopening, titleTransfer } from './rules'
import { titleChangeWarnings, titleWarnings } from './warnings'

export const titlesApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/titles', detail: { tags: ['titles'] } })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listTitles(db, clock, query)), { query: titleFilters, detail: { summary: 'List titles' } })
    .get('/pending', async ({ query }) => answerList(query, await listPendingTitles(db, clock, query)), {
      query: titleFilters,
      detail: { summary: 'Titles not transferred yet' },
    })
    .get('/transferred', async ({ query }) => answerList(query, await listTransferredTitles(db, clock, query)), {
      query: titleFilters,
      detail: { summary: 'Transferred titles' },
    })
    .get('/overdue', async ({ query }) => answerList(query, await listOverdueTitles(db, clock, query)), {
      query: overdueFilters,
      detail: { summary: 'Titles pending for more than `days` (30)' },
    })
    .get('/totals', async () => answer(await totalTitles(db, clock)), { detail: { summary: 'Counts of titles' } })
    .get('/:id', async ({ params }) => answer(await findTitle(db, clock, params.id)), { params: idParams, detail: { summary: 'One title' } })
    .get('/vehicle/:unit', async ({ params }) => answerAll(await titlesOfVehicle(db, clock, params.unit)), {
      params: z.object({ unit: unitNumber }),
      detail: { summary: 'All titles of a vehicle, newest first' },
    })
    .get('/vin/:vin', async ({ params }) => answerAll(await titlesOfVin(db, clock, params.vin)), {
      params: vinParams,
      detail: { summary: 'All titles of the vehicle with a VIN' },
    })
    .get('/hub/:id', async ({ params }) => answerAll(await titlesAtLocation(db, clock, params.id)), {
      params: idParams,
      detail: { summary: 'All titles at a location' },
    })
    .get('/:id/notes', async ({ params }) => answerAll(await titleEntryNotes.list(db, params.id)), {
      params: idParams,
      detail: { summary: 'Notes of a title, newest first' },
    })
    .get('/:id/calculate-days', async ({ params }) => answer({ days_pending: (await findTitle(db, clock, params.id)).days_pending }), {
      params: idParams,
      detail: { summary: 'Days that a title has been pending' },
    })
    .post(
      '/',
      async ({ body, actor, set }) => {
        const warnings = await titleWarnings(db, body)
        set.status = 201
        return withWarnings(answer(await createTitle(db, actor, clock, body)), warnings)
      },
      { body: title, detail: { summary: 'Create a title', description: 'Submitted today unless told. Adds the vehicle when it is not in the vehicle list.' } },
    )
    .put(
      '/:id',
      async ({ params, body, actor }) => {
        const { version, ...change } = body
        const warnings = await titleChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateTitle(db, actor, clock, params.id, version, change)), warnings)
      },
      { params: idParams, body: titleChange, detail: { summary: 'Change a title' } },
    )
    .patch(
      '/:id/transfer',
      async ({ params, body, actor }) => answer(await transferTitle(db, actor, clock, params.id, body?.version, body?.transferred_date)),
      {
        params: idParams,
        body: titleTransfer,
        detail: { summary: 'Mark a title transferred, today unless told' },
      },
    )
    .patch('/:id/reopen', async ({ params, body, actor }) => answer(await reopenTitle(db, actor, clock, params.id, body?.version)), {
      params: idParams,
      body: titleReopening,
      detail: { summary: 'Undo a transfer' },
    })
    .post(
      '/:id/notes',
      async ({ params, body, actor, set }) => {
        set.status = 201
        return answer(await titleEntryNotes.add(db, actor, params.id, body.note_text))
      },
      { params: idParams, body: note, detail: { summary: 'Add a note' } },
    )
    .delete('/:id', async ({ params, actor }) => answer(await removeTitle(db, actor, params.id)), {
      params: idParams,
      detail: { summary: 'Delete a title with its notes' },
    })
    .post('/:id/restore', async ({ params, actor }) => answer(await restoreTitle(db, actor, clock, params.id)), {
      params: idParams,
      detail: { summary: 'Take a deletion back' },
    })
    .post('/update-all-days', async () => answer({ updated: await countPendingTitles(db) }), {
      detail: { summary: 'How many titles count their days', description: 'Days are computed when read, so they are right every day without this call.' },
    })
}
