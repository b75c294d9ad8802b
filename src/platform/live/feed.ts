import { type Database, reasonOf } from '../../../db/client'
import type { AppContext } from '../context'
import { newestEntry } from '../records/audit-entry'
import { changesIn, entriesAfter, entryBefore, entryIds, type FeedChange } from './changes'
import { Position, removeFromGaps } from './gaps'

const LOOK_EVERY_MS = 800
/**
 * Time after which a missing id counts as rolled back, in milliseconds.
 * An audit entry gets its id before its transaction commits. The transaction is expected to commit within this time.
 */
const GAP_LASTS_MS = 10 * 60_000
/**
 * Number of the newest audit entry ids that are searched at startup. The feed looks for missing ids among them.
 * A missing id can belong to a transaction that has not committed yet.
 */
const LOOK_BACK = 5000
const MAX_ENTRIES = 2000
const GAPS = 500

/** Maximum age of the changes for a reconnecting client, in milliseconds. */
const RESUME_MS = 24 * 60 * 60_000

type Listener = (changes: FeedChange[]) => void

/**
 * Reads record changes from the audit trail and sends them to listeners. This includes changes by other server
 * instances.
 * The feed reads only while there are listeners.
 * An audit entry gets its id before its transaction commits, so ids can be missing at first. The feed keeps looking for
 * a missing id for ten minutes.
 */
class ChangeFeed {
  readonly #listeners = new Set<Listener>()
  readonly #endings = new Set<() => void>()
  #position = new Position(0)
  #timer: Timer | undefined
  #starting: Promise<void> | undefined
  #isFailing = false

  constructor(private readonly ctx: AppContext) {}

  /**
   * Subscribes `listener` to all record changes that are committed from now on. `onEnd` is called when the server
   * stops.
   * @returns a function that ends the subscription
   */
  async listen(listener: Listener, onEnd: () => void): Promise<() => void> {
    if (this.#listeners.size === 0) this.#starting = this.#start()
    this.#listeners.add(listener)
    this.#endings.add(onEnd)
    const end = () => {
      this.#listeners.delete(listener)
      this.#endings.delete(onEnd)
      if (this.#listeners.size === 0) clearTimeout(this.#timer)
    }
    try {
      await this.#starting
    } catch (error) {
      end()
      throw error
    }
    return end
  }

  /**
   * Yields the changes to records in the last `seconds` seconds. The API limits `seconds` to 60.
   * A new page needs these changes, because it starts to listen only after it has loaded.
   */
  async *recent(seconds: number): AsyncGenerator<FeedChange[]> {
    const { db, clock } = this.ctx
    const since = new Date(clock.now().getTime() - seconds * 1000)
    const position = new Position(await entryBefore(db, since))
    yield await changesIn(db, await entriesAfter(db, position.last, [], MAX_ENTRIES), position)
  }

  /** Yields the record changes after `position`, in batches. Changes that are older than 24 hours are left out. */
  async *since(position: Position): AsyncGenerator<FeedChange[]> {
    const { db, clock } = this.ctx
    const oldest = await entryBefore(db, new Date(clock.now().getTime() - RESUME_MS))
    position.limitTo(oldest, await newestEntry(db))
    for (let count = MAX_ENTRIES; count === MAX_ENTRIES; ) {
      position.expire(GAP_LASTS_MS, GAPS)
      const entries = await entriesAfter(db, position.last, position.gaps, MAX_ENTRIES)
      count = entries.length
      yield await changesIn(db, entries, position)
    }
  }

  close() {
    for (const end of [...this.#endings]) end()
  }

  async #start() {
    clearTimeout(this.#timer)
    const { db } = this.ctx
    const last = await newestEntry(db)
    const from = Math.max(1, last - LOOK_BACK)
    const whole = [{ from, to: last, since: Date.now() }]
    this.#position = new Position(last, last ? removeFromGaps(whole, await entryIds(db, from, last)) : [])
    this.#wait()
  }

  #wait() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS).unref()
  }

  async #look() {
    try {
      while (this.#listeners.size > 0 && (await this.#read()) === MAX_ENTRIES);
      this.#isFailing = false
    } catch (error) {
      if (!this.#isFailing)
        this.ctx.log('warn', 'changes cannot be read for the event streams', { reason: reasonOf(error) })
      this.#isFailing = true
    }
    if (this.#listeners.size > 0) this.#wait()
  }

  async #read(): Promise<number> {
    const { db } = this.ctx
    this.#position.expire(GAP_LASTS_MS, GAPS)
    const entries = await entriesAfter(db, this.#position.last, this.#position.gaps, MAX_ENTRIES)
    const changes = await changesIn(db, entries, this.#position)
    if (changes.length) for (const listener of this.#listeners) listener(changes)
    return entries.length
  }
}

const feeds = new WeakMap<Database, ChangeFeed>()

export function changeFeed(ctx: AppContext): ChangeFeed {
  const feed = feeds.get(ctx.database) ?? new ChangeFeed(ctx)
  feeds.set(ctx.database, feed)
  return feed
}
