import { Elysia } from 'elysia'
import { RegistrationForm } from '../../views/registrations/form'
import { type Log, RegistrationsPage } from '../../views/registrations/index-page'
import type { FormState } from '../../views/ui/fields'
import { locationQueries } from '../admin/locations/queries'
import { signedInPages } from '../auth/guard'
import { accept, acceptLeniently, idParams } from '../fields'
import { metaOf } from '../http/answers'
import { changedSince } from '../http/changed-since'
import { attempt } from '../http/page'
import { backTo } from '../http/request'
import type { Office } from '../office'
import { paths } from '../paths'
import { Stale } from '../refusals'
import {
  createRegistration,
  findRegistration,
  listCompletedRegistrations,
  listExpiringRegistrations,
  listPendingRegistrations,
  toggleReceived,
  totalRegistrations,
  updateRegistration,
} from './queries'
import { expiringFilters, receivedToggle, registration, registrationChange } from './rules'

const LISTS = { pending: listPendingRegistrations, complete: listCompletedRegistrations, expiring: listExpiringRegistrations }

const { list, create, edit } = paths.registrations

export const registrationsPages = (office: Office) => {
  const { db, clock } = office
  const newForm = async (form: FormState) => <RegistrationForm isNew action={create} form={form} locations={await locationQueries.active(db)} />
  const editForm = async (id: number, form: FormState) => (
    <RegistrationForm isNew={false} action={edit(id)} form={form} locations={await locationQueries.active(db)} />
  )

  return new Elysia()
    .use(signedInPages(office))
    .get(list, async ({ query, page }) => {
      const log: Log = query.tab === 'complete' || query.tab === 'expiring' ? query.tab : 'pending'
      const asked = acceptLeniently(expiringFilters, query)
      const [{ rows, total }, totals] = await Promise.all([LISTS[log](db, clock, asked), totalRegistrations(db, clock)])
      return page('Vehicle Registrations', <RegistrationsPage log={log} rows={rows} query={asked} meta={metaOf(asked, total)} totals={totals} />)
    })
    .get(create, async ({ page }) => page('Add registration', await newForm({ values: { registration_type: 'Renewal' } })))
    .post(create, async ({ typed, actor, page, leave }) => {
      const { refusal } = await attempt(async () => createRegistration(db, actor, clock, accept(registration, typed)))
      return refusal ? page('Add registration', await newForm({ values: typed, refusal }), refusal.status) : leave(list, 'Registration added successfully!')
    })
    .get(
      `${list}/:id/edit`,
      async ({ params, page }) => page('Edit registration', await editForm(params.id, { values: await findRegistration(db, clock, params.id) })),
      { params: idParams },
    )
    .post(
      `${list}/:id/edit`,
      async ({ params, typed, actor, page, leave }) => {
        const { refusal } = await attempt(async () => {
          const { version, ...change } = accept(registrationChange, typed)
          return updateRegistration(db, actor, clock, params.id, version, change)
        })
        if (!refusal) return leave(list, 'Registration updated successfully!')
        const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page('Edit registration', await editForm(params.id, form), refusal.status)
      },
      { params: idParams },
    )
    .post(
      `${list}/:id/toggle-received`,
      async ({ params, typed, actor, request, leave }) => {
        const { value, refusal } = await attempt(async () => toggleReceived(db, actor, clock, params.id, accept(receivedToggle, typed)?.version))
        return leave(
          backTo(request, list),
          refusal ? `!Failed to update registration: ${refusal.message}` : `Unit ${value.unit_number}: papers ${value.received ? 'received' : 'not received'}`,
        )
      },
      { params: idParams },
    )
}
