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
import { assignment, dueFilters, dueNames, dueParams, snooze } from './rules'

export const dueApi = (ctx: AppContext) => {
  const { db } = ctx
  const calendar = () => dueCalendar(db, ctx.clock)
  return new Elysia({ prefix: '/api/due', detail: about({ tags: ['due'] }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await listDue(db, await calendar(), query)), {
      query: dueFilters,
      detail: about({
        summary: 'What is due, the worst first',
        description:
          '`snoozed=true` lists what was put off instead; `assigned_to` narrows to a user, `-` to what is nobody’s. `days` is how long it is late or has waited, or for what expires the days that are left.',
        answers: page(ref('DueItem')),
      }),
    })
    .get('/counts', async () => answer(await countDue(db, await calendar())), {
      detail: about({ summary: 'How much of each kind is due', answers: data(counts(...dueNames(), 'total')) }),
    })
    .post(
      '/:kind/:id/assign',
      async ({ params: { kind, id }, body, write }) =>
        answer(await assignDue(write, await calendar(), kind, id, body.assigned_to)),
      {
        params: dueParams,
        body: assignment,
        detail: about({
          summary: 'Give it to a user',
          description: '`assigned_to` is the username of an active user; null gives it to nobody.',
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
          summary: 'Put something off',
          description: '`until` a day, on which it is back, or for good with a `reason`.',
          answers: data(ref('DueItem'), 201),
        }),
      },
    )
    .delete(
      '/:kind/:id/snooze',
      async ({ params: { kind, id }, write }) => answer(await unsnoozeDue(write, kind, id)),
      {
        params: dueParams,
        detail: about({ summary: 'Make it due again', answers: data(record(dueSnoozes)) }),
      },
    )
}
