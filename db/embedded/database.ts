import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '@electric-sql/pglite'
import type { Watch } from '../client'
import { Connection, closed, died, EmbeddedError, type Executor, waitedTooLong } from './connection'
import { type FolderLock, lockFolder } from './lock'
import type { QueryOptions } from './protocol'
import { placeSeed } from './seed'
import seedPath from './seed.tar.gz' with { type: 'file' }

const openLimitMs = 60_000

export type EmbeddedOptions = { folder?: string; queryLimitMs?: number; stopLimitMs?: number; watch?: Watch }

/**
 * The embedded database: PGlite in a worker thread.
 * It has a single connection, which a transaction uses exclusively. Inside a transaction, run all queries on the
 * transaction object. A query on the database object would wait for the end of the transaction and time out.
 */
export class EmbeddedDatabase implements Executor {
  #connection: Promise<Connection> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #deaths = 0
  #broken: Error | undefined
  #closing: Promise<void> | undefined

  private constructor(
    readonly queryLimitMs: number,
    readonly data: string | undefined,
    readonly lock: FolderLock | undefined,
    readonly watch: Watch | undefined,
    readonly stopLimitMs: number | undefined,
  ) {}

  static async open({
    folder,
    queryLimitMs = 30_000,
    stopLimitMs,
    watch,
  }: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
    const lock = folder ? lockFolder(folder) : undefined
    const data = folder && join(folder, 'pgdata')
    const database = new EmbeddedDatabase(queryLimitMs, data, lock, watch, stopLimitMs)
    try {
      await database.#connect(data ? placeSeed(data, seedPath) : undefined)
      return database
    } catch (error) {
      lock?.release()
      throw error
    }
  }

  query<T>(sql: string, params?: unknown[], options?: QueryOptions): Promise<Results<T>> {
    return this.#alone((connection) => connection.query<T>(sql, params, options))
  }

  exec(sql: string): Promise<Results[]> {
    return this.#alone((connection) => connection.exec(sql))
  }

  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    return this.#alone(async (connection) => {
      await connection.exec('BEGIN')
      const tx = new Transaction(connection)
      try {
        const result = await work(tx)
        tx.over = true
        const [outcome] = await connection.exec('COMMIT')
        // Postgres reports success even for the COMMIT of a failed transaction. In this case, its response names the
        // command ROLLBACK.
        if (outcome?.command === 'ROLLBACK')
          throw new EmbeddedError({ code: '25P02', message: 'The transaction had failed and was rolled back' })
        return result
      } catch (error) {
        tx.over = true
        if (!connection.failure) await connection.exec('ROLLBACK')
        throw error
      }
    })
  }

  /** Returns the number of fsync calls since opening. A test uses this number to check that commits reach the disk. */
  fsyncs(): Promise<number> {
    return this.#alone((connection) => connection.send<number>({ kind: 'fsyncs' }))
  }

  close(): Promise<void> {
    this.#closing ??= this.#turn.then(async () => {
      const connection = await this.#connection?.catch(() => undefined)
      try {
        if (connection && !connection.failure) await connection.send({ kind: 'close' })
      } finally {
        if (connection) await this.#stop(connection, closed())
        this.lock?.release()
      }
    })
    return this.#closing
  }

  async #alone<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#closing) throw closed()
    const before = this.#turn
    const turn = Promise.withResolvers<void>()
    this.#turn = before.then(() => turn.promise)
    const deaths = this.#deaths
    const limit = Promise.withResolvers<never>()
    const timer = setTimeout(() => limit.reject(waitedTooLong(this.queryLimitMs)), this.queryLimitMs)
    try {
      await Promise.race([before, limit.promise]).finally(() => clearTimeout(timer))
      if (deaths !== this.#deaths) throw died('its worker ended while this call waited')
      return await work(await this.#connect())
    } finally {
      turn.resolve()
    }
  }

  #connect(ready?: Promise<void>): Promise<Connection> {
    if (this.#broken) return Promise.reject(this.#broken)
    this.#connection ??= this.#retryable(this.#openConnection(ready))
    return this.#connection
  }

  #retryable(opening: Promise<Connection>): Promise<Connection> {
    const watched = opening.catch((error) => {
      this.#connection = undefined
      throw error
    })
    watched.catch(() => {})
    return watched
  }

  async #openConnection(ready?: Promise<void>): Promise<Connection> {
    const connection = new Connection(this.data, this.queryLimitMs, this.watch, this.stopLimitMs)
    try {
      await ready
      // Delete the pid file of a crashed process, because Postgres does not start if this file is empty. The folder is
      // locked, so no other process uses it.
      if (this.data) rmSync(join(this.data, 'postmaster.pid'), { force: true })
      await connection.send({ kind: 'open', folder: this.data }, openLimitMs)
      connection.onDeath = (failure) => this.#replace(connection, failure)
      return connection
    } catch (error) {
      await this.#stop(connection, error as Error)
      throw error
    }
  }

  #replace(connection: Connection, failure: Error): void {
    if (this.#closing) return
    if ((failure as EmbeddedError).code === '57P01') this.#deaths++
    // Do not reopen an in-memory database after a failure, because the new database would be empty.
    if (!this.data) this.#broken = failure
    else this.#connection = this.#retryable(this.#stop(connection, failure).then(() => this.#openConnection()))
  }

  async #stop(connection: Connection, failure: Error): Promise<void> {
    try {
      await connection.stop(failure)
    } catch (error) {
      this.#broken = error as Error
      // Once the worker has ended, the next call can open a new connection.
      void connection.ended().then(() => {
        if (this.data) this.#broken = undefined
      })
      throw error
    }
  }
}

class Transaction implements Executor {
  over = false

  constructor(readonly connection: Connection) {}

  async query<T>(sql: string, params?: unknown[], options?: QueryOptions) {
    return this.#use().query<T>(sql, params, options)
  }

  async exec(sql: string) {
    return this.#use().exec(sql)
  }

  #use(): Connection {
    if (this.over) throw new EmbeddedError({ code: '25P01', message: 'The transaction has already ended' })
    return this.connection
  }
}
