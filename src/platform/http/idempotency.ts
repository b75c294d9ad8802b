import { and, eq, lt, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../../../db/schema'
import { checkMayReadHistory } from '../audit/rules'
import { previousKeys } from '../auth/reencryption'
import { seal, unsealOrNull } from '../auth/sealing'
import type { Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import type { Attempt } from '../records/transactions'
import { Conflict, KeyReused, Refused, UnderWay } from '../refusals'
import type { RouteFacts } from './about'
import { versionIn } from './answers'
import { storedRecord } from './stored-record'
import { textAnswer } from './text-answer'

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
/**
 * Time, in milliseconds, in which a retry can get a secret.
 * The time starts with the first request, and later retries are refused. Otherwise, somebody with a stolen session
 * could send the request again and read the secret without confirming the password.
 */
const SECRET_MS = 5 * 60_000
const ANSWER_KEY = 'stored answer'
const KEY = /^[\x21-\x7e][\x20-\x7e]{0,199}$/
const JSON_TYPE = 'application/json; charset=utf-8'

type KeyOwner = { user_id: number; key: string; attempt: string; is_written: boolean }
const owned = new WeakMap<Request, KeyOwner>()

const rowOf = ({ user_id, key, attempt }: KeyOwner) =>
  and(eq(idempotencyKeys.user_id, user_id), eq(idempotencyKeys.key, key), eq(idempotencyKeys.attempt, attempt))

const convertedFiles = new WeakMap<Request, File>()

/**
 * Remembers the uploaded file of a request for the request's fingerprint.
 * The fingerprint is a hash that a retry must match, so a retry must send the same file. Needed for a route that
 * replaces the file in the body with the rows of the file.
 */
export const noteConvertedFile = (request: Request, file: File) => void convertedFiles.set(request, file)

/**
 * Removes a generated temporary password before the request's fingerprint is computed.
 * Every retry generates a different password, but must have the same fingerprint, which is a hash of the request.
 */
function withoutGeneratedPassword(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('temporary_password' in body)) return body
  return body.temporary_password === true ? { ...body, password: undefined, newPassword: undefined } : body
}

const mayContainSecret = ({ isSensitive, tokens }: RouteFacts = {}) =>
  Boolean(isSensitive) || tokens === 'none' || tokens === 'read'

/**
 * Returns a keyed hash that identifies a request. It covers the method, URL, body and file contents.
 * The hash is keyed, because a body can contain a password. Without the key, someone with a copy of the database could
 * find the password by guessing.
 */
async function fingerprintOf(
  { signingKey, routes }: Pick<AppContext, 'signingKey' | 'routes'>,
  { request, route, body, session }: ArrivedRequest,
): Promise<string> {
  const { pathname, search } = new URL(request.url)
  const hash = new Bun.CryptoHasher('sha256', signingKey).update(`${request.method} ${pathname}${search}\n`)
  // Include the session in the hash. A request from another session then has a different fingerprint and cannot get a
  // response that contains a secret.
  if (mayContainSecret(routes.factsOf(request.method, route))) hash.update(`${session.id}\n`)
  const files: File[] = []
  const text = JSON.stringify(withoutGeneratedPassword(body) ?? null, (_, value) => {
    if (!(value instanceof File)) return value
    files.push(value)
    return { name: value.name, size: value.size }
  })
  hash.update(text)
  const converted = convertedFiles.get(request)
  for (const file of converted ? [...files, converted] : files) hash.update(await file.arrayBuffer())
  return hash.digest('hex')
}

type ArrivedRequest = { request: Request; route: string; body: unknown; session: Session }

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

/**
 * Returns true if an earlier signing key produces the stored fingerprint.
 * The signing key may have changed since the first request with the same idempotency key was sent.
 */
async function isFromBefore(ctx: AppContext, arrived: ArrivedRequest, fingerprint: string): Promise<boolean> {
  for (const signingKey of await previousKeys(ctx))
    if ((await fingerprintOf({ ...ctx, signingKey }, arrived)) === fingerprint) return true
  return false
}

const SECRET_FIELDS = ['current_password', 'currentPassword', 'password', 'newPassword', 'code']

/**
 * Returns whether a body contains a password or second-factor code.
 * The response to a reused idempotency key shows whether the password or code is the same as in the first request. Each
 * reuse therefore counts as an attempt to enter the password.
 */
const hasCredential = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && SECRET_FIELDS.some((field) => field in body)

/**
 * Returns the response to the first request with the same idempotency key.
 * @throws KeyReused when the key belongs to a different request
 * @throws RateLimited after too many reused keys in requests with a password or a code
 * @throws UnderWay while the first request is running
 * @throws Conflict when the change was made, but its response was lost
 * @throws Conflict when the response can contain a secret and is too old to be repeated
 */
async function replay(
  ctx: AppContext,
  arrived: ArrivedRequest,
  {
    user_id,
    key,
    fingerprint,
    created_at: now,
  }: { user_id: number; key: string; fingerprint: string; created_at: Date },
): Promise<Response> {
  const { request, route, session } = arrived
  const { user } = session
  const [first] = await ctx.db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.user_id, user_id), eq(idempotencyKeys.key, key)))
  // The first request has just failed and freed the idempotency key. `UnderWay` tells the client to send the request
  // again.
  if (!first) throw new UnderWay()
  // API tokens cannot confirm a password, and must not be able to block the password of their owner.
  const isAttempt = !session.token && hasCredential(arrived.body)
  if (isAttempt) await ctx.limits.countOwn(user.username)
  if (first.fingerprint !== fingerprint && !(await isFromBefore(ctx, arrived, first.fingerprint))) throw new KeyReused()
  const send = async (status: number, text: string) => {
    // Subtract the password attempt that was counted above, but do not reset the count. A repeated request proves only
    // that its body is the same as in the first request, not that the password in it is right.
    if (isAttempt) await ctx.limits.ownRepeated(user.username)
    // If the response describes a document, `entity` is the table of the record to which the document belongs. Check
    // again that the user can read such records, because the user may have lost this permission.
    const body = JSON.parse(text) as { data?: { entity?: string } }
    const { entity } = body.data ?? {}
    if (entity !== undefined) checkMayReadHistory(user, entity)
    const visibleText = user.sees_costs ? text : JSON.stringify(withoutCosts(body))
    const answer = textAnswer(request, visibleText, JSON_TYPE, status)
    answer.headers.set('idempotent-replayed', 'true')
    const version = versionIn(body)
    if (version !== undefined) answer.headers.set('etag', `"${version}"`)
    return answer
  }
  const facts = ctx.routes.factsOf(request.method, route)
  if (first.is_written && mayContainSecret(facts) && now.getTime() - first.created_at.getTime() > SECRET_MS)
    throw new Conflict(
      'This request was already carried out. ' +
        'The response is not sent again, because it may contain a secret, such as a password.',
    )
  const answer = first.answer && unsealOrNull(ctx, ANSWER_KEY, first.answer)
  if (first.status !== null && answer !== null) return send(first.status, answer)
  if (first.status === null && first.locked_until > now) throw new UnderWay()
  if (!first.is_written) {
    // The server stopped before the change, and was then restarted with another signing key. Free the idempotency key,
    // so that the next retry is executed.
    await ctx.db.delete(idempotencyKeys).where(rowOf({ ...first, is_written: false }))
    throw new UnderWay()
  }
  // The change was committed, but its response is missing: the server stopped before it stored the response, or the
  // signing key was replaced. Create the response from the record.
  const { answers, recordsAt, ends } = facts ?? {}
  const data = await storedRecord(ctx.routes, request, first.record_id ?? undefined, recordsAt)
  const recordStatus = String((data as { status?: unknown } | undefined)?.status)
  // Another instance has taken over the work of the first request.
  if (ends?.unfinished.includes(recordStatus)) throw new UnderWay()
  if (data === undefined || (ends && !ends.succeeded.includes(recordStatus)))
    throw new Conflict(
      'This request was already carried out, but its response was lost. Look up the record to see the result.',
    )
  const status = answers?.[0]?.status ?? 200
  return send(status, JSON.stringify({ success: true, data }))
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
