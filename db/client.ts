import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

/** A connection or an open transaction. They share one type, so that any query can run inside a transaction. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export type Row = Record<string, unknown>

/**
 * Called after each executed statement, with the statement's text (without values) and its duration in milliseconds.
 */
export type Watch = (statement: string, ms: number) => void

export type Database = {
  engine: 'embedded' | 'server'
  db: Db
  /** Runs a parameterized statement outside Drizzle, for libraries with their own SQL. */
  raw(text: string, values: unknown[]): Promise<Row[]>
  /** Runs `copy … from stdin` with these bytes in its own transaction. */
  copyIn(statement: string, bytes: Uint8Array): Promise<void>
  /**
   * Runs a transaction that reads or writes whole tables, on its own connection if the engine has several. In `read`
   * mode, all statements see the same snapshot.
   */
  bulk<T>(mode: 'read' | 'write', work: (bulk: Bulk) => Promise<T>): Promise<T>
  /**
   * Runs due maintenance. Exists only for the engine without a server, because a Postgres server maintains itself.
   * @returns the operations that ran
   */
  keepUp?(): Promise<string[]>
  close(): Promise<void>
}

/**
 * Operations of a bulk transaction. `run` takes a statement without parameters, and `copyIn` expects rows in Postgres
 * text format.
 */
export type Bulk = {
  run(statement: string): Promise<Row[]>
  copyIn(statement: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
}

/**
 * Returns the rows of a hand-written statement as an array. Each engine returns its results in a different structure.
 */
export async function rows<T = Row>(db: Db, query: SQL): Promise<T[]> {
  const result = (await db.execute(query)) as unknown as T[] | { rows: T[] }
  return Array.isArray(result) ? result : result.rows
}

/**
 * Returns the condition that a column contains one of these ids. The ids are passed as a single array parameter.
 * Otherwise, each different number of ids would need its own prepared statement, and each connection would cache all of
 * them.
 */
export const oneOf = (column: AnyPgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${`{${ids.join(',')}}`}::text::int[])`

type DatabaseError = { code?: string; constraint?: string }

/**
 * Returns the database's error, even if it is wrapped in other errors. Returns null if the error does not come from the
 * database.
 */
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
 * Codes of a database that is unavailable or overloaded. 53200: no room for more locks. 25006: the server became a
 * standby and rejects writes. 40P01: this transaction was aborted to resolve a deadlock.
 */
const UNAVAILABLE_CODES =
  /^(08...|25006|40P01|57P0[123]|53200|53300|53400|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_.*|DATABASE_AWAY)$/

/** Returns true if the database is unavailable or too slow, and false if it rejected the statement. */
export function isDatabaseAway(error: unknown): boolean {
  return UNAVAILABLE_CODES.test(databaseError(error)?.code ?? '')
}

/** Returns true if the disk of the database or of this process is full. */
export function isDiskFull(error: unknown): boolean {
  const code = databaseError(error)?.code ?? ''
  return code === '53100' || code === 'ENOSPC'
}

/**
 * Returns the name of the violated unique constraint, or null if the error has another cause. The name is empty if the
 * error does not contain it.
 */
export function violatedUnique(error: unknown): string | null {
  const databaseFailure = databaseError(error)
  return databaseFailure?.code === '23505' ? (databaseFailure.constraint ?? '') : null
}

/**
 * Returns the name of the violated foreign key, or null if the error has another cause. The name is empty if the error
 * does not contain it.
 */
export function violatedReference(error: unknown): string | null {
  const databaseFailure = databaseError(error)
  return databaseFailure?.code === '23503' || databaseFailure?.code === '23001'
    ? (databaseFailure.constraint ?? '')
    : null
}

/** Returns the root cause's message, without the statement that Drizzle adds. At most 300 characters. */
export function reasonOf(error: unknown): string {
  let bottom = error
  while (bottom instanceof Error && bottom.cause instanceof Error) bottom = bottom.cause
  return (bottom instanceof Error ? bottom.message : String(bottom)).slice(0, 300)
}
