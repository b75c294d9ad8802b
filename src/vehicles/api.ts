import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { list, object, ref } from '../docs/schema'
import { idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerList } from '../http/answers'
import { data, page, warned } from '../http/shapes'
import { withWarnings } from '../records/warnings'
import { vehicleHistory } from '../vehicle-history/queries'
import {
  changeVehicleStatus,
  findVehicleByUnit,
  findVehicleByVin,
  findVehicleOrNone,
  listVehicles,
  searchVehicles,
  upsertVehicle,
} from './queries'
import {
  unitParams,
  vehicleFilters,
  vehicleSearch,
  vehicleStatus,
  vehicleUpsert,
  vehicleWarnings,
  vinParams,
} from './rules'

export const vehiclesApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/vehicles', detail: about({ tags: ['vehicles'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listVehicles(db, query)), {
      query: vehicleFilters,
      detail: about({ summary: 'List vehicles', answers: page(ref('Vehicle')) }),
    })
    .get('/search', async ({ query }) => answerList(query, await searchVehicles(db, query)), {
      query: vehicleSearch,
      detail: about({ summary: 'Vehicles by unit number, VIN or the end of a VIN', answers: page(ref('Vehicle')) }),
    })
    .get('/unit/:unit', async ({ params }) => answer(await findVehicleByUnit(db, params.unit)), {
      params: unitParams,
      detail: about({ summary: 'The vehicle with a unit number', answers: data(ref('Vehicle')) }),
    })
    .get('/vin/:vin', async ({ params }) => answer(await findVehicleByVin(db, params.vin)), {
      params: vinParams,
      detail: about({ summary: 'The vehicle with a VIN', answers: data(ref('Vehicle')) }),
    })
    .get('/:unit/history', async ({ params }) => answer(await vehicleHistory(db, clock, params.unit)), {
      params: unitParams,
      detail: about({
        summary: 'A vehicle with its transports, OSL logs, registrations and titles',
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
    })
    .post(
      '/',
      async ({ body, actor, set }) => {
        const warnings = vehicleWarnings(body, await findVehicleOrNone(db, body.unit_number))
        const { vehicle, isNew } = await upsertVehicle(db, actor, body)
        set.status = isNew ? 201 : 200
        return withWarnings(answer(vehicle), warnings)
      },
      {
        body: vehicleUpsert,
        detail: about({
          summary: 'Add a vehicle, or change the one with that unit number',
          description: 'A wrong VIN check digit is named in `warnings`.',
          answers: warned(ref('Vehicle'), 200, 201),
        }),
      },
    )
    .patch(
      '/:unit/status',
      async ({ params, body, actor }) => answer(await changeVehicleStatus(db, actor, params.unit, body)),
      {
        params: z.object({ unit: idParams.shape.id }),
        body: vehicleStatus,
        detail: about({
          summary: 'Change status, location or mileage of the vehicle with an id',
          answers: data(ref('Vehicle')),
        }),
      },
    )
}
