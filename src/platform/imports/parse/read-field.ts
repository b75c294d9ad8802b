import { distance } from 'fastest-levenshtein'
import { fieldErrors } from '../../accept'
import { fieldLabel } from '../../field-label'
import { type DateOrder, readDate, readDateSerial } from '../../reading/dates'
import { readNumber, readUnitDigits } from '../../reading/numbers'
import { cleanText, isPlaceholder, nameKey, wordKey } from '../../reading/text'
import { inWords } from '../../records/warnings'
import type { ColumnKind, ImportColumn } from '../kind'
import type { Named, Names } from '../names'
import { type Cell, cellText, isDate, isFaulty, isUncomputed } from '../spreadsheet/cells'

export type Reading = {
  today: string
  names: Names
  dateOrders: Record<string, DateOrder>
  date1904: boolean
}

/**
 * Result of reading a cell. `unknown` is a name without a match.
 * `isWarned` is true when the value differs from the cell in a way that the user must know about.
 */
export type Read = { value: string | null; note?: string; isWarned?: boolean; error?: string; unknown?: string }

type Understood = { raw: unknown; note?: string; error?: string }

/** Maximum characters of a cell in a message. */
const SHOWN = 60
const shownOf = (cell: Cell) => cellText(cell).trim().slice(0, SHOWN).toWellFormed()

const readAs = (cell: Cell, value: string) => `${shownOf(cell)} was read as ${value}`

function understandUnit(cell: Cell): Understood {
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

function understandDate(cell: Cell, { name, year }: ImportColumn, reading: Reading): Understood {
  if (cell === null) return { raw: null }
  if (isDate(cell)) return { raw: cell.date }
  const serial = typeof cell === 'number' ? readDateSerial(cell, reading.date1904) : null
  if (serial) return { raw: serial }
  const text = cellText(cell)
  if (!text.trim()) return { raw: null }
  const found = readDate(text, { order: reading.dateOrders[name], today: reading.today, year })
  if (!found) return { raw: null, error: `Must be a date, for example ${inWords(reading.today)}` }
  return { raw: found.date, ...(found.isGuessed ? { note: readAs(cell, inWords(found.date)) } : {}) }
}

/** Rounds to `digits` decimal places: 2 for amounts, 0 for counts. */
function understandNumber(cell: Cell, digits: number): Understood {
  const number = typeof cell === 'string' ? readNumber(cell) : cell
  if (typeof number !== 'number' || !Number.isFinite(number))
    return { raw: typeof cell === 'string' ? cell.trim() : cell }
  const rounded = Number(number.toFixed(digits))
  // Ignores the floating-point noise of computed cells.
  const isRounded = Math.abs(rounded - number) > 1e-6
  return { raw: rounded, ...(isRounded ? { note: readAs(cell, rounded.toFixed(digits)) } : {}) }
}

function understandWord(cell: Cell, { words, cleans = (text) => text }: ImportColumn): Understood {
  // Excel converts a fuel level of 1/2 to a date, and TRUE to a boolean.
  const text = isDate(cell) ? `${Number(cell.date.slice(5, 7))}/${Number(cell.date.slice(8))}` : cellText(cell)
  const cleaned = cleans(cleanText(text).replace(/\s+/g, ' ').trim())
  const word = words?.find((known) => wordKey(known) === wordKey(cleaned)) ?? cleaned
  return { raw: word === '' ? null : word }
}

/** Larger numbers, which spreadsheets show as `1E+21`, have lost digits. */
const LARGEST_EXACT = 1e15

function understandText(cell: Cell, { isIdentifier }: ImportColumn): Understood {
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

function understand(column: ImportColumn, cell: Cell, reading: Reading): Understood {
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

/** Maximum share of differing letters for a suggested name. */
const ALIKE = 0.4
function nearest(key: string, names: Map<string, Named>): string | undefined {
  let best: { label: string; share: number } | undefined
  for (const [known, { id, label }] of names) {
    if (!id || Math.abs(known.length - key.length) > ALIKE * key.length) continue
    const share = distance(known, key) / Math.max(known.length, key.length)
    if (share <= ALIKE && share < (best?.share ?? 1)) best = { label, share }
  }
  return best?.label
}

function readName(label: string, what: string, names: Map<string, Named>, cell: Cell): Read {
  const name = cleanText(cellText(cell)).trim()
  if (!name) return { value: null, error: `${label} is required` }
  const found = names.get(nameKey(name))
  if (found?.id)
    return { value: String(found.id), ...(found.alias ? { note: `"${name}" stands for ${found.alias}` } : {}) }
  if (found) return { value: null, error: `"${name}" stands for more than one ${what}; use its code`, unknown: name }
  const meant = nearest(nameKey(name), names)
  return { value: null, error: `Unknown ${what} "${name}"${meant ? `; did you mean ${meant}?` : ''}`, unknown: name }
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
  const meant = kind === 'date' ? inWords(value) : value
  return bare === meant ? undefined : readAs(cell, meant.slice(0, SHOWN))
}

const BLANKED: ColumnKind[] = ['date', 'count', 'money', 'word', 'flag']

/** Returns true for a placeholder such as `N/A` in an optional column. */
const isBlanked = ({ kind, isRequired }: ImportColumn, cell: Cell) =>
  !isRequired &&
  BLANKED.includes(kind) &&
  (isFaulty(cell) ? cell.error === '#N/A' : typeof cell === 'string' && isPlaceholder(cell))

function readField(column: ImportColumn, label: string, cell: Cell, reading: Reading): Read {
  const { kind, rule } = column
  if (isUncomputed(cell))
    return {
      value: null,
      error: 'the formula has no stored result; open the file in a spreadsheet program and save it there',
    }
  if (isBlanked(column, cell)) {
    const isDash = !/[a-z]/i.test(cellText(cell))
    return { value: null, ...(isDash ? {} : { note: `${label}: ${shownOf(cell)} was read as blank`, isWarned: true }) }
  }
  if (isFaulty(cell)) return { value: null, error: `the cell shows ${cell.error}; correct it in the spreadsheet` }
  if (kind === 'location') return readName(label, 'location', reading.names.locations, cell)
  if (kind === 'company') return readName(label, 'transport company', reading.names.companies, cell)
  const { raw, note: understood, error } = understand(column, cell, reading)
  if (error) return { value: null, error }
  const result = rule.safeParse(raw)
  if (!result.success) return { value: null, error: fieldErrors(result.error.issues)[0]?.message ?? 'Cannot be read' }
  const value = result.data === null || result.data === undefined ? null : String(result.data)
  const note = understood ?? correction(kind, cell, value)
  return { value, ...(note ? { note: `${label}: ${note}` } : {}), ...(understood ? { isWarned: true } : {}) }
}

const REMEMBERED = 2000

/**
 * Returns a reader for one column's cells that caches results.
 * Most columns repeat values. In a column that does not, such as mileage, a cache lookup costs as much as reading the
 * cell, so caching stops.
 */
export function cellReader(
  column: ImportColumn,
  reading: Reading,
  label = fieldLabel(column.name),
): (cell: Cell) => Read {
  const known = new Map<Cell, Read>()
  let asked = 0
  let isRepeating = true
  return (cell) => {
    const found = isRepeating ? known.get(cell) : undefined
    if (found) return found
    const read = readField(column, label, cell, reading)
    if (isRepeating && typeof cell !== 'object') {
      asked++
      if (known.size < REMEMBERED) known.set(cell, read)
      else isRepeating = asked < 2 * REMEMBERED
    }
    return read
  }
}
