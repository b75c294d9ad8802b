import { Elysia } from 'elysia'
import type { FormState } from '../../../views/ui/form-state'
import { VehicleForm } from '../../../views/vehicles/form'
import { LookupPage } from '../../../views/vehicles/lookup-page'
import { ManyUnitsPage } from '../../../views/vehicles/many-page'
import { UnitSummaryLines } from '../../../views/vehicles/unit-summary'
import { accept } from '../../platform/accept'
import type { CurrentUser } from '../../platform/auth/current-user'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { unitNumber } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { attempt } from '../../platform/http/page'
import { paths, withQuery } from '../../platform/paths'
import { readSearch } from '../../platform/reading/numbers'
import type { Write } from '../../platform/records/transactions'
import { saveAfterWarnings } from '../../platform/records/warnings'
import { Missing } from '../../platform/refusals'
import { findManyVehicles, findVehicleByUnit, findVehicleByVin } from './find'
import { costsOfVehicle } from './history/costs'
import { vehicleHistory, vehicleTimeline } from './history/queries'
import { checkNewVehicle, createVehicle, upsertVehicle } from './mutations'
import { lookUpVehicles } from './queries'
import { lookupMany, numbersIn, unitParams, vehicle, vehicleUpsert, vehicleWarnings } from './rules'
import { loadUnitSummary } from './unit-summary'

const { lookup, create, edit, known, many, show } = paths.vehicles

const MAX_RESULTS = 100

/** Maximum length of a look-up URL in characters. Some proxies reject URLs of more than 8 KB. */
const LONGEST_URL = 6000

const unlessMissing = (error: unknown): null => {
  if (error instanceof Missing) return null
  throw error
}

