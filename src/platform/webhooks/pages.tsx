import { Elysia } from 'elysia'
import type { FormState } from '../../../views/ui/form-state'
import {
  DeliveriesPage,
  WebhookForm,
  WebhookQuestion,
  WebhookSecret,
  WebhooksPage,
} from '../../../views/webhooks/pages'
import { accept, acceptLeniently } from '../accept'
import { signedInPages } from '../auth/guard'
import type { AppContext } from '../context'
import { idParams } from '../fields'
import { about } from '../http/about'
import { metaOf } from '../http/answers'
import { failed } from '../http/message'
import { attempt } from '../http/page'
import { paths } from '../paths'
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

const { list, create, edit, remove, rotate, deliveries, replay } = paths.webhooks

/**
 * Sets `is_active` to false if the "Active" checkbox is not checked. Browsers do not send a checkbox that is not
 * checked.
 */
const withTick = (form: Record<string, unknown>) => ({ ...form, is_active: form.is_active ?? 'false' })

export const webhooksPages = (ctx: AppContext) => {
  const { db, clock } = ctx
  const newForm = (form: FormState) => <WebhookForm isNew action={create} form={form} />
  const editForm = (id: number) => (form: FormState) => <WebhookForm isNew={false} action={edit(id)} form={form} />
  const valuesOf = async (id: number) => {
    const stored = await findWebhook(db, id)
    return { ...stored, events: stored.events.join('\n') }
  }
  return new Elysia({ detail: about({ role: 'admin', what: 'Webhook' }) })
    .use(signedInPages(ctx))
    .get(
      list,
      async ({ query, page }) => {
        const filters = acceptLeniently(webhookFilters, query)
        const { rows, total } = await webhookListing(db, filters).page()
        return page('Webhooks', <WebhooksPage rows={rows} query={filters} meta={metaOf(filters, total)} />)
      },
      { detail: about({ summary: 'Webhooks' }) },
    )
    .get(
      create,
      ({ page, back }) => page('Add webhook', newForm({ values: { events: '*', is_active: true }, back: back(list) })),
      { detail: about({ summary: 'Add a webhook' }) },
    )
    .post(
      create,
      ({ form, write, page, submit }) =>
        submit({
          title: 'Add webhook',
          show: newForm,
          save: async () => createWebhook(ctx, write, accept(webhook, withTick(form))),
          done: ({ url, secret }) => page('Signing secret', <WebhookSecret url={url} secret={secret} />),
        }),
      { detail: about({ summary: 'Create a webhook', isSensitive: true }) },
    )
    .get(
      edit.pattern,
      async ({ params, page, back }) =>
        page('Edit webhook', editForm(params.id)({ values: await valuesOf(params.id), back: back(list) })),
      { params: idParams, detail: about({ summary: 'Edit a webhook' }) },
    )
    .post(
      edit.pattern,
      ({ params, form, write, redirect, back, submit }) =>
        submit({
          title: 'Edit webhook',
          show: editForm(params.id),
          save: async () => updateWebhook(ctx, write, params.id, accept(webhookChange, withTick(form))),
          done: ({ id }) => redirect(back(list), { text: 'Webhook saved', row: id }),
        }),
      { params: idParams, detail: about({ summary: 'Update a webhook', isSensitive: true }) },
    )
    .get(
      rotate.pattern,
      async ({ params, page, back }) => {
        const { url } = await findWebhook(db, params.id)
        const form = { values: {}, back: back(list) }
        return page(
          'New secret',
          <WebhookQuestion
            title="Replace the secret?"
            action={rotate(params.id)}
            {...{ form, url }}
            submit="Replace"
          />,
        )
      },
      { params: idParams, detail: about({ summary: 'Confirm the replacement of a signing secret' }) },
    )
    .post(
      rotate.pattern,
      async ({ params, write, page, redirect, back }) => {
        const { value, refusal } = await attempt(() => rotateSecret(ctx, write, params.id))
        if (refusal) return redirect(back(list), failed(refusal.message))
        return page('Signing secret', <WebhookSecret url={value.url} secret={value.secret} />)
      },
      { params: idParams, detail: about({ summary: 'Replace the signing secret', isSensitive: true }) },
    )
    .get(
      remove.pattern,
      async ({ params, page, back }) => {
        const { url } = await findWebhook(db, params.id)
        const form = { values: {}, back: back(list) }
        return page(
          'Delete webhook',
          <WebhookQuestion title="Delete webhook?" action={remove(params.id)} {...{ form, url }} submit="Delete" />,
        )
      },
      { params: idParams, detail: about({ summary: 'Confirm the deletion of a webhook' }) },
    )
    .post(
      remove.pattern,
      async ({ params, write, redirect, back }) => {
        const { refusal } = await attempt(() => removeWebhook(write, params.id))
        return redirect(back(list), refusal ? failed(refusal.message) : 'Webhook deleted')
      },
      { params: idParams, detail: about({ summary: 'Delete a webhook', isSensitive: true }) },
    )
    .get(
      deliveries.pattern,
      async ({ params, query, page }) => {
        const filters = acceptLeniently(deliveryFilters, query)
        const [stored, { rows, total }] = await Promise.all([
          findWebhook(db, params.id),
          listDeliveries(db, params.id, filters),
        ])
        return page(
          'Webhook deliveries',
          <DeliveriesPage
            webhook={stored}
            rows={rows}
            query={filters}
            meta={metaOf(filters, total)}
            timeZone={clock.timeZone}
          />,
        )
      },
      { params: idParams, detail: about({ summary: 'Deliveries of a webhook' }) },
    )
    .post(
      replay.pattern,
      async ({ params, form, write, redirect, back }) => {
        const { refusal } = await attempt(async () =>
          replayDelivery(write, params.id, accept(idParams, { id: form.delivery }).id),
        )
        return redirect(back(deliveries(params.id)), refusal ? failed(refusal.message) : 'Delivery queued')
      },
      { params: idParams, detail: about({ summary: 'Send a webhook delivery again' }) },
    )
}
