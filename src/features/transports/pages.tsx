import { Elysia } from 'elysia'
import { ActiveTransportsPage } from '../../../views/transports/active-page'
import { TransportForm } from '../../../views/transports/form'
import { isFollowed } from '../../../views/ui/form'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptChange, acceptForm, acceptLeniently, checkAll } from '../../platform/accept'
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
import { locationQueries, transportCompanyQueries } from '../places'
import { completedReportPage } from './completed-report-page'
import { transportListings } from './listings'
import {
  changeTransportStatus,
  createTransport,
  removeTransport,
  restoreTransport,
  typedDates,
  updateTransport,
} from './mutations'
import { findTransport, type NewTransport, type Transport, transportsEnteredBy } from './queries'
import { checkArrival, checkDates, statusChange, transport, transportChange, transportFilters } from './rules'
import { earlyDelivery, transportChangeWarnings, transportWarnings } from './warnings'

/** Fields that keep their values after "Create and enter another". */
const CARRIED_FIELDS = [
  'move_date',
  'location_out_id',
  'location_in_id',
  'transport_company_id',
  'move_type',
  'estimated_arrival_date',
]

const { active, completed, create, edit, remove, restore, status } = paths.transports

export const transportsPages = (ctx: AppContext) => {
  const { db, clock } = ctx

  const choices = async () => {
    const [locations, companies] = await Promise.all([locationQueries.active(db), transportCompanyQueries.active(db)])
    return { locations, companies }
  }
  const newForm = async (form: FormState, recent: Transport[] = []) => (
    <TransportForm
      title="New Transport Entry"
      action={create}
      form={form}
      {...(await choices())}
      isNew
      recent={recent}
    />
  )
  const editForm = async (id: number, form: FormState) => (
    <TransportForm title="Edit transport" action={edit(id)} form={form} {...(await choices())} isNew={false} />
  )
  const listOf = (row: { status: string }) => (row.status === 'Delivered' ? completed : active)

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      active,
      async ({ query, page }) => {
        // Show the earliest estimated arrivals first, because these transports are the most overdue.
        const filters = acceptLeniently(transportFilters, { sort: 'estimated_arrival_date', order: 'asc', ...query })
        const [{ lines, total }, names] = await Promise.all([
          transportListings.active(db, clock, filters).lines(),
          loadFilterNames(db, filters),
        ])
        return page(
          'Active Transports',
          <ActiveTransportsPage
            {...{ lines, names }}
            query={filters}
            meta={metaOf(filters, total)}
            today={clock.today()}
          />,
        )
      },
      { detail: about({ summary: 'Active Transports' }) },
    )
    .get(
      create,
      async ({ query, user, page }) => {
        const carriedValues = Object.fromEntries(
          CARRIED_FIELDS.flatMap((field) => (query[field] ? [[field, query[field]]] : [])),
        )
        const values = {
          ...{ move_type: 'Fleet', status: 'Awaiting Pickup', move_date: clock.today(), ...carriedValues },
          unit_number: query.unit_number ?? '',
        }
        return page('New Transport Entry', await newForm({ values }, await transportsEnteredBy(db, user.username)))
      },
      { detail: about({ summary: 'New Transport Entry', failure: 'Failed to load dropdown data' }) },
    )
    .post(
      create,
      ({ form, write, redirect, submit }) =>
        submit({
          title: 'New Transport Entry',
          show: (form) => newForm(form),
          async save() {
            const check = (values: NewTransport) =>
              checkAll(
                () => checkDates(values, clock.today()),
                () => checkArrival(values, null),
              )
            const values = await acceptForm(transport, form, check)
            await check(values)
            const warnings = await transportWarnings(db, clock, values)
            const save = (write: Write) => createTransport(write, values)
            return saveAfterWarnings(write, warnings, form, save, () => check(values))
          },
          done: ({ id }) => {
            const nextFormUrl = withQuery(
              create,
              Object.fromEntries(CARRIED_FIELDS.map((field) => [field, String(form[field] ?? '')])),
            )
            return redirect(isFollowed(form) ? nextFormUrl : active, {
              text: 'Transport created successfully!',
              made: id,
            })
          },
        }),
      { detail: about({ summary: 'Create a transport', failure: 'Failed to create transport' }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, back }) => {
        const values = await findTransport(db, params.id)
        return page('Edit transport', await editForm(params.id, { values, back: back(listOf(values)) }))
      },
      { params: idParams, detail: about({ summary: 'Edit a transport', failure: 'Failed to load dropdown data' }) },
    )
    .post(
      edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: 'Edit transport',
          show: (form) => editForm(params.id, form),
          async save() {
            const stored = await findTransport(db, params.id)
            const check = (values: NewTransport) =>
              checkAll(
                () => checkDates(typedDates(stored, values), clock.today()),
                () => checkArrival(values, stored.actual_arrival_date),
              )
            const rules = { changes: transportChange, rules: transport }
            const { version, ...change } = await acceptChange(rules, form, check)
            await check({ ...stored, ...change })
            const warnings = await transportChangeWarnings(db, clock, params.id, change)
            return saveAfterWarnings(write, warnings, form, (write) =>
              updateTransport(write, params.id, version, change),
            )
          },
          done: (row) => redirect(back(listOf(row)), { text: 'Transport updated successfully!', row: row.id }),
        }),
      { detail: about({ summary: 'Save a transport' }), params: idParams },
    )
    .post(
      status.pattern,
      async ({ params, query, form, write, redirect, back }) => {
        const { value, refusal } = await attempt(async () => {
          const before = await findTransport(db, params.id)
          return {
            before,
            after: await changeTransportStatus(write, params.id, accept(statusChange, { ...query, ...form })),
          }
        })
        if (refusal) return redirect(back(active), failed(`Failed to update status: ${refusal.message}`))
        const { before, after } = value
        return redirect(back(active), {
          text: [
            `Unit ${after.unit_number} is now ${after.status}`,
            ...earlyDelivery(after, clock.today()).map(({ message }) => message),
          ].join('. '),
          undo: withQuery(status(after.id), {
            status: before.status,
            actual_arrival_date: before.actual_arrival_date,
            version: after.version,
          }),
          row: after.id,
        })
      },
      { params: idParams, detail: about({ summary: 'Change a status', failure: 'Failed to update status' }) },
    )
    .use(
      deletionPages(ctx, {
        what: 'a transport',
        paths: { remove, restore, own: [edit] },
        find: (id) => findTransport(db, id),
        remove: removeTransport,
        restore: restoreTransport,
        listOf: (row) => (row ? listOf(row) : active),
        describe: (record) => (
          <>
            Unit <strong>{record.unit_number}</strong> from {record.location_out_name} to {record.location_in_name},
            move date {inWords(record.move_date)}.
          </>
        ),
      }),
    )
    .use(completedReportPage(ctx))
}
