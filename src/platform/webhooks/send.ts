import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { Webhook as Signer } from 'standardwebhooks'
import { reasonOf, rows } from '../../../db/client'
import { auditEntries, webhookDeliveries, webhooks } from '../../../db/schema'
import { WEBHOOK_KINDS } from '../../../db/vocabulary'
import { unseal } from '../auth/sealing'
import type { AppContext } from '../context'
import { kinds } from '../kinds'
import { entityOf, type RecordKind } from '../records/kind'
import { scheduleWrite } from '../records/transactions'
import { changeRecord } from '../records/write'
import { Missing } from '../refusals'
import { isPrivateAddress, PRIVATE_MESSAGE, resolveHost } from './addresses'
import type { Delivery } from './queries'

type StoredWebhook = typeof webhooks.$inferSelect

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Waiting times between attempts, in milliseconds. The last attempt is about three days after the first one. */
export const RETRY_GAPS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS,
]
const TIMEOUT_MS = 10 * SECOND_MS
/**
 * Maximum number of deliveries per claim of a webhook. After these deliveries, the server instance claims the webhook
 * again. A claim does not expire before all of its deliveries are sent, even if each of them times out.
 */
const BATCH = 10
const CLAIM_MS = (BATCH + 2) * TIMEOUT_MS
const ERROR_LENGTH = 300

const kindByName = (name: string): RecordKind | undefined => {
  const table = name === 'import' ? 'uploads' : Object.entries(WEBHOOK_KINDS).find(([, kind]) => kind === name)?.[0]
  return kinds('records').find((kind) => entityOf(kind) === table)
}

async function deletedRecord({ db }: AppContext, audit_id: number | null): Promise<object | null> {
  if (audit_id === null) return null
  const [entry] = await db
    .select({ changes: auditEntries.changes })
    .from(auditEntries)
    .where(eq(auditEntries.id, audit_id))
  return entry ? Object.fromEntries(Object.entries(entry.changes).map(([field, { old }]) => [field, old])) : null
}

/**
 * The body contains the current record as the API returns it. After a deletion, the body contains the last values of
 * the record.
 */
async function bodyOf(ctx: AppContext, { type, record_id, audit_id, created_at }: Delivery): Promise<string> {
  const [kind = '', action] = type.split('.')
  const find = kindByName(kind)?.find
  const stored = await find?.(ctx.db, ctx.clock, record_id).catch((error) => {
    if (error instanceof Missing) return null
    throw error
  })
  const record = stored ?? (action === 'deleted' ? await deletedRecord(ctx, audit_id) : null)
  const version = (stored as { version?: number } | null)?.version ?? null
  return JSON.stringify({ type, timestamp: created_at, data: { kind, id: record_id, version, record } })
}

/** For one day after a rotation, also signs with the previous key. */
function signatures(ctx: AppContext, webhook: StoredWebhook, id: string, at: Date, body: string): string {
  const isOldValid = webhook.old_secret !== null && (webhook.old_secret_until ?? at) > ctx.clock.now()
  const keys = [webhook.secret, ...(isOldValid ? [webhook.old_secret as string] : [])]
  return keys.map((key) => new Signer(unseal(ctx, 'webhook secret', key)).sign(id, at, body)).join(' ')
}

/**
 * Connects only to the addresses that were checked, and follows no redirects.
 * @returns the HTTP status
 */
async function post(ctx: AppContext, url: URL, headers: Record<string, string>, body: string): Promise<number> {
  const addresses = await resolveHost(url.hostname)
  if (!ctx.config.webhookAllowPrivate && addresses.some(({ address }) => isPrivateAddress(address)))
    throw new Error(PRIVATE_MESSAGE)
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        lookup: (_host, options, found) =>
          options.all ? found(null, addresses) : found(null, addresses[0]?.address ?? '', addresses[0]?.family),
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

type Attempt = { status: number | null; error: string | null }

async function attemptDelivery(
  ctx: AppContext,
  webhook: StoredWebhook,
  delivery: Delivery,
  body: string,
): Promise<Attempt> {
  const id = `msg_${delivery.message_id}`
  // Use the real time instead of `ctx.clock`, because the receiver compares the timestamp with its own clock.
  const at = new Date()
  try {
    const status = await post(
      ctx,
      new URL(webhook.url),
      {
        'content-type': 'application/json',
        'user-agent': 'Yardmaster-Webhook',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / SECOND_MS)),
        'webhook-signature': signatures(ctx, webhook, id, at, body),
      },
      body,
    )
    const isDelivered = status >= 200 && status < 300
    return { status, error: isDelivered ? null : `The receiver answered ${status}` }
  } catch (error) {
    const reason = (error as Error).name === 'TimeoutError' ? 'No response within 10 seconds' : reasonOf(error)
    return { status: null, error: reason.slice(0, ERROR_LENGTH) }
  }
}

