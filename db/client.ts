import { AsyncLocalStorage } from 'node:async_hooks'
import { Placeholder, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

/** A database connection or an open transaction. The shared type lets any query run inside a transaction. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export type Row = Record<string, unknown>

/** Called after each SQL statement. `statement` does not contain parameter values. */
export type Watch = (statement: string, ms: number) => void

export type Database = {
  engine: 'embedded' | 'server'
  db: Db
  /** Runs SQL with parameters but without Drizzle. A library that writes its own SQL needs this. */
  raw(text: string, values: unknown[]): Promise<Row[]>
  /** Runs a statement `copy … from stdin` in a separate transaction. */
  copyIn(statement: string, bytes: Uint8Array): Promise<void>
  /**
   * Runs `work` in a transaction that reads or writes whole tables.
   * On a Postgres server, the transaction has its own connection and no time limit. If `mode` is `read`, all statements
   * of the transaction see the same data, even if other users change the data in the meantime.
   */
  bulk<T>(mode: 'read' | 'write', work: (bulk: Bulk) => Promise<T>): Promise<T>
  /**
   * Runs maintenance, such as vacuum, if it is due. Only the embedded database has this method, because a Postgres
   * server maintains itself.
   * @returns the operations that ran
   */
  keepUp?(): Promise<string[]>
  close(): Promise<void>
}

/**
 * Operations on whole tables inside one transaction.
 * `run` takes a statement without parameters. `copyIn` expects rows in Postgres text format.
 */
export type Bulk = {
  run(statement: string): Promise<Row[]>
  copyIn(statement: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
}

/** Returns the rows of a hand-written SQL statement. The database drivers return results in different structures. */
export async function rows<T = Row>(db: Db, query: SQL): Promise<T[]> {
  const result = (await db.execute(query)) as unknown as T[] | { rows: T[] }
  return Array.isArray(result) ? result : result.rows
}

/**
 * Returns the SQL condition that a column equals one of these ids.
 * All ids are one array parameter, so that one prepared statement serves any number of ids. With `= any(…)`, Postgres
 * sometimes compares each row with each id, which is slow.
 */
export const oneOf = (column: AnyPgColumn, ids: readonly number[] | Placeholder): SQL =>
  sql`${column} in (select unnest(${ids instanceof Placeholder ? ids : idList(ids)}::text::int[]))`

/** Formats ids as the text of an array. A prepared statement with `oneOf` takes this text. */
export const idList = (ids: readonly number[]): string => `{${ids.join(',')}}`

type DatabaseError = { code?: string; constraint?: string }

/** Finds the first error with a code in the chain of causes. */
export function databaseError(error: unknown): DatabaseError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const cause = at as Error & { code?: unknown; constraint?: unknown; constraint_name?: unknown }
    if (typeof cause.code === 'string') {
      const constraint = cause.constraint ?? cause.constraint_name
      return { code: cause.code, constraint: typeof constraint === 'string' ? constraint : undefined }
    }
  }
  return null
}

/**
 * Postgres error codes that mean that the database is unavailable or overloaded.
 * For example, 53200 means that there is no memory for more locks. 25006 means that the server is now a standby and
 * rejects writes. 28P01 means that the password was just changed. 40P01 means that the transaction was aborted to
 * resolve a deadlock.
 */
const UNAVAILABLE_STATES = /^(08...|25006|28P01|40P01|57P0[123]|53200|53300|53400|55000|57014|55P03)$/
const UNAVAILABLE_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
  'DATABASE_AWAY',
])

/** Time limit of a statement on both engines, in milliseconds. */
export const STATEMENT_LIMIT_MS = 25_000

/** Maximum number of imports that an instance writes at the same time to a Postgres server. */
export const LONG_WRITES = 2

/**
 * Kinds of work whose transactions have separate limits on a Postgres server:
 * - `usual`: requests
 * - `priority`: urgent requests, such as sign-outs
 * - `background`: imports
 */
export type Lane = 'usual' | 'priority' | 'background'
const lanes = new AsyncLocalStorage<Lane>()

/** Runs urgent work, such as a sign-out. Its transactions do not wait until usual transactions have ended. */
export const withPriority = <T>(work: () => Promise<T>): Promise<T> => lanes.run('priority', work)
/** Runs background work, such as an import. Requests do not wait until its transactions have ended. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => lanes.run('background', work)
export const currentLane = (): Lane => lanes.getStore() ?? 'usual'

/** True if the error means that the database is unavailable or slow. */
export function isDatabaseAway(error: unknown): boolean {
  const code = databaseError(error)?.code ?? ''
  return UNAVAILABLE_STATES.test(code) || UNAVAILABLE_ERRORS.has(code) || code.startsWith('CONNECTION_')
}

/**
 * True if a statement or transaction waited too long.
 * It waited for a lock, for other transactions, or for the connection of the embedded database.
 */
export function isDatabaseBusy(error: unknown): boolean {
  return databaseError(error)?.code === '55P03'
}

export function isDiskFull(error: unknown): boolean {
  const code = databaseError(error)?.code ?? ''
  return code === '53100' || code === 'ENOSPC'
}

export function isDatabaseDamaged(error: unknown): boolean {
  return /^XX00[12]$/.test(databaseError(error)?.code ?? '')
}

/**
 * Returns the name of the violated unique constraint.
 * Returns an empty string if the database did not report the name, and null if the error has another cause.
 */
export function violatedUnique(error: unknown): string | null {
  const databaseFailure = databaseError(error)
  return databaseFailure?.code === '23505' ? (databaseFailure.constraint ?? '') : null
}

/**
 * Returns the name of the violated foreign key.
 * Returns an empty string if the database did not report the name, and null if the error has another cause.
 */
export function violatedReference(error: unknown): string | null {
  const databaseFailure = databaseError(error)
  return databaseFailure?.code === '23503' || databaseFailure?.code === '23001'
    ? (databaseFailure.constraint ?? '')
    : null
}

/**
 * Returns the message of an error's innermost cause, at most 300 characters.
 * Drizzle's outer error is not used, because its message contains the whole SQL statement.
 */
export function reasonOf(error: unknown): string {
  let bottom = error
  while (bottom instanceof Error && bottom.cause instanceof Error) bottom = bottom.cause
  return (bottom instanceof Error ? bottom.message : String(bottom)).slice(0, 300)
}
