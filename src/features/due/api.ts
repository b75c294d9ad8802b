import { Elysia } from 'elysia'
import { dueSnoozes } from '../../../db/schema'
import { signedIn } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { counts, record, ref } from '../../platform/docs/schema'
import { about } from '../../platform/http/about'
import { answer, answerList } from '../../platform/http/answers'
import { data, page } from '../../platform/http/shapes'
import { dueCalendar } from '../settings'
import { assignDue, countDue, listDue, snoozeDue, unsnoozeDue } from './queries'
import { assignment, countFilters, dueFilters, dueNames, dueParams, snooze } from './rules'

export const dueApi = (ctx: AppContext) => {
  const { db } = ctx
  const calendar = () => dueCalendar(db, ctx.clock)
  return new Elysia({ prefix: '/api/due', detail: about({ tags: ['due'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listDue(db, await calendar(), query)), {
      query: dueFilters,
      detail: about({
        summary: 'Due items, most urgent first',
        description:
          '`snoozed=true` lists snoozed items instead. `when=today` lists items due by today, and ' +
          '`when=overdue` lists items due before today. `assigned_to` filters by username; `-` means ' +
          'unassigned. `days` is the number of days late, waiting or left until expiry, depending on the kind.',
        answers: page(ref('DueItem')),
      }),
    })
    .get('/counts', async ({ query }) => answer(await countDue(db, await calendar(), query)), {
      query: countFilters,
      detail: about({
        summary: 'Number of due items by kind',
        description:
          'Takes the filters of the list, except `kind`. Snoozed items are only counted with `snoozed=true`.',
        answers: data(counts(...dueNames(), 'total')),
      }),
    })
    .post(
      '/:kind/:id/assign',
      async ({ params: { kind, id }, body, write }) =>
        answer(await assignDue(write, await calendar(), kind, id, body.assigned_to)),
      {
        params: dueParams,
        body: assignment,
        detail: about({
          summary: 'Assign a due item',
          description: '`assigned_to` is the username of an active user; null unassigns the item.',
          answers: data(ref('DueItem')),
        }),
      },
    )
    .post(
      '/:kind/:id/snooze',
      async ({ params: { kind, id }, body, write }) => answer(await snoozeDue(write, await calendar(), kind, id, body)),
      {
        params: dueParams,
        body: snooze,
        detail: about({
          summary: 'Snooze a due item',
          description:
            'Send `until`, the date when the item becomes due again. To snooze the item permanently, send ' +
            'only `reason`.',
          answers: data(ref('DueItem'), 201),
        }),
      },
    )
    .delete(
      '/:kind/:id/snooze',
      async ({ params: { kind, id }, write }) => answer(await unsnoozeDue(write, kind, id)),
      {
        params: dueParams,
        detail: about({ summary: 'End a snooze', answers: data(record(dueSnoozes)) }),
      },
    )
}
