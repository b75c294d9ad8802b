import { Elysia } from 'elysia'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { DeletePage } from '../../../views/places/delete-page'
import type { MasterIndexProps } from '../../../views/places/index-props'
import { isFollowed } from '../../../views/ui/form'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { changeOf, idParams, versionOnly } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { failed } from '../../platform/http/message'
import { attempt, type pageFor } from '../../platform/http/page'
import { type RecordPaths, withQuery } from '../../platform/paths'
import type { MasterFilters, MasterItem, MasterQueries } from '../../platform/records/master-data/queries'
import type { Write } from '../../platform/records/transactions'
import { importPages } from './import-pages'
import type { MasterImportColumn } from './import-table'
import { mergePages } from './merge-pages'

export type MasterPages<Item extends MasterItem> = {
  queries: MasterQueries<Item>
  rules: z.ZodObject
  filters: z.ZodType<MasterFilters>
  /** Capitalized singular noun for messages, such as `Location`. */
  noun: string
  /** Plural noun in lowercase, such as `locations`. */
  many: string
  title: string
  nameOf: (item: Item) => string
  paths: RecordPaths
  defaults: Record<string, unknown>
  columns: MasterImportColumn[]
  /** Fields whose values carry over to the next form. This happens when a user creates several records in a row. */
  carriedFields: string[]
  Index: (props: MasterIndexProps<Item>) => ReactNode
  /** Component that renders one table row again after a change. */
  Row: (props: { row: Item }) => ReactNode
  Form: (props: { action: string; form: FormState; isNew: boolean; types: string[] }) => ReactNode
}

type RouteContext = {
  params: { id: number }
  query: Record<string, unknown>
  form: Record<string, unknown>
  write: Write
  back: (fallback: string) => string
  inRow: ReturnType<typeof pageFor>['inRow']
}

const pick = (values: Record<string, unknown>, names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])))

export function masterPages<Item extends MasterItem>(ctx: AppContext, config: MasterPages<Item>) {
  const { queries, rules, filters, noun, many, title, nameOf, paths, carriedFields, Index, Row, Form } = config
  const { db } = ctx
  const changes = changeOf(rules)
  const lowerNoun = noun.toLowerCase()
  const newForm = async (form: FormState) => (
    <Form isNew action={paths.create} form={form} types={await queries.types(db)} />
  )
  const editForm = async (id: number, form: FormState) => (
    <Form isNew={false} action={paths.edit(id)} form={form} types={await queries.types(db)} />
  )
  const turn = async ({ params: { id }, query, form, write, back, inRow }: RouteContext, isActive: boolean) => {
    const { value, refusal } = await attempt(async () => {
      const input = accept(versionOnly, { ...query, ...form })
      return queries.setActive(write, id, input?.version, isActive)
    })
    const word = isActive ? 'activated' : 'deactivated'
    const reason = refusal?.status === 409 ? `: ${refusal.message}` : ''
    const message = refusal ? failed(`Failed to update ${lowerNoun}${reason}`) : { text: `${noun} ${word}` }
    const undo = value
      ? { undo: withQuery(isActive ? paths.deactivate(id) : paths.activate(id), { version: value.version }) }
      : {}
    return inRow(back(paths.list), async () => <Row row={await queries.find(db, id)} />, {
      ...message,
      row: id,
      ...undo,
    })
  }

  return new Elysia({ detail: about({ role: 'admin' }) })
    .use(signedInPages(ctx))
    .get(
      paths.list,
      async ({ query, page }) => {
        const listFilters = acceptLeniently(filters, query)
        const [{ rows, total }, types, merges] = await Promise.all([
          queries.list(db, listFilters),
          queries.types(db),
          queries.recentMerges(db, ctx.clock.now()),
        ])
        return page(title, <Index {...{ rows, types, merges }} query={listFilters} meta={metaOf(listFilters, total)} />)
      },
      { detail: about({ summary: `Manage ${many}`, failure: `Failed to fetch ${many}` }) },
    )
    .get(
      paths.create,
      async ({ query, page, back }) => {
        const values = { ...config.defaults, ...pick(query, carriedFields) }
        return page(`Add ${lowerNoun}`, await newForm({ values, back: back(paths.list) }))
      },
      { detail: about({ summary: `Add a ${lowerNoun}` }) },
    )
    .post(
      paths.create,
      ({ form, write, redirect, back, submit }) =>
        submit({
          title: `Add ${lowerNoun}`,
          show: newForm,
          save: async () => queries.create(write, accept(rules, form)),
          done: ({ id }) =>
            redirect(isFollowed(form) ? withQuery(paths.create, pick(form, carriedFields)) : back(paths.list), {
              text: `${noun} created successfully`,
              made: id,
            }),
        }),
      { detail: about({ summary: `Create a ${lowerNoun}` }) },
    )
    .get(
      paths.edit.pattern,
      async ({ params, page, back }) =>
        page(
          `Edit ${lowerNoun}`,
          await editForm(params.id, { values: await queries.find(db, params.id), back: back(paths.list) }),
        ),
      { detail: about({ summary: `Edit a ${lowerNoun}` }), params: idParams },
    )
    .post(
      paths.edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: `Edit ${lowerNoun}`,
          show: (form) => editForm(params.id, form),
          async save() {
            const { version, ...change } = accept(changes, form)
            return queries.update(write, params.id, version, change)
          },
          done: ({ id }) => redirect(back(paths.list), { text: `${noun} updated successfully`, row: id }),
        }),
      { detail: about({ summary: `Save a ${lowerNoun}` }), params: idParams },
    )
    .post(paths.activate.pattern, (at) => turn(at, true), {
      params: idParams,
      detail: about({ summary: `Activate a ${lowerNoun}`, failure: `Failed to update ${lowerNoun}` }),
    })
    .post(paths.deactivate.pattern, (at) => turn(at, false), {
      params: idParams,
      detail: about({ summary: `Deactivate a ${lowerNoun}`, failure: `Failed to update ${lowerNoun}` }),
    })
    .get(
      paths.remove.pattern,
      async ({ params, page }) => {
        const [item, usage] = await Promise.all([queries.find(db, params.id), queries.usage(db, params.id)])
        return page(
          `Delete ${noun.toLowerCase()}`,
          <DeletePage
            noun={noun.toLowerCase()}
            name={nameOf(item)}
            isActive={item.is_active}
            usage={usage}
            action={paths.remove(params.id)}
            cancel={paths.list}
            merge={paths.merge(params.id)}
            deactivate={paths.deactivate(params.id)}
            version={item.version}
          />,
        )
      },
      { detail: about({ summary: `Confirm the deletion of a ${lowerNoun}` }), params: idParams },
    )
    .post(
      paths.remove.pattern,
      async ({ params, write, redirect, back }) => {
        const { refusal } = await attempt(() => queries.remove(write, params.id))
        return redirect(back(paths.list), refusal ? failed(refusal.message) : `${noun} deleted successfully`)
      },
      {
        params: idParams,
        detail: about({ summary: `Delete an unused ${lowerNoun}`, failure: `Cannot delete ${lowerNoun}` }),
      },
    )
    .use(mergePages(ctx, config))
    .use(importPages(ctx, config))
}
