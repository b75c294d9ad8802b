import { Elysia } from 'elysia'
import { ActiveTransportsPage } from '../../views/transports/active-page'
import { CompletedTransportsPage } from '../../views/transports/completed-page'
import { DeleteTransportPage } from '../../views/transports/delete-page'
import { TransportForm } from '../../views/transports/form'
import type { FormState } from '../../views/ui/fields'
import { locationQueries } from '../admin/locations/queries'
import { transportCompanyQueries } from '../admin/transport-companies/queries'
import { signedInPages } from '../auth/guard'
import { accept, acceptLeniently, idParams } from '../fields'
import { metaOf } from '../http/answers'
import { changedSince } from '../http/changed-since'
import { attempt } from '../http/page'
import { backTo } from '../http/request'
import type { Office } from '../office'
import { paths, withQuery } from '../paths'
import { Stale } from '../refusals'
import {
  changeTransportStatus,
  createTransport,
  findTransport,
  listActiveTransports,
  listCompletedTransports,
  removeTransport,
  restoreTransport,
  totalTransports,
  updateTransport,
} from './queries'
import { reportDates, reportPeriod, statusChange, transport, transportChange, transportFilters } from './rules'

/** What stays the same when several transports are entered one after another. */
const CARRIED = ['move_date', 'location_out_id', 'location_in_id', 'transport_company_id', 'move_type', 'estimated_arrival_date']

export const transportsPages = (office: Office) => {
  const { db, clock } = office

  const choices = async () => {
    const [locations, companies] = await Promise.all([locationQueries.active(db), transportCompanyQueries.active(db)])
    return { locations, companies }
  }
  const newForm = async (form: FormState) => (
    <TransportForm title="New Transport Entry" action={paths.transports.create} form={form} {...(await choices())} isNew />
  )
  const editForm = async (id: number, form: FormState) => (
    <TransportForm title="Edit transport" action={paths.transports.edit(id)} form={form} {...(await choices())} isNew={false} />
  )

  return new Elysia()
    .use(signedInPages(office))
    .get(paths.transports.active, async ({ query, page }) => {
      const asked = acceptLeniently(transportFilters, query)
      const { rows, total } = await listActiveTransports(db, asked)
      return page('Active Transports', <ActiveTransportsPage rows={rows} query={asked} meta={metaOf(asked, total)} today={clock.today()} />)
    })
    .get(paths.transports.create, async ({ query, page }) => {
      const carried = Object.fromEntries(CARRIED.flatMap((field) => (query[field] ? [[field, query[field]]] : [])))
      const values = { move_type: 'Fleet', status: 'Awaiting Pickup', move_date: clock.today(), ...carried }
      return page('New Transport Entry', await newForm({ values }))
    })
    .post(paths.transports.create, async ({ typed, actor, page, leave }) => {
      const { refusal } = await attempt(async () => createTransport(db, actor, accept(transport, typed), clock.today()))
      if (refusal) return page('New Transport Entry', await newForm({ values: typed, refusal }), refusal.status)
      const again = withQuery(paths.transports.create, Object.fromEntries(CARRIED.map((field) => [field, String(typed[field] ?? '')])))
      return leave(typed.next === 'another' ? again : paths.transports.active, 'Transport created successfully!')
    })
    .get(
      `/transports/:id/edit`,
      async ({ params, page }) => page('Edit transport', await editForm(params.id, { values: await findTransport(db, params.id) })),
      { params: idParams },
    )
    .post(
      '/transports/:id/edit',
      async ({ params, typed, actor, page, leave }) => {
        const { value, refusal } = await attempt(async () => {
          const { version, ...change } = accept(transportChange, typed)
          return updateTransport(db, actor, params.id, version, change, clock.today())
        })
        if (!refusal) return leave(value.status === 'Delivered' ? paths.transports.completed : paths.transports.active, 'Transport updated successfully!')
        const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page('Edit transport', await editForm(params.id, form), refusal.status)
      },
      { params: idParams },
    )
    .post(
      '/transports/:id/status',
      async ({ params, typed, actor, request, leave }) => {
        const { value, refusal } = await attempt(async () => changeTransportStatus(db, actor, params.id, accept(statusChange, typed), clock.today()))
        return leave(
          backTo(request, paths.transports.active),
          refusal ? `!Failed to update status: ${refusal.message}` : `Unit ${value.unit_number} is now ${value.status}`,
        )
      },
      { params: idParams },
    )
    .get(
      '/transports/:id/delete',
      async ({ params, page }) => page('Delete transport', <DeleteTransportPage transport={await findTransport(db, params.id)} />),
      { params: idParams },
    )
    .post(
      '/transports/:id/delete',
      async ({ params, actor, leave }) => {
        const removed = await removeTransport(db, actor, params.id)
        return leave(removed.status === 'Delivered' ? paths.transports.completed : paths.transports.active, {
          text: `Transport of unit ${removed.unit_number} deleted`,
          undo: paths.transports.restore(removed.id),
        })
      },
      { params: idParams },
    )
    .post(
      '/transports/:id/restore',
      async ({ params, actor, request, leave }) => {
        const { value, refusal } = await attempt(() => restoreTransport(db, actor, params.id))
        return leave(backTo(request, '/transports/'), refusal ? `!${refusal.message}` : `Transport of unit ${value.unit_number} is back`)
      },
      { params: idParams },
    )
    .get(paths.transports.completed, async ({ query, page }) => {
      const asked = acceptLeniently(transportFilters, query)
      const { value: period, refusal } = await attempt(async () => reportPeriod(accept(reportDates, query), clock.today()))
      if (refusal) {
        const empty = { ...asked, start_date: asked.start_date ?? '', end_date: asked.end_date ?? '' }
        return page(
          'Completed Transport Report',
          <CompletedTransportsPage rows={[]} totals={[]} query={empty} meta={metaOf(asked, 0)} refusal={refusal.message} />,
          refusal.status,
        )
      }
      const within = { ...asked, ...period }
      const [{ rows, total }, totals] = await Promise.all([listCompletedTransports(db, within), totalTransports(db, within)])
      return page('Completed Transport Report', <CompletedTransportsPage rows={rows} totals={totals} query={within} meta={metaOf(asked, total)} />)
    })
}
