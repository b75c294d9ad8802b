import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Bulk, Database, Db, Row, Watch } from './client'
import * as schema from './schema'
import { firstHostOnly } from './server-address'

/** Maximum duration of an SQL statement, in milliseconds. The embedded database has the same limit. */
export const STATEMENT_LIMIT_MS = 25_000

/**
 * Postgres settings for each connection: timeouts in milliseconds, keepalive times in seconds.
 * With these settings, the server releases the locks of this process a minute after the process or its network fails.
 */
const LIMITS = {
  statement_timeout: STATEMENT_LIMIT_MS,
  idle_in_transaction_session_timeout: 60_000,
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
}

type Client = postgres.Sql | postgres.TransactionSql

/**
 * Adds prepared statements and time measurement to a postgres.js client.
 * Drizzle runs every statement with `unsafe`, which does not prepare statements by default. A prepared statement is not
 * planned again for each use.
 */
function watched<C extends Client>(client: C, prepare: boolean, watch: Watch): C {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key === 'unsafe') {
        return (text: string, values?: never[], options?: object) => {
          const query = target.unsafe(text, values, { ...options, prepare })
          const startedAt = performance.now()
          // Measure only queries that reached a server. postgres.js sets `state` when it sends a query.
          const over = () => 'state' in query && query.state && watch(text, performance.now() - startedAt)
          query.then(over, over)
          return query
        }
      }
      if (key === 'begin' || key === 'savepoint') {
        return (work: (tx: postgres.TransactionSql) => unknown) =>
          (value as (this: C, work: unknown) => unknown).call(target, (tx: postgres.TransactionSql) =>
            work(watched(tx, prepare, watch)),
          )
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * Options for statements that can take longer than the time limit.
 * Without `patient`, our patch of postgres.js closes a connection after 27 s without a response.
 */
const PATIENT_OPTIONS = { patient: true } as object

const bulkOn = (tx: postgres.TransactionSql): Bulk => ({
  run: async (statement) => [...(await tx.unsafe(statement, [], PATIENT_OPTIONS))] as Row[],
  copyIn: async (statement, pieces) =>
    pipeline(Readable.from(pieces), await tx.unsafe(statement, [], PATIENT_OPTIONS).writable()),
})

/**
 * Connects to a Postgres server. If the address has several hosts, they are tried in turn until one accepts writes.
 * `pgbouncer=true` in the address turns off prepared statements and timeouts, because a connection pooler does not
 * preserve them.
 * @param role `replica` to connect to a server that accepts no writes
 */
export function openServer(url: string, watch: Watch = () => {}, role: 'primary' | 'replica' = 'primary'): Database {
  const address = new URL(firstHostOnly(url))
  const behindPooler = address.searchParams.get('pgbouncer') === 'true'
  const client = postgres(url.replace(/([?&])pgbouncer=[^&]*&?/, '$1').replace(/[?&]$/, ''), {
    max: 10,
    connect_timeout: 2,
    // Delay, in seconds, before each new attempt to connect. The library's own delays grow to 20 s, although a server
    // restart takes much less time.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    idle_timeout: 300,
    prepare: !behindPooler,
    onnotice: () => {},
    // Connect only to the primary server. The value `read-write` would also accept a standby.
    ...(role === 'primary' ? { target_session_attrs: 'primary' as const } : {}),
    // Do not send `LIMITS` to a connection pooler, because a pooler rejects connections with settings that it does not
    // track.
    connection: {
      application_name: 'yardmaster',
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      ...(behindPooler ? {} : LIMITS),
    },
  })
  const prepared = watched(client, !behindPooler, watch)
  const db = drizzle(prepared, { schema })
  return {
    engine: 'server',
    db: db as unknown as Db,
    raw: async (text, values) => [...(await prepared.unsafe(text, values as never[]))] as Row[],
    // Copy inside a transaction, so that the connection runs no other statement in the meantime. Such a statement would
    // fail and make the copy fail too.
    copyIn: (statement, bytes) =>
      client.begin(async (tx) => {
        await finished((await tx.unsafe(statement).writable()).end(bytes))
      }) as Promise<never>,
    bulk: (mode, work) =>
      client.begin(mode === 'read' ? 'isolation level repeatable read read only' : '', async (tx) => {
        await tx.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
        return work(bulkOn(tx))
      }) as Promise<never>,
    close: () => client.end({ timeout: 5 }),
  }
}
