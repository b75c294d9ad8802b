import { Elysia } from 'elysia'
import { FollowUpForm } from '../../../views/osl/follow-up-form'
import { OslPage } from '../../../views/osl/show-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { recordTimeline } from '../../platform/audit/timeline'
import type { CurrentUser } from '../../platform/auth/current-user'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { failed } from '../../platform/http/message'
import { attempt } from '../../platform/http/page'
import { paths, withQuery } from '../../platform/paths'
import { inWords } from '../../platform/records/warnings'
import { calculateFees } from './fees'
import { changeOslStatus, followUpOslEntry, oslEntryNotes } from './mutations'
import { findOslEntry } from './queries'
import { addRate, listRates, removeRate } from './rates'
import { followUp as followUpRule, note, oslRate, oslStatusChange } from './rules'

const { active, followUp, notes, rates, removeRate: removeARate, show, status } = paths.osl

type FormName = 'form' | 'rateForm' | 'statusForm'

export const oslEntryPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  /** The page has several forms. If one of them was refused, `states` has its input and its errors. */
  const showPage = async (
    user: CurrentUser,
    id: number,
    states: Partial<Record<FormName, FormState>> = {},
    isLong = false,
  ) => {
    const [entry, fees, rates, { notes, hasMore }] = await Promise.all([
      findOslEntry(db, clock, id),
      calculateFees(db, clock, id),
      listRates(db, id),
      oslEntryNotes.latest(db, id, { isLong }),
    ])
    const timeline = await recordTimeline(db, clock, user, { entity: 'osl_entries', id, notes })
    const empty = { values: {} }
    const forms = { form: empty, rateForm: empty, statusForm: empty, ...states }
    return <OslPage {...{ entry, fees, rates, timeline, ...forms }} hasMoreNotes={hasMore} />
  }

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      show.pattern,
      async ({ params, query, page, user }) =>
        page('OSL entry', await showPage(user, params.id, {}, query.notes === 'more')),
      { detail: about({ summary: 'One OSL entry with its notes' }), params: idParams },
    )
    .post(
      status.pattern,
      async ({ params, query, form, write, user, page, redirect, back }) => {
        const before = await findOslEntry(db, clock, params.id)
        const { value: after, refusal } = await attempt(async () =>
          changeOslStatus(write, params.id, accept(oslStatusChange, { ...query, ...form })),
        )
        const isFromEntry = 'completed_on' in form
        if (!refusal)
          return redirect(isFromEntry ? show(after.id) : back(active), {
            text: `Unit ${after.unit_number} is now ${after.status}`,
            undo: withQuery(status(after.id), {
              status: before.status,
              completed_on: before.completed_on,
              version: after.version,
            }),
            ...(isFromEntry ? {} : { row: after.id }),
          })
        // A form with the field `completed_on` was sent from the page of the entry. In this case, show this page again
        // with the user's input. Forms in lists do not have this field.
        if (isFromEntry) {
          const statusForm = { values: form, refusal }
          return page('OSL entry', await showPage(user, params.id, { statusForm }), refusal.status)
        }
        return redirect(back(active), failed(`Failed to update status: ${refusal.message}`))
      },
      { params: idParams, detail: about({ summary: 'Change a status', failure: 'Failed to update status' }) },
    )
    .post(
      notes.pattern,
      ({ params, form, write, user, redirect, submit }) =>
        submit({
          title: 'OSL entry',
          show: (form) => showPage(user, params.id, { form }),
          save: async () => oslEntryNotes.add(write, params.id, accept(note, form).note_text),
          done: () => redirect(show(params.id), 'Note added'),
        }),
      { detail: about({ summary: 'Add a note' }), params: idParams },
    )
    .get(
      followUp.pattern,
      async ({ params, page, back }) => {
        const entry = await findOslEntry(db, clock, params.id)
        const form = { values: { next_action: entry.next_action ?? '' }, back: back(active) }
        return page('Follow up on an OSL entry', <FollowUpForm entry={entry} form={form} />)
      },
      { params: idParams, detail: about({ summary: 'Follow up on an OSL entry' }) },
    )
    .post(
      followUp.pattern,
      ({ params, form, write, submit, redirect, back }) =>
        submit({
          title: 'Follow up on an OSL entry',
          show: async (form) => <FollowUpForm entry={await findOslEntry(db, clock, params.id)} form={form} />,
          save: async () => followUpOslEntry(write, params.id, accept(followUpRule, form)),
          done: (row) => redirect(back(active), { text: `Follow-up saved for unit ${row.unit_number}`, row: row.id }),
        }),
      { params: idParams, detail: about({ summary: 'Save a follow-up on an OSL entry' }) },
    )
    .post(
      rates.pattern,
      ({ params, form, write, user, redirect, submit }) =>
        submit({
          title: 'OSL entry',
          show: (rateForm) => showPage(user, params.id, { rateForm }),
          save: async () => addRate(write, params.id, accept(oslRate, form)),
          done: ({ from, daily_rate }) =>
            redirect(show(params.id), `Storage costs $${daily_rate.toFixed(2)} a day from ${inWords(from)}`),
        }),
      { detail: about({ summary: 'Set a daily rate that applies from a given date' }), params: idParams },
    )
    .post(
      removeARate.pattern,
      async ({ params, write, redirect }) => {
        const { osl_id, from } = await removeRate(write, params.id)
        return redirect(show(osl_id), `The rate from ${inWords(from)} is deleted`)
      },
      { detail: about({ summary: 'Delete a rate' }), params: idParams },
    )
}
