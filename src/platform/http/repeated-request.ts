import { and, eq } from 'drizzle-orm'
import { idempotencyKeys } from '../../../db/schema'
import { checkMayReadHistory } from '../audit/rules'
import { unsealOrNull } from '../auth/sealing'
import type { AppContext } from '../context'
import { withoutCosts } from '../costs'
import { Conflict, KeyReused, UnderWay } from '../refusals'
import { versionIn } from './answers'
import { type ArrivedRequest, isFromBefore, mayContainSecret } from './request-fingerprint'
import { storedRecord } from './stored-record'
import { textAnswer } from './text-answer'

/**
 * Time, in milliseconds, in which a retry can get a secret.
 * The time starts with the first request, and later retries are refused. Otherwise, somebody with a stolen session
 * could send the request again and read the secret without confirming the password.
 */
const SECRET_MS = 5 * 60_000
/** Purpose of the key that encrypts stored responses. */
export const ANSWER_KEY = 'stored answer'
const JSON_TYPE = 'application/json; charset=utf-8'

type KeyRow = Pick<typeof idempotencyKeys.$inferSelect, 'user_id' | 'key' | 'attempt'>

export const rowOf = ({ user_id, key, attempt }: KeyRow) =>
  and(eq(idempotencyKeys.user_id, user_id), eq(idempotencyKeys.key, key), eq(idempotencyKeys.attempt, attempt))

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
export async function replay(
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
  if (isAttempt) await ctx.limits.countOwn(session)
  if (first.fingerprint !== fingerprint && !(await isFromBefore(ctx, arrived, first.fingerprint))) throw new KeyReused()
  const send = async (status: number, text: string) => {
    // Subtract the password attempt that was counted above, but do not reset the count. A repeated request proves only
    // that its body is the same as in the first request, not that the password in it is right.
    if (isAttempt) await ctx.limits.ownRepeated(session)
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
    await ctx.db.delete(idempotencyKeys).where(rowOf(first))
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
