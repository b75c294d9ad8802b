import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { ref } from '../docs/schema'
import { idParams } from '../fields'
import { about } from '../http/about'
import { answer, answerList } from '../http/answers'
import { data, page } from '../http/shapes'
import {
  createWebhook,
  findWebhook,
  listDeliveries,
  removeWebhook,
  replayDelivery,
  rotateSecret,
  updateWebhook,
  webhookListing,
} from './queries'
import { deliveryFilters, webhook, webhookChange, webhookFilters } from './rules'

export const deliveryParams = idParams.extend({ delivery: idParams.shape.id })

export const webhooksApi = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia({ prefix: '/api/webhooks', detail: about({ tags: ['webhooks'], role: 'admin', what: 'Webhook' }) })
    .use(signedIn(ctx))
    .get('/', async ({ query }) => answerList(query, await webhookListing(db, query).page()), {
      query: webhookFilters,
      detail: about({ summary: 'List webhooks', answers: page(ref('Webhook')) }),
    })
    .get('/:id', async ({ params }) => answer(await findWebhook(db, params.id)), {
      params: idParams,
      detail: about({ summary: 'Get a webhook', answers: data(ref('Webhook')) }),
    })
    .post('/', async ({ body, write }) => answer(await createWebhook(ctx, write, body)), {
      body: webhook,
      detail: about({
        summary: 'Create a webhook',
        description:
          'The response shows the signing `secret` once. `events` are types such as `transport.created`, or `*`.',
        isSensitive: true,
        answers: data(ref('WebhookWithSecret'), 201),
      }),
    })
    .put('/:id', async ({ params, body, write }) => answer(await updateWebhook(ctx, write, params.id, body)), {
      params: idParams,
      body: webhookChange,
      detail: about({ summary: 'Change a webhook', isSensitive: true, answers: data(ref('Webhook')) }),
    })
    .delete('/:id', async ({ params, write }) => answer(await removeWebhook(write, params.id)), {
      params: idParams,
      detail: about({
        summary: 'Delete a webhook and its deliveries',
        isSensitive: true,
        answers: data(ref('Webhook')),
      }),
    })
    .post('/:id/rotate-secret', async ({ params, write }) => answer(await rotateSecret(ctx, write, params.id)), {
      params: idParams,
      detail: about({
        summary: 'Replace the signing secret of a webhook',
        description:
          'The response shows the new `secret` once. For 24 hours, deliveries are also signed with the old secret.',
        isSensitive: true,
        answers: data(ref('WebhookWithSecret')),
      }),
    })
    .get(
      '/:id/deliveries',
      async ({ params, query }) => answerList(query, await listDeliveries(db, params.id, query)),
      {
        params: idParams,
        query: deliveryFilters,
        detail: about({ summary: 'Deliveries of a webhook, newest first', answers: page(ref('WebhookDelivery')) }),
      },
    )
    .post(
      '/:id/deliveries/:delivery/replay',
      async ({ params, write }) => answer(await replayDelivery(write, params.id, params.delivery)),
      {
        params: deliveryParams,
        detail: about({
          summary: 'Send a webhook delivery again',
          what: 'Delivery',
          answers: data(ref('WebhookDelivery')),
        }),
      },
    )
}
