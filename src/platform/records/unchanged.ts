import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../db/client'

/**
 * Which transactions a statement that began now would see, and since when the database has run: two equal answers mean
 * that nothing was committed in between, by this program or another.
 */
const STATE = sql`select pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text as state`

type Known = { state: string; answers: Map<string, Promise<unknown>> }

const known = new WeakMap<Db, Known>()
/** So many questions are remembered at once; the eldest is forgotten first. */
const LIMIT = 50

async function answersOf(db: Db): Promise<Map<string, Promise<unknown>>> {
  const [found] = await rows<{ state: string }>(db, STATE)
  const state = found?.state ?? ''
  const last = known.get(db)
  if (last?.state === state) return last.answers
  const answers = new Map<string, Promise<unknown>>()
  known.set(db, { state, answers })
  return answers
}

/**
 * What the database answers to a question that costs it much: it is asked once, and again as soon as anything was
 * written to it. Who asks meanwhile gets the same answer, which nobody may change. Not for use in a transaction, whose
 * own writes do not count as such yet.
 * @param question tells it from all others, with whatever the answer depends on beside the tables, such as the day
 */
export async function whileUnchanged<Answer>(db: Db, question: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answers = await answersOf(db)
  const remembered = answers.get(question) as Promise<Answer> | undefined
  if (remembered) return remembered
  const answer = ask()
  answers.set(question, answer)
  const [eldest] = answers.keys()
  if (answers.size > LIMIT && eldest !== undefined) answers.delete(eldest)
  answer.catch(() => answers.delete(question))
  return answer
}
