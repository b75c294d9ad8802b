import { and, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** What was typed, as a pattern for `like`: anything that begins with it. */
export const beginningWith = (text: string) => `${escaped(text)}%`

/** What was typed, as a pattern for `ilike`: anything that contains it. */
export const containing = (text: string) => `%${escaped(text)}%`

/** More than so many words are a name or a sentence, not a search by several columns. */
const MOST_WORDS = 5

/** The words of what was typed that are looked for one by one; none where it is a single word. */
export function wordsOf(q: string): string[] {
  const words = [...new Set(q.split(/\s+/).filter(Boolean))]
  return words.length > 1 && words.length <= MOST_WORDS ? words : []
}

/**
 * What matches all that was typed, or each word of it in whatever column: `PHX MES` is what has both. `matching` says
 * what matches one text.
 */
export function matchingWords(q: string, matching: (text: string) => SQL | undefined): SQL | undefined {
  const words = wordsOf(q)
  return words.length > 0 ? or(matching(q), and(...words.map(matching))) : matching(q)
}

/** Does a VIN end with what was typed? Compared from its end, so that an index finds it. */
export const vinEnds = (vin: SQLWrapper, typed: string): SQL =>
  sql`reverse(${vin}) like ${beginningWith([...typed.toUpperCase()].reverse().join(''))}`
