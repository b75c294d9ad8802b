import { distance } from 'fastest-levenshtein'
import { fieldErrors } from '../../accept'
import { fieldLabel } from '../../field-label'
import { type DateOrder, readDate, readDateSerial } from '../../reading/dates'
import { readNumber, readUnitDigits } from '../../reading/numbers'
import { cleanText, isPlaceholder, nameKey, wordKey } from '../../reading/text'
import { inWords } from '../../records/warnings'
import type { ColumnKind, ImportColumn } from '../kind'
import type { NameLookup, NameMatch } from '../names'
import { type Cell, cellText, isDate, isFaulty, isUncomputed } from '../spreadsheet/cells'

export type Reading = {
  today: string
  names: NameLookup
  dateOrders: Record<string, DateOrder>
  date1904: boolean
}

/**
 * Result of reading a cell. `unknown` is a name without a match.
 * `isWarned` is true when the value differs from the cell in a way that the user must know about.
 */
export type ReadResult = { value: string | null; note?: string; isWarned?: boolean; error?: string; unknown?: string }

type ParsedCell = { raw: unknown; note?: string; error?: string }

/** A message shows at most this many characters of a cell. */
const MAX_SHOWN_LENGTH = 60
const shownText = (cell: Cell) => cellText(cell).trim().slice(0, MAX_SHOWN_LENGTH).toWellFormed()

const readAs = (cell: Cell, value: string) => `${shownText(cell)} was read as ${value}`

function understandUnit(cell: Cell): ParsedCell {
  if (typeof cell === 'number' && Number.isInteger(cell) && cell >= 0 && cell < 1_000_000) {
    const unit = String(cell).padStart(6, '0')
    return { raw: unit, ...(unit === String(cell) ? {} : { note: readAs(cell, unit) }) }
  }
  const text = cellText(cell)
  const digits = readUnitDigits(text)
  if (/^\d{1,5}$/.test(digits))
    return { raw: null, error: `6 digits required; did you mean ${digits.padStart(6, '0')}?` }
  const isCleaned = digits !== text.trim() && /^\d{6}$/.test(digits)
  return { raw: digits, ...(isCleaned ? { note: readAs(cell, digits) } : {}) }
}

function understandDate(cell: Cell, { name, year }: ImportColumn, reading: Reading): ParsedCell {
  if (cell === null) return { raw: null }
  if (isDate(cell)) return { raw: cell.date }
  const serial = typeof cell === 'number' ? readDateSerial(cell, reading.date1904) : null
  if (serial) return { raw: serial }
  const text = cellText(cell)
  if (!text.trim()) return { raw: null }
  const date = readDate(text, { order: reading.dateOrders[name], today: reading.today, year })
  if (!date) return { raw: null, error: `Must be a date, for example ${inWords(reading.today)}` }
  return { raw: date.date, ...(date.isGuessed ? { note: readAs(cell, inWords(date.date)) } : {}) }
}

/** A count such as `45.210`, which can mean 45,210 or 45. */
const AMBIGUOUS_COUNT = /^\s*\d{1,3}\.\d{3}\s*$/

/** Reads a number and rounds it to `digits` decimal places: 2 for amounts, 0 for counts. */
function understandNumber(cell: Cell, digits: number): ParsedCell {
  if (digits === 0 && typeof cell === 'string' && AMBIGUOUS_COUNT.test(cell))
    return {
      raw: null,
      error: `${shownText(cell)} has a decimal point; write ${cell.trim().replace('.', ',')} or a whole number`,
    }
  const number = typeof cell === 'string' ? readNumber(cell) : cell
  if (typeof number !== 'number' || !Number.isFinite(number))
    return { raw: typeof cell === 'string' ? cell.trim() : cell }
  const rounded = Number(number.toFixed(digits))
  // A difference this small is floating-point noise of a computed cell, so it is not reported as rounding.
  const isRounded = Math.abs(rounded - number) > 1e-6
  return { raw: rounded, ...(isRounded ? { note: readAs(cell, rounded.toFixed(digits)) } : {}) }
}

function understandWord(cell: Cell, { words, cleans = (text) => text }: ImportColumn): ParsedCell {
  // Excel converts a fuel level of 1/2 to a date and TRUE to a boolean. Convert such cells back to text.
  const text = isDate(cell) ? `${Number(cell.date.slice(5, 7))}/${Number(cell.date.slice(8))}` : cellText(cell)
  const cleaned = cleans(cleanText(text).replace(/\s+/g, ' ').trim())
  const word = words?.find((option) => wordKey(option) === wordKey(cleaned)) ?? cleaned
  return { raw: word === '' ? null : word }
}

/**
 * Limit below which all digits of a number are exact. Larger numbers, which spreadsheets show as `1E+21`, have lost
 * digits.
 */
const LARGEST_EXACT = 1e15

function understandText(cell: Cell, { isIdentifier }: ImportColumn): ParsedCell {
  if (isIdentifier && isDate(cell))
    return { raw: null, error: `The cell holds the date ${inWords(cell.date)}; format it as text and type it again` }
  if (
    isIdentifier &&
    (typeof cell === 'number' ? Math.abs(cell) >= LARGEST_EXACT : /^\d(\.\d+)?E\+\d+$/i.test(cellText(cell).trim()))
  )
    return { raw: null, error: 'The cell holds a number that lost digits; format it as text and type it again' }
  if (cell === null) return { raw: null }
  return { raw: typeof cell === 'string' ? cleanText(cell) : cellText(cell) }
}

