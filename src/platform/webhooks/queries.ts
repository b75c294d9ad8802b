import { and, asc, desc, eq, getTableColumns, lt, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client'
import { webhookDeliveries, webhooks } from '../../../db/schema'
import { seal } from '../auth/sealing'
import type { AppContext } from '../context'
import type { Page } from '../http/answers'
import { type Listing, listing } from '../records/listing'
import { containing } from '../records/search'
import type { Write } from '../records/transactions'
import { changeRecord, createRecord, removeRecord } from '../records/write'
import { Conflict, Missing } from '../refusals'
import { checkPublic } from './addresses'
import type { DeliveryFilters, WebhookFilters, webhook, webhookChange } from './rules'

const DAY_MS = 86_400_000
const DELIVERIES_KEPT_DAYS = 30
const SECRET_BYTES = 32

const { secret, old_secret, old_secret_until, sending_until, ...columns } = getTableColumns(webhooks)
export type Webhook = Omit<typeof webhooks.$inferSelect, 'secret' | 'old_secret' | 'old_secret_until' | 'sending_until'>
export type WebhookWithSecret = Webhook & { secret: string }
export type Delivery = typeof webhookDeliveries.$inferSelect

export const webhookListing = (db: Db, query: WebhookFilters): Listing<Webhook> =>
  listing<Webhook>(db, {
    select: () => db.select(columns).from(webhooks).$dynamic(),
    from: { of: columns },
    table: webhooks,
    where: query.q ? sql`${webhooks.url} ilike ${containing(query.q)}` : undefined,
    order: [(query.order === 'desc' ? desc : asc)(webhooks[query.sort]), asc(webhooks.id)],
    query,
  })

/** @throws Missing when the webhook does not exist */
export async function findWebhook(db: Db, id: number): Promise<Webhook> {
  const [found] = await db.select(columns).from(webhooks).where(eq(webhooks.id, id))
  if (!found) throw new Missing('Webhook')
  return found
}

const withoutSecrets = (stored: typeof webhooks.$inferSelect): Webhook =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, stored[name as keyof Webhook]])) as Webhook

/** Creates a signing key in the format of Standard Webhooks. */
const newSecret = () => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString('base64')}`

/**
 * @returns the webhook with its `secret`, which cannot be read again
 * @throws Refused when the webhook's host has a private address
 */
export async function createWebhook(
  ctx: AppContext,
  write: Write,
  values: z.output<typeof webhook>,
): Promise<WebhookWithSecret> {
  await checkPublic(values.url, ctx.config)
  const key = newSecret()
  const made = await createRecord(write, webhooks, { ...values, secret: seal(ctx, 'webhook secret', key) })
  return { ...withoutSecrets(made), secret: key }
}

/**
 * Changes a webhook. If the change activates a disabled webhook, also clears the reason why the webhook was disabled.
 * @throws Missing when the webhook does not exist, Stale when it was changed in the meantime, Refused when the
 * webhook's host has a private address
 */
export async function updateWebhook(
  ctx: AppContext,
  write: Write,
  id: number,
  { version, ...change }: z.output<typeof webhookChange>,
): Promise<Webhook> {
  if (change.url) await checkPublic(change.url, ctx.config)
  const { after } = await changeRecord(write, webhooks, {
    id,
    version,
    what: 'Webhook',
    values: change.is_active ? { ...change, disabled_note: null } : change,
  })
  return withoutSecrets(after)
}

/**
 * Deletes a webhook with its deliveries.
 * @throws Missing when the webhook does not exist
 */
export const removeWebhook = (write: Write, id: number): Promise<Webhook> =>
  removeRecord(write, webhooks, id, 'Webhook').then(withoutSecrets)

/**
 * Replaces the key that signs a webhook's deliveries. For one day, deliveries are also signed with the previous key.
 * @throws Missing when the webhook does not exist
 */
export async function rotateSecret(ctx: AppContext, write: Write, id: number): Promise<WebhookWithSecret> {
  const key = newSecret()
  const { after } = await changeRecord(write, webhooks, {
    id,
    what: 'Webhook',
    values: (stored) => ({
      secret: seal(ctx, 'webhook secret', key),
      old_secret: stored.secret,
      old_secret_until: new Date(write.actor.now.getTime() + DAY_MS),
    }),
  })
  return { ...withoutSecrets(after), secret: key }
}

/** @throws Missing when the webhook does not exist */
export async function listDeliveries(db: Db, webhook_id: number, query: DeliveryFilters): Promise<Page<Delivery>> {
  await findWebhook(db, webhook_id)
  return listing<Delivery>(db, {
    select: () => db.select().from(webhookDeliveries).$dynamic(),
    from: { of: webhookDeliveries },
    table: webhookDeliveries,
    where: eq(webhookDeliveries.webhook_id, webhook_id),
    order: [(query.order === 'asc' ? asc : desc)(webhookDeliveries.id)],
    query,
  }).page()
}

/**
 * Sends a delivery again, with the same message id and body.
 * @throws Missing when the webhook or delivery does not exist, Conflict when the webhook is disabled
 */
export async function replayDelivery({ db, actor }: Write, webhook_id: number, id: number): Promise<Delivery> {
  const { is_active } = await findWebhook(db, webhook_id)
  if (!is_active) throw new Conflict('This webhook is inactive. Activate it first.')
  const [delivery] = await db
    .update(webhookDeliveries)
    .set({ status: 'pending', attempts: 0, next_at: actor.now })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhook_id, webhook_id)))
    .returning()
  if (!delivery) throw new Missing('Delivery')
  return delivery
}

export const sweepDeliveries = ({ db, clock }: Pick<AppContext, 'db' | 'clock'>) =>
  db
    .delete(webhookDeliveries)
    .where(
      and(
        ne(webhookDeliveries.status, 'pending'),
        lt(webhookDeliveries.created_at, new Date(clock.now().getTime() - DELIVERIES_KEPT_DAYS * DAY_MS)),
      ),
    )
