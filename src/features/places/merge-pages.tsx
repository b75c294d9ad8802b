import { Elysia } from 'elysia'
import { MergePage } from '../../../views/places/merges'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { mergeInto } from '../../platform/records/master-data/merge'
import type { MasterItem } from '../../platform/records/master-data/queries'
import type { MasterPages } from './master-data-pages'

export function mergePages<Item extends MasterItem>(ctx: AppContext, config: MasterPages<Item>) {
  const { queries, noun, many, nameOf, paths } = config
  const { db } = ctx
  const lowerNoun = noun.toLowerCase()
  const mergeForm = async (id: number, form: FormState) => {
    const [item, usage, items] = await Promise.all([queries.find(db, id), queries.usage(db, id), queries.active(db)])
    return (
      <MergePage
        {...{ usage, form }}
        noun={lowerNoun}
        name={nameOf(item)}
        others={items.filter((other) => other.id !== id).map((other) => ({ value: other.id, label: nameOf(other) }))}
        action={paths.merge(id)}
        cancel={paths.list}
      />
    )
  }
  return new Elysia({ detail: about({ role: 'admin' }) })
    .use(signedInPages(ctx))
    .get(
      paths.merge.pattern,
      async ({ params, page }) => page(`Merge ${lowerNoun}`, await mergeForm(params.id, { values: {} })),
      {
        detail: about({ summary: `Form to merge a ${lowerNoun} into another` }),
        params: idParams,
      },
    )
    .post(
      paths.merge.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: `Merge ${lowerNoun}`,
          show: (form) => mergeForm(params.id, form),
          save: async () => queries.merge(write, params.id, accept(mergeInto, form).into_id),
          done: ({ id, from_name, into_id, into_name }) =>
            redirect(back(paths.list), {
              text: `${from_name} merged into ${into_name}`,
              undo: paths.takeBack(id),
              row: into_id,
            }),
        }),
      { detail: about({ summary: `Merge a ${lowerNoun} into another` }), params: idParams },
    )
    .post(
      paths.takeBack.pattern,
      async ({ params, write, redirect, back }) => {
        const { value, refusal } = await attempt(() => queries.takeBack(write, params.id))
        return redirect(
          back(paths.list),
          refusal
            ? failed(refusal.message)
            : { text: `Merge undone. ${value.from_name} restored.`, row: value.from_id },
        )
      },
      { detail: about({ summary: `Undo a merge of ${many}` }), params: idParams },
    )
}
