import type { AppContext } from '../context'
import type { Write } from '../records/transactions'
import { RateLimited } from '../refusals'
import { renewed } from './while-allowed'

/**
 * Maximum number of large changes by the sessions of an account, or by its API tokens, that run or wait at a time.
 */
const LIMIT = 5
const RETRY_SECONDS = 5
/**
 * Pause, in milliseconds, between two large changes by the same account. Requests of other users run during the pause.
 */
const PAUSE_MS = 200

type Turns = Map<string, { count: number; last: Promise<unknown> }>
const turnsOf = new WeakMap<AppContext['database'], Turns>()

/**
 * Runs a large change, such as a bulk edit, after the earlier large changes of the same caller. The embedded database
 * runs transactions one after another, in the order in which they are requested. Several large changes in a row would
 * block all other users for many seconds. With a Postgres server, large changes do not wait, because the server runs
 * transactions at the same time.
 * @throws RateLimited when too many changes of the account wait, SignedOut or Forbidden when the user lost access while
 * the change waited
 */
export async function inTurn<T>(
  { database }: AppContext,
  write: Write,
  change: (write: Write) => Promise<T>,
): Promise<T> {
  if (database.engine === 'server') return change(write)
  const { username, token_name } = write.actor
  // A stolen token must not block the sessions of its owner.
  const caller = `${username} by ${token_name ? 'token' : 'session'}`
  const turns = turnsOf.get(database) ?? (new Map() as Turns)
  turnsOf.set(database, turns)
  const turn = turns.get(caller) ?? { count: 0, last: Promise.resolve() }
  if (turn.count >= LIMIT) throw new RateLimited(RETRY_SECONDS)
  turns.set(caller, turn)
  const hasToWait = turn.count > 0
  turn.count++
  const own = turn.last.then(async () => change(hasToWait ? await renewed(write) : write))
  turn.last = own.catch(() => {}).then(() => Bun.sleep(PAUSE_MS))
  return own.finally(() => {
    turn.count--
    if (turn.count === 0) turns.delete(caller)
  })
}
