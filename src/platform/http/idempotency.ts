import { lt, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../../../db/schema'
import { seal } from '../auth/sealing'
import type { AppContext } from '../context'
import type { Attempt } from '../records/transactions'
import { Refused, UnderWay } from '../refusals'
import { ANSWER_KEY, replay, rowOf } from './repeated-request'
import { type ArrivedRequest, fingerprintOf } from './request-fingerprint'

/**
 * Functions that execute a request with an `Idempotency-Key` only once. A retry gets the response to the first request.
 * The transaction that saves the change also marks the key as used, so that a retry after a crash does not repeat the
 * change.
 */

const DAY_MS = 24 * 60 * 60 * 1000
/**
 * Time, in milliseconds, after which an unfinished request counts as failed.
 * Its server has probably stopped. A later retry is executed, unless the first request has already changed data.
 */
const LOCK_MS = 15_000
const KEY = /^[\x21-\x7e][\x20-\x7e]{0,199}$/

type KeyOwner = { user_id: number; key: string; attempt: string; is_written: boolean }
const owned = new WeakMap<Request, KeyOwner>()

/**
 * Begins a request with an idempotency key. If the key has been used before, returns the response to the first request.
 * @returns undefined for a request without a key
 * @throws Refused when the key is malformed
 * @throws KeyReused when the key belongs to a different request
 * @throws UnderWay while the first request is running
 */
export async function beginAttempt(ctx: AppContext, arrived: ArrivedRequest): Promise<Attempt | Response | undefined> {
  const { request } = arrived
  const { user } = arrived.session
  const key = request.headers.get('idempotency-key')
  if (key === null || !['POST', 'PATCH'].includes(request.method)) return undefined
  // A request that only reads can be repeated without a key. Storing its response would let a read-only token fill the
  // database.
  if (ctx.routes.factsOf(request.method, arrived.route)?.isReadOnly) return undefined
  if (!KEY.test(key)) throw Refused.field('Idempotency-Key', 'Must have 1 to 200 printable characters')
  const now = ctx.clock.now()
  const row = {
    user_id: user.id,
    key,
    fingerprint: await fingerprintOf(ctx, arrived),
    attempt: crypto.randomUUID() as string,
    created_at: now,
    locked_until: new Date(now.getTime() + LOCK_MS),
  }
  const newRow = { ...row, is_written: false, record_id: null, status: null, answer: null }
  const [inserted] = await ctx.db
    .insert(idempotencyKeys)
    .values(newRow)
    .onConflictDoUpdate({
      target: [idempotencyKeys.user_id, idempotencyKeys.key],
      set: newRow,
      setWhere: sql`${idempotencyKeys.created_at} < ${new Date(now.getTime() - DAY_MS).toISOString()}::timestamptz
        or (${idempotencyKeys.status} is null and not ${idempotencyKeys.is_written}
          and ${idempotencyKeys.locked_until} < ${now.toISOString()}::timestamptz
          and ${idempotencyKeys.fingerprint} = ${row.fingerprint})`,
    })
    .returning({ key: idempotencyKeys.key })
  if (!inserted) return replay(ctx, arrived, row)
  const own: KeyOwner = { user_id: user.id, key, attempt: row.attempt, is_written: false }
  owned.set(request, own)
  const attempt: Attempt = {
    async mark(tx) {
      const updated = await tx
        .update(idempotencyKeys)
        .set({ is_written: true, record_id: attempt.record ?? null })
        .where(rowOf(own))
        .returning({ key: idempotencyKeys.key })
      if (updated.length === 0) throw new UnderWay()
      own.is_written = true
    },
    async unmark() {
      await ctx.db.update(idempotencyKeys).set({ is_written: false, record_id: null }).where(rowOf(own))
      own.is_written = false
    },
    async extend() {
      const locked_until = new Date(ctx.clock.now().getTime() + LOCK_MS)
      await ctx.db.update(idempotencyKeys).set({ locked_until }).where(rowOf(own))
    },
  }
  return attempt
}

export async function storeAnswer(ctx: AppContext, request: Request, status: number, text: string): Promise<void> {
  const own = owned.get(request)
  if (!own) return
  owned.delete(request)
  await ctx.db
    .update(idempotencyKeys)
    .set({ status, answer: seal(ctx, ANSWER_KEY, text) })
    .where(rowOf(own))
}

/** Frees the idempotency key of a request that changed nothing. A retry is then executed. */
export async function releaseAttempt(ctx: AppContext, request: Request): Promise<void> {
  const own = owned.get(request)
  if (!own || own.is_written) return
  owned.delete(request)
  // Ignore errors, such as an unreachable database. The lock on the key expires after `LOCK_MS` anyway.
  await ctx.db
    .delete(idempotencyKeys)
    .where(rowOf(own))
    .catch(() => {})
}

export const sweepKeys = ({ db, clock }: Pick<AppContext, 'db' | 'clock'>) =>
  db.delete(idempotencyKeys).where(lt(idempotencyKeys.created_at, new Date(clock.now().getTime() - DAY_MS)))
