/** Maximum number of heading characters that are matched. Matching longer text is slow. */
export const HEADING_LIMIT = 100

export const matchingHeadings = (headings: string[], pattern: RegExp): number[] =>
  [...headings.keys()].filter((at) =>
    pattern.test((headings[at] as string).slice(0, HEADING_LIMIT).replaceAll('_', ' ').trim()),
  )

/**
 * Assigns a column to each field by its heading. Each field tries its patterns in order, and takes the first matching
 * column that is still free.
 * @param fields patterns of each field, best pattern first
 * @param usedPositions positions of columns that are not free
 * @returns the position of each field's column, in the order of `fields`; -1 without a match
 */
export function matchHeadings(headings: string[], fields: RegExp[][], usedPositions: number[] = []): number[] {
  const used = new Set(usedPositions)
  return fields.map((patterns) => {
    const at = patterns.flatMap((pattern) => matchingHeadings(headings, pattern)).find((at) => !used.has(at)) ?? -1
    if (at >= 0) used.add(at)
    return at
  })
}
