import { and, eq, lt, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../../../db/schema'
import { seal, unseal } from '../auth/sealing'
import type { CurrentUser } from '../auth/sessions'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import type { Attempt } from '../records/write'
import { Conflict, KeyReused, Refused, UnderWay } from '../refusals'
import { storedRecord } from './stored-record'
import { textAnswer } from './text-answer'

/**
 * Requests with an `Idempotency-Key` are carried out once: a retry gets the first answer again. The row of a key is
 * marked in the transaction of the change, so a crash between the commit and the answer leads to no second change.
 */

const DAY_MS = 24 * 60 * 60 * 1000
/** After this a request without an answer is taken to have died with its server; a later one may take over. */
const LOCK_MS = 15_000
const ANSWER_KEY = 'stored answer'
const KEY = /^[\x21-\x7e][\x20-\x7e]{0,199}$/
const JSON_TYPE = 'application/json; charset=utf-8'

type KeyOwner = { user_id: number; key: string; attempt: string; is_written: boolean }
const owned = new WeakMap<Request, KeyOwner>()

const rowOf = ({ user_id, key, attempt }: KeyOwner) =>
  and(eq(idempotencyKeys.user_id, user_id), eq(idempotencyKeys.key, key), eq(idempotencyKeys.attempt, attempt))

/** A hash of what a request asks for. Files count with their content. */
async function fingerprintOf(request: Request, body: unknown): Promise<string> {
  const { pathname, search } = new URL(request.url)
  const hash = new Bun.CryptoHasher('sha256').update(`${request.method} ${pathname}${search}\n`)
  const files: File[] = []
  const text = JSON.stringify(body ?? null, (_, value) => {
    if (!(value instanceof File)) return value
    files.push(value)
    return { name: value.name, size: value.size }
  })
  hash.update(text)
  for (const file of files) hash.update(await file.arrayBuffer())
  return hash.digest('hex')
}

type ArrivedRequest = { request: Request; route: string; body: unknown; user: Pick<CurrentUser, 'id' | 'sees_costs'> }

/**
 * Begins a request that has a key, or answers it as it was answered before.
 * @returns undefined for a request without a key
 * @throws Refused for a malformed key, KeyReused, UnderWay
 */
export async function beginAttempt(ctx: AppContext, arrived: ArrivedRequest): Promise<Attempt | Response | undefined> {
  const { request, body, user } = arrived
  const key = request.headers.get('idempotency-key')
  if (key === null || !['POST', 'PATCH'].includes(request.method)) return undefined
  if (!KEY.test(key)) throw Refused.field('Idempotency-Key', 'Must have 1 to 200 printable characters')
  const now = ctx.clock.now()
  const row = {
    user_id: user.id,
    key,
    fingerprint: await fingerprintOf(request, body),
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
  }
  return attempt
}

/** @throws KeyReused, UnderWay, and Conflict when the change was made but its answer is lost */
async function replay(
  ctx: AppContext,
  { request, route, user }: ArrivedRequest,
  {
    user_id,
    key,
    fingerprint,
    created_at: now,
  }: { user_id: number; key: string; fingerprint: string; created_at: Date },
): Promise<Response> {
  const [first] = await ctx.db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.user_id, user_id), eq(idempotencyKeys.key, key)))
  // It failed meanwhile, so the client can send it again.
  if (!first) throw new UnderWay()
  if (first.fingerprint !== fingerprint) throw new KeyReused()
  const send = (status: number, text: string) => {
    const visibleText = user.sees_costs ? text : JSON.stringify(withoutCosts(JSON.parse(text)))
    const answer = textAnswer(request, visibleText, JSON_TYPE, status)
    answer.headers.set('idempotent-replayed', 'true')
    return answer
  }
  if (first.status !== null && first.answer !== null) return send(first.status, unseal(ctx, ANSWER_KEY, first.answer))
  if (first.locked_until > now) throw new UnderWay()
  // The server died after the commit: the record itself is the answer.
  const data = await storedRecord(ctx.routes, request, first.record_id ?? undefined)
  if (data === undefined)
    throw new Conflict('This request was carried out, but its response was lost. Read the record to see the result.')
  const status = ctx.routes.factsOf(request.method, route)?.answers?.[0]?.status ?? 200
  return send(status, JSON.stringify({ success: true, data }))
}

/** Stores the answer of a request that has a key. */
export async function storeAnswer(ctx: AppContext, request: Request, status: number, text: string): Promise<void> {
  const own = owned.get(request)
  if (!own) return
  owned.delete(request)
  await ctx.db
    .update(idempotencyKeys)
    .set({ status, answer: seal(ctx, ANSWER_KEY, text) })
    .where(rowOf(own))
}

/** Frees the key of a request that changed nothing, so that a retry is carried out. */
export async function releaseAttempt(ctx: AppContext, request: Request): Promise<void> {
  const own = owned.get(request)
  if (!own || own.is_written) return
  owned.delete(request)
  // If the database is away, the lock ends by itself.
  await ctx.db
    .delete(idempotencyKeys)
    .where(rowOf(own))
    .catch(() => {})
}

/** Removes keys that are older than a day. */
export const sweepKeys = ({ db, clock }: Pick<AppContext, 'db' | 'clock'>) =>
  db.delete(idempotencyKeys).where(lt(idempotencyKeys.created_at, new Date(clock.now().getTime() - DAY_MS)))
