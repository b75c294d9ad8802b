import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import {
  type Bulk,
  currentLane,
  type Database,
  type Db,
  type Lane,
  LONG_WRITES,
  type Row,
  STATEMENT_LIMIT_MS,
  type Watch,
} from './client'
import { limitTasks } from './limit-tasks'
import * as schema from './schema'
import { firstHostOnly } from './server-address'

/**
 * Postgres settings for each connection: timeouts in milliseconds, keepalive times in seconds.
 * If this process or its network fails, the Postgres server ends the connection and releases its locks after a minute.
 * A change waits at most 3 seconds for a lock, because each waiting change occupies a connection. For example, a change
 * waits if a running import has locked the same vehicle.
 */
const LIMITS = {
  statement_timeout: STATEMENT_LIMIT_MS,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 60_000,
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
}

const CONNECTIONS = 10
/**
 * Maximum number of concurrent transactions for each kind of work. Reads and the progress of imports need connections
 * too. An import can write for minutes in one transaction. The short transactions of other imports and of undos must
 * not wait for it.
 */
const TRANSACTIONS: Record<Lane, number> = { usual: 4, priority: 2, background: LONG_WRITES + 1 }

/**
 * Maximum time for which a transaction waits for others to end. Imports have no such limit, because they run in the
 * background.
 */
const MAX_WAIT_MS = 10_000
type Limit = ReturnType<typeof limitTasks>

type Client = postgres.Sql | postgres.TransactionSql

/**
 * Makes a postgres.js client prepare its statements and report their durations.
 * Drizzle runs all statements with the client's function `unsafe`. By default, `unsafe` does not prepare statements, so
 * the server would parse and plan a statement each time.
 */
function watched<C extends Client>(client: C, prepare: boolean, watch: Watch, limit?: Limit): C {
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
        return (work: (tx: postgres.TransactionSql) => unknown) => {
          const transact = () =>
            (value as (this: C, work: unknown) => Promise<unknown>).call(target, (tx: postgres.TransactionSql) =>
              work(watched(tx, prepare, watch)),
            )
          return key === 'begin' && limit ? limit(transact) : transact()
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * Options for statements without a time limit.
 * Our patch of postgres.js closes a connection after 27 s without a response, unless `patient` is set.
 */
const PATIENT_OPTIONS = { patient: true } as object

const bulkOn = (tx: postgres.TransactionSql): Bulk => ({
  run: async (statement) => [...(await tx.unsafe(statement, [], PATIENT_OPTIONS))] as Row[],
  copyIn: async (statement, pieces) =>
    pipeline(Readable.from(pieces), await tx.unsafe(statement, [], PATIENT_OPTIONS).writable()),
})

type ServerOptions = {
  watch?: Watch | undefined
  /** `replica` connects to a server that need not accept writes. */
  role?: 'primary' | 'replica'
  /** File with the address. Each new connection uses the password that the file then contains. */
  urlFile?: string | null
}

const passwordIn = (url: string) => decodeURIComponent(new URL(firstHostOnly(url.trim())).password)

/** Reads the password for each new connection. If the file is missing or invalid for a moment, the old one is used. */
function newestPassword(url: string, urlFile: string): () => Promise<string> {
  let password = passwordIn(url)
  return async () => {
    try {
      password = passwordIn(await readFile(urlFile, 'utf8'))
    } catch {}
    return password
  }
}

/**
 * Connects to a Postgres server. If the address has several hosts, connects to the one that accepts writes.
 * For a connection pooler, the address must contain `pgbouncer=true`. Prepared statements and timeouts are then off,
 * because a pooler does not preserve them.
 */
export function openServer(
  url: string,
  { watch = () => {}, role = 'primary', urlFile = null }: ServerOptions = {},
): Database {
  const address = new URL(firstHostOnly(url))
  const behindPooler = address.searchParams.get('pgbouncer') === 'true'
  const client = postgres(url.replace(/([?&])pgbouncer=[^&]*&?/, '$1').replace(/[?&]$/, ''), {
    max: CONNECTIONS,
    connect_timeout: 2,
    // Delay in seconds. The library's delays grow to 20 s, which is much longer than a server restart.
    backoff: (attempt: number) => Math.min(0.05 * 2 ** attempt, 0.5),
    idle_timeout: 300,
    prepare: !behindPooler,
    onnotice: () => {},
    ...(urlFile ? { pass: newestPassword(url, urlFile) } : {}),
    // Accept only the primary server. With `read-write`, postgres.js would also accept a standby.
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
  const limits: Record<Lane, Limit> = {
    usual: limitTasks(TRANSACTIONS.usual, MAX_WAIT_MS),
    priority: limitTasks(TRANSACTIONS.priority, MAX_WAIT_MS),
    background: limitTasks(TRANSACTIONS.background, Infinity),
  }
  const limit: Limit = (task) => limits[currentLane()](task)
  const prepared = watched(client, !behindPooler, watch, limit)
  const db = drizzle(prepared, { schema })
  return {
    engine: 'server',
    db: db as unknown as Db,
    raw: async (text, values) => [...(await prepared.unsafe(text, values as never[]))] as Row[],
    // Copy inside a transaction, because a transaction reserves the connection. Otherwise, another statement could run
    // on the connection during the copy, and both statements would fail.
    copyIn: (statement, bytes) =>
      client.begin(async (tx) => {
        await finished((await tx.unsafe(statement).writable()).end(bytes))
      }) as Promise<never>,
    bulk: (mode, work) =>
      client.begin(mode === 'read' ? 'isolation level repeatable read read only' : '', async (tx) => {
        await tx.unsafe(
          'set local statement_timeout = 0; set local lock_timeout = 0; ' +
            'set local idle_in_transaction_session_timeout = 0',
        )
        return work(bulkOn(tx))
      }) as Promise<never>,
    close: () => client.end({ timeout: 5 }),
  }
}
