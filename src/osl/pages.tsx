import { Elysia } from 'elysia'
import { ActiveOslPage } from '../../views/osl/active-page'
import { CompletedOslPage } from '../../views/osl/completed-page'
import { OslForm } from '../../views/osl/form'
import { OslPage } from '../../views/osl/show-page'
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
  addOslNote,
  calculateFees,
  changeOslStatus,
  createOslEntry,
  findOslEntry,
  listActiveOsl,
  listCompletedOsl,
  listOslNotes,
  totalStorageFees,
  updateOslEntry,
} from './queries'
import { completedOslFilters, completedPeriod, note, oslChange, oslEntry, oslFilters, oslStatusChange } from './rules'

export const oslPages = (office: Office) => {
  const { db, clock } = office
  const newForm = async (form: FormState) => (
    <OslForm isNew title="New OSL Entry" action={paths.osl.create} form={form} locations={await locationQueries.active(db)} />
  )
  const editForm = async (id: number, form: FormState) => (
    <OslForm isNew={false} title="Edit OSL entry" action={paths.osl.edit(id)} form={form} locations={await locationQueries.active(db)} />
  )
  const show = async (id: number, form: FormState) => {
    const [entry, fees, notes] = await Promise.all([findOslEntry(db, clock, id), calculateFees(db, clock, id), listOslNotes(db, id)])
    return <OslPage entry={entry} fees={fees} notes={notes} form={form} timeZone={clock.timeZone} />
  }

  return new Elysia()
    .use(signedInPages(office))
    .get(paths.osl.active, async ({ query, page, clerk }) => {
      const asked = acceptLeniently(oslFilters, query)
      const [{ rows, total }, feesTotal] = await Promise.all([
        listActiveOsl(db, clock, asked),
        clerk.role === 'admin' && !asked.q && !asked.status ? totalStorageFees(db, clock) : null,
      ])
      return page('Active OSL', <ActiveOslPage rows={rows} query={asked} meta={metaOf(asked, total)} feesTotal={feesTotal} />)
    })
    .get(paths.osl.create, async ({ page }) => page('New OSL Entry', await newForm({ values: { osl_date: clock.today(), status: 'Out of Service' } })))
    .post(paths.osl.create, async ({ typed, actor, page, leave }) => {
      const { refusal } = await attempt(async () => createOslEntry(db, actor, clock, accept(oslEntry, typed)))
      if (refusal) return page('New OSL Entry', await newForm({ values: typed, refusal }), refusal.status)
      return leave(paths.osl.active, 'OSL entry created successfully!')
    })
    .get(paths.osl.completed, async ({ query, page }) => {
      const asked = acceptLeniently(completedOslFilters, query)
      const isSearched = Boolean(query.search || query.start_date || query.end_date)
      const shown = { ...asked, start_date: asked.start_date ?? '', end_date: asked.end_date ?? '' }
      const nothing = (refusal?: string) => (
        <CompletedOslPage rows={[]} query={shown} meta={metaOf(asked, 0)} isSearched={isSearched} refusal={refusal} timeZone={clock.timeZone} />
      )
      if (!isSearched) return page('Completed OSL Logs', nothing())
      const { value: period, refusal } = await attempt(async () => completedPeriod(asked))
      if (refusal) return page('Completed OSL Logs', nothing(refusal.message), refusal.status)
      const { rows, total } = await listCompletedOsl(db, clock, { ...asked, ...period })
      return page('Completed OSL Logs', <CompletedOslPage rows={rows} query={shown} meta={metaOf(asked, total)} isSearched timeZone={clock.timeZone} />)
    })
    .get('/osl/:id', async ({ params, page }) => page('OSL entry', await show(params.id, { values: {} })), { params: idParams })
    .post(
      '/osl/:id/notes',
      async ({ params, typed, actor, page, leave }) => {
        const { refusal } = await attempt(async () => addOslNote(db, actor, params.id, accept(note, typed).note_text))
        return refusal ? page('OSL entry', await show(params.id, { values: typed, refusal }), refusal.status) : leave(paths.osl.show(params.id), 'Note added')
      },
      { params: idParams },
    )
    .get('/osl/:id/edit', async ({ params, page }) => page('Edit OSL entry', await editForm(params.id, { values: await findOslEntry(db, clock, params.id) })), {
      params: idParams,
    })
    .post(
      '/osl/:id/edit',
      async ({ params, typed, actor, page, leave }) => {
        const { refusal } = await attempt(async () => {
          const { version, ...change } = accept(oslChange, typed)
          return updateOslEntry(db, actor, clock, params.id, version, change)
        })
        if (!refusal) return leave(paths.osl.show(params.id), 'OSL entry updated successfully!')
        const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page('Edit OSL entry', await editForm(params.id, form), refusal.status)
      },
      { params: idParams },
    )
    .post(
      '/osl/:id/status',
      async ({ params, typed, actor, request, leave }) => {
        const { value, refusal } = await attempt(async () => changeOslStatus(db, actor, clock, params.id, accept(oslStatusChange, typed)))
        return leave(
          backTo(request, paths.osl.active),
          refusal ? `!Failed to update status: ${refusal.message}` : `Unit ${value.unit_number} is now ${value.status}`,
        )
      },
      { params: idParams },
    )
}
