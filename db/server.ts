import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Bulk, Database, Db, Row, Watch } from './client'
import * as schema from './schema'
import { firstHostOnly } from './server-address'

/** Statement timeout in milliseconds. The embedded database has the same timeout. */
export const STATEMENT_LIMIT_MS = 25_000

/**
 * Timeouts of the server in milliseconds, and keepalive times in seconds. If an instance or its network fails, the
 * server releases the locks of the instance after a minute.
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
 * Adds prepared statements and timing to a client. Drizzle passes every statement to `unsafe`, which does not prepare
 * statements by default. With prepared statements, Postgres does not plan the same list again for each user.
 */
function watched<C extends Client>(client: C, prepare: boolean, watch: Watch): C {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key === 'unsafe') {
        return (text: string, values?: never[], options?: object) => {
          const query = target.unsafe(text, values, { ...options, prepare })
          const startedAt = performance.now()
          // postgres.js sets `state` when it sends a query. Do not time a query without `state`, because it never
          // reached a server.
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
 * Options that exempt a statement from our postgres.js patch, which closes a connection after 27 s without a response.
 */
const PATIENT_OPTIONS = { patient: true } as object

const bulkOn = (tx: postgres.TransactionSql): Bulk => ({
  run: async (statement) => [...(await tx.unsafe(statement, [], PATIENT_OPTIONS))] as Row[],
  copyIn: async (statement, pieces) =>
    pipeline(Readable.from(pieces), await tx.unsafe(statement, [], PATIENT_OPTIONS).writable()),
})

/**
 * Connects to a Postgres server. If the address contains several hosts, they are tried in turn until one accepts
 * writes. `pgbouncer=true` in the address disables prepared statements and timeouts, because a pooler does not preserve
 * them.
 */
export function openServer(url: string, watch: Watch = () => {}): Database {
  const address = new URL(firstHostOnly(url))
  const behindPooler = address.searchParams.get('pgbouncer') === 'true'
  const client = postgres(url.replace(/([?&])pgbouncer=[^&]*&?/, '$1').replace(/[?&]$/, ''), {
    max: 10,
    connect_timeout: 2,
    // The library's default delays grow to 20 s, which is much longer than a server restart takes.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    idle_timeout: 300,
    prepare: !behindPooler,
    onnotice: () => {},
    // Do not use `read-write`, because it also accepts a standby.
    target_session_attrs: 'primary',
    // Do not send `LIMITS` to a pooler, because a pooler rejects connections with settings that it does not track.
    connection: { application_name: 'yardmaster', TimeZone: 'UTC', ...(behindPooler ? {} : LIMITS) },
  })
  const prepared = watched(client, !behindPooler, watch)
  const db = drizzle(prepared, { schema })
  return {
    engine: 'server',
    db: db as unknown as Db,
    raw: async (text, values) => [...(await prepared.unsafe(text, values as never[]))] as Row[],
    // Copy in a transaction, because a transaction has exclusive use of its connection. Otherwise, another statement
    // could be sent on the connection during the copy, and both would fail.
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
