import { closeSync, existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import type { Results } from '@electric-sql/pglite'
import type { Watch } from '../client'
import type { Command, QueryOptions, WorkerResponse } from './protocol'

// In the compiled program, this module is part of the main bundle. The path is then relative to the root of the bundle.
const workerUrl = new URL(Bun.isStandaloneExecutable ? './db/embedded/worker.js' : './worker.ts', import.meta.url).href

const STOP_LIMIT_MS = 10_000

/** An error from the database worker. It has the fields of a Postgres error, such as `constraint`. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
  declare code: string

  constructor(fields: Record<string, string>) {
    super(fields.message)
    Object.assign(this, fields)
  }
}

const timedOut = (ms: number) =>
  new EmbeddedError({ code: '57014', message: `The query took longer than ${ms} ms and was stopped` })
export const waitedTooLong = (ms: number) =>
  new EmbeddedError({ code: '55P03', message: `The embedded database was busy for ${ms} ms` })
export const died = (reason: string) =>
  new EmbeddedError({ code: '57P01', message: `The embedded database stopped: ${reason}` })
export const closed = () => new EmbeddedError({ code: '57P03', message: 'The embedded database is closed' })

/** The methods of a database client that Drizzle's PGlite driver calls. */
export type Executor = {
  query<T>(sql: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>>
  exec(sql: string): Promise<Results[]>
}

type Waiting = {
  resolve(value: unknown): void
  reject(error: Error): void
  limitMs: number
  /** Duration of the command in milliseconds, once it has ended. */
  ms: number
}

/**
 * A connection to the worker thread that runs the embedded database.
 * After the first failure, this connection rejects all commands, and `EmbeddedDatabase` opens a new connection.
 * A transaction that was open at that time also fails, because it cannot continue on the new connection.
 */
export class Connection implements Executor {
  failure: Error | undefined
  onDeath: ((failure: Error) => void) | undefined
  #worker = new Worker(workerUrl)
  /** The sent commands without a response. The worker runs them in this order. */
  #waiting = new Map<number, Waiting>()
  #lastId = 0
  #startedAt = 0
  #timer: Timer | undefined
  #stopped = Promise.withResolvers<void>()

  constructor(
    readonly data: string | undefined,
    readonly queryLimitMs: number,
    readonly watch: Watch | undefined,
    readonly stopLimitMs = STOP_LIMIT_MS,
  ) {
    this.#worker.onmessage = (event: MessageEvent<WorkerResponse>) => this.#settle(event.data)
    this.#worker.onerror = (event) => this.fail(died(event.message))
    this.#worker.addEventListener('close', () => {
      this.#stopped.resolve()
      this.fail(died('its worker ended'))
    })
  }

  query<T>(sql: string, params?: unknown[], options?: QueryOptions) {
    return this.send<Results<T>>({ kind: 'query', sql, params, options: plain(options) })
  }

  exec(sql: string) {
    return this.send<Results[]>({ kind: 'exec', sql })
  }

  /**
   * Sends a command without waiting for earlier commands, which saves switches between the threads.
   * The time limit of a command does not include the wait for earlier commands.
   */
  send<T>(command: Command, limitMs = this.queryLimitMs): Promise<T> {
    if (this.failure) return Promise.reject(this.failure)
    const id = ++this.#lastId
    // Post the message before registering the command, because `postMessage` throws if the command cannot be cloned.
    this.#worker.postMessage({ ...command, id })
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const waiting: Waiting = { resolve, reject, limitMs, ms: 0 }
    this.#waiting.set(id, waiting)
    if (this.#waiting.size === 1) this.#start(limitMs)
    const response = promise as Promise<T>
    const { watch } = this
    if (!watch || !('sql' in command)) return response
    // `finally` keeps the asynchronous context of the caller. Traces use it to find the request of the statement.
    return response.finally(() => watch(command.sql, waiting.ms))
  }

  /** Called when the worker begins to run a command. */
  #start(limitMs: number): void {
    this.#startedAt = performance.now()
    this.#timer = setTimeout(() => this.fail(timedOut(limitMs)), limitMs)
  }

  #settle(answer: WorkerResponse): void {
    const waiting = this.#waiting.get(answer.id)
    if (!waiting) return
    this.#waiting.delete(answer.id)
    clearTimeout(this.#timer)
    waiting.ms = performance.now() - this.#startedAt
    const [next] = this.#waiting.values()
    if (next) this.#start(next.limitMs)
    if ('error' in answer) waiting.reject(new EmbeddedError(answer.error))
    else waiting.resolve(answer.result)
  }

  fail(failure: Error): void {
    if (this.failure) return
    this.failure = failure
    this.#worker.terminate()
    clearTimeout(this.#timer)
    for (const { reject } of this.#waiting.values()) reject(failure)
    this.#waiting.clear()
    this.onDeath?.(failure)
  }

  /** Waits until the worker has ended, then closes its open files. A terminated worker may still finish a statement. */
  async ended(): Promise<void> {
    await this.#stopped.promise
    if (this.data) closeFilesIn(this.data)
  }

  /**
   * Stops the database worker and waits until its thread has ended.
   * Only then may a new worker open the database files, because two workers would corrupt them.
   * @throws EmbeddedError when the worker does not stop in time
   */
  async stop(failure: Error): Promise<void> {
    this.fail(failure)
    const limit = Promise.withResolvers<never>()
    const timer = setTimeout(() => limit.reject(died('its worker did not stop in time')), this.stopLimitMs)
    await Promise.race([this.ended(), limit.promise]).finally(() => clearTimeout(timer))
  }
}

/**
 * Closes the database files that a terminated worker left open.
 * Each worker leaves about 50 files open, because file descriptors belong to the process. Works only on Linux.
 */
function closeFilesIn(folder: string): void {
  const descriptors = '/proc/self/fd'
  // The database folder is missing if it was deleted after the database was closed, but before the worker ended.
  if (!existsSync(descriptors) || !existsSync(folder)) return
  const inside = realpathSync(folder) + sep
  for (const descriptor of readdirSync(descriptors)) {
    try {
      if (readlinkSync(`${descriptors}/${descriptor}`).startsWith(inside)) closeSync(Number(descriptor))
    } catch {
      // Ignore descriptors that are already closed, such as the descriptor that `readdirSync` itself used.
    }
  }
}

// Removes Drizzle's parser functions, because functions cannot be sent to a worker. The worker has its own copies.
const plain = (options: QueryOptions = {}): QueryOptions => ({
  ...(options.rowMode ? { rowMode: options.rowMode } : {}),
  ...(options.blob ? { blob: options.blob } : {}),
})
