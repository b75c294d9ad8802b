import { Elysia } from 'elysia'
import { ChaseForm } from '../../../views/titles/chase-form'
import { TitlePage } from '../../../views/titles/show-page'
import type { FormState } from '../../../views/ui/form-state'
import { accept } from '../../platform/accept'
import { recordTimeline } from '../../platform/audit/timeline'
import type { CurrentUser } from '../../platform/auth/current-user'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { paths } from '../../platform/paths'
import { findSettings } from '../settings'

import { chaseTitle, titleEntryNotes } from './mutations'
import { findTitle } from './queries'
import { chase as chaseRule, note } from './rules'

const { chase, list, notes, show } = paths.titles

export const titleEntryPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const showPage = async (user: CurrentUser, id: number, form: FormState, isLong = false) => {
    const [title, { notes, hasMore }, { title_danger_days }] = await Promise.all([
      findTitle(db, clock, id),
      titleEntryNotes.latest(db, id, { isLong }),
      findSettings(db),
    ])
    const timeline = await recordTimeline(db, clock, user, { entity: 'titles', id, notes })
    return <TitlePage {...{ title, timeline, form }} hasMoreNotes={hasMore} dangerDays={title_danger_days} />
  }

  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      show.pattern,
      async ({ params, query, page, user }) =>
        page('Title', await showPage(user, params.id, { values: {} }, query.notes === 'more')),
      {
        detail: about({ summary: 'One title with its notes' }),
        params: idParams,
      },
    )
    .post(
      notes.pattern,
      ({ params, form, write, user, redirect, submit }) =>
        submit({
          title: 'Title',
          show: (form) => showPage(user, params.id, form),
          save: async () => titleEntryNotes.add(write, params.id, accept(note, form).note_text),
          done: () => redirect(show(params.id), 'Note added'),
        }),
      { detail: about({ summary: 'Add a note' }), params: idParams },
    )
    .get(
      chase.pattern,
      async ({ params, page, back }) => {
        const title = await findTitle(db, clock, params.id)
        return page('Follow up on a title', <ChaseForm title={title} form={{ values: {}, back: back(list) }} />)
      },
      { params: idParams, detail: about({ summary: 'Follow up on a title' }) },
    )
    .post(
      chase.pattern,
      ({ params, form, write, submit, redirect, back }) =>
        submit({
          title: 'Follow up on a title',
          show: async (state) => <ChaseForm title={await findTitle(db, clock, params.id)} form={state} />,
          save: async () => chaseTitle(write, params.id, accept(chaseRule, form)),
          done: (row) => redirect(back(list), { text: `Follow-up saved for unit ${row.unit_number}`, row: row.id }),
        }),
      { params: idParams, detail: about({ summary: 'Save a follow-up on a title' }) },
    )
}
