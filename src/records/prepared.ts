import type { Db } from '../../db/client'

const known = new WeakMap<Db, Map<string, { on: string; statement: unknown }>>()

/**
 * A statement that is asked again and again, put together once for each database; `build` says what differs with
 * placeholders. A name is given once in the program.
 * @param on the values that stand in it otherwise, such as the business day
 */
export function prepared<Statement>(db: Db, name: string, build: () => Statement, on = ''): Statement {
  const statements = known.get(db) ?? new Map<string, { on: string; statement: unknown }>()
  known.set(db, statements)
  const found = statements.get(name)
  if (found?.on === on) return found.statement as Statement
  const statement = build()
  statements.set(name, { on, statement })
  return statement
}
