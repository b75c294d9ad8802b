import type { AppContext } from '../context'
import type { Write } from '../records/transactions'
import { RateLimited } from '../refusals'
import { renewed } from './while-allowed'

/**
 * Limits for large changes of one caller on one server instance.
 * A caller is either the sessions or the API tokens of an account.
 * `running`: how many changes run at a time. `open`: how many run or wait. `pauseMs`: pause after each change, in which
 * requests of other users run. The embedded database runs transactions one after another. On a Postgres server, changes
 * that wait for each other would occupy all connections.
 */
const LIMITS = {
  embedded: { running: 1, open: 5, pauseMs: 200 },
  server: { running: 2, open: 20, pauseMs: 0 },
}
const RETRY_SECONDS = 5

/** `open`: changes that run or wait. `running`: those that run, or whose pause has not ended. */
type Turns = { open: number; running: number; waiting: (() => void)[] }
const turnsOf = new WeakMap<AppContext['database'], Map<string, Turns>>()

/**
 * Runs a large change, such as a bulk edit, after earlier large changes of the same caller.
 * Many large changes at a time would block all other users for many seconds. `LIMITS` defines how many can run.
 * @throws RateLimited when too many changes of the caller wait, SignedOut or Forbidden when the user lost access while
 * the change waited
 */
export async function inTurn<T>(
  { database }: AppContext,
  write: Write,
  change: (write: Write) => Promise<T>,
): Promise<T> {
  const { running, open, pauseMs } = LIMITS[database.engine]
  const { username, token_name } = write.actor
  // A stolen token must not block the sessions of its owner.
  const caller = `${username} by ${token_name ? 'token' : 'session'}`
  const callers = turnsOf.getOrInsertComputed(database, () => new Map())
  const turns = callers.getOrInsertComputed(caller, () => ({ open: 0, running: 0, waiting: [] }))
  if (turns.open >= open) throw new RateLimited(RETRY_SECONDS)
  turns.open++
  const hasToWait = turns.running >= running
  if (hasToWait) await new Promise<void>((resolve) => turns.waiting.push(resolve))
  else turns.running++
  try {
    return await change(hasToWait ? await renewed(write) : write)
  } finally {
    turns.open--
    setTimeout(() => {
      const next = turns.waiting.shift()
      if (next) return next()
      turns.running--
      if (turns.running === 0 && turns.open === 0) callers.delete(caller)
    }, pauseMs)
  }
}
