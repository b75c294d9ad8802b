import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Bulk, Database, Db, Row, Watch } from './client'
import * as schema from './schema'
import { firstHostOnly } from './server-address'

/** Statement timeout in milliseconds; the same in both engines. */
export const STATEMENT_LIMIT_MS = 25_000

/**
 * Server-side timeouts in milliseconds, and keepalive times in seconds. The server releases the locks of an instance
 * that vanished, with its host or network, after a minute.
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
 * Prepares and times the statements of a client. Drizzle passes every statement to `unsafe`, which prepares none.
 * Preparing them once per connection saves Postgres from planning the same list again for each user.
 */
function watched<C extends Client>(client: C, prepare: boolean, watch: Watch): C {
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key === 'unsafe') {
        return (text: string, values?: never[], options?: object) => {
          const query = target.unsafe(text, values, { ...options, prepare })
          const startedAt = performance.now()
          // postgres.js sets `state` when it sends a query. A query that found no server never ran.
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
 * Exempts a statement from our postgres.js patch. The patch closes a connection that has not answered a statement for
 * 27 s.
 */
const PATIENT_OPTIONS = { patient: true } as object

const bulkOn = (tx: postgres.TransactionSql): Bulk => ({
  run: async (statement) => [...(await tx.unsafe(statement, [], PATIENT_OPTIONS))] as Row[],
  copyIn: async (statement, pieces) =>
    pipeline(Readable.from(pieces), await tx.unsafe(statement, [], PATIENT_OPTIONS).writable()),
})

/**
 * Opens a Postgres server. Several hosts in the address are tried in turn, and the one that accepts writes is used.
 * `pgbouncer=true` in the address disables what a pooler does not keep: prepared statements and timeouts.
 */
export function openServer(url: string, watch: Watch = () => {}): Database {
  const address = new URL(firstHostOnly(url))
  const behindPooler = address.searchParams.get('pgbouncer') === 'true'
  const client = postgres(url.replace(/([?&])pgbouncer=[^&]*&?/, '$1').replace(/[?&]$/, ''), {
    max: 10,
    connect_timeout: 2,
    // The library's own delays grow to 20 s, long after a restarted server is back.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    idle_timeout: 300,
    prepare: !behindPooler,
    onnotice: () => {},
    // Not `read-write`, which also accepts a standby.
    target_session_attrs: 'primary',
    // A pooler rejects connections with settings that it does not track.
    connection: { application_name: 'yardmaster', TimeZone: 'UTC', ...(behindPooler ? {} : LIMITS) },
  })
  const prepared = watched(client, !behindPooler, watch)
  const db = drizzle(prepared, { schema })
  return {
    engine: 'server',
    db: db as unknown as Db,
    raw: async (text, values) => [...(await prepared.unsafe(text, values as never[]))] as Row[],
    // A transaction has exclusive use of its connection. Another statement sent on it during the copy would end both.
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
