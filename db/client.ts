import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

/** A connection or an open transaction: they have the same type, so queries compose and can be undone together. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** One row of an untyped statement. */
export type Row = Record<string, unknown>

/** Told of every statement that ran: its text, without values, and how long it took in milliseconds. */
export type Watch = (statement: string, ms: number) => void

/** An open database, whichever engine runs it. */
export type Database = {
  engine: 'embedded' | 'server'
  db: Db
  /** Runs one parameterised statement outside Drizzle, for libraries that bring their own SQL. */
  raw(text: string, values: unknown[]): Promise<Row[]>
  /** Runs `copy … from stdin` with these bytes, in a transaction of its own. */
  copyIn(statement: string, bytes: Uint8Array): Promise<void>
  /**
   * Runs a transaction that moves whole tables, on a connection of its own where the engine has several; `read`
   * sees one moment.
   */
  bulk<T>(mode: 'read' | 'write', work: (bulk: Bulk) => Promise<T>): Promise<T>
  /** Does the upkeep that is due, where no server does it. @returns what it did */
  keepUp?(): Promise<string[]>
  close(): Promise<void>
}

/** What a bulk transaction does: statements without values, and `copy` in Postgres' own text form. */
export type Bulk = {
  run(statement: string): Promise<Row[]>
  /** `copy … from stdin`. */
  copyIn(statement: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
}

/** The rows of a hand-written statement; both engines answer in their own shape. */
export async function rows<T = Row>(db: Db, query: SQL): Promise<T[]> {
  const result = (await db.execute(query)) as unknown as T[] | { rows: T[] }
  return Array.isArray(result) ? result : result.rows
}

/**
 * Is the column one of these ids? They go as one parameter: with one for each, every length of list is a statement of
 * its own, and a connection keeps each statement that it has prepared.
 */
export const oneOf = (column: AnyPgColumn, ids: readonly number[]): SQL =>
  sql`${column} = any(${`{${ids.join(',')}}`}::text::int[])`

type DatabaseError = { code?: string; constraint?: string }

/** What the database said, below the layers that wrapped it. */
export function databaseError(error: unknown): DatabaseError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const found = at as Error & { code?: unknown; constraint?: unknown; constraint_name?: unknown }
    if (typeof found.code === 'string') {
      const constraint = found.constraint ?? found.constraint_name
      return { code: found.code, constraint: typeof constraint === 'string' ? constraint : undefined }
    }
  }
  return null
}

/**
 * 53200: more locks than the server has room for.
 * 25006: a server that became a standby takes no writes. 40P01: two transactions waited for each other, and this
 * one gave way.
 */
const AWAY =
  /^(08...|25006|40P01|57P0[123]|53200|53300|53400|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_.*|DATABASE_AWAY)$/

/** Is the database away or too slow to answer, rather than refusing the statement? */
export function isDatabaseAway(error: unknown): boolean {
  return AWAY.test(databaseError(error)?.code ?? '')
}

/** Is the disk full, of the database or of our own files? */
export function isDiskFull(error: unknown): boolean {
  const code = databaseError(error)?.code ?? ''
  return code === '53100' || code === 'ENOSPC'
}

/** The unique constraint that a statement ran into, or null. */
export function violatedUnique(error: unknown): string | null {
  const found = databaseError(error)
  return found?.code === '23505' ? (found.constraint ?? '') : null
}

/** The foreign key that a statement ran into, or null. */
export function violatedReference(error: unknown): string | null {
  const found = databaseError(error)
  return found?.code === '23503' || found?.code === '23001' ? (found.constraint ?? '') : null
}

/** What went wrong at the bottom of it, without the statement that Drizzle puts around it. */
export function reasonOf(error: unknown): string {
  let bottom = error
  while (bottom instanceof Error && bottom.cause instanceof Error) bottom = bottom.cause
  return (bottom instanceof Error ? bottom.message : String(bottom)).slice(0, 300)
}
