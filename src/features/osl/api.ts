import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { list, number, object, ref } from '../../platform/docs/schema'
import { idParams, unitNumber } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerAllOrPage, answerRowsOrPage, answerText, LONGEST_LIST } from '../../platform/http/answers'
import { data, page, recordPage, warned } from '../../platform/http/shapes'
import { partQuery } from '../../platform/lists/list-query'
import { withWarnings } from '../../platform/records/warnings'
import { calculateFees } from './fees'
import {
  changeOslStatus,
  createOslEntry,
  followUpOslEntry,
  oslEntryNotes,
  removeOslEntry,
  restoreOslEntry,
  updateOslEntry,
} from './mutations'
import { findOslEntry, oslAtLocation, oslListings, oslOfVehicle, storageFees } from './queries'
import { addRate, listRates, removeRate } from './rates'
import {
  completedOslFilters,
  completedPeriod,
  followUp,
  note,
  oslChange,
  oslEntry,
  oslFilters,
  oslRate,
  oslStatusChange,
} from './rules'
import { oslChangeWarnings, oslWarnings } from './warnings'

export const oslApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/osl', detail: about({ tags: ['osl'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerText(query, await oslListings.all(db, clock, query).text()), {
      query: oslFilters,
      detail: about({ summary: 'List OSL entries', answers: recordPage(ref('OslEntry')) }),
    })
    .get('/active', async ({ query }) => answerText(query, await oslListings.active(db, clock, query).text()), {
      query: oslFilters,
      detail: about({ summary: 'OSL entries that are not completed', answers: recordPage(ref('OslEntry')) }),
    })
    .get(
      '/completed',
      async ({ query }) =>
        answerText(query, await oslListings.completed(db, clock, { ...query, ...completedPeriod(query) }).text()),
      {
        query: completedOslFilters,
        detail: about({
          needs: ['start_date', 'end_date'],
          summary: 'OSL entries that were completed in a period',
          description: 'Requires `start_date` and `end_date`, both inclusive.',
          answers: recordPage(ref('OslEntry')),
        }),
      },
    )
    .get('/storage-fees', async () => answer(await storageFees(db, clock)), {
      detail: about({
        role: 'costs',
        summary: 'Active OSL entries with storage fees, and the total of the fees',
        description: `The response has at most ${LONGEST_LIST} entries, those with the highest fees first.`,
        answers: data(object({ total: number, entries: list(ref('OslEntry')) })),
      }),
    })
    .get('/:id', async ({ params }) => answer(await findOslEntry(db, clock, params.id)), {
      params: idParams,
      detail: about({ summary: 'One OSL entry', answers: data(ref('OslEntry')) }),
    })
    .get(
      '/vehicle/:unit',
      async ({ params, query }) => answerAllOrPage(db, (db) => oslOfVehicle(db, clock, params.unit), query),
      {
        params: z.object({ unit: unitNumber }),
        query: partQuery,
        detail: about({
          summary: 'All OSL entries of a vehicle, newest first',
          answers: page(ref('OslEntry')),
        }),
      },
    )
    .get(
      '/location/:id',
      async ({ params, query }) => answerAllOrPage(db, (db) => oslAtLocation(db, clock, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ summary: 'All OSL entries at a location, newest first', answers: page(ref('OslEntry')) }),
      },
    )
    .get('/:id/notes', async ({ params, query }) => answerRowsOrPage(await oslEntryNotes.list(db, params.id), query), {
      params: idParams,
      query: partQuery,
      detail: about({ summary: 'Notes of an OSL entry, newest first', answers: page(ref('Note')) }),
    })
    .get('/:id/calculate-fees', async ({ params }) => answer(await calculateFees(db, clock, params.id)), {
      params: idParams,
      detail: about({
        role: 'costs',
        summary: 'Storage fees of an OSL entry and how they are calculated',
        answers: data(ref('Fees')),
      }),
    })
    .get('/:id/rates', async ({ params, query }) => answerRowsOrPage(await listRates(db, params.id), query), {
      params: idParams,
      query: partQuery,
      detail: about({ summary: 'Daily rates of an OSL entry, earliest first', answers: page(ref('OslRate')) }),
    })
    .post('/:id/rates', async ({ params, body, write }) => answer(await addRate(write, params.id, body)), {
      params: idParams,
      body: oslRate,
      detail: about({
        summary: 'Set a daily rate that applies from a given date',
        description:
          '`from` must not be before the OSL date. The call turns on storage fees. Days before the date ' +
          '`from` keep the earlier rate.',
        answers: data(ref('OslRate'), 201),
      }),
    })
    .delete('/:id/rates/:rate', async ({ params, write }) => answer(await removeRate(write, params.rate, params.id)), {
      params: idParams.extend({ rate: idParams.shape.id }),
      detail: about({ summary: 'Delete a rate', answers: data(ref('OslRate')) }),
    })
    .post(
      '/',
      async ({ body, write }) => {
        const warnings = await oslWarnings(db, clock, body)
        return withWarnings(answer(await createOslEntry(write, body)), warnings)
      },
      {
        body: oslEntry,
        detail: about({
          summary: 'Create an OSL entry',
          description: 'If the unit is not in the vehicle list, the vehicle is added too.',
          answers: warned(ref('OslEntry'), 201),
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body, write }) => {
        const { version, ...change } = body
        const warnings = await oslChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateOslEntry(write, params.id, version, change)), warnings)
      },
      {
        params: idParams,
        body: oslChange,
        detail: about({ summary: 'Change an OSL entry', answers: warned(ref('OslEntry'), 200) }),
      },
    )
    .patch('/:id/status', async ({ params, body, write }) => answer(await changeOslStatus(write, params.id, body)), {
      params: idParams,
      body: oslStatusChange,
      detail: about({
        summary: 'Change the status',
        description:
          'With status Completed, `completed_on` defaults to today and `completed_at` is set. Any other ' +
          'status clears both fields.',
        answers: data(ref('OslEntry')),
      }),
    })
    .delete('/:id', async ({ params, write }) => answer(await removeOslEntry(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Delete an OSL entry with its notes', answers: data(ref('StoredOslEntry')) }),
    })
    .post('/:id/restore', async ({ params, write }) => answer(await restoreOslEntry(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Restore a deleted OSL entry', answers: data(ref('OslEntry')) }),
    })
    .post(
      '/:id/notes',
      async ({ params, body, write }) => answer(await oslEntryNotes.add(write, params.id, body.note_text)),
      {
        params: idParams,
        body: note,
        detail: about({ summary: 'Add a note', answers: data(ref('Note'), 201) }),
      },
    )
    .post('/:id/follow-up', async ({ params, body, write }) => answer(await followUpOslEntry(write, params.id, body)), {
      params: idParams,
      body: followUp,
      detail: about({
        summary: 'Follow up on an OSL entry',
        description: 'Adds a note, and sets or clears the next step.',
        answers: data(ref('OslEntry')),
      }),
    })
}