export const vehiclesPages = (ctx: AppContext) => {
  const { db, clock } = ctx

  const everythingOf = async (user: CurrentUser, unit: string) => {
    const vehicle = await findVehicleByUnit(db, unit)
    const [history, timeline, costs] = await Promise.all([
      vehicleHistory(db, clock, vehicle),
      vehicleTimeline(db, clock, user, unit),
      costsOfVehicle(db, clock, unit),
    ])
    return { history, timeline, costs }
  }

  /**
   * Finds one vehicle, or several to choose from. Six digits are looked up as a unit number, and 17 characters as a
   * VIN. If there is no match, searches for the text.
   * @throws Missing when no vehicle matches
   */
  const lookUp = async (user: CurrentUser, text: string) => {
    // Users often type a unit number in two halves, such as `100 200`.
    const q = /^\d[\d\s-]*$/.test(text) ? text.replace(/[\s-]/g, '') : text
    const unit = /^[0-9]{6}$/.test(q) ? await everythingOf(user, q).catch(unlessMissing) : null
    if (unit) return unit
    if (q.length === 17) {
      const vehicle = await findVehicleByVin(db, q.toUpperCase()).catch(unlessMissing)
      if (vehicle) return everythingOf(user, vehicle.unit_number)
    }
    const { rows: foundVehicles, total } = await lookUpVehicles(db, q, MAX_RESULTS)
    const [only] = foundVehicles
    if (!only) throw new Missing('Vehicle')
    return foundVehicles.length === 1 ? everythingOf(user, only.unit_number) : { found: foundVehicles, total }
  }
  const newForm = (form: FormState) => (
    <VehicleForm isNew title="New vehicle" action={create} cancel={lookup} form={form} />
  )
  const editForm = (unit: string, form: FormState) => (
    <VehicleForm isNew={false} title={`Edit unit ${unit}`} action={edit(unit)} cancel={show(unit)} form={form} />
  )

  const manyUnits = async (numbers: string) => {
    const { value, refusal } = await attempt(async () =>
      findManyVehicles(db, accept(lookupMany, { numbers: numbersIn(numbers) }).numbers),
    )
    return { body: <ManyUnitsPage numbers={numbers} {...value} refusal={refusal?.message} />, status: refusal?.status }
  }

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      lookup,
      async ({ query, page, user }) => {
        const q = readSearch(
          String(query.q ?? '')
            .toWellFormed()
            .replaceAll('\0', '')
            .slice(0, 50),
        )
        if (!q) return page('Vehicle Lookup', <LookupPage q="" />)
        const result = await lookUp(user, q).catch(unlessMissing)
        if (!result) return page('Vehicle Lookup', <LookupPage q={q} refusal="Vehicle not found" />, 404)
        return page('Vehicle Lookup', <LookupPage q={q} {...result} />)
      },
      { detail: about({ summary: 'Vehicle Lookup', failure: 'Vehicle not found' }) },
    )
    .get(
      known,
      async ({ query, fragment }) => {
        const { success, data } = unitNumber.safeParse(query.unit_number)
        return fragment(
          success ? <UnitSummaryLines summary={await loadUnitSummary(db, data)} today={clock.today()} /> : null,
        )
      },
      { detail: about({ summary: 'Summary of the unit that the user entered in a form' }) },
    )
    .get(
      many,
      async ({ query, page }) => {
        if (query.numbers === undefined) return page('Multiple units', <ManyUnitsPage numbers="" />)
        const { body, status } = await manyUnits([query.numbers].flat().join('\n'))
        return page('Multiple units', body, status)
      },
      { detail: about({ summary: 'Look up several vehicles by unit number or VIN' }) },
    )
    .post(
      many,
      async ({ form, page, redirect }) => {
        const text = String(form.numbers ?? '')
        const numbers = numbersIn(text)
        const url = withQuery(many, { numbers: numbers.join('\n') })
        // Redirect to a URL that contains the numbers, so that the user can return to the result with Back.
        if (numbers.length > 0 && url.length <= LONGEST_URL) return redirect(url)
        const { body, status } = await manyUnits(text)
        return page('Multiple units', body, status)
      },
      { detail: about({ summary: 'Look up several vehicles at once', isReadOnly: true }) },
    )
    .get(
      show.pattern,
      async ({ params, query, page, user }) =>
        page(
          `Unit ${params.unit}`,
          <LookupPage
            q={params.unit}
            {...(await everythingOf(user, params.unit))}
            isWholeTimeline={query.timeline === 'all'}
          />,
        ),
      { detail: about({ summary: 'One vehicle with all its records' }), params: unitParams },
    )
    .get(
      create,
      ({ page, query, back }) =>
        page('New vehicle', newForm({ values: { unit_number: query.unit_number ?? '' }, back: back(lookup) })),
      { detail: about({ summary: 'New vehicle' }) },
    )
    .post(
      create,
      ({ form, write, redirect, submit }) =>
        submit({
          title: 'New vehicle',
          show: newForm,
          async save() {
            const values = accept(vehicle, form)
            const save = (write: Write) => createVehicle(write, values)
            const check = (write: Write) => checkNewVehicle(write, values)
            return saveAfterWarnings(write, vehicleWarnings(values, null), form, save, check)
          },
          done: ({ unit_number }) => redirect(show(unit_number), 'Vehicle created successfully!'),
        }),
      { detail: about({ summary: 'Create a vehicle' }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, back }) =>
        page(
          `Edit unit ${params.unit}`,
          editForm(params.unit, { values: await findVehicleByUnit(db, params.unit), back: back(show(params.unit)) }),
        ),
      { detail: about({ summary: 'Edit a vehicle' }), params: unitParams },
    )
    .post(
      edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: `Edit unit ${params.unit}`,
          show: (form) => editForm(params.unit, form),
          async save() {
            const change = accept(vehicleUpsert, { ...form, unit_number: params.unit })
            const warnings = vehicleWarnings(change, await findVehicleByUnit(db, params.unit))
            return saveAfterWarnings(write, warnings, form, (write) => upsertVehicle(write, change))
          },
          done: () => redirect(back(show(params.unit)), 'Vehicle updated successfully!'),
        }),
      { detail: about({ summary: 'Save a vehicle' }), params: unitParams },
    )
}
