import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { columnsFor } from '../../platform/costs'
import { list, ref } from '../../platform/docs/schema'
import { idParams, unitNumber, versionOnly } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerAllOrPage, answerText } from '../../platform/http/answers'
import { CSV, data, orFile, page, recordPage, warned } from '../../platform/http/shapes'
import { batchesInTurn } from '../../platform/http/turns'
import { whileAllowed } from '../../platform/http/while-allowed'
import { ownColumn } from '../../platform/lists/exports/list'
import { partQuery } from '../../platform/lists/list-query'
import { tableFile } from '../../platform/lists/tables/table-file'
import { withWarnings } from '../../platform/records/warnings'
import { reportSource } from '../../platform/replica'
import { transportListings } from './listings'
import {
  changeTransportStatus,
  createTransport,
  issuePo,
  removeTransport,
  restoreTransport,
  updateTransport,
} from './mutations'
import { findTransport, streamCompletedTransports, transportsAtLocation, transportsOfVehicle } from './queries'
import {
  completedFilters,
  reportPeriod,
  statusChange,
  totalsFilters,
  transport,
  transportChange,
  transportFilters,
} from './rules'
import { totalTransports } from './totals'
import { earlyDelivery, transportChangeWarnings, transportWarnings } from './warnings'

const REPORT_COLUMNS = [
  ownColumn('unit_number', 'text', 'Unit #'),
  ownColumn('ra_number', 'text', 'RA #'),
  ownColumn('location_out_name', 'text', 'Location Out'),
  ownColumn('location_in_name', 'text', 'Location In'),
  ownColumn('move_date', 'date', 'Move Date'),
  ownColumn('final_cost', 'money', 'Final Cost'),
  ownColumn('move_type', 'text', 'Move Type'),
]

export const transportsApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/transports', detail: about({ tags: ['transports'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerText(query, await transportListings.all(db, clock, query).text()), {
      query: transportFilters,
      detail: about({ summary: 'List transports', answers: recordPage(ref('Transport')) }),
    })
    .get('/active', async ({ query }) => answerText(query, await transportListings.active(db, clock, query).text()), {
      query: transportFilters,
      detail: about({
        summary: 'Active transports: every status except Delivered',
        answers: recordPage(ref('Transport')),
      }),
    })
    .get(
      '/completed',
      async ({ query, user, write }) => {
        const filters = { ...query, ...reportPeriod(query, clock.today()) }
        if (query.format === 'csv')
          return tableFile(
            'csv',
            `transports_${filters.start_date}_to_${filters.end_date}`,
            columnsFor(user, REPORT_COLUMNS),
            whileAllowed(
              write,
              batchesInTurn(ctx, write, streamCompletedTransports((await reportSource(ctx)).db, filters)),
            ),
          )
        return answerText(query, await transportListings.completed(db, clock, filters).text())
      },
      {
        query: completedFilters,
        detail: about({
          summary: 'Delivered transports with a move date in a period',
          description: 'Without dates, the list covers the last month through today. `format=csv` downloads all rows.',
          answers: orFile(recordPage(ref('Transport')), CSV),
        }),
      },
    )
    .get(
      '/totals',
      async ({ query }) => answer(await totalTransports(db, { ...query, ...reportPeriod(query, clock.today()) })),
      {
        query: totalsFilters,
        detail: about({
          summary: 'Number of delivered transports and their total final cost, by move type',
          answers: data(list(ref('TransportTotal'))),
        }),
      },
    )
    .get('/:id', async ({ params }) => answer(await findTransport(db, params.id)), {
      params: idParams,
      detail: about({ summary: 'One transport', answers: data(ref('Transport')) }),
    })
    .get(
      '/vehicle/:unit',
      async ({ params, query }) => answerAllOrPage(db, (db) => transportsOfVehicle(db, params.unit), query),
      {
        params: z.object({ unit: unitNumber }),
        query: partQuery,
        detail: about({
          summary: 'All transports of a vehicle, latest move date first',
          answers: page(ref('Transport')),
        }),
      },
    )
    .get(
      '/location/:id',
      async ({ params, query }) => answerAllOrPage(db, (db) => transportsAtLocation(db, params.id), query),
      {
        params: idParams,
        query: partQuery,
        detail: about({
          summary: 'All transports from or to a location, latest move date first',
          answers: page(ref('Transport')),
        }),
      },
    )
    .post(
      '/',
      async ({ body, write }) => {
        const warnings = await transportWarnings(db, clock, body)
        return withWarnings(answer(await createTransport(write, body)), warnings)
      },
      {
        body: transport,
        detail: about({
          summary: 'Create a transport',
          description: 'If the unit is not in the vehicle list, the vehicle is added too.',
          answers: warned(ref('Transport'), 201),
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body, write }) => {
        const { version, ...change } = body
        const warnings = await transportChangeWarnings(db, clock, params.id, change)
        return withWarnings(answer(await updateTransport(write, params.id, version, change)), warnings)
      },
      {
        params: idParams,
        body: transportChange,
        detail: about({ summary: 'Change a transport', answers: warned(ref('Transport'), 200) }),
      },
    )
    .patch(
      '/:id/status',
      async ({ params, body, write }) => {
        const { actual_arrival_date: day, status } = body
        // Requests from lists often contain only a status. Skip the warning queries for them.
        const dayWarnings =
          day && (await transportChangeWarnings(db, clock, params.id, { actual_arrival_date: day, status }))
        const after = await changeTransportStatus(write, params.id, body)
        return withWarnings(answer(after), dayWarnings || earlyDelivery(after, clock.today()))
      },
      {
        params: idParams,
        body: statusChange,
        detail: about({
          summary: 'Change the status',
          description:
            'If the status is Delivered and no arrival date is sent, the arrival date is set to today. Any ' +
            'other status clears the arrival date.',
          answers: warned(ref('Transport'), 200),
        }),
      },
    )
    .post('/:id/po', async ({ params, body, write }) => answer(await issuePo(write, params.id, body?.version)), {
      params: idParams,
      body: versionOnly,
      detail: about({
        summary: 'Issue a purchase order',
        description:
          'Gives the transport the next purchase order number from the settings. No number is skipped or used twice.',
        answers: data(ref('Transport'), 200),
      }),
    })
    .post('/:id/restore', async ({ params, write }) => answer(await restoreTransport(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Restore a deleted transport', answers: data(ref('Transport')) }),
    })
    .delete('/:id', async ({ params, write }) => answer(await removeTransport(write, params.id)), {
      params: idParams,
      detail: about({ summary: 'Delete a transport', answers: data(ref('StoredTransport')) }),
    })
}
