import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { answer, answerAll, answerList } from '../http/answers'
import { withWarnings } from '../records/warnings'
import {
  changeRegistrationStatus,
  createRegistration,
  createRegistrations,
  expireRegistrations,
  findRegistration,
  listCompletedRegistrations,
  listExpiringRegistrations,
  listPendingRegistrations,
  listRegistrations,
  registrationsAtLocation,
  removeRegistration,
  restoreRegistration,
  toggleReceived,
  totalRegistrations,
  updateRegistration,
} from './queries'
import { expiringFilters, receivedToggle, registration, registrationBatch, registrationChange, registrationFilters, registrationStatusChange } from './rules'
import { registrationChangeWarnings, registrationWarnings } from './warnings'

export const registrationsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/registrations', detail: { tags: ['registrations'] } })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listRegistrations(db, clock, query)), {
      query: registrationFilters,
      detail: { summary: 'List registrations' },
    })
    .get('/pending', async ({ query }) => answerList(query, await listPendingRegistrations(db, clock, query)), {
      query: registrationFilters,
      detail: { summary: 'Registrations whose papers are not received' },
    })
    .get('/completed', async ({ query }) => answerList(query, await listCompletedRegistrations(db, clock, query)), {
      query: registrationFilters,
      detail: { summary: 'Registrations whose papers are received' },
    })
    .get('/expiring', async ({ query }) => answerList(query, await listExpiringRegistrations(db, clock, query)), {
      query: expiringFilters,
      detail: { summary: 'Registrations that expire within `days` (30) and are not renewed yet' },
    })
    .get('/totals', async () => answer(await totalRegistrations(db, clock)), { detail: { summary: 'Counts and costs of registrations' } })
    .get('/:id', async ({ params }) => answer(await findRegistration(db, clock, params.id)), { params: idParams, detail: { summary: 'One registration' } })
    .get('/location/:id', async ({ params }) => answerAll(await registrationsAtLocation(db, clock, params.id)), {
      params: idParams,
      detail: { summary: 'All registrations at a location' },
    })
    .post(
      '/',
      async ({ body, actor, set }) => {
        const warnings = await registrationWarnings(db, clock, body)
        set.status = 201
        return withWarnings(answer(await createRegistration(db, actor, clock, body)), warnings)
      },
      { body: registration, detail: { summary: 'Create a registration', description: 'Adds the vehicle when it is not in the vehicle list.' } },
    )
    .post('/batch', async ({ body, actor }) => answer(await createRegistrations(db, actor, clock, body.registrations)), {
      body: registrationBatch,
      detail: { summary: 'Create several registrations', description: 'Each is judged by itself; refused ones are named by their index.' },
    })
    .put(
      '/:id',
      async ({ params, body, actor }) => {
        const { version, ...change } = body
        const warnings = await registrationChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateRegistration(db, actor, clock, params.id, version, change)), warnings)
      },
      { params: idParams, body: registrationChange, detail: { summary: 'Change a registration' } },
    )
    .patch('/:id/status', async ({ params, body, actor }) => answer(await changeRegistrationStatus(db, actor, clock, params.id, body)), {
      params: idParams,
      body: registrationStatusChange,
      detail: { summary: 'Change the status', description: 'Pending means not received; Complete and Expired mean received.' },
    })
    .patch('/:id/toggle-received', async ({ params, body, actor }) => answer(await toggleReceived(db, actor, clock, params.id, body?.version)), {
      params: idParams,
      body: receivedToggle,
      detail: { summary: 'Flip whether the papers are received' },
    })
    .delete('/:id', async ({ params, actor }) => answer(await removeRegistration(db, actor, params.id)), {
      params: idParams,
      detail: { summary: 'Delete a registration' },
    })
    .post('/:id/restore', async ({ params, actor }) => answer(await restoreRegistration(db, actor, clock, params.id)), {
      params: idParams,
      detail: { summary: 'Take a deletion back' },
    })
    .post('/update-expired', async ({ actor }) => answer({ updated: await expireRegistrations(db, actor, clock) }), {
      detail: { summary: 'Mark the received registrations whose day has passed as expired' },
    })
}
