/** Text as people type, paste and export it. Pure: forms, the API, the importer and the browser share it. */

/** Characters without width, marks of writing direction, soft hyphens and the byte order mark. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Blanks other than the usual one, such as the no-break space; tabs and line ends stay. */
const BLANKS = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const NEEDS_CLEANING = /[^\t\n\x20-\x7E]/

/**
 * The same text in one spelling: composed letters, usual blanks and line ends, nothing invisible. Emoji sequences and
 * scripts that need joiners lose them.
 */
export const cleanText = (text: string): string =>
  NEEDS_CLEANING.test(text)
    ? text.replace(LINE_ENDS, '\n').replace(INVISIBLE, '').replace(BLANKS, ' ').normalize('NFC')
    : text

const APOSTROPHES = /[\u2018\u2019\u201A\u201B\u2032\u00B4`\u02BC\uFF07]/g
const QUOTES = /[\u201C\u201D\u201E\u201F\u2033\uFF02]/g
const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g

/** Names that differ only in case, blanks, apostrophes, dashes or the composition of letters have one key. */
export const nameKey = (name: string): string =>
  cleanText(name)
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** `in_transit`, `In-Transit` and `In Transit` are one word. */
export const wordKey = (word: string): string => nameKey(word).replace(/[\s_-]+/g, '')

/** ASCII digits and letters in place of full-width ones. */
export const narrow = (text: string): string => cleanText(text).normalize('NFKC')

/** What offices write in a cell that has no value. */
const PLACEHOLDER = /^(?:\$?\s*[-–—]+|n\.?\s?\/?\s?a\.?|#n\/a|tbd|tba|none|null|unknown|\?+)$/i
export const isPlaceholder = (text: string): boolean => text.length < 20 && PLACEHOLDER.test(cleanText(text).trim())

/** A text that begins with one of these could run as a formula; exports put an apostrophe before it. */
const FORMULA_LIKE = /^'*[=+\-@\t\r]/
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/
/** A cell of a text file that no spreadsheet takes for a formula; a plain number stays as it is. */
export const defused = (text: string): string =>
  FORMULA_LIKE.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
/** The text that `defused` was given. */
export const undefused = (text: string): string =>
  text.startsWith("'") && FORMULA_LIKE.test(text) ? text.slice(1) : text
