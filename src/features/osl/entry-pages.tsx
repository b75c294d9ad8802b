import { Elysia } from 'elysia'
import { OslPage } from '../../../views/osl/show-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { recordTimeline } from '../../platform/audit/timeline'
import type { CurrentUser } from '../../platform/auth/current-user'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { paths } from '../../platform/paths'
import { inWords } from '../../platform/records/warnings'
import { calculateFees } from './fees'
import { oslEntryNotes } from './mutations'
import { findOslEntry } from './queries'
import { addRate, listRates, removeRate } from './rates'
import { note, oslRate } from './rules'

const { notes, rates, removeRate: removeARate, show } = paths.osl

export const oslEntryPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const showPage = async (user: CurrentUser, id: number, form: FormState, rateForm: FormState = { values: {} }) => {
    const [entry, fees, rates, notes] = await Promise.all([
      findOslEntry(db, clock, id),
      calculateFees(db, clock, id),
      listRates(db, id),
      oslEntryNotes.list(db, id),
    ])
    const timeline = await recordTimeline(db, clock, user, { entity: 'osl_entries', id, notes })
    return <OslPage {...{ entry, fees, rates, timeline, form, rateForm }} />
  }

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      show.pattern,
      async ({ params, page, user }) => page('OSL entry', await showPage(user, params.id, { values: {} })),
      {
        detail: about({ summary: 'One OSL entry with its notes' }),
        params: idParams,
      },
    )
    .post(
      notes.pattern,
      ({ params, form, write, user, redirect, submit }) =>
        submit({
          title: 'OSL entry',
          show: (form) => showPage(user, params.id, form),
          save: async () => oslEntryNotes.add(write, params.id, accept(note, form).note_text),
          done: () => redirect(show(params.id), 'Note added'),
        }),
      { detail: about({ summary: 'Add a note' }), params: idParams },
    )
    .post(
      rates.pattern,
      ({ params, form, write, user, redirect, submit }) =>
        submit({
          title: 'OSL entry',
          show: (form) => showPage(user, params.id, { values: {} }, form),
          save: async () => addRate(write, params.id, accept(oslRate, form)),
          done: ({ from, daily_rate }) =>
            redirect(show(params.id), `Storage costs $${daily_rate.toFixed(2)} a day from ${inWords(from)}`),
        }),
      { detail: about({ summary: 'Change the daily rate from a given date' }), params: idParams },
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
