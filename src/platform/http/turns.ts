import { callerOf, type Session, signInOf } from '../auth/sessions'
import type { AppContext } from '../context'
import type { Write } from '../records/transactions'
import { RateLimited } from '../refusals'
import { isUnsafe } from './request'
import { renewed } from './while-allowed'

/**
 * Limits for the requests of one caller on one server instance. A caller is either all sessions or all API tokens of an
 * account.
 * - `running`: maximum number of requests that run at the same time
 * - `open`: maximum number of requests that run or wait
 * - `pauseMs`: pause after each request, in milliseconds, so that requests of other users run
 */
type Limits = { running: number; open: number; pauseMs: number }

/**
 * Limits for changes and reads.
 * Without limits, one caller could delay all others. The embedded database runs statements one after another. On a
 * Postgres server, the requests of one caller could occupy all connections.
 */
const LIMITS: Record<AppContext['database']['engine'], Record<Kind, Limits>> = {
  embedded: {
    largeChanges: { running: 1, open: 5, pauseMs: 200 },
    changes: { running: 4, open: 100, pauseMs: 0 },
    reads: { running: 2, open: 100, pauseMs: 0 },
    tokenReads: { running: 1, open: 100, pauseMs: 0 },
    access: { running: 1, open: 20, pauseMs: 0 },
    accountAccess: { running: 1, open: 5000, pauseMs: 0 },
    batches: { running: 1, open: 1000, pauseMs: 0 },
    missedChanges: { running: 1, open: 1000, pauseMs: 200 },
    signOns: { running: 1, open: 20, pauseMs: 0 },
  },
  server: {
    largeChanges: { running: 2, open: 20, pauseMs: 0 },
    changes: { running: 2, open: 200, pauseMs: 0 },
    reads: { running: 6, open: 200, pauseMs: 0 },
    tokenReads: { running: 4, open: 200, pauseMs: 0 },
    access: { running: 2, open: 20, pauseMs: 0 },
    accountAccess: { running: 4, open: 5000, pauseMs: 0 },
    batches: { running: 3, open: 1000, pauseMs: 0 },
    missedChanges: { running: 1, open: 1000, pauseMs: 100 },
    signOns: { running: 1, open: 20, pauseMs: 0 },
  },
}
/**
 * Kinds of requests. Each kind has its own limits.
 * - `largeChanges`: for example bulk edits. They also count as `changes`.
 * - `changes`: all changes, including those whose form is shown again with errors
 * - `reads`: reads in a session
 * - `tokenReads`: reads with an API token
 * - `access`: reads and changes of one sign-in that concern the user's own sessions, tokens and second factor
 * - `accountAccess`: the `access` requests of all sign-ins of an account together. Only a few of each sign-in are
 *   counted here at a time, so that the sign-ins take turns.
 * - `batches`: batches of rows for downloads
 * - `missedChanges`: batches of changes for event streams that start in the past
 * - `signOns`: single sign-ons of one person, and confirmations by single sign-on
 */
type Kind =
  | 'largeChanges'
  | 'changes'
  | 'reads'
  | 'tokenReads'
  | 'access'
  | 'accountAccess'
  | 'batches'
  | 'missedChanges'
  | 'signOns'
const RETRY_SECONDS = 5

/**
 * Numbers of requests of one caller. `open` counts the requests that run or wait. `running` counts the requests that
 * run, or that ended less than `pauseMs` ago.
 */
type Caller = { open: number; running: number; waiting: (() => void)[] }

class Turns {
  readonly #callers = new Map<string, Caller>()

  constructor(readonly limits: Limits) {}

  /**
   * Waits until the caller can run one more request.
   * @returns `leave`, to be called when the request has ended, and whether the request had to wait
   * @throws RateLimited when too many requests of the caller wait
   */
  async enter(name: string): Promise<{ leave: () => void; hasWaited: boolean }> {
    const { running, open, pauseMs } = this.limits
    const caller = this.#callers.getOrInsertComputed(name, () => ({ open: 0, running: 0, waiting: [] }))
    if (caller.open >= open) throw new RateLimited(RETRY_SECONDS)
    caller.open++
    const hasWaited = caller.running >= running
    if (hasWaited) await new Promise<void>((resolve) => caller.waiting.push(resolve))
    else caller.running++
    const next = () => {
      const start = caller.waiting.shift()
      if (start) return start()
      caller.running--
      if (caller.running === 0 && caller.open === 0) this.#callers.delete(name)
    }
    const leave = () => {
      caller.open--
      if (pauseMs > 0) setTimeout(next, pauseMs)
      else next()
    }
    return { leave, hasWaited }
  }
}

