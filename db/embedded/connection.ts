import { closeSync, existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { sep } from 'node:path'
import type { Results } from '@electric-sql/pglite'
import type { Watch } from '../client'
import type { Answer, Command, QueryOptions } from './protocol'

// In the binary this module is part of the main bundle, so the address starts at the bundle's root.
const workerUrl = new URL(Bun.isStandaloneExecutable ? './db/embedded/worker.js' : './worker.ts', import.meta.url).href

const stopLimitMs = 10_000

/** Carries the Postgres fields (code, detail, constraint, table, column …) of an error from the worker. */
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
export const died = (why: string) =>
  new EmbeddedError({ code: '57P01', message: `The embedded database stopped: ${why}` })
export const closed = () => new EmbeddedError({ code: '57P03', message: 'The embedded database is closed' })

/** What drizzle-orm/pglite calls on a client. */
export type Executor = {
  query<T>(sql: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>>
  exec(sql: string, options?: QueryOptions): Promise<Results[]>
}

type Waiting = { resolve(value: never): void; reject(error: Error): void; timer: Timer }

/**
 * One worker with one open database. Dead for good after its first failure: a transaction must never go on in
 * another.
 */
export class Connection implements Executor {
  failure: Error | undefined
  onDeath: ((failure: Error) => void) | undefined
  #worker = new Worker(workerUrl)
  #waiting = new Map<number, Waiting>()
  #lastId = 0
  #stopped = Promise.withResolvers<void>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(
    readonly data: string | undefined,
    readonly queryLimitMs: number,
    readonly watch: Watch | undefined,
  ) {
    this.#worker.onmessage = (event: MessageEvent<Answer>) => this.#settle(event.data)
    this.#worker.onerror = (event) => this.fail(died(event.message))
    this.#worker.addEventListener('close', () => {
      this.#stopped.resolve()
      this.fail(died('its worker ended'))
    })
  }

  query<T>(sql: string, params?: unknown[], options?: QueryOptions) {
    return this.send<Results<T>>({ kind: 'query', sql, params, options: plain(options) })
  }

  exec(sql: string, options?: QueryOptions) {
    return this.send<Results[]>({ kind: 'exec', sql, options: plain(options) })
  }

  /** One command at a time, so that the limit counts the command's own time and not its wait. */
  send<T>(command: Command, limitMs = this.queryLimitMs): Promise<T> {
    const sent = this.#turn.then(() => this.#timed(command, this.#post<T>(command, limitMs)))
    this.#turn = sent.catch(() => {})
    return sent
  }

  #timed<T>(command: Command, answer: Promise<T>): Promise<T> {
    const { watch } = this
    if (!watch || !('sql' in command)) return answer
    const startedAt = performance.now()
    return answer.finally(() => watch(command.sql, performance.now() - startedAt))
  }

  #post<T>(command: Command, limitMs: number): Promise<T> {
    if (this.failure) return Promise.reject(this.failure)
    const id = ++this.#lastId
    return new Promise<T>((resolve, reject) => {
      // Throws for what cannot be cloned, so nothing may be waiting for an answer yet.
      this.#worker.postMessage({ ...command, id })
      const timer = setTimeout(() => this.fail(timedOut(limitMs)), limitMs)
      this.#waiting.set(id, { resolve, reject, timer })
    })
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    if (!waiting) return
    this.#waiting.delete(answer.id)
    clearTimeout(waiting.timer)
    if ('error' in answer) waiting.reject(new EmbeddedError(answer.error))
    else waiting.resolve(answer.result as never)
  }

  fail(failure: Error): void {
    if (this.failure) return
    this.failure = failure
    this.#worker.terminate()
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(failure)
    }
    this.#waiting.clear()
    this.onDeath?.(failure)
  }

  /** Resolves when the thread has ended. A second database on the same files before that would corrupt them. */
  async stop(failure: Error): Promise<void> {
    this.fail(failure)
    const limit = Promise.withResolvers<never>()
    const timer = setTimeout(() => limit.reject(died('its worker does not end')), stopLimitMs)
    await Promise.race([this.#stopped.promise, limit.promise]).finally(() => clearTimeout(timer))
    if (this.data) closeFilesIn(this.data)
  }
}

/** A terminated worker leaves its files open (about 50 each time), as descriptors belong to the process. Linux only. */
function closeFilesIn(folder: string): void {
  const descriptors = '/proc/self/fd'
  if (!existsSync(descriptors)) return
  const inside = realpathSync(folder) + sep
  for (const descriptor of readdirSync(descriptors)) {
    try {
      if (readlinkSync(`${descriptors}/${descriptor}`).startsWith(inside)) closeSync(Number(descriptor))
    } catch {
      // The descriptor of this very listing is gone by now.
    }
  }
}

// drizzle adds parser functions, which cannot be posted; the worker has the same ones.
const plain = (options: QueryOptions = {}): QueryOptions => ({
  ...(options.rowMode ? { rowMode: options.rowMode } : {}),
  ...(options.blob ? { blob: options.blob } : {}),
})
