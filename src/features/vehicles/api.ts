import { Elysia } from 'elysia'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { instant, integer, list, object, orNull, ref, string } from '../../platform/docs/schema'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { answer, answerList, answerText } from '../../platform/http/answers'
import { data, page, recordPage, warned } from '../../platform/http/shapes'
import { inTurn } from '../../platform/http/turns'
import { HISTORY_LIMIT } from '../../platform/records/kind'
import { withWarnings } from '../../platform/records/warnings'
import { showingStored } from '../../platform/refusals'
import { findManyVehicles, findVehicleByUnit, findVehicleByVin, findVehicleOrNone } from './find'
import { costsOfVehicle } from './history/costs'
import { vehicleHistory, vehicleTimeline } from './history/queries'
import { changeVehicleStatus, upsertVehicle } from './mutations'
import { searchVehicles, vehicleListing } from './queries'
import { readingListing, recordReadings } from './readings'
import {
  lookupMany,
  readingBatch,
  readingFilters,
  unitParams,
  vehicleFilters,
  vehicleSearch,
  vehicleStatus,
  vehicleUpsert,
  vehicleWarnings,
  vinParams,
} from './rules'
import { loadUnitSummary } from './unit-summary'

export const vehiclesApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/vehicles', detail: about({ tags: ['vehicles'], what: 'Vehicle' }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerText(query, await vehicleListing(db, query).text()), {
      query: vehicleFilters,
      detail: about({ summary: 'List vehicles', answers: recordPage(ref('Vehicle')) }),
    })
    .get('/search', async ({ query }) => answerList(query, await searchVehicles(db, query)), {
      query: vehicleSearch,
      detail: about({
        summary: 'Find vehicles by unit number, VIN or the last characters of a VIN',
        answers: page(ref('Vehicle')),
      }),
    })
    .get('/unit/:unit', async ({ params }) => answer(await findVehicleByUnit(db, params.unit)), {
      params: unitParams,
      detail: about({ summary: 'Find a vehicle by unit number', answers: data(ref('Vehicle')) }),
    })
    .get('/vin/:vin', async ({ params }) => answer(await findVehicleByVin(db, params.vin)), {
      params: vinParams,
      detail: about({ summary: 'Find a vehicle by VIN', answers: data(ref('Vehicle')) }),
    })
    .get(
      '/:unit/history',
      async ({ params }) => answer(await vehicleHistory(db, clock, await findVehicleByUnit(db, params.unit))),
      {
        params: unitParams,
        detail: about({
          summary: 'A vehicle with its transports, OSL entries, registrations and titles',
          description: `The response has at most the latest ${HISTORY_LIMIT} records of each kind.`,
          answers: data(
            object({
              vehicle: ref('Vehicle'),
              transports: list(ref('Transport')),
              osl_logs: list(ref('OslEntry')),
              registrations: list(ref('Registration')),
              titles: list(ref('Title')),
            }),
          ),
        }),
      },
    )
    .get('/:unit/summary', async ({ params }) => answer(await loadUnitSummary(db, params.unit)), {
      params: unitParams,
      detail: about({
        summary: 'Summary of a unit',
        description: 'For a unit that is not in the vehicle list, `is_known` is false.',
        answers: data(ref('KnownUnit')),
      }),
    })
    .get(
      '/:unit/costs',
      async ({ params }) => {
        const { unit_number } = await findVehicleByUnit(db, params.unit)
        return answer(await costsOfVehicle(db, clock, unit_number))
      },
      {
        params: unitParams,
        detail: about({
          role: 'costs',
          summary: 'Costs of a vehicle for this year and the two previous years',
          description: 'Costs are calculated as in the Monthly Costs report. The newest year comes first.',
          answers: data(list(ref('YearOfCosts'))),
        }),
      },
    )
    .get(
      '/:unit/timeline',
      async ({ params, user }) => {
        const { unit_number } = await findVehicleByUnit(db, params.unit)
        const timeline = await vehicleTimeline(db, clock, user, unit_number)
        return answer(timeline.map(({ changes: _, ...entry }) => entry))
      },
      {
        params: unitParams,
        detail: about({
          summary: 'Everything that happened to a vehicle, newest first',
          description: 'At most the latest 500 events. `kind` is the action, `entity` the table of the record.',
          answers: data(
            list(object({ at: instant, kind: string, entity: string, id: integer, text: string, by: orNull(string) })),
          ),
        }),
      },
    )
    .get(
      '/:unit/readings',
      async ({ params, query }) => {
        const { unit_number } = await findVehicleByUnit(db, params.unit)
        return answerText(query, await readingListing(db, unit_number, query).text())
      },
      {
        params: unitParams,
        query: readingFilters,
        detail: about({
          summary: 'Mileage and location readings of a vehicle from telematics, newest first',
          answers: page(ref('Reading')),
        }),
      },
    )
    .post(
      '/readings',
      async ({ body, write }) => answer(await inTurn(ctx, write, (write) => recordReadings(write, body.readings))),
      {
        body: readingBatch,
        detail: about({
          summary: 'Store telematics readings',
          description:
            'At most 5,000 readings. Each reading has `at`, either `unit_number` or `vin`, and `mileage`, ' +
            '`location` or both. Each reading is accepted or rejected independently. A mileage below ' +
            'an older reading is stored but not used. A repeated reading is ignored. `errors` ' +
            'lists the rejected readings.',
          answers: data(
            object({
              accepted: integer,
              ignored: integer,
              errors: list(object({ index: integer, message: string })),
            }),
          ),
        }),
      },
    )
    .post('/lookup', async ({ body }) => answer(await findManyVehicles(db, body.numbers)), {
      body: lookupMany,
      detail: about({
        isReadOnly: true,
        summary: 'Look up several vehicles at once',
        description: 'Send at most 200 unit numbers, VINs or VIN endings. A VIN ending has at least four characters.',
        answers: data(object({ found: list(ref('Vehicle')), not_found: list(string) })),
      }),
    })
    .post(
      '/',
      async ({ body, write, set }) => {
        const warnings = vehicleWarnings(body, await findVehicleOrNone(db, body.unit_number))
        const { vehicle, isNew } = await upsertVehicle(write, body).catch(showingStored())
        set.status = isNew ? 201 : 200
        return withWarnings(answer(vehicle), warnings)
      },
      {
        body: vehicleUpsert,
        detail: about({
          isUpsert: true,
          summary: 'Create a vehicle, or update the vehicle with this unit number',
          description: 'A wrong VIN check digit is reported in `warnings`.',
          answers: warned(ref('Vehicle'), 200, 201),
        }),
      },
    )
    .patch(
      '/:id/status',
      async ({ params, body, write }) => {
        const { before, after } = await changeVehicleStatus(write, params.id, body).catch(showingStored())
        return withWarnings(answer(after), vehicleWarnings(after, before))
      },
      {
        params: idParams,
        body: vehicleStatus,
        detail: about({
          summary: 'Change the status, location or mileage of a vehicle',
          answers: warned(ref('Vehicle'), 200),
        }),
      },
    )
}
