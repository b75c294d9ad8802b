import { distance } from 'fastest-levenshtein'
import { fieldErrors } from '../../accept'
import { fieldLabel } from '../../field-label'
import { readNumber } from '../../reading/numbers'
import { cleanText, isPlaceholder, nameKey, wordKey } from '../../reading/text'
import { inWords } from '../../records/warnings'
import type { ColumnKind, ImportColumn } from '../kind'
import { type NameMatch, wordAlias, wordWithHeading } from '../names'
import { type Cell, cellText, isFaulty, isUncomputed } from '../spreadsheet/cells'
import { MAX_SHOWN_LENGTH, type Reading, readAs, shownText } from './reading'
import { FORMULA_ERROR, faultyCell, NO, understand } from './understand-cell'

/**
 * Result of reading a cell. `unknown` is the name or word in the cell, if the program does not know its meaning.
 * `isWarned` is true if the preview must warn the user that the value differs from the cell.
 * `isShort` is true if the text is too short, but becomes valid when the column's prefix is put before it.
 */
export type ReadResult = {
  value: string | null
  note?: string
  isWarned?: boolean
  error?: string
  unknown?: string
  isShort?: boolean
  /** Text of a date beside a word, as in `Delivered 11/21`. */
  day?: string
}

/** Maximum share of differing letters of a suggestion, from 0 to 1. */
const MAX_DIFFERENCE = 0.4
/**
 * Maximum number of names that are compared with the unknown names of a file, to suggest similar ones. A comparison
 * takes about a microsecond.
 */
const COMPARISONS_LIMIT = 2_000_000
const comparisons = new WeakMap<Map<string, NameMatch>, number>()

function nearestName(key: string, names: Map<string, NameMatch>): string | undefined {
  const compared = comparisons.get(names) ?? 0
  if (compared >= COMPARISONS_LIMIT) return undefined
  comparisons.set(names, compared + names.size)
  let best: { label: string; share: number } | undefined
  for (const [candidate, { id, label }] of names) {
    if (!id || Math.abs(candidate.length - key.length) > MAX_DIFFERENCE * key.length) continue
    const share = distance(candidate, key) / Math.max(candidate.length, key.length)
    if (share <= MAX_DIFFERENCE && share < (best?.share ?? 1)) best = { label, share }
  }
  return best?.label
}

/** True for a negated or doubtful word. Examples: `undelivered` and `delivered?`. */
export const isNegated = (text: string) => /^\s*(?:un|non)|\bnot\b|\?\s*$/i.test(text)

/**
 * Returns the listed word that the user probably meant.
 * If exactly one listed word begins with the text, returns that word: `Deliv` gives `Delivered`. If not, returns the
 * most similar word if it is similar enough: `Delivrd` gives `Delivered`.
 */
export function nearestWord(text: string, listed: readonly string[] = []): string | undefined {
  const key = wordKey(text)
  if (key.length < 3) return undefined
  const words = listed.filter((word) => isNegated(word) === isNegated(text))
  const beginsAlike = words.filter((word) => wordKey(word).startsWith(key))
  if (beginsAlike.length === 1) return beginsAlike[0]
  return words
    .map((word) => ({ word, share: distance(wordKey(word), key) / Math.max(word.length, key.length) }))
    .filter(({ share }) => share <= MAX_DIFFERENCE)
    .toSorted((a, b) => a.share - b.share)[0]?.word
}

/** Maximum length of an unknown name in a message, in characters. No location or company has a longer name. */
const LONGEST_NAME = 255

type Names = { what: string; names: Map<string, NameMatch>; suggests: boolean }

