import type { Db } from '../../db/client'

/** What a statement was put together with, by its name. */
const known = new Map<string, { on: string; statement: object }>()
/** Changes have a shape for each choice of fields; more than so many nobody sends all day. */
const LIMIT = 500

/**
 * A statement that is asked again and again, put together once for the whole program and asked on any connection, also in
 * a transaction: putting it together takes longer than sending it. `build` says what differs with placeholders, and a
 * name is given once in the program.
 * @param on the values that stand in it otherwise, such as the business day
 */
export function prepared<Statement extends object>(db: Db, name: string, build: () => Statement, on = ''): Statement {
  let found = known.get(name)
  if (found?.on !== on) {
    if (known.size >= LIMIT) known.clear()
    found = { on, statement: build() }
    known.set(name, found)
  }
  // Drizzle ties a statement to the connection that it was made on; everything else of it is the same for each.
  const { client } = (db as unknown as { _: { session: { client: unknown } } })._.session
  return Object.assign(Object.create(found.statement), { client })
}