function understand(column: ImportColumn, cell: Cell, reading: Reading): ParsedCell {
  switch (column.kind) {
    case 'unit':
      return understandUnit(cell)
    case 'date':
      return understandDate(cell, column, reading)
    case 'count':
      return understandNumber(cell, 0)
    case 'money':
      return understandNumber(cell, 2)
    case 'word':
      return understandWord(cell, column)
    case 'flag':
      return { raw: typeof cell === 'string' ? cleanText(cell).trim() : isDate(cell) ? cell.date : cell }
    default:
      return understandText(cell, column)
  }
}

/** Maximum share of letters in which a suggested name can differ. */
const MAX_DIFFERENCE = 0.4
function nearestName(key: string, names: Map<string, NameMatch>): string | undefined {
  let best: { label: string; share: number } | undefined
  for (const [candidate, { id, label }] of names) {
    if (!id || Math.abs(candidate.length - key.length) > MAX_DIFFERENCE * key.length) continue
    const share = distance(candidate, key) / Math.max(candidate.length, key.length)
    if (share <= MAX_DIFFERENCE && share < (best?.share ?? 1)) best = { label, share }
  }
  return best?.label
}

/** Returns the word that begins like the text or differs from it in a few letters. */
function nearestWord(text: string, words: readonly string[] = []): string | undefined {
  const key = wordKey(text)
  if (key.length < 3) return undefined
  const beginsAlike = words.filter((word) => wordKey(word).startsWith(key))
  if (beginsAlike.length === 1) return beginsAlike[0]
  return words
    .map((word) => ({ word, share: distance(wordKey(word), key) / Math.max(word.length, key.length) }))
    .filter(({ share }) => share <= MAX_DIFFERENCE)
    .toSorted((a, b) => a.share - b.share)[0]?.word
}

function readName(label: string, what: string, names: Map<string, NameMatch>, cell: Cell): ReadResult {
  const name = cleanText(cellText(cell)).trim()
  if (!name) return { value: null, error: `${label} is required` }
  const match = names.get(nameKey(name))
  if (match?.id)
    return { value: String(match.id), ...(match.alias ? { note: `"${name}" stands for ${match.alias}` } : {}) }
  if (match) return { value: null, error: `"${name}" stands for more than one ${what}; use its code`, unknown: name }
  const suggestion = nearestName(nameKey(name), names)
  return {
    value: null,
    error: `Unknown ${what} "${name}"${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    unknown: name,
  }
}

/** Describes how the value differs from the cell, if it does. */
function correction(kind: ColumnKind, cell: Cell, value: string | null): string | undefined {
  const shown = cellText(cell)
  const bare = shown.trim()
  if (value === null || shown === value) return undefined
  if (bare === value) return 'extra spaces were removed'
  if (kind === 'count' || kind === 'money') {
    const number = typeof cell === 'number' ? cell : readNumber(bare)
    if (number !== null && Math.abs(number - Number(value)) < 1e-6) return undefined
  }
  const readText = kind === 'date' ? inWords(value) : value
  return bare === readText ? undefined : readAs(cell, readText.slice(0, MAX_SHOWN_LENGTH))
}

/**
 * Kinds of columns in which a placeholder such as `N/A` counts as an empty cell. Locations and companies are excluded,
 * because their alias could look like a placeholder.
 */
const BLANKED: ColumnKind[] = ['date', 'count', 'money', 'word', 'flag', 'text']

/** Returns true for a placeholder such as `N/A`. It counts as a blank cell. */
const isBlanked = ({ kind }: ImportColumn, cell: Cell) =>
  BLANKED.includes(kind) &&
  (isFaulty(cell)
    ? cell.error === '#N/A'
    : typeof cell === 'string' && isPlaceholder(cell, { isFree: kind === 'text' }))

function readField(column: ImportColumn, label: string, cell: Cell, reading: Reading): ReadResult {
  const { kind, rule } = column
  if (isUncomputed(cell))
    return {
      value: null,
      error: 'the formula has no stored result; open the file in a spreadsheet program and save it there',
    }
  if (isBlanked(column, cell)) {
    if (column.isRequired) return { value: null, error: `Is required; ${shownText(cell)} counts as blank` }
    const isDash = !/[a-z]/i.test(cellText(cell))
    return {
      value: null,
      ...(isDash ? {} : { note: `${label}: ${shownText(cell)} was read as blank`, isWarned: true }),
    }
  }
  if (isFaulty(cell)) return { value: null, error: `the cell shows ${cell.error}; correct it in the spreadsheet` }
  if (kind === 'location') return readName(label, 'location', reading.names.locations, cell)
  if (kind === 'company') return readName(label, 'transport company', reading.names.companies, cell)
  const { raw, note: understood, error } = understand(column, cell, reading)
  if (error) return { value: null, error }
  const result = rule.safeParse(raw)
  if (!result.success) {
    const message = fieldErrors(result.error.issues)[0]?.message ?? 'Cannot be read'
    const suggestion = typeof raw === 'string' && nearestWord(raw, column.words)
    return { value: null, error: suggestion ? `${message}; did you mean ${suggestion}?` : message }
  }
  const value = result.data === null || result.data === undefined ? null : String(result.data)
  const note = understood ?? correction(kind, cell, value)
  return { value, ...(note ? { note: `${label}: ${note}` } : {}), ...(understood ? { isWarned: true } : {}) }
}

const CACHE_LIMIT = 2000

/**
 * Returns a function that reads the cells of one column. It caches the results, because most columns repeat values. For
 * a column that rarely repeats values, such as mileage, it stops caching, because a cache lookup then costs as much as
 * reading the cell.
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