/** @returns false if repeated failures have disabled the webhook */
async function deliver(ctx: AppContext, webhook: StoredWebhook, delivery: Delivery): Promise<boolean> {
  const { db, clock } = ctx
  const body = delivery.body ?? (await bodyOf(ctx, delivery))
  const { status, error } = await attemptDelivery(ctx, webhook, delivery, body)
  const now = clock.now()
  const gap = RETRY_GAPS_MS[delivery.attempts]
  const hasEnded = error === null || gap === undefined
  await db
    .update(webhookDeliveries)
    .set({
      body,
      attempts: delivery.attempts + 1,
      last_status: status,
      last_error: error,
      status: error === null ? 'delivered' : hasEnded ? 'failed' : 'pending',
      delivered_at: error === null ? now : null,
      next_at: hasEnded ? null : new Date(now.getTime() + (gap ?? 0)),
    })
    .where(eq(webhookDeliveries.id, delivery.id))
  if (!hasEnded || error === null) return true
  const note = `Disabled because deliveries failed for three days. The last error: ${error}`
  await changeRecord(scheduleWrite(db, clock), webhooks, {
    id: webhook.id,
    what: 'Webhook',
    values: { is_active: false, disabled_note: note },
  })
  return false
}

/**
 * Claims a webhook, so that only this server instance sends its deliveries.
 * @returns undefined if another instance has claimed the webhook or the webhook is disabled
 */
async function claim({ db, clock }: AppContext, id: number): Promise<StoredWebhook | undefined> {
  const now = clock.now()
  const [claimed] = await db
    .update(webhooks)
    .set({ sending_until: new Date(now.getTime() + CLAIM_MS) })
    .where(
      and(
        eq(webhooks.id, id),
        webhooks.is_active,
        or(isNull(webhooks.sending_until), lte(webhooks.sending_until, now)),
      ),
    )
    .returning()
  return claimed
}

async function sendTo(ctx: AppContext, id: number): Promise<void> {
  const { db, clock } = ctx
  let isFull = true
  while (isFull) {
    const webhook = await claim(ctx, id)
    if (!webhook) return
    try {
      const due = await db
        .select()
        .from(webhookDeliveries)
        .where(
          and(
            eq(webhookDeliveries.webhook_id, id),
            eq(webhookDeliveries.status, 'pending'),
            lte(webhookDeliveries.next_at, clock.now()),
          ),
        )
        .orderBy(asc(webhookDeliveries.id))
        .limit(BATCH)
      isFull = due.length === BATCH
      for (const delivery of due) if (!(await deliver(ctx, webhook, delivery))) return
    } finally {
      await db.update(webhooks).set({ sending_until: null }).where(eq(webhooks.id, id))
    }
  }
}

/** Ids of the webhooks to which this process is currently sending. The key is the database. */
const busy = new WeakMap<object, Set<number>>()

/**
 * Starts to send all due deliveries. Webhooks are sent in parallel, so a slow receiver does not delay the others.
 * @returns one promise per webhook; the promises never reject
 */
export async function sendDeliveries(ctx: AppContext): Promise<Promise<void>[]> {
  const { db, clock, database } = ctx
  const own = busy.get(database) ?? new Set<number>()
  busy.set(database, own)
  const due = await rows<{ id: number }>(
    db,
    sql`select distinct d.webhook_id as id from ${webhookDeliveries} d
      join ${webhooks} w on w.id = d.webhook_id and w.is_active
      where d.status = 'pending' and d.next_at <= ${clock.now().toISOString()}::timestamptz`,
  )
  return due
    .filter(({ id }) => !own.has(id))
    .map(async ({ id }) => {
      own.add(id)
      await sendTo(ctx, id)
        .catch((error) => ctx.log('warn', 'a webhook could not be sent', { webhook: id, reason: reasonOf(error) }))
        .finally(() => own.delete(id))
    })
}
