import { Elysia } from 'elysia'
import { TitleListRow, type TitleTab } from '../../../views/titles/columns'
import { TitleForm } from '../../../views/titles/form'
import { TitlesPage } from '../../../views/titles/index-page'
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
import { titleEntryPages } from './entry-pages'
import {
  createTitle,
  prepareTitle,
  removeTitle,
  reopenTitle,
  restoreTitle,
  transferTitle,
  updateTitle,
} from './mutations'
import { findTitle, titleListings, totalTitles } from './queries'
import { checkDates, overdueFilters, title, titleChange, titleReopening, titleTransfer } from './rules'
import { titleChangeWarnings, titleWarnings } from './warnings'

const LISTS = {
  pending: titleListings.pending,
  overdue: titleListings.overdue,
  transferred: titleListings.transferred,
}

const { list, create, edit, remove, reopen, restore, show, transfer } = paths.titles

export const titlesPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const newForm = async (form: FormState) => (
    <TitleForm isNew action={create} form={form} locations={await locationQueries.active(db)} />
  )
  const editForm = async (id: number, form: FormState) => (
    <TitleForm isNew={false} action={edit(id)} form={form} locations={await locationQueries.active(db)} />
  )
  const row = (id: number, from: string) => async () => (
    <TitleListRow
      row={await findTitle(db, clock, id)}
      tab={/[?&]tab=transferred/.test(from) ? 'transferred' : 'pending'}
      isChanged
    />
  )

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, page }) => {
        const tab: TitleTab = query.tab === 'transferred' || query.tab === 'overdue' ? query.tab : 'pending'
        const defaultSort = tab === 'transferred' ? { sort: 'transferred_date', order: 'desc' } : {}
        const filters = acceptLeniently(overdueFilters, { ...defaultSort, ...query })
        const [{ lines, total }, totals, names] = await Promise.all([
          LISTS[tab](db, clock, filters).lines(),
          totalTitles(db, clock),
          loadFilterNames(db, filters),
        ])
        return page(
          'Title Tracking',
          <TitlesPage {...{ tab, lines, totals, names }} query={filters} meta={metaOf(filters, total)} />,
        )
      },
      { detail: about({ summary: 'Title Tracking page: pending, transferred and overdue titles' }) },
    )
    .get(
      create,
      async ({ query, page, back }) => {
        const { unit_number, location_id } = query
        const values = { submitted_date: clock.today(), unit_number, location_id }
        return page('Add title', await newForm({ values, back: back(list) }))
      },
      {
        detail: about({ summary: 'Add a title', failure: 'Failed to load dropdown data' }),
      },
    )
    .post(
      create,
      ({ form, write, redirect, back, submit }) =>
        submit({
          title: 'Add title',
          show: newForm,
          async save() {
            const values = await acceptForm(title, form, checkDates)
            const warnings = await titleWarnings(db, clock, values)
            const save = (write: Write) => createTitle(write, values)
            return saveAfterWarnings(write, warnings, form, save, async (write) => prepareTitle(write, values))
          },
          done: ({ id, location_id }) =>
            redirect(isFollowed(form) ? withQuery(create, { location_id }) : back(list), {
              text: 'Title tracking entry created successfully!',
              made: id,
            }),
        }),
      { detail: about({ summary: 'Create a title', failure: 'Failed to create title tracking entry' }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, back }) =>
        page(
          'Edit title',
          await editForm(params.id, { values: await findTitle(db, clock, params.id), back: back(list) }),
        ),
      { params: idParams, detail: about({ summary: 'Edit a title', failure: 'Failed to load dropdown data' }) },
    )
    .post(
      edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: 'Edit title',
          show: (form) => editForm(params.id, form),
          async save() {
            const rules = { changes: titleChange, rules: title }
            const { version, ...change } = await acceptChange(rules, form, checkDates)
            const warnings = await titleChangeWarnings(db, clock, params.id, change)
            return saveAfterWarnings(write, warnings, form, (write) => updateTitle(write, params.id, version, change))
          },
          done: ({ id }) => redirect(back(list), { text: 'Title updated successfully!', row: id }),
        }),
      { detail: about({ summary: 'Save a title' }), params: idParams },
    )
    .post(
      transfer.pattern,
      async ({ params, query, form, write, back, inRow }) => {
        const { value, refusal } = await attempt(async () => {
          const input = accept(titleTransfer, { ...query, ...form })
          return transferTitle(write, params.id, input?.version, input?.transferred_date)
        })
        const message = refusal
          ? failed(`Failed to update title status: ${refusal.message}`)
          : { text: `Title of unit ${value.unit_number} is transferred` }
        const undo = value ? { undo: withQuery(reopen(value.id), { version: value.version }) } : {}
        return inRow(back(list), row(params.id, back(list)), { ...message, row: params.id, ...undo })
      },
      {
        params: idParams,
        detail: about({ summary: 'Mark a title as transferred', failure: 'Failed to update title status' }),
      },
    )
    .post(
      reopen.pattern,
      async ({ params, query, form, write, back, inRow }) => {
        const { value, refusal } = await attempt(async () => {
          const before = await findTitle(db, clock, params.id)
          const after = await reopenTitle(write, params.id, accept(titleReopening, { ...query, ...form })?.version)
          return { ...after, was: before.transferred_date }
        })
        const message = refusal
          ? failed(`Failed to update title status: ${refusal.message}`)
          : { text: `Title of unit ${value.unit_number} is pending again` }
        const undo = value?.was
          ? { undo: withQuery(transfer(value.id), { transferred_date: value.was, version: value.version }) }
          : {}
        return inRow(back(list), row(params.id, back(list)), { ...message, row: params.id, ...undo })
      },
      { params: idParams, detail: about({ summary: 'Undo a transfer', failure: 'Failed to update title status' }) },
    )
    .use(titleEntryPages(ctx))
    .use(
      deletionPages(ctx, {
        what: 'a title',
        paths: { remove, restore, own: [show, edit] },
        find: (id) => findTitle(db, clock, id),
        remove: removeTitle,
        restore: restoreTitle,
        listOf: () => list,
        describe: (record) => (
          <>
            The title of unit <strong>{record.unit_number}</strong> at {record.location_name}, submitted{' '}
            {inWords(record.submitted_date)}, with its notes.
          </>
        ),
      }),
    )
}
