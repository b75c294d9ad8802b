/** Range of ids, both ends included, not seen at `since` (milliseconds). */
export type Gap = { from: number; to: number; since: number }

/** Removes `seen`, in ascending order, from the gaps. */
export function without(gaps: Gap[], seen: number[]): Gap[] {
  const left: Gap[] = []
  for (const { from, to, since } of gaps) {
    let next = from
    for (const id of seen) {
      if (id < from || id > to) continue
      if (id > next) left.push({ from: next, to: id - 1, since })
      next = id + 1
    }
    if (next <= to) left.push({ from: next, to, since })
  }
  return left
}
