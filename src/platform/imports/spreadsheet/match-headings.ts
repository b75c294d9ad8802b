/** Maximum number of characters of a heading that are matched, because matching longer text is slow. */
export const HEADING_LIMIT = 100

/** Returns the positions of the headings that a pattern matches. */
export const matchingHeadings = (headings: string[], pattern: RegExp): number[] =>
  [...headings.keys()].filter((at) =>
    pattern.test((headings[at] as string).slice(0, HEADING_LIMIT).replaceAll('_', ' ').trim()),
  )

/**
 * Assigns a column to each field. A field takes the first column that its first matching pattern matches and that no
 * earlier field has taken. `taken` contains columns that are already assigned.
 * @param fields patterns of each field, best pattern first
 * @returns the column positions in the order of the fields; -1 without a match
 */
export function matchHeadings(headings: string[], fields: RegExp[][], taken: number[] = []): number[] {
  const used = new Set(taken)
  return fields.map((patterns) => {
    const at = patterns.flatMap((pattern) => matchingHeadings(headings, pattern)).find((at) => !used.has(at)) ?? -1
    if (at >= 0) used.add(at)
    return at
  })
}
