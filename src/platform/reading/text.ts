/** Functions that clean typed, pasted and exported text. They are pure, so that server and browser can share them. */

/** Zero-width characters, direction marks, soft hyphens and the byte order mark. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
/** Unusual spaces, such as the no-break space. Tabs and line ends are not included. */
const BLANKS = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g
const LINE_ENDS = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const NEEDS_CLEANING = /[^\t\n\x20-\x7E]/

/** Maximum length of a run of combining marks. Longer runs are cut, because normalizing them takes quadratic time. */
const MARKS_LIMIT = 30
const LONG_RUN = new RegExp(`(\\p{M}{${MARKS_LIMIT}})\\p{M}+`, 'gu')

/**
 * Maximum length of text whose compatibility characters are replaced (NFKC). One such character can become 18. Names
 * and numbers are shorter.
 */
const COMPATIBILITY_LIMIT = 1000

/** Shortens runs of combining marks, then normalizes the Unicode text. NFC replaces NFKC if the text is long. */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC'): string =>
  text.replace(LONG_RUN, '$1').normalize(form === 'NFKC' && text.length > COMPATIBILITY_LIMIT ? 'NFC' : form)

/**
 * Normalizes Unicode composition (NFC), spaces and line ends, and removes invisible characters.
 * The removed characters include the zero-width joiners that some emoji and scripts use.
 */
export const cleanText = (text: string): string =>
  NEEDS_CLEANING.test(text)
    ? normalize(text.replace(LINE_ENDS, '\n').replace(INVISIBLE, '').replace(BLANKS, ' '), 'NFC')
    : text

const APOSTROPHES = /[\u2018\u2019\u201A\u201B\u2032\u00B4`\u02BC\uFF07]/g
const QUOTES = /[\u201C\u201D\u201E\u201F\u2033\uFF02]/g
export const DASHES = /[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g

export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').trim()

/**
 * Returns a key for comparing names.
 * The key ignores case, spacing, Unicode composition, character width and the style of quotes, apostrophes and dashes.
 */
export const nameKey = (name: string): string =>
  (NEEDS_CLEANING.test(name) ? normalize(cleanText(name), 'NFKC') : name)
    .replace(APOSTROPHES, "'")
    .replace(QUOTES, '"')
    .replace(DASHES, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns a key for comparing words. It is the same for `in_transit`, `In-Transit` and `In Transit`. */
export const wordKey = (word: string): string => nameKey(word).replace(/[\s_-]+/g, '')

/** Matches superscript digits after a number. They are footnote marks. */
const FOOTNOTE_MARKS = /(?<=[\d.])[\u00B9\u00B2\u00B3\u2070-\u2079]+/g

/** Converts full-width digits and letters to ASCII. Removes footnote marks after numbers. */
export const narrow = (text: string): string => normalize(cleanText(text).replace(FOOTNOTE_MARKS, ''), 'NFKC')

const PLACEHOLDER = /^(?:\$?\s*[-–—]+|n\.?\s?\/?\s?a\.?|#n\/a|tbd|tba|\?+)$/i
const PLACEHOLDER_WORD = /^(?:none|null|unknown|unk|tmu|exempt|n\/?c|no charge|included)$/i
const SQL_NULL = /^(?:NULL|\\N)$/
/**
 * True for text that stands for an empty value, such as `N/A`.
 * In free text (`isFree`), words such as `none` are not treated as empty, because they can be meant literally.
 */
export const isPlaceholder = (text: string, { isFree = false } = {}): boolean => {
  if (text.length >= 20) return false
  const bare = cleanText(text)
    .trim()
    .replace(/^\((.*)\)$|^\[(.*)\]$/, '$1$2')
  return PLACEHOLDER.test(bare) || SQL_NULL.test(bare) || (!isFree && PLACEHOLDER_WORD.test(bare))
}

const TOTAL = /^(?:(?:grand|sub)[- ]?)?totals?\b|^sum\b|^balance due\b|\bsub[- ]?totals?:?$/i
export const isTotal = (text: string): boolean => text.length < 100 && TOTAL.test(text.trim())

/** Matches text that a spreadsheet could read as a formula. Some versions of Excel also accept full-width signs. */
const FORMULA_LIKE = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/
/** Adds an apostrophe to text that looks like a formula. Plain numbers stay unchanged. */
export const defused = (text: string): string =>
  FORMULA_LIKE.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
export const undefused = (text: string): string =>
  text.startsWith("'") && FORMULA_LIKE.test(text) ? text.slice(1) : text
