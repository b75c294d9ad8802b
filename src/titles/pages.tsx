import { Elysia } from 'elysia'
import { TitleForm } from '../../views/titles/form'
import { TitlesPage, type TitleTab } from '../../views/titles/index-page'
import { TitlePage } from '../../views/titles/show-page'
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
  addTitleNote,
  createTitle,
  findTitle,
  listOverdueTitles,
  listPendingTitles,
  listTitleNotes,
  listTransferredTitles,
  reopenTitle,
  totalTitles,
  transferTitle,
  updateTitle,
} from './queries'
import { note, overdueFilters, title, titleChange, titleReopening, titleTransfer } from './rules'

const LISTS = { pending: listPendingTitles, overdue: listOverdueTitles, transferred: listTransferredTitles }

const { list, create, edit } = paths.titles

export const titlesPages = (office: Office) => {
  const { db, clock } = office
  const newForm = async (form: FormState) => <TitleForm isNew action={create} form={form} locations={await locationQueries.active(db)} />
  const editForm = async (id: number, form: FormState) => <TitleForm isNew={false} action={edit(id)} form={form} locations={await locationQueries.active(db)} />
  const show = async (id: number, form: FormState) => {
    const [found, notes] = await Promise.all([findTitle(db, clock, id), listTitleNotes(db, id)])
    return <TitlePage title={found} notes={notes} form={form} timeZone={clock.timeZone} />
  }

  return new Elysia()
    .use(signedInPages(office))
    .get(list, async ({ query, page }) => {
      const tab: TitleTab = query.tab === 'transferred' || query.tab === 'overdue' ? query.tab : 'pending'
      const asked = acceptLeniently(overdueFilters, query)
      const [{ rows, total }, totals] = await Promise.all([LISTS[tab](db, clock, asked), totalTitles(db, clock)])
      return page('Title Tracking', <TitlesPage tab={tab} rows={rows} query={asked} meta={metaOf(asked, total)} totals={totals} />)
    })
    .get(create, async ({ page }) => page('Add title', await newForm({ values: { submitted_date: clock.today() } })))
    .post(create, async ({ typed, actor, page, leave }) => {
      const { refusal } = await attempt(async () => createTitle(db, actor, clock, accept(title, typed)))
      return refusal ? page('Add title', await newForm({ values: typed, refusal }), refusal.status) : leave(list, 'Title tracking entry created successfully!')
    })
    .get('/titles/:id', async ({ params, page }) => page('Title', await show(params.id, { values: {} })), { params: idParams })
    .get('/titles/:id/edit', async ({ params, page }) => page('Edit title', await editForm(params.id, { values: await findTitle(db, clock, params.id) })), {
      params: idParams,
    })
    .post(
      '/titles/:id/edit',
      async ({ params, typed, actor, page, leave }) => {
        const { refusal } = await attempt(async () => {
          const { version, ...change } = accept(titleChange, typed)
          return updateTitle(db, actor, clock, params.id, version, change)
        })
        if (!refusal) return leave(list, 'Title updated successfully!')
        const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page('Edit title', await editForm(params.id, form), refusal.status)
      },
      { params: idParams },
    )
    .post(
      '/titles/:id/notes',
      async ({ params, typed, actor, page, leave }) => {
        const { refusal } = await attempt(async () => addTitleNote(db, actor, params.id, accept(note, typed).note_text))
        return refusal ? page('Title', await show(params.id, { values: typed, refusal }), refusal.status) : leave(paths.titles.show(params.id), 'Note added')
      },
      { params: idParams },
    )
    .post(
      '/titles/:id/transfer',
      async ({ params, typed, actor, request, leave }) => {
        const { value, refusal } = await attempt(async () => {
          const given = accept(titleTransfer, typed)
          return transferTitle(db, actor, clock, params.id, given?.version, given?.transferred_date)
        })
        return leave(
          backTo(request, list),
          refusal ? `!Failed to update title status: ${refusal.message}` : `Title of unit ${value.unit_number} is transferred`,
        )
      },
      { params: idParams },
    )
    .post(
      '/titles/:id/reopen',
      async ({ params, typed, actor, request, leave }) => {
        const { value, refusal } = await attempt(async () => reopenTitle(db, actor, clock, params.id, accept(titleReopening, typed)?.version))
        return leave(
          backTo(request, list),
          refusal ? `!Failed to update title status: ${refusal.message}` : `Title of unit ${value.unit_number} is pending again`,
        )
      },
      { params: idParams },
    )
}
