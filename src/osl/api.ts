import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams, unitNumber } from '../fields'
import { answer, answerAll, answerList } from '../http/answers'
import { withWarnings } from '../records/warnings'
import {
  calculateFees,
  changeOslStatus,
  createOslEntry,
  findOslEntry,
  listActiveOsl,
  listCompletedOsl,
  listOsl,
  oslAtLocation,
  oslEntryNotes,
  oslOfVehicle,
  removeOslEntry,
  restoreOslEntry,
  storageFees,
  updateOslEntry,
} from './queries'
import { completedOslFilters, completedPeriod, note, oslChange, oslEntry, oslFilters, oslStatusChange } from './rules'
import { oslChangeWarnings, oslWarnings } from './warnings'

export const oslApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/osl', detail: { tags: ['osl'] } })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listOsl(db, clock, query)), { query: oslFilters, detail: { summary: 'List OSL entries' } })
    .get('/active', async ({ query }) => answerList(query, await listActiveOsl(db, clock, query)), {
      query: oslFilters,
      detail: { summary: 'Entries that are not completed' },
    })
    .get('/completed', async ({ query }) => answerList(query, await listCompletedOsl(db, clock, { ...query, ...completedPeriod(query) })), {
      query: completedOslFilters,
      detail: {
        summary: 'Completed entries by the business date of their completion',
        description: 'Needs `start_date` and `end_date`; both ends are included.',
      },
    })
    .get('/storage-fees', async () => answer(await storageFees(db, clock)), { detail: { summary: 'Active entries with storage fees, and their total' } })
    .get('/:id', async ({ params }) => answer(await findOslEntry(db, clock, params.id)), { params: idParams, detail: { summary: 'One OSL entry' } })
    .get('/vehicle/:unit', async ({ params }) => answerAll(await oslOfVehicle(db, clock, params.unit)), {
      params: z.object({ unit: unitNumber }),
      detail: { summary: 'All entries of a vehicle, newest first' },
    })
    .get('/location/:id', async ({ params }) => answerAll(await oslAtLocation(db, clock, params.id)), {
      params: idParams,
      detail: { summary: 'All entries at a location, newest first' },
    })
    .get('/:id/notes', async ({ params }) => answerAll(await oslEntryNotes.list(db, params.id)), {
      params: idParams,
      detail: { summary: 'Notes of an entry, newest first' },
    })
    .get('/:id/calculate-fees', async ({ params }) => answer(await calculateFees(db, clock, params.id)), {
      params: idParams,
      detail: { summary: 'Storage fees of an entry, with their working' },
    })
    .post(
      '/',
      async ({ body, actor, set }) => {
        const warnings = await oslWarnings(db, clock, body)
        set.status = 201
        return withWarnings(answer(await createOslEntry(db, actor, clock, body)), warnings)
      },
      { body: oslEntry, detail: { summary: 'Create an OSL entry', description: 'Adds the vehicle when it is not in the vehicle list.' } },
    )
    .put(
      '/:id',
      async ({ params, body, actor }) => {
        const { version, ...change } = body
        const warnings = await oslChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateOslEntry(db, actor, clock, params.id, version, change)), warnings)
      },
      { params: idParams, body: oslChange, detail: { summary: 'Change an OSL entry' } },
    )
    .patch('/:id/status', async ({ params, body, actor }) => answer(await changeOslStatus(db, actor, clock, params.id, body)), {
      params: idParams,
      body: oslStatusChange,
      detail: {
        summary: 'Change the status',
        description: 'Completed takes `completed_on`, today unless told, and sets `completed_at`; any other status clears both.',
      },
    })
    .delete('/:id', async ({ params, actor }) => answer(await removeOslEntry(db, actor, params.id)), {
      params: idParams,
      detail: { summary: 'Delete an OSL entry with its notes' },
    })
    .post('/:id/restore', async ({ params, actor }) => answer(await restoreOslEntry(db, actor, clock, params.id)), {
      params: idParams,
      detail: { summary: 'Take a deletion back' },
    })
    .post(
      '/:id/notes',
      async ({ params, body, actor, set }) => {
        set.status = 201
        return answer(await oslEntryNotes.add(db, actor, params.id, body.note_text))
      },
      { params: idParams, body: note, detail: { summary: 'Add a note' } },
    )
}
