import { type Database, reasonOf } from '../../../db/client'
import type { AppContext } from '../context'
import { changesIn, entriesAfter, entryBefore, entryIds, newestEntry, type PublishedChange } from './changes'
import { type Gap, removeFromGaps } from './gaps'

const LOOK_EVERY_MS = 800
/** Maximum time between the assignment of an entry's id and its commit. */
const GAP_LASTS_MS = 10 * 60_000
/** Newest entries searched at startup for ids that are not committed yet. */
const LOOK_BACK = 5000
const MAX_ENTRIES = 2000
const GAPS = 500

type Listener = (changes: PublishedChange[]) => void

/**
 * Publishes every committed change of any instance, read from the audit trail.
 * Reads only while there are listeners. Ids are assigned before the commit, so skipped ids are queried again for some
 * minutes.
 */
class ChangeFeed {
  readonly #listeners = new Set<Listener>()
  readonly #endings = new Set<() => void>()
  #last = 0
  #gaps: Gap[] = []
  #timer: Timer | undefined
  #starting: Promise<void> | undefined
  #isFailing = false

  constructor(private readonly ctx: AppContext) {}

  /**
   * Sends changes committed from now on to `listener`.
   * `onEnd` is called when the program stops.
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

  /** Returns recent changes, which a page missed before it began to listen. The API limits `seconds` to 60. */
  async recent(seconds: number): Promise<PublishedChange[]> {
    const { db, clock } = this.ctx
    const since = new Date(clock.now().getTime() - seconds * 1000)
    return changesIn(db, await entriesAfter(db, await entryBefore(db, since), [], MAX_ENTRIES))
  }

  close() {
    for (const end of [...this.#endings]) end()
  }

  async #start() {
    clearTimeout(this.#timer)
    const { db } = this.ctx
    this.#last = await newestEntry(db)
    const from = Math.max(1, this.#last - LOOK_BACK)
    const whole = [{ from, to: this.#last, since: Date.now() }]
    this.#gaps = this.#last ? removeFromGaps(whole, await entryIds(db, from, this.#last)) : []
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
    const now = Date.now()
    const entries = await entriesAfter(db, this.#last, this.#gaps, MAX_ENTRIES)
    const changes = await changesIn(db, entries)
    const newest = Math.max(this.#last, entries.at(-1)?.id ?? 0)
    const ids = entries.map(({ id }) => id)
    const recent = this.#gaps.filter(({ since }) => now - since < GAP_LASTS_MS)
    this.#gaps = removeFromGaps([...recent, { from: this.#last + 1, to: newest, since: now }], ids).slice(-GAPS)
    this.#last = newest
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
