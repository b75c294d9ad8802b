import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { checkCostAccess } from '../../platform/costs'
import { counts, integer, list, object, ref, string } from '../../platform/docs/schema'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerAllOrPage, answerText } from '../../platform/http/answers'
import { data, page, recordPage, warned } from '../../platform/http/shapes'
import { inTurn } from '../../platform/http/turns'
import { partQuery } from '../../platform/lists/list-query'
import { withWarnings } from '../../platform/records/warnings'
import { registrationBulk, renewMany } from './bulk'
import {
  changeRegistrationStatus,
  createRegistration,
  createRegistrations,
  expireRegistrations,
  removeRegistration,
  restoreRegistration,
  setReceived,
  toggleReceived,
  updateRegistration,
} from './mutations'
import { findRegistration, registrationListings, registrationsAtLocation, totalRegistrations } from './queries'
import { renewRegistration, renewRegistrations } from './renew'
import {
  expiringFilters,
  receivedToggle,
  registration,
  registrationBatch,
  registrationChange,
  registrationFilters,
  registrationStatusChange,
  renewal,
} from './rules'
import { registrationChangeWarnings, registrationWarnings, storedRegistrationWarnings } from './warnings'

export const registrationsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/registrations', detail: about({ tags: ['registrations'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerText(query, await registrationListings.all(db, clock, query).text()), {
      query: registrationFilters,
      detail: about({ summary: 'List registrations', answers: recordPage(ref('Registration')) }),
    })
    .get(
      '/pending',
      async ({ query }) => answerText(query, await registrationListings.pending(db, clock, query).text()),
      {
        query: registrationFilters,
        detail: about({
          summary: 'Registrations whose papers have not been received',
          answers: recordPage(ref('Registration')),
        }),
      },
    )
    .get(
      '/completed',
      async ({ query }) => answerText(query, await registrationListings.completed(db, clock, query).text()),
      {
        query: registrationFilters,
        detail: about({
          summary: 'Registrations whose papers have been received',
          answers: recordPage(ref('Registration')),
        }),
      },
    )
    .get(
      '/expiring',
      async ({ query }) => answerText(query, await registrationListings.expiring(db, clock, query).text()),
      {
        query: expiringFilters,
        detail: about({
          summary: 'Registrations that expire within `days` (default 30) and are not renewed',
          answers: recordPage(ref('Registration')),
        }),
      },
    )
    .get(
      '/overdue',
      async ({ query }) => answerText(query, await registrationListings.overdue(db, clock, query).text()),
      {
        query: registrationFilters,
        detail: about({
          summary: 'Expired registrations that have not been renewed',
          answers: recordPage(ref('Registration')),
        }),
      },
    )
    .get(
      '/totals',
      async () => {
        const { overdue: _, ...totals } = await totalRegistrations(db, clock)
        return answer(totals)
      },
      {
        detail: about({
          summary: 'Number of registrations by status, and their total cost and VLT',
          answers: data(ref('RegistrationTotals')),
        }),
      },
    )
    .get('/:id', async ({ params }) => answer(await findRegistration(db, clock, params.id)), {
      params: idParams,
      detail: about({ summary: 'One registration', answers: data(ref('Registration')) }),
    })
    .get(
      '/location/:id',
      async ({ params, query }) => answerAllOrPage(db, (db) => registrationsAtLocation(db, clock, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({ summary: 'All registrations at a location', answers: page(ref('Registration')) }),
      },
    )
    .post(
      '/',
      async ({ body, write }) => {
        const warnings = await registrationWarnings(db, clock, body)
        return withWarnings(answer(await createRegistration(write, body)), warnings)
      },
      {
        body: registration,
        detail: about({
          summary: 'Create a registration',
          description: 'If the unit is not in the vehicle list, the vehicle is added too.',
          answers: warned(ref('Registration'), 201),
        }),
      },
    )
    .post(
      '/:id/renew',
      async ({ params, body, write }) => {
        const created = await renewRegistration(write, params.id, body)
        return withWarnings(answer(created), await storedRegistrationWarnings(db, clock, created))
      },
      {
        params: idParams,
        body: renewal.optional(),
        detail: about({
          summary: 'Renew a registration',
          description:
            'Creates a pending registration with the plate and state of the old registration, and without ' +
            'costs. The new registration is issued today and expires one year after the old ' +
            'registration. Fields in the body override these defaults. The old registration does not change.',
          answers: warned(ref('Registration'), 201),
        }),
      },
    )
    .post(
      '/renew',
      async ({ body, write, user }) => {
        checkCostAccess(user, body.filters ?? {})
        return answer(await inTurn(ctx, write, (write) => renewRegistrations(write, body)))
      },
      {
        body: renewMany,
        detail: about({
          filters: registrationBulk.filters,
          summary: 'Renew several registrations',
          description:
            'Send `ids` (at most 500), or the `filters` of a list (at most 1,000 records) with `expected`, ' +
            'the number shown. With `filters`, registrations that are already renewed are skipped. ' +
            '`POST /bulk/{id}/undo` undoes the renewals. `values` lists the renewals that differ ' +
            'from the defaults, for example in `cost` and `vlt`.',
          answers: data(
            object({
              id: integer,
              created: list(ref('Registration')),
              skipped: list(object({ id: integer, reason: string })),
            }),
            201,
          ),
        }),
      },
    )
    .post(
      '/batch',
      async ({ body, write }) =>
        answer(await inTurn(ctx, write, (write) => createRegistrations(write, body.registrations))),
      {
        body: registrationBatch,
        detail: about({
          summary: 'Create several registrations',
          description:
            'Each registration is created or rejected independently. `rows` lists the ids of the created ' +
            'registrations. `errors` lists the reasons for the rejected registrations.',
          answers: data(
            object({
              created: integer,
              failed: integer,
              rows: list(object({ index: integer, id: integer })),
              errors: list(
                object({ index: integer, message: string, errors: list(object({ field: string, message: string })) }),
              ),
            }),
          ),
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body, write }) => {
        const { version, ...change } = body
        const warnings = await registrationChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateRegistration(write, params.id, version, change)), warnings)
      },
      {
        params: idParams,
        body: registrationChange,
        detail: about({ summary: 'Change a registration', answers: warned(ref('Registration'), 200) }),
      },
    )
    .patch(
      '/:id/status',
      async ({ params, body, write }) => answer(await changeRegistrationStatus(write, params.id, body)),
      {
        params: idParams,
        body: registrationStatusChange,
        detail: about({
          summary: 'Change the status',
          description:
            'Pending means that the papers have not been received. Complete and Expired mean that the ' +
            'papers have been received.',
          answers: data(ref('Registration')),
        }),
      },
    )
    .patch(
      '/:id/toggle-received',
      async ({ params, body, write }) => {
        const { received, version } = body ?? {}
        return answer(
          await (typeof received === 'boolean'
            ? setReceived(write, params.id, received, version)
            : toggleReceived(write, params.id, version)),
        )
      },
      {
        params: idParams,
        body: receivedToggle,
        detail: about({
          summary: 'Mark the papers of a registration as received or not received',
          description:
            'Without `received`, the call toggles the value. To make a retry safe, send the new value in `received`.',
          answers: data(ref('Registration')),
        }),
      },
    )
    .delete('/:id', async ({ params, write }) => answer(await removeRegistration(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Delete a registration', answers: data(ref('StoredRegistration')) }),
    })
    .post('/:id/restore', async ({ params, write }) => answer(await restoreRegistration(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Restore a deleted registration', answers: data(ref('Registration')) }),
    })
    .post('/update-expired', async ({ write }) => answer({ updated: await expireRegistrations(write) }), {
      detail: about({
        summary: 'Mark registrations as Expired if their papers were received and their expiry date has passed',
        answers: data(counts('updated')),
      }),
    })
}