function readName(label: string, { what, names, suggests }: Names, cell: Cell): ReadResult {
  const name = cleanText(cellText(cell)).trim()
  if (!name) return { value: null, error: `${label} is required` }
  const shownName = name.slice(0, LONGEST_NAME).toWellFormed()
  const match = names.get(nameKey(name))
  if (match?.id)
    return { value: String(match.id), ...(match.alias ? { note: `"${name}" stands for ${match.alias}` } : {}) }
  if (match)
    return {
      value: null,
      error: `"${shownName}" stands for more than one ${what}; use the exact name or code`,
      unknown: name,
    }
  if (isPlaceholder(name)) return { value: null, error: `${label} is required; ${name} counts as blank` }
  if (FORMULA_ERROR.test(name)) return { value: null, error: faultyCell(name) }
  const suggestion = suggests ? nearestName(nameKey(name), names) : undefined
  return {
    value: null,
    error: `Unknown ${what} "${shownName}"${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    unknown: name,
  }
}

/** Describes the difference between a spreadsheet cell and its stored value. Returns undefined if they agree. */
function correction(kind: ColumnKind, cell: Cell, value: string | null): string | undefined {
  const shown = cellText(cell)
  const bare = shown.trim()
  if (value === null || shown === value) return undefined
  if (bare === value) return 'extra spaces were removed'
  if (kind === 'count' || kind === 'money') {
    const number = typeof cell === 'number' ? cell : readNumber(bare)
    if (number !== null && Math.abs(number - Number(value)) < 1e-6) return undefined
  }
  const answer = value === 'true' ? 'Yes' : 'No'
  const readText = kind === 'date' ? inWords(value) : kind === 'flag' ? answer : value
  if (kind === 'date' && withoutZeros(bare) === withoutZeros(readText)) return undefined
  return bare === readText ? undefined : readAs(cell, readText.slice(0, MAX_SHOWN_LENGTH))
}

/** Removes the leading zeros of days and months: `03/04/2026` → `3/4/2026`. */
const withoutZeros = (date: string) => date.slice(0, MAX_SHOWN_LENGTH).replace(/\b0(?=\d)/g, '')

/**
 * Kinds of columns in which a placeholder counts as an empty cell. `N/A` is a placeholder, for example.
 * Columns of locations and companies are excluded, because an alias of a location or company could look like a
 * placeholder.
 */
const BLANKED: ColumnKind[] = ['date', 'count', 'money', 'word', 'flag', 'text']

/**
 * Text such as `pending` or `to follow`. In a column of dates, numbers, amounts or identifiers, it means that the value
 * is not known yet. In all other columns, such text can be a real value.
 */
const NOT_KNOWN_YET = /^\s*\(?(?:pending|to follow|not yet|asap|soon|later|waiting)\)?\s*$/i
const NO_PLATE = new RegExp(
  `^\\s*\\(?(?:${[
    'lost|stolen|missing|no plates?|not plated|new(?: plates?)?|ordered|in process|dmv',
    'app(?:lied)?\\.?(?: for)?|transfer|xfer|see notes?|(?:in|on) (?:the )?(?:mail|order)|no tags?|surrendered|sold',
    '(?:lost|returned|waiting|transfer)(?: (?:plates?|to|on|for|from)\\b.*)?|plates? lost',
    '(?:temp(?:orary)?|paper|dealer|perm(?:anent)?)\\.?(?: tags?| plates?| permit)?',
  ].join('|')})\\)?\\s*$`,
  'i',
)
const NO_AMOUNT = /^\s*\(?(?:free|waived)\)?\s*$/i
const MEASURED: ColumnKind[] = ['date', 'count', 'money']

function isBlanked({ kind, identifier }: ImportColumn, cell: Cell): boolean {
  if (!BLANKED.includes(kind)) return false
  if (isFaulty(cell)) return cell.error === '#N/A'
  // Spreadsheets show 0 in a date column as 1/0/1900, for example for a formula that refers to an empty cell.
  if (kind === 'date' && cell === 0) return true
  if (typeof cell !== 'string') return false
  const isFree = kind === 'text' && !identifier
  const canBePending = MEASURED.includes(kind) || identifier !== undefined
  if (identifier === 'plate' && NO_PLATE.test(cell)) return true
  if (kind === 'money' && NO_AMOUNT.test(cell)) return true
  if (kind === 'date' && NO.test(cell.trim())) return true
  return isPlaceholder(cell, { isFree }) || (canBePending && NOT_KNOWN_YET.test(cell))
}

export function isBlankCell(cell: Cell): boolean {
  const text = cellText(cell)
  return cleanText(text).trim() === '' || isPlaceholder(text)
}

/** Kinds of columns whose error messages must quote the cell. */
const QUOTED: ColumnKind[] = ['date', 'count', 'money', 'flag']

function withCell(message: string, kind: ColumnKind, cell: Cell): string {
  const text = shownText(cell)
  const isQuoted = QUOTED.includes(kind) && message.startsWith('Must be') && text && !message.includes(`not "${text}"`)
  return isQuoted ? `${message}, not "${text}"` : message
}

function readField(column: ImportColumn, label: string, cell: Cell, reading: Reading): ReadResult {
  const { kind, rule } = column
  if (isUncomputed(cell))
    return {
      value: null,
      error: 'the formula has no stored result; open the file in a spreadsheet program and save it there',
    }
  if (isBlanked(column, cell)) {
    if (column.isRequired) return { value: null, error: `Is required; ${shownText(cell)} counts as blank` }
    const isDash = !/[a-z\d]/i.test(cellText(cell))
    return {
      value: null,
      ...(isDash ? {} : { note: `${label}: ${shownText(cell)} was read as blank`, isWarned: true }),
    }
  }
  if (isFaulty(cell)) return { value: null, error: faultyCell(cell.error) }
  const suggests = !reading.withoutSuggestions
  if (kind === 'location') return readName(label, { what: 'location', names: reading.names.locations, suggests }, cell)
  if (kind === 'company')
    return readName(label, { what: 'transport company', names: reading.names.companies, suggests }, cell)
  if (kind === 'unit' && cellText(cell).trim() === '') return { value: null, error: 'Is required' }
  const { raw, note: understood, error, day } = understand(column, cell, reading)
  if (error) return { value: null, error: withCell(error, kind, cell) }
  const result = rule.safeParse(raw)
  if (!result.success) {
    const extended = column.prefix && typeof raw === 'string' ? rule.safeParse(column.prefix + raw.trim()) : result
    const isShort = extended.success
    if (isShort && reading.extendsShort) {
      const value = String(extended.data)
      return { value, note: `${label}: extended to "${value}"`, isShort }
    }
    const message = withCell(fieldErrors(result.error.issues)[0]?.message ?? 'Cannot be read', kind, cell)
    if (!column.words || typeof raw !== 'string') {
      const suggestion = typeof raw === 'string' ? nearestWord(raw, column.suggests) : undefined
      return { value: null, error: suggestion ? `${message}; did you mean ${suggestion}?` : message, isShort }
    }
    const remembered = reading.names.words.get(wordAlias(column.name, wordWithHeading(raw, label)))
    if (remembered !== undefined)
      return {
        value: remembered,
        note: `${label}: ${shownText(cell)} stands for ${remembered ?? 'blank'}`,
        ...(remembered === null && column.isRequired ? { error: 'Is required' } : {}),
      }
    const suggestion = nearestWord(raw, column.words)
    return { value: null, error: suggestion ? `${message}; did you mean ${suggestion}?` : message, unknown: raw }
  }
  const value = result.data === null || result.data === undefined ? null : String(result.data)
  const note = understood ?? correction(kind, cell, value)
  return {
    value,
    ...(note ? { note: `${label}: ${note}` } : {}),
    ...(understood ? { isWarned: true } : {}),
    ...(day ? { day } : {}),
  }
}

const CACHE_LIMIT = 2000

/**
 * Returns a function that reads the cells of one spreadsheet column. The function caches its results, because most
 * columns repeat values. In a column whose values rarely repeat, such as mileage, it stops caching, because a cache
 * lookup takes as long as reading a cell.
 */
export function cellReader(
  column: ImportColumn,
  reading: Reading,
  label = fieldLabel(column.name),
): (cell: Cell) => ReadResult {
  const cache = new Map<Cell, ReadResult>()
  let reads = 0
  let isRepeating = true
  return (cell) => {
    const cached = isRepeating ? cache.get(cell) : undefined
    if (cached) return cached
    const read = readField(column, label, cell, reading)
    if (isRepeating && typeof cell !== 'object') {
      reads++
      if (cache.size < CACHE_LIMIT) cache.set(cell, read)
      else isRepeating = reads < 2 * CACHE_LIMIT
    }
    return read
  }
}
