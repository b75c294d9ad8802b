import { and, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { readSearch } from '../reading/numbers'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** What was typed, as a pattern for `like`: anything that begins with it. */
export const beginningWith = (text: string) => `${escaped(text)}%`

/** What was typed, as a pattern for `ilike`: anything that contains it. */
export const containing = (text: string) => `%${escaped(text)}%`

/** A text that records are searched for, and what `like` needs of it. */
export type SearchText = { text: string; upper: string; begins: string; lowerBegins: string; upperBegins: string }

export function searchText(typed: string): SearchText {
  const text = readSearch(typed)
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()]
  return {
    text,
    upper,
    begins: beginningWith(text),
    lowerBegins: beginningWith(lower),
    upperBegins: beginningWith(upper),
  }
}

/** Finds records `x` by a number of theirs, such as `RA 4711`; a number may itself begin with that name. */
export const byNumber = (rank: number, name: string, column: SQL) => ({
  rank,
  label: sql`case when ${column} ilike ${`${name}%`} then '' else ${`${name} `}::text end || ${column} || ', unit ' || x.unit_number`,
  where: ({ lowerBegins }: SearchText) => sql`lower(${column}) like ${lowerBegins}`,
})

/** More than so many words are a name or a sentence, not a search by several columns. */
const MOST_WORDS = 5

/** The words of what was typed that are looked for one by one, each once; none where it is a single word. */
export function wordsOf(q: string): string[] {
  const typed = q.split(/\s+/).filter(Boolean)
  const words = [...new Set(typed)]
  return typed.length > 1 && words.length <= MOST_WORDS ? words : []
}

/**
 * What matches all that was typed, or each word of it in whatever column: `PHX MES` is what has both. `matching` says
 * what matches one text, `isOne` whether several words are one text all the same, such as a name.
 */
export function matchingWords(q: string, matching: (text: string) => SQL | undefined, isOne?: SQL): SQL | undefined {
  const words = wordsOf(q)
  const each = and(isOne && not(isOne), ...words.map(matching))
  return words.length > 0 ? or(matching(q), each) : matching(q)
}

/** Does a VIN end with what was typed? Compared from its end, so that an index finds it. */
export const vinEnds = (vin: SQLWrapper, typed: string): SQL =>
  sql`reverse(${vin}) like ${beginningWith([...typed.toUpperCase()].reverse().join(''))}`