const turnsOf = new WeakMap<AppContext['database'], Record<Kind, Turns>>()
const turnsFor = ({ database }: Pick<AppContext, 'database'>): Record<Kind, Turns> =>
  turnsOf.getOrInsertComputed(database, () => {
    const turns = Object.entries(LIMITS[database.engine]).map(([kind, limits]) => [kind, new Turns(limits)])
    return Object.fromEntries(turns) as Record<Kind, Turns>
  })

/**
 * Returns the name under which a user's changes and downloads are counted.
 * Sessions and API tokens have different names, because a stolen token must not block the sessions of its owner.
 */
const turnName = ({ username, token_name }: Write['actor']) => `${username} by ${token_name ? 'token' : 'session'}`

/**
 * Runs a large change, such as a bulk edit. The change waits while the caller already has as many large changes running
 * as `LIMITS` allows. Many large changes at a time would block all other users for many seconds.
 * @throws RateLimited when too many changes of the caller wait, SignedOut or Forbidden when the user lost access while
 * the change waited
 */
export async function inTurn<T>(ctx: AppContext, write: Write, change: (write: Write) => Promise<T>): Promise<T> {
  const { leave, hasWaited } = await turnsFor(ctx).largeChanges.enter(turnName(write.actor))
  try {
    return await change(hasWaited ? await renewed(write) : write)
  } finally {
    leave()
  }
}

/**
 * Runs a single sign-on of a person after the other ones of the same person.
 * @throws RateLimited when too many single sign-ons of the person wait
 */
export async function inSignOnTurn<T>(
  ctx: AppContext,
  { issuer, subject }: { issuer: string; subject: string },
  signOn: () => Promise<T>,
): Promise<T> {
  const { leave } = await turnsFor(ctx).signOns.enter(`${issuer} ${subject}`)
  try {
    return await signOn()
  } finally {
    leave()
  }
}

/**
 * Time, in milliseconds, after which a request stops counting as running.
 * Applies to requests for which `endTurn` is not called.
 */
const LONGEST_TURN_MS = 120_000

/** Waiting time, in milliseconds, after which the user's access is checked again. */
const RECHECK_MS = 100

const leaving = new WeakMap<Request, () => void>()

/**
 * Waits until the caller can run one more request. `endTurn` must be called after the response.
 * Does nothing if it was already called for the same request.
 * @param isRead true for reads, including `POST` requests that only read
 * @param isOwnAccess true for requests about the user's own access. They do not wait for the account's other requests.
 * @returns whether the request had to wait so long that its access must be checked again
 * @throws RateLimited when too many requests of the caller wait, or when the client has disconnected
 */
export async function beginTurn(
  ctx: AppContext,
  session: Session,
  request: Request,
  { isRead = !isUnsafe(request), isOwnAccess = false } = {},
): Promise<boolean> {
  if (leaving.has(request)) return false
  leaving.set(request, () => {})
  const began = performance.now()
  const { changes, reads, tokenReads } = turnsFor(ctx)
  const { leave, hasWaited } = isOwnAccess
    ? await enterAccess(ctx, session)
    : await (!isRead ? changes : session.token ? tokenReads : reads).enter(callerOf(session))
  const timer = setTimeout(() => endTurn(request), LONGEST_TURN_MS)
  timer.unref()
  leaving.set(request, () => {
    clearTimeout(timer)
    leave()
  })
  if (hasWaited && request.signal.aborted) {
    endTurn(request)
    throw new RateLimited(RETRY_SECONDS)
  }
  return hasWaited && performance.now() - began > RECHECK_MS
}

async function enterAccess(ctx: AppContext, session: Session): Promise<{ leave: () => void; hasWaited: boolean }> {
  const { access, accountAccess } = turnsFor(ctx)
  const own = await access.enter(signInOf(session))
  const ofAccount = await accountAccess.enter(callerOf(session)).catch((error) => {
    own.leave()
    throw error
  })
  const leave = () => {
    ofAccount.leave()
    own.leave()
  }
  return { leave, hasWaited: own.hasWaited || ofAccount.hasWaited }
}

/** Does nothing if `beginTurn` was not called for the request. */
export function endTurn(request: Request): void {
  leaving.get(request)?.()
  leaving.delete(request)
}

/**
 * Yields the batches of a download or an event stream. Each batch waits for a turn, so that one account does not delay
 * other users. A turn lasts only for one batch, because a slow client can take hours for the whole download.
 */
export async function* batchesInTurn<Batch>(
  ctx: Pick<AppContext, 'database'>,
  { actor }: Pick<Write, 'actor'>,
  batches: AsyncIterable<Batch>,
  kind: 'batches' | 'missedChanges' = 'batches',
): AsyncGenerator<Batch> {
  const iterator = batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { leave } = await turnsFor(ctx)[kind].enter(turnName(actor))
      const next = await iterator.next().finally(leave)
      if (next.done) return
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}
