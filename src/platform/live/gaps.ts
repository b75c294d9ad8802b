/**
 * Range of missing audit entry ids, both ends included. Transactions that are still running may commit audit entries
 * with these ids later. `since` is the time when the gap was found, in milliseconds.
 */
export type Gap = { from: number; to: number; since: number }

/**
 * Removes found ids from gaps and returns the remaining gaps. Gaps are ranges of missing audit entry ids. `ids` are the
 * ids of audit entries that were found, in ascending order. An id in the middle of a gap splits the gap.
 */
export function removeFromGaps(gaps: Gap[], ids: number[]): Gap[] {
  const remaining: Gap[] = []
  for (const { from, to, since } of gaps) {
    let next = from
    for (const id of ids) {
      if (id < from || id > to) continue
      if (id > next) remaining.push({ from: next, to: id - 1, since })
      next = id + 1
    }
    if (next <= to) remaining.push({ from: next, to, since })
  }
  return remaining
}

const GAPS_IN_TEXT = 50
const POSITION = /^(\d{1,15})((?:[;,]\d{1,15}-\d{1,15}){0,50})$/

/**
 * Position of a reader in the audit trail. The position consists of the last id that was read, and of ranges of lower
 * ids that were not committed yet. The id of an event is its position as text, such as `812` or `812;805-806`.
 */
export class Position {
  constructor(
    public last: number,
    public gaps: Gap[] = [],
  ) {}

  /** @returns undefined if the text is not a position in the audit trail */
  static parse(text: string): Position | undefined {
    const [, last, ranges = ''] = POSITION.exec(text) ?? []
    if (last === undefined) return undefined
    const gaps: Gap[] = []
    // `toString` writes the ranges in ascending order, and no ids above `last`. Reject text that differs from this,
    // because the client would receive some changes twice, and the query would be slow.
    for (const [, from, to] of ranges.matchAll(/(\d+)-(\d+)/g)) {
      const gap = { from: Number(from), to: Number(to), since: Date.now() }
      const previous = gaps.at(-1)?.to ?? 0
      if (gap.from <= previous || gap.to < gap.from || gap.to > Number(last)) return undefined
      gaps.push(gap)
    }
    return new Position(Number(last), gaps)
  }

  /**
   * Limits the position to ids above `oldest` and up to `newest`. This is necessary, because a client can send any
   * position.
   */
  limitTo(oldest: number, newest: number) {
    this.last = Math.min(Math.max(this.last, oldest), Math.max(newest, oldest))
    this.gaps = this.gaps
      .map((gap) => ({ ...gap, from: Math.max(gap.from, oldest + 1), to: Math.min(gap.to, this.last) }))
      .filter(({ from, to }) => from <= to)
  }

  /**
   * Marks the audit entry with this id as read. An id above `last` becomes the new `last`, and the ids between the two
   * become a gap. A lower id is removed from the gaps.
   */
  advance(id: number) {
    if (id <= this.last) this.gaps = removeFromGaps(this.gaps, [id])
    else {
      if (id > this.last + 1) this.gaps = [...this.gaps, { from: this.last + 1, to: id - 1, since: Date.now() }]
      this.last = id
    }
  }

  /**
   * Removes gaps (ranges of missing ids) that are older than `lifetimeMs`. Their transactions count as rolled back. If
   * more than `limit` gaps remain, also removes the oldest of them.
   */
  expire(lifetimeMs: number, limit: number) {
    const now = Date.now()
    this.gaps = this.gaps.filter(({ since }) => now - since < lifetimeMs).slice(-limit)
  }

  toString(): string {
    const ranges = this.gaps.slice(-GAPS_IN_TEXT).map(({ from, to }) => `${from}-${to}`)
    return ranges.length ? `${this.last};${ranges.join()}` : String(this.last)
  }
}
