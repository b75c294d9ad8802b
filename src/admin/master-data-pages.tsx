import { Elysia } from 'elysia'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { DeletePage } from '../../views/admin/delete-page'
import type { MasterIndexProps } from '../../views/admin/index-props'
import type { FormState } from '../../views/ui/fields'
import { signedInPages } from '../auth/guard'
import { accept, acceptLeniently, changeOf, idParams } from '../fields'
import { metaOf } from '../http/answers'
import { changedSince } from '../http/changed-since'
import { attempt } from '../http/page'
import { backTo } from '../http/request'
import type { Office } from '../office'
import { Stale } from '../refusals'
import type { MasterFilters, MasterItem, MasterQueries } from './master-data'

type Door<Item extends MasterItem> = {
  queries: MasterQueries<Item>
  rules: z.ZodObject
  filters: z.ZodType<MasterFilters>
  /** As messages say it: `Location`. */
  noun: string
  title: string
  nameOf: (item: Item) => string
  paths: { list: string; create: string; edit: (id: number) => string; remove: (id: number) => string }
  defaults: Record<string, unknown>
  Index: (props: MasterIndexProps<Item>) => ReactNode
  Form: (props: { action: string; form: FormState; isNew: boolean; types: string[] }) => ReactNode
}

/** The admin's pages of one kind of master data: the list, its forms and its switches. */
export function masterPages<Item extends MasterItem>(office: Office, door: Door<Item>) {
  const { queries, rules, filters, noun, title, nameOf, paths, Index, Form } = door
  const { db } = office
  const changes = changeOf(rules)

  return new Elysia()
    .use(signedInPages(office, 'admin'))
    .get(paths.list, async ({ query, page }) => {
      const asked = acceptLeniently(filters, query)
      const [{ rows, total }, types] = await Promise.all([queries.list(db, asked), queries.types(db)])
      return page(title, <Index rows={rows} query={asked} meta={metaOf(asked, total)} types={types} />)
    })
    .get(paths.create, async ({ page }) =>
      page(`Add ${noun.toLowerCase()}`, <Form isNew action={paths.create} form={{ values: door.defaults }} types={await queries.types(db)} />),
    )
    .post(paths.create, async ({ typed, actor, page, leave }) => {
      const { refusal } = await attempt(async () => queries.create(db, actor, accept(rules, typed)))
      if (!refusal) return leave(paths.list, `${noun} created successfully`)
      const form = { values: typed, refusal }
      return page(`Add ${noun.toLowerCase()}`, <Form isNew action={paths.create} form={form} types={await queries.types(db)} />, refusal.status)
    })
    .get(
      `${paths.list}/:id/edit`,
      async ({ params, page }) => {
        const item = await queries.find(db, params.id)
        return page(`Edit ${noun.toLowerCase()}`, <Form isNew={false} action={paths.edit(params.id)} form={{ values: item }} types={await queries.types(db)} />)
      },
      { params: idParams },
    )
    .post(
      `${paths.list}/:id/edit`,
      async ({ params, typed, actor, page, leave }) => {
        const { refusal } = await attempt(async () => {
          const { version, ...change } = accept(changes, typed)
          return queries.update(db, actor, params.id, version, change)
        })
        if (!refusal) return leave(paths.list, `${noun} updated successfully`)
        const form = { values: typed, refusal, ...(refusal instanceof Stale ? changedSince(refusal.current, typed) : {}) }
        return page(
          `Edit ${noun.toLowerCase()}`,
          <Form isNew={false} action={paths.edit(params.id)} form={form} types={await queries.types(db)} />,
          refusal.status,
        )
      },
      { params: idParams },
    )
    .post(
      `${paths.list}/:id/activate`,
      async ({ params, actor, request, leave }) => {
        const { refusal } = await attempt(() => queries.setActive(db, actor, params.id, true))
        return leave(backTo(request, paths.list), refusal ? `!Failed to update ${noun.toLowerCase()}` : `${noun} activated`)
      },
      { params: idParams },
    )
    .post(
      `${paths.list}/:id/deactivate`,
      async ({ params, actor, request, leave }) => {
        const { refusal } = await attempt(() => queries.setActive(db, actor, params.id, false))
        return leave(backTo(request, paths.list), refusal ? `!Failed to update ${noun.toLowerCase()}` : `${noun} deactivated`)
      },
      { params: idParams },
    )
    .get(
      `${paths.list}/:id/delete`,
      async ({ params, page }) => {
        const [item, usage] = await Promise.all([queries.find(db, params.id), queries.usage(db, params.id)])
        return page(
          `Delete ${noun.toLowerCase()}`,
          <DeletePage noun={noun.toLowerCase()} name={nameOf(item)} usage={usage} action={paths.remove(params.id)} cancel={paths.list} />,
        )
      },
      { params: idParams },
    )
    .post(
      `${paths.list}/:id/delete`,
      async ({ params, actor, leave }) => {
        const { refusal } = await attempt(() => queries.remove(db, actor, params.id))
        return leave(paths.list, refusal ? `!${refusal.message}` : `${noun} deleted successfully`)
      },
      { params: idParams },
    )
}
