import { and, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { readSearch } from '../reading/numbers'

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export const beginningWith = (text: string) => `${escaped(text)}%`

export const containing = (text: string) => `%${escaped(text)}%`

export type SearchText = { text: string; upper: string; begins: string; lowerBegins: string; upperBegins: string }

export function searchText(input: string): SearchText {
  const text = readSearch(input)
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()]
  return {
    text,
    upper,
    begins: beginningWith(text),
    lowerBegins: beginningWith(lower),
    upperBegins: beginningWith(upper),
  }
}

/**
 * Search rule for records that have a number. An example is the number of a rental agreement (RA). If `name` is `RA`,
 * the label of a result begins with `RA 4711`, for example. If the number itself begins with `name`, the label does not
 * repeat `name`.
 * In the SQL of `column`, `x` stands for the record's table.
 */
export const byNumber = (rank: number, name: string, column: SQL) => ({
  rank,
  label: sql`case when ${column} ilike ${`${name}%`} then '' else ${`${name} `}::text
    end || ${column} || ', unit ' || x.unit_number`,
  where: ({ lowerBegins }: SearchText) => sql`lower(${column}) like ${lowerBegins}`,
})

/**
 * Maximum number of words that are also searched separately.
 * A text with more words is probably a name or a sentence, so it is searched only as a whole.
 */
const MAX_WORDS = 5

/**
 * Returns the distinct words of a text to search separately. Returns an empty list for a single word or a long text.
 * Such a text is searched only as a whole.
 */
export function searchWords(q: string): string[] {
  const allWords = q.split(/\s+/).filter(Boolean)
  const words = [...new Set(allWords)]
  return allWords.length > 1 && words.length <= MAX_WORDS ? words : []
}

/**
 * SQL condition for rows that match a search text.
 * A row matches if it contains the whole text, or if its columns together contain all words of the text. For example,
 * `PHX MES` finds rows with both words.
 * @param matching returns the condition for a single text
 * @param isOne condition that is true if the words of the text belong together, such as the words of a location name.
 * The text is then searched only as a whole.
 */
export function matchingWords(q: string, matching: (text: string) => SQL | undefined, isOne?: SQL): SQL | undefined {
  const words = searchWords(q)
  const matchesAllWords = and(isOne && not(isOne), ...words.map(matching))
  return words.length > 0 ? or(matching(q), matchesAllWords) : matching(q)
}

/**
 * SQL condition for values that end with `ending`, such as VINs. Reverses both texts, so that the comparison can use an
 * index.
 */
export const endsWith = (column: SQLWrapper, ending: string): SQL =>
  sql`reverse(${column}) like ${beginningWith([...ending.toUpperCase()].reverse().join(''))}`
