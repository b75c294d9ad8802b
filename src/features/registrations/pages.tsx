import { Elysia } from 'elysia'
import { RegistrationListRow } from '../../../views/registrations/columns'
import { RegistrationForm } from '../../../views/registrations/form'
import { RegistrationsPage } from '../../../views/registrations/index-page'
import { logOf } from '../../../views/registrations/logs'
import { isFollowed } from '../../../views/ui/form'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptChange, acceptForm, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { deletionPages } from '../../platform/lists/deletion-pages'
import { loadFilterNames } from '../../platform/lists/layouts/filter-names'
import { paths, withQuery } from '../../platform/paths'
import type { Write } from '../../platform/records/transactions'
import { inWords, saveAfterWarnings } from '../../platform/records/warnings'
import { locationQueries } from '../places'
import {
  createRegistration,
  removeRegistration,
  restoreRegistration,
  setReceived,
  toggleReceived,
  updateRegistration,
} from './mutations'
import { findRegistration, findRegistrationRow, registrationRows, totalRegistrations } from './queries'
import { renewalPages } from './renewal-pages'
import { checkDates, expiringFilters, receivedChoice, registration, registrationChange } from './rules'
import { registrationChangeWarnings, registrationWarnings } from './warnings'

const LISTS = {
  pending: registrationRows.pending,
  complete: registrationRows.completed,
  expiring: registrationRows.expiring,
  overdue: registrationRows.overdue,
}

const { list, create, edit, remove, restore, toggle } = paths.registrations

export const registrationsPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const newForm = async (form: FormState) => (
    <RegistrationForm isNew action={create} form={form} locations={await locationQueries.active(db)} />
  )
  const editForm = async (id: number, form: FormState) => (
    <RegistrationForm isNew={false} action={edit(id)} form={form} locations={await locationQueries.active(db)} />
  )
  const row = (id: number) => async () => (
    <RegistrationListRow row={await findRegistrationRow(db, clock, id)} isChanged />
  )

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, page }) => {
        const log = logOf(query.tab)
        const filters = acceptLeniently(expiringFilters, query)
        const [{ lines, total }, totals, names] = await Promise.all([
          LISTS[log](db, clock, filters).lines(),
          totalRegistrations(db, clock),
          loadFilterNames(db, filters),
        ])
        return page(
          'Vehicle Registrations',
          <RegistrationsPage {...{ log, lines, totals, names }} query={filters} meta={metaOf(filters, total)} />,
        )
      },
      {
        detail: about({ summary: 'Vehicle Registrations page: pending, complete, expiring and expired registrations' }),
      },
    )
    .get(
      create,
      async ({ query: { location_id }, page, back }) =>
        page(
          'Add registration',
          await newForm({ values: { registration_type: 'Renewal', location_id }, back: back(list) }),
        ),
      {
        detail: about({ summary: 'Add a registration', failure: 'Failed to load dropdown data' }),
      },
    )
    .post(
      create,
      ({ form, write, redirect, back, submit }) =>
        submit({
          title: 'Add registration',
          show: newForm,
          async save() {
            const values = await acceptForm(registration, form, checkDates)
            const warnings = await registrationWarnings(db, clock, values)
            const save = (write: Write) => createRegistration(write, values)
            return saveAfterWarnings(write, warnings, form, save, async () => checkDates(values))
          },
          done: ({ id, location_id }) =>
            redirect(isFollowed(form) ? withQuery(create, { location_id }) : back(list), {
              text: 'Registration added successfully!',
              made: id,
            }),
        }),
      { detail: about({ summary: 'Create a registration', failure: 'Failed to add registration' }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, back }) =>
        page(
          'Edit registration',
          await editForm(params.id, { values: await findRegistration(db, clock, params.id), back: back(list) }),
        ),
      { params: idParams, detail: about({ summary: 'Edit a registration', failure: 'Failed to load dropdown data' }) },
    )
    .post(
      edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: 'Edit registration',
          show: (form) => editForm(params.id, form),
          async save() {
            const rules = { changes: registrationChange, rules: registration }
            const { version, ...change } = await acceptChange(rules, form, checkDates)
            const warnings = await registrationChangeWarnings(db, clock, params.id, change)
            return saveAfterWarnings(write, warnings, form, (write) =>
              updateRegistration(write, params.id, version, change),
            )
          },
          done: ({ id }) => redirect(back(list), { text: 'Registration updated successfully!', row: id }),
        }),
      { params: idParams, detail: about({ summary: 'Save a registration', failure: 'Failed to update registration' }) },
    )
    .post(
      toggle.pattern,
      async ({ params, query, form, write, back, inRow }) => {
        const { value, refusal } = await attempt(async () => {
          const { received, version } = accept(receivedChoice, { ...query, ...form })
          // The button sends the new value of `received`, so that a double click does not switch the value back.
          return received === undefined
            ? toggleReceived(write, params.id, version)
            : setReceived(write, params.id, received, version)
        })
        const message = refusal
          ? failed(`Failed to update registration: ${refusal.message}`)
          : { text: `Unit ${value.unit_number}: papers ${value.received ? 'received' : 'not received'}` }
        const undo = value
          ? { undo: withQuery(toggle(value.id), { received: !value.received, version: value.version }) }
          : {}
        return inRow(back(list), row(params.id), { ...message, row: params.id, ...undo })
      },
      {
        params: idParams,
        detail: about({
          summary: 'Mark the papers of a registration as received or not received',
          failure: 'Failed to update registration',
        }),
      },
    )
    .use(renewalPages(ctx))
    .use(
      deletionPages(ctx, {
        what: 'a registration',
        paths: { remove, restore, own: [edit] },
        find: (id) => findRegistration(db, clock, id),
        remove: removeRegistration,
        restore: restoreRegistration,
        listOf: () => list,
        describe: (record) => (
          <>
            Unit <strong>{record.unit_number}</strong>
            {`, plate ${record.plate_number} ${record.state_province}, expires ${inWords(record.date_expires)}.`}
          </>
        ),
        failure: 'Failed to update registration',
      }),
    )
}
