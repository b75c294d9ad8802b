/** Maximum number of characters of a heading that are matched, because matching longer text is slow. */
export const HEADING_LIMIT = 100

/**
 * Assigns a column to each pattern. Each pattern takes the first column whose heading it matches and that no earlier
 * pattern has taken. `taken` contains columns that are already assigned.
 * @returns the column positions in the order of the patterns; -1 without a match
 */
export function matchHeadings(headings: string[], patterns: RegExp[], taken: number[] = []): number[] {
  const used = new Set(taken)
  return patterns.map((pattern) => {
    const at = headings.findIndex(
      (heading, at) => !used.has(at) && pattern.test(heading.slice(0, HEADING_LIMIT).replaceAll('_', ' ')),
    )
    if (at >= 0) used.add(at)
    return at
  })
}
