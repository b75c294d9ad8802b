import type { Database } from '../../../db/client'
import { callerOf, openSessionRoles, type Session } from '../auth/sessions'
import type { AppContext } from '../context'
import { RateLimited, Refusal } from '../refusals'
import type { FeedChange } from './changes'
import { changeFeed } from './feed'

/**
 * Interval between checks in milliseconds. Each check closes the streams whose session has ended.
 * Each `BEAT_EVERY_CHECKS`-th check also sends a comment to every stream as a heartbeat.
 */
const CHECK_EVERY_MS = 1000
const BEAT_EVERY_CHECKS = 15
const RETRY_SECONDS = 15
/**
 * Maximum numbers of open event streams per session, caller and server instance. All sessions of a user together are
 * one caller, and all API tokens of a user together are another. A browser opens one stream per tab. Without HTTPS,
 * HTTP/1.1 limits a browser to six streams.
 */
const LIMITS = { session: 20, caller: 50, instance: 1000 }

export type Stream = {
  session: Session
  send(changes: FeedChange[]): void
  beat(): void
  close(): void
}

/**
 * Open event streams of one server instance. When a session ends, its streams are closed before any further change is
 * sent.
 */
class EventStreams {
  readonly #streams = new Set<Stream>()
  #listening: Promise<() => void> | undefined
  #timer: Timer | undefined
  #checks = 0

  constructor(private readonly ctx: AppContext) {}

  /**
   * Registers an event stream, so that it receives record changes.
   * @returns a function that removes the stream
   * @throws RateLimited when the user has too many streams, Refusal (503) when the instance has too many streams
   */
  async add(stream: Stream): Promise<() => void> {
    this.#checkLimits(stream.session)
    this.#streams.add(stream)
    this.#timer ??= setInterval(() => void this.#check(), CHECK_EVERY_MS).unref()
    this.#listening ??= changeFeed(this.ctx).listen(
      (changes) => this.#deliver(changes),
      () => this.#closeAll(),
    )
    const remove = () => {
      this.#streams.delete(stream)
      if (this.#streams.size === 0) this.#stop()
    }
    await this.#listening.catch((error) => {
      remove()
      throw error
    })
    return remove
  }

  #checkLimits(own: Session) {
    const open = [...this.#streams]
    const callerStreams = open.filter(({ session }) => callerOf(session) === callerOf(own))
    const sessionStreams = callerStreams.filter(({ session }) => session.id === own.id)
    if (sessionStreams.length >= LIMITS.session || callerStreams.length >= LIMITS.caller)
      throw new RateLimited(RETRY_SECONDS)
    if (open.length >= LIMITS.instance) throw new Refusal(503, 'Too many live connections are open. Try again later.')
  }

  #stop() {
    clearInterval(this.#timer)
    this.#timer = undefined
    void this.#listening?.then(
      (unlisten) => unlisten(),
      () => {},
    )
    this.#listening = undefined
  }

  #closeAll() {
    for (const stream of [...this.#streams]) stream.close()
  }

  async #closeEnded() {
    const streams = [...this.#streams]
    const roles = await openSessionRoles(
      this.ctx.db,
      streams.map(({ session }) => session.id),
      this.ctx.clock.now(),
    )
    for (const stream of streams) if (roles.get(stream.session.id) !== stream.session.user.role) stream.close()
  }

  async #deliver(changes: FeedChange[]) {
    try {
      await this.#closeEnded()
    } catch {
      // If the sessions cannot be checked, close all event streams. This is safe, because clients reconnect and request
      // the changes that they missed.
      return this.#closeAll()
    }
    for (const stream of [...this.#streams]) stream.send(changes)
  }

  async #check() {
    // Ignore the error if the sessions cannot be checked. This happens only if the database is unavailable, and then no
    // stream receives changes.
    await this.#closeEnded().catch(() => {})
    if (++this.#checks % BEAT_EVERY_CHECKS === 0) for (const stream of [...this.#streams]) stream.beat()
  }
}

const all = new WeakMap<Database, EventStreams>()

export function eventStreams(ctx: AppContext): EventStreams {
  const streams = all.get(ctx.database) ?? new EventStreams(ctx)
  all.set(ctx.database, streams)
  return streams
}
