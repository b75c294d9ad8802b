import { Elysia } from 'elysia'
import { VehicleForm } from '../../views/vehicles/form'
import { LookupPage } from '../../views/vehicles/lookup-page'
import { signedInPages } from '../auth/guard'
import { accept } from '../fields'
import { changedSince } from '../http/changed-since'
import { attempt } from '../http/page'
import type { Office } from '../office'
import { paths } from '../paths'
import { Missing, Stale } from '../refusals'
import { vehicleHistory } from './history'
import { findVehicleByUnit, findVehicleByVin, searchVehicles, upsertVehicle } from './queries'
import { unitParams, vehicleUpsert, vehicleWarnings } from './rules'

/** How many matches the lookup shows; whoever wants more types more. */
const SHOWN = 100

const unlessMissing = (error: unknown): null => {
  if (error instanceof Missing) return null
  throw error
}

export const vehiclesPages = (office: Office) => {
  const { db, clock } = office

  /** Six digits are a unit, or else the end of a VIN; seventeen characters a VIN; anything else is searched for. @throws Missing */
  const lookUp = async (q: string) => {
    const unit = /^[0-9]{6}$/.test(q) ? await vehicleHistory(db, clock, q).catch(unlessMissing) : null
    if (unit) return { history: unit }
    if (q.length === 17) return { history: await vehicleHistory(db, clock, (await findVehicleByVin(db, q.toUpperCase())).unit_number) }
    const { rows: found, total } = await searchVehicles(db, { q, page: 1, per_page: SHOWN })
    const [only] = found
    if (!only) throw new Missing('Vehicle')
    return found.length === 1 ? { history: await vehicleHistory(db, clock, only.unit_number) } : { found, total }
  }

  return new Elysia()
    .use(signedInPages(office))
    .get(paths.vehicles.lookup, async ({ query, page }) => {
      const q = String(query.q ?? '')
        .toWellFormed()
        .replaceAll('\0', '')
        .trim()
        .slice(0, 50)
      if (!q) return page('Vehicle Lookup', <LookupPage q="" />)
      const result = await lookUp(q).catch(unlessMissing)
      if (!result) return page('Vehicle Lookup', <LookupPage q={q} refusal="Vehicle not found" />, 404)
      return page('Vehicle Lookup', <LookupPage q={q} {...result} />)
    })
    .get(
      '/vehicles/:unit',
      async ({ params, page }) => page(`Unit ${params.unit}`, <LookupPage q={params.unit} history={await vehicleHistory(db, clock, params.unit)} />),
      { params: unitParams },
    )
    .get(
      '/vehicles/:unit/edit',
      async ({ params, page }) =>
        page(`Edit unit ${params.unit}`, <VehicleForm unit={params.unit} form={{ values: await findVehicleByUnit(db, params.unit) }} />),
      { params: unitParams },
    )
    .post(
      '/vehicles/:unit/edit',
      async ({ params, typed, actor, page, leave }) => {
        const { value, refusal } = await attempt(async () => upsertVehicle(db, actor, accept(vehicleUpsert, { ...typed, unit_number: params.unit })))
        if (!refusal) return leave(paths.vehicles.show(params.unit), ['Vehicle updated successfully!', ...vehicleWarnings(value.vehicle)].join(' '))
        const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page(`Edit unit ${params.unit}`, <VehicleForm unit={params.unit} form={form} />, refusal.status)
      },
      { params: unitParams },
    )
}
