import { Elysia } from 'elysia'
import type { DueKind } from '../../db/vocabulary'
import { DuePage } from '../../views/due/due-page'
import { SnoozeForm } from '../../views/due/snooze-form'
import type { FormState } from '../../views/ui/fields'
import { signedInPages } from '../auth/guard'
import { addDays } from '../clock'
import type { AppContext } from '../context'
import { accept, acceptLeniently } from '../fields'
import { about } from '../http/about'
import { metaOf } from '../http/answers'
import { attempt, failed } from '../http/page'
import { paths } from '../paths'
import { inWords } from '../records/warnings'
import { countDue, findDue, listDue, snoozeDue, unsnoozeDue } from './queries'
import { dueFilters, dueParams, snooze } from './rules'

const { list, snoozePattern, unsnooze, unsnoozePattern } = paths.due

export const duePages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const nextWeek = () => addDays(clock.today(), 7)
  const snoozeForm = async (kind: DueKind, id: number, form: FormState) => (
    <SnoozeForm item={await findDue(db, clock, kind, id)} form={form} />
  )
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, page }) => {
        const asked = acceptLeniently(dueFilters, query)
        const [{ rows, total }, counts] = await Promise.all([listDue(db, clock, asked), countDue(db, clock)])
        return page(
          'Due',
          <DuePage rows={rows} query={asked} meta={metaOf(asked, total)} counts={counts} nextWeek={nextWeek()} />,
        )
      },
      { detail: about({ summary: 'What is due, the worst first' }) },
    )
    .get(
      snoozePattern,
      async ({ params: { kind, id }, page, back }) =>
        page('Put off', await snoozeForm(kind, id, { values: { until: nextWeek() }, back: back(list) })),
      { params: dueParams, detail: about({ summary: 'Ask until when something is put off' }) },
    )
    .post(
      snoozePattern,
      ({ params: { kind, id }, form, actor, redirect, back, submit }) =>
        submit({
          title: 'Put off',
          show: (form) => snoozeForm(kind, id, form),
          save: async () => snoozeDue(db, actor, clock, kind, id, accept(snooze, form)),
          done: ({ unit_number, snoozed_until }) =>
            redirect(back(list), {
              text: `Unit ${unit_number} is put off ${snoozed_until ? `until ${inWords(snoozed_until)}` : 'for good'}`,
              undo: unsnooze(kind, id),
            }),
        }),
      { params: dueParams, detail: about({ summary: 'Put something off' }) },
    )
    .post(
      unsnoozePattern,
      async ({ params: { kind, id }, actor, redirect, back }) => {
        const { refusal } = await attempt(() => unsnoozeDue(db, actor, kind, id))
        return redirect(back(list), refusal ? failed(refusal.message) : 'It is due again')
      },
      { params: dueParams, detail: about({ summary: 'Make it due again' }) },
    )
}
