import { Elysia } from 'elysia'
import type { ReactNode } from 'react'
import { DeleteRecordPage } from '../../../views/ui/delete-record'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { failed } from '../http/message'
import { attempt } from '../http/page'
import type { Write } from '../records/transactions'

type OfUnit = { id: number; unit_number: string }
type Address<Pattern extends string> = ((id: number) => string) & { pattern: Pattern }

type Deletable<Stored, Removed, RemovePath extends string, RestorePath extends string> = {
  /** Noun for the record with its article, such as `a transport`. */
  what: `${'a' | 'an'} ${string}`
  /**
   * Routes that delete and restore the record. `restore` is a POST route.
   * `own` returns the URLs of the record's own pages. After the deletion, the user is not sent back to these pages.
   */
  paths: { remove: Address<RemovePath>; restore: Address<RestorePath>; own: ((id: number) => string)[] }
  find: (id: number) => Promise<Stored>
  remove: (write: Write, id: number) => Promise<Removed>
  restore: (write: Write, id: number) => Promise<Stored>
  /** URL of the record's list. The user returns there if there is no previous page. */
  listOf: (record?: NoInfer<Stored | Removed>) => string
  describe: (record: NoInfer<Stored>) => ReactNode
  failure?: string
}

export function deletionPages<
  Stored extends OfUnit,
  Gone extends OfUnit,
  const RemovePath extends string,
  const RestorePath extends string,
>(
  ctx: AppContext,
  { what, paths, find, remove, restore, listOf, describe, failure }: Deletable<Stored, Gone, RemovePath, RestorePath>,
) {
  const name = what.replace(/^an? /, '')
  const calls = (unit: string) => `${name[0]?.toUpperCase()}${name.slice(1)} of unit ${unit}`
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.remove.pattern,
      async ({ params: { id }, page, back }) => {
        const record = await find(id)
        const list = listOf(record)
        return page(
          `Delete ${name}`,
          <DeleteRecordPage
            title={`Delete ${name}?`}
            action={paths.remove(id)}
            cancel={list}
            form={{ values: {}, back: back(list) }}
          >
            {describe(record)}
          </DeleteRecordPage>,
        )
      },
      { params: idParams, detail: about({ summary: `Confirm the deletion of ${what}` }) },
    )
    .post(
      paths.remove.pattern,
      async ({ params: { id }, write, redirect, back }) => {
        const deleted = await remove(write, id)
        const to = back(listOf(deleted))
        const isGone = paths.own.some((own) => own(id) === to.split(/[?#]/)[0])
        return redirect(isGone ? listOf(deleted) : to, {
          text: `${calls(deleted.unit_number)} deleted`,
          undo: paths.restore(deleted.id),
        })
      },
      { params: idParams, detail: about({ summary: `Delete ${what}`, ...(failure && { failure }) }) },
    )
    .post(
      paths.restore.pattern,
      async ({ params: { id }, write, redirect, back }) => {
        const { value, refusal } = await attempt(() => restore(write, id))
        if (refusal) return redirect(back(listOf()), failed(refusal.message))
        return redirect(back(listOf(value)), { text: `${calls(value.unit_number)} restored`, made: value.id })
      },
      { params: idParams, detail: about({ summary: 'Restore a deleted record', ...(failure && { failure }) }) },
    )
}
