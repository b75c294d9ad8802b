import { Elysia } from 'elysia'
import { AssignForm } from '../../../views/due/assign-form'
import type { DueRow } from '../../../views/due/columns'
import { DuePage } from '../../../views/due/due-page'
import { SnoozeForm } from '../../../views/due/snooze-form'
import type { FormState } from '../../../views/ui/form-state'
import { accept, acceptLeniently } from '../../platform/accept'
import { activeUsernames } from '../../platform/auth/accounts'
import { signedInPages } from '../../platform/auth/guard'
import { addDays } from '../../platform/clock'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { metaOf } from '../../platform/http/answers'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { paths, withQuery } from '../../platform/paths'
import { dueRules } from '../../platform/records/kind'
import type { SerializedRow } from '../../platform/records/listing'
import { inWords } from '../../platform/records/warnings'
import { dueCalendar } from '../settings'
import { assignDue, countDue, type DueItem, findDue, listDue, snoozeDue, unsnoozeDue } from './queries'
import { assignment, dueFilters, dueParams, snooze } from './rules'

const { assign, assignPattern, list, snoozePattern, unsnooze, unsnoozePattern } = paths.due

/**
 * Builds one row of the due list.
 * The `id` of the row combines the record's id and the kind, because two due items of different kinds can have the same
 * record id. It stays the same when other items leave the list, so that scripts recognize the row.
 */
function lineOf(item: DueItem): SerializedRow<DueRow> {
  const kinds = dueRules().map(({ name }) => name)
  const id = item.id * kinds.length + kinds.indexOf(item.kind)
  return { text: JSON.stringify({ ...item, row: id }), read: () => ({ ...item, id, item }) }
}

export const duePages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const calendar = () => dueCalendar(db, clock)
  const nextWeek = () => addDays(clock.today(), 7)
  const snoozeForm = async (kind: string, id: number, form: FormState) => (
    <SnoozeForm item={await findDue(db, await calendar(), kind, id)} form={form} />
  )
  const assignForm = async (kind: string, id: number, form: FormState) => {
    const [item, usernames] = await Promise.all([findDue(db, await calendar(), kind, id), activeUsernames(db)])
    return <AssignForm item={item} usernames={usernames} form={form} />
  }
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, page, user }) => {
        const filters = acceptLeniently(dueFilters, query)
        const today = await calendar()
        const [{ rows, total }, { total: toDo }, counts] = await Promise.all([
          listDue(db, today, filters),
          countDue(db, today),
          countDue(db, today, filters),
        ])
        return page(
          'Due',
          <DuePage
            lines={rows.map(lineOf)}
            dangers={rows.filter(({ severity }) => severity === 'danger').length}
            toDo={toDo}
            counts={counts}
            query={filters}
            meta={metaOf(filters, total)}
            nextWeek={nextWeek()}
            username={user.username}
          />,
        )
      },
      { detail: about({ summary: 'Due items, most urgent first' }) },
    )
    .get(
      assignPattern,
      async ({ params: { kind, id }, user, page, back }) => {
        const { assigned_to } = await findDue(db, await calendar(), kind, id)
        return page(
          'Assign',
          await assignForm(kind, id, { values: { assigned_to: assigned_to ?? user.username }, back: back(list) }),
        )
      },
      { params: dueParams, detail: about({ summary: 'Form to assign a due item' }) },
    )
    .post(
      assignPattern,
      ({ params: { kind, id }, query, form, write, redirect, back, submit }) =>
        submit({
          title: 'Assign',
          show: (form) => assignForm(kind, id, form),
          async save() {
            const before = await findDue(db, await calendar(), kind, id)
            const { assigned_to } = accept(assignment, { ...query, ...form })
            return { before, after: await assignDue(write, await calendar(), kind, id, assigned_to) }
          },
          done: ({ before, after: { unit_number, assigned_to } }) =>
            redirect(back(list), {
              text: `Unit ${unit_number} is ${assigned_to ? `assigned to ${assigned_to}` : 'no longer assigned'}`,
              undo: withQuery(assign(kind, id), { assigned_to: before.assigned_to }),
            }),
        }),
      { params: dueParams, detail: about({ summary: 'Assign a due item' }) },
    )
    .get(
      snoozePattern,
      async ({ params: { kind, id }, page, back }) =>
        page('Snooze', await snoozeForm(kind, id, { values: {}, back: back(list) })),
      { params: dueParams, detail: about({ summary: 'Form to snooze a due item' }) },
    )
    .post(
      snoozePattern,
      ({ params: { kind, id }, form, write, inRow, back, submit }) =>
        submit({
          title: 'Snooze',
          show: (form) => snoozeForm(kind, id, form),
          save: async () => snoozeDue(write, await calendar(), kind, id, accept(snooze, form)),
          done: ({ unit_number, snoozed_until }) =>
            // The row stays, so that a second click does not hit the next row.
            inRow(back(list), async () => null, {
              text: `Unit ${unit_number} snoozed ${snoozed_until ? `until ${inWords(snoozed_until)}` : 'permanently'}`,
              undo: unsnooze(kind, id),
            }),
        }),
      { params: dueParams, detail: about({ summary: 'Snooze a due item' }) },
    )
    .post(
      unsnoozePattern,
      async ({ params: { kind, id }, write, inRow, back }) => {
        const { refusal } = await attempt(() => unsnoozeDue(write, kind, id))
        const { value: item } = await attempt(async () => findDue(db, await calendar(), kind, id))
        const text = `Snooze ended. ${item ? `Unit ${item.unit_number} is due again.` : 'The item is no longer due.'}`
        return inRow(back(list), async () => null, refusal ? failed(refusal.message) : { text })
      },
      { params: dueParams, detail: about({ summary: 'End a snooze' }) },
    )
}
