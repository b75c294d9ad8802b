import { Elysia } from 'elysia'
import { SavedViewForm } from '../../../../views/saved-views/form'
import { SavedViewsPage } from '../../../../views/saved-views/index-page'
import { Form } from '../../../../views/ui/form'
import { FormPage } from '../../../../views/ui/form-page'
import type { FormState } from '../../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../accept'
import type { CurrentUser } from '../../auth/current-user'
import { signedInPages } from '../../auth/guard'
import type { AppContext } from '../../context'
import { idParams } from '../../fields'
import { about } from '../../http/about'
import { metaOf } from '../../http/answers'
import { failed } from '../../http/message'
import { attempt } from '../../http/page'
import { paths } from '../../paths'
import { createView, findOwnView, listViews, ownViews, removeView, updateView } from './queries'
import { savedView, savedViewChange, savedViewFilters, viewToReplace } from './rules'

const { list, create, edit, remove } = paths.views

export const savedViewsPages = (ctx: AppContext) => {
  const { db } = ctx
  const newForm = async (user: CurrentUser, form: FormState) => (
    <SavedViewForm
      title="Save view"
      action={create}
      form={form}
      instead={(await ownViews(db, user, form.values.list)).map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
  const editForm = (id: number) => (form: FormState) => (
    <SavedViewForm title="Edit view" action={edit(id)} form={form} />
  )
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, user, page }) => {
        const filters = acceptLeniently(savedViewFilters, query)
        const { rows, total } = await listViews(db, user, filters)
        const isAdmin = user.role === 'admin'
        return page(
          'Saved views',
          <SavedViewsPage {...{ rows, isAdmin }} query={filters} meta={metaOf(filters, total)} />,
        )
      },
      { detail: about({ summary: 'List saved views' }) },
    )
    .get(
      create,
      async ({ query, user, page, back }) =>
        page('Save view', await newForm(user, { values: { list: query.list, query: query.query }, back: back(list) })),
      { detail: about({ summary: 'Form to save a view' }) },
    )
    .post(
      create,
      ({ form, user, write, redirect, submit }) =>
        submit({
          title: 'Save view',
          show: (form) => newForm(user, form),
          async save() {
            const { instead } = accept(viewToReplace, form)
            if (instead === null) return createView(write, user, accept(savedView, form))
            const { query } = accept(savedViewChange, { query: form.query })
            return updateView(write, user, instead, undefined, { query })
          },
          done: ({ url, name }) => redirect(url, `View “${name}” saved`),
        }),
      { detail: about({ summary: 'Save a view' }) },
    )
    .get(
      edit.pattern,
      async ({ params, user, page, back }) =>
        page('Edit view', editForm(params.id)({ values: await findOwnView(db, user, params.id), back: back(list) })),
      { params: idParams, detail: about({ summary: 'Edit a saved view' }) },
    )
    .post(
      edit.pattern,
      ({ params, form, user, write, redirect, back, submit }) =>
        submit({
          title: 'Edit view',
          show: editForm(params.id),
          async save() {
            const { version, ...change } = accept(savedViewChange, form)
            return updateView(write, user, params.id, version, change)
          },
          done: ({ id, name }) => redirect(back(list), { text: `“${name}” is saved`, row: id }),
        }),
      { params: idParams, detail: about({ summary: 'Update a saved view' }) },
    )
    .get(
      remove.pattern,
      async ({ params, user, page, back }) => {
        const { id, name, shared } = await findOwnView(db, user, params.id)
        return page(
          'Delete view',
          <FormPage title="Delete view?">
            <p>
              <strong>{name}</strong> is removed from {shared ? 'everyone’s' : 'your'} sidebar. No records change.
            </p>
            <Form
              action={remove(id)}
              form={{ values: {}, back: back(list) }}
              submit="Delete"
              busy="Deleting..."
              cancel={list}
              danger
            />
          </FormPage>,
        )
      },
      { params: idParams, detail: about({ summary: 'Confirm the deletion of a saved view' }) },
    )
    .post(
      remove.pattern,
      async ({ params, user, write, redirect, back }) => {
        const { value, refusal } = await attempt(() => removeView(write, user, params.id))
        return redirect(back(list), refusal ? failed(refusal.message) : `“${value.name}” is deleted`)
      },
      { params: idParams, detail: about({ summary: 'Delete a saved view' }) },
    )
}
