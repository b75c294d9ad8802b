/** Range of ids, both ends included, not seen at `since` (milliseconds). */
export type Gap = { from: number; to: number; since: number }

/** Removes `ids`, in ascending order, from the gaps. */
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
