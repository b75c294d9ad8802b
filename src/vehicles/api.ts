import { Elysia } from 'elysia'
import { z } from 'zod'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { answer, answerList } from '../http/answers'
import { withWarnings } from '../records/warnings'
import { vehicleHistory } from '../vehicle-history/queries'
import { changeVehicleStatus, findVehicleByUnit, findVehicleByVin, findVehicleOrNone, listVehicles, searchVehicles, upsertVehicle } from './queries'
import { unitParams, vehicleFilters, vehicleSearch, vehicleStatus, vehicleUpsert, vehicleWarnings, vinParams } from './rules'

export const vehiclesApi = (ctx: AppContext) => {
  const { db, clock } = ctx
  return new Elysia({ prefix: '/api/vehicles', detail: { tags: ['vehicles'] } })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listVehicles(db, query)), { query: vehicleFilters, detail: { summary: 'List vehicles' } })
    .get('/search', async ({ query }) => answerList(query, await searchVehicles(db, query)), {
      query: vehicleSearch,
      detail: { summary: 'Vehicles by unit number, VIN or the end of a VIN' },
    })
    .get('/unit/:unit', async ({ params }) => answer(await findVehicleByUnit(db, params.unit)), {
      params: unitParams,
      detail: { summary: 'The vehicle with a unit number' },
    })
    .get('/vin/:vin', async ({ params }) => answer(await findVehicleByVin(db, params.vin)), {
      params: vinParams,
      detail: { summary: 'The vehicle with a VIN' },
    })
    .get('/:unit/history', async ({ params }) => answer(await vehicleHistory(db, clock, params.unit)), {
      params: unitParams,
      detail: { summary: 'A vehicle with its transports, OSL logs, registrations and titles' },
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
        detail: { summary: 'Add a vehicle, or change the one with that unit number', description: 'A wrong VIN check digit is named in `warnings`.' },
      },
    )
    .patch('/:unit/status', async ({ params, body, actor }) => answer(await changeVehicleStatus(db, actor, params.unit, body)), {
      params: z.object({ unit: idParams.shape.id }),
      body: vehicleStatus,
      detail: { summary: 'Change status, location or mileage of the vehicle with an id' },
    })
}
