import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'

/**
 * SQL for a text that changes with every committed write.
 * The text consists of the current snapshot and the start time of the database server. If two queries return the same
 * text, nothing was committed between them.
 */
const STATE = sql`select pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text as state`

type CachedResults = { state: string; answers: Map<string, Promise<unknown>> }

const cache = new WeakMap<Db, CachedResults>()
const LIMIT = 50

async function answersOf(db: Db): Promise<Map<string, Promise<unknown>>> {
  const [snapshot] = await rows<{ state: string }>(db, STATE)
  const state = snapshot?.state ?? ''
  const last = cache.get(db)
  if (last?.state === state) return last.answers
  const answers = new Map<string, Promise<unknown>>()
  cache.set(db, { state, answers })
  return answers
}

/**
 * Caches the result of an expensive query until the next write. Callers share the result and must not modify it. Do not
 * use the cache in a transaction, because the cache does not detect the transaction's own writes.
 * @param key cache key, which must include every input of the query, such as the day; the tables are not inputs
 */
export async function whileUnchanged<Answer>(db: Db, key: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = await answersOf(db)
  const remembered = answers.get(key) as Promise<Answer> | undefined
  if (remembered) return remembered
  const answer = ask()
  answers.set(key, answer)
  const [eldest] = answers.keys()
  if (answers.size > LIMIT && eldest !== undefined) answers.delete(eldest)
  answer.catch(() => answers.delete(key))
  return answer
}
