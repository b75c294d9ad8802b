import { readDate } from '../../reading/dates'
import { hasDecimalComma, NUMBER_LENGTH, readIdentifier, readNumber, readUnitDigits } from '../../reading/numbers'
import { cleanText, wordKey } from '../../reading/text'
import type { ImportColumn } from '../kind'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import { damagedIdentifier, doubtOf, isNoPlate, isOtherValue } from './identifiers'
import { MAX_SHOWN_LENGTH, type ParsedCell, type Reading, readAs, shownText } from './reading'
import { understandDate } from './understand-date'

/** Maximum length of text that can be a VIN. A scanner can add marks such as `*`. */
const VIN_TEXT = 60

/** Returns a VIN without the marks of a scanner, in upper case. */
export function vinOf(text: string): string | null {
  const vin = text.length > VIN_TEXT ? '' : readIdentifier(text)
  return /^[A-HJ-NPR-Z\d]{17}$/.test(vin) ? vin : null
}

/** Returns the only VIN in a text, or null. An example of a text is `300001 / 1FTFW1ET5DFC10312`. */
export function vinIn(text: string): string | null {
  const vins = text
    .slice(0, MAX_SHOWN_LENGTH)
    .split(/[\s/,;()|]+/)
    .flatMap((part) => vinOf(part) ?? [])
  return vins.length === 1 ? (vins[0] as string) : null
}

/**
 * Returns the error for a wrong unit number, such as a VIN.
 * @param digitsOnly the result of `readUnitDigits` for `text`
 */
function wrongUnit(digitsOnly: string, text: string): string | null {
  if (vinOf(digitsOnly)) return 'No vehicle has this VIN; enter the unit number of the vehicle'
  if (/^\d{6}(?:[/&,;+]|and)\d{6}\b/i.test(digitsOnly))
    return 'The cell has several unit numbers; use one row for each unit'
  const digits = digitsOnly.replace(/o/gi, '0').replace(/[il]/gi, '1')
  if (digits !== digitsOnly && /^\d{6}$/.test(digits)) return `6 digits required; did you mean ${digits}?`
  const [number, ...others] = text.slice(0, MAX_SHOWN_LENGTH).match(/(?<![a-z\d])\d{6}(?!\d)/gi) ?? []
  const isOnly = number !== undefined && others.length === 0 && digitsOnly !== number
  return isOnly ? `6 digits required; did you mean ${number}?` : null
}

/** Matches a remark that the record is void, as in `701312 (void)`. */
const VOIDED = /\(\s*(?:void(?:ed)?|cancell?ed|cxl)\s*\)/i
const INACTIVE = /\b(?:void(?:ed)?|cancel(?:l?ed)?|cxl|sold|returned|done|total)\b/i

/**
 * Returns the unit number in text such as `105534 RAM 2500`.
 * Returns null if the text contains a second number of six or more digits, or if it says that the record is not active.
 */
function unitBeforeText(text: string): string | null {
  const [, unit, rest = ''] = /^(?:unit\s*)?#?\s*(\d{6})[\s,;:–—-]+(.+)$/i.exec(text.slice(0, MAX_SHOWN_LENGTH)) ?? []
  const isDescription = /[a-z]{2}/i.test(rest) && !/\d{6}|\b(?:and|thru|through|to)\b|&/i.test(rest)
  return unit && isDescription && !INACTIVE.test(rest) ? unit : null
}

function understandUnit(cell: Cell, { names: { units }, hasVins }: Reading): ParsedCell {
  if (hasVins && cellText(cell).trim() && !vinOf(cellText(cell)))
    return { raw: null, error: `Must be a VIN with 17 characters, not "${shownText(cell)}"` }
  if (typeof cell === 'number' && Number.isInteger(cell) && cell > 0 && cell < 1_000_000) {
    const unit = String(cell).padStart(6, '0')
    return { raw: unit, ...(unit === String(cell) ? {} : { note: readAs(cell, unit) }) }
  }
  const text = cellText(cell)
  const unit = units?.get(vinOf(text) ?? '')
  if (unit) return { raw: unit, note: readAs(cell, unit) }
  const vin = vinIn(text)
  const ownUnit = units?.get(vin ?? '')
  if (ownUnit) {
    const numbers = text.match(/(?<![a-z\d])\d{6}(?![a-z\d])/gi) ?? []
    return numbers.every((number) => number === ownUnit)
      ? { raw: ownUnit, note: readAs(cell, ownUnit) }
      : { raw: null, error: `The VIN ${vin} in this cell belongs to unit ${ownUnit}` }
  }
  if (VOIDED.test(text)) return { raw: null, error: `${shownText(cell)} is not an active record` }
  const described = unitBeforeText(text.trim())
  if (described) return { raw: described, note: readAs(cell, described) }
  const digits = readUnitDigits(text)
  if (/^\d{1,5}$/.test(digits))
    return { raw: null, error: `6 digits required; did you mean ${digits.padStart(6, '0')}?` }
  const wrong = wrongUnit(digits, text)
  if (wrong) return { raw: null, error: wrong }
  // Reject text such as `T3 45821`, which is `T345821` at this point. The validation of the field also calls
  // `readUnitDigits`, which would remove the `T` and store the wrong unit number `345821`.
  if (readUnitDigits(digits) !== digits) return { raw: null, error: `6 digits required, not "${shownText(cell)}"` }
  const isCleaned = digits !== text.trim() && /^\d{6}$/.test(digits)
  return { raw: digits, ...(isCleaned ? { note: readAs(cell, digits) } : {}) }
}

/** Pattern of a number such as `45.210`. It can mean 45,210 or 45.21. */
const AMBIGUOUS_COUNT = /^\s*\d{1,3}\.\d{3}\s*$/
/** Pattern of a number such as `45,21`. It can mean 45.21, or a digit is missing. */
const INCOMPLETE_COUNT = /^\s*\d{1,3},\d{1,2}\s*$/

/**
 * Pattern of an ambiguous amount such as `1.250`. It can mean 1.25, or 1,250 in countries that group thousands with a
 * dot.
 */
const AMBIGUOUS_AMOUNT = /^\s*[$€]?\s*[1-9]\d{0,2}\.\d{2}0\s*€?\s*$/
/** Pattern of a number such as `350 420`. It can be 350,420 or two amounts. */
const SPACED_AMOUNT = /\d\s+\d/
/** Pattern of an ambiguous amount in a file with decimal commas. `1.234` and `1,234` can mean 1234 or 1.23. */
const GROUPED_AMOUNT = /^\s*[$€]?\s*[1-9]\d{0,2}[.,]\d{3}\s*€?\s*$/

/** Matches an amount with a remark. Examples are `450 approx.`, `~450`, `650.-`, `450*` and `$700 (quoted)`. */
const REMARKED_AMOUNT = new RegExp(
  '^(?=.*[~≈*(a-z-])\\s*(?:[~≈]|ca\\.?|approx\\.?|about|paid|pd)?\\s*(\\$?\\s*\\d[\\d,]*(?:\\.\\d{1,2})?)' +
    '(?:\\.-|,-)?\\s*(?:\\*|\\((?!\\$?\\d{2})[^()]{0,30}\\)|' +
    '(?:approx|est|estimated?|quoted?|paid|pd|approved|agreed|firm|flat)\\.?)?\\s*$',
  'i',
)

/** Rounds an amount with three decimals to cents. Keeps the currency: `€ 10.005` → `€ 10.01`. */
const inCents = (text: string) =>
  text.replace(/(\d+)[.,](\d{3})/, (_, whole, decimals) => roundHalfUp(Number(`${whole}.${decimals}`), 2).toFixed(2))

/**
 * Rounds halves up, as people do on paper. For example, 35.555 becomes 35.56, although its binary value is slightly
 * smaller.
 */
const roundHalfUp = (number: number, digits: number) =>
  Math.abs(number) < 1e9
    ? Number(`${Math.round(Number(`${number.toFixed(6)}e${digits}`))}e-${digits}`)
    : Number(number.toFixed(digits))

/** Reads a number from a cell and rounds it. `digits` is the number of decimal places: 2 for amounts, 0 for counts. */
export function understandNumber(
  cell: Cell,
  digits: number,
  { hasDecimalCommas }: Pick<Reading, 'hasDecimalCommas'> = {},
): ParsedCell {
  // Matching the patterns below takes quadratic time in long text.
  if (typeof cell === 'string' && cell.length > NUMBER_LENGTH) {
    const text = cell.trim()
    return text.length > NUMBER_LENGTH ? { raw: text } : understandNumber(text, digits, { hasDecimalCommas })
  }
  if (digits === 0 && typeof cell === 'string' && AMBIGUOUS_COUNT.test(cell)) {
    const whole = Number(cell.replace('.', ''))
    if (hasDecimalCommas) return { raw: whole, note: readAs(cell, String(whole)) }
    return {
      raw: null,
      error: `${shownText(cell)} has a decimal point; write ${cell.trim().replace('.', ',')} or a whole number`,
    }
  }
  const ambiguous = hasDecimalCommas ? GROUPED_AMOUNT : AMBIGUOUS_AMOUNT
  if (digits > 0 && typeof cell === 'string' && ambiguous.test(cell))
    return {
      raw: null,
      error:
        `${shownText(cell)} has three decimals; write ` +
        `${cell.trim().replace(/[.,]/, hasDecimalCommas ? '' : ',')} or ${inCents(cell.trim())}`,
    }
  if (digits > 0 && typeof cell === 'string' && SPACED_AMOUNT.test(cell) && !hasDecimalComma(cell))
    return { raw: null, error: `${shownText(cell)} could be one amount or two; write it without a space` }
  if (digits === 0 && typeof cell === 'string' && INCOMPLETE_COUNT.test(cell))
    return { raw: null, error: `Must be a whole number, not "${shownText(cell)}"; a digit may be missing` }
  const remarked = digits > 0 && typeof cell === 'string' ? REMARKED_AMOUNT.exec(cell)?.[1] : undefined
  if (remarked !== undefined) {
    const result = understandNumber(remarked, digits, { hasDecimalCommas })
    return typeof result.raw === 'number' ? { note: readAs(cell, result.raw.toFixed(digits)), ...result } : result
  }
  const number = typeof cell === 'string' ? readNumber(cell) : cell
  if (typeof number !== 'number' || !Number.isFinite(number))
    return { raw: typeof cell === 'string' ? cell.trim() : cell }
  const rounded = roundHalfUp(number, digits)
  // The value of a computed cell can contain a tiny floating-point error. If rounding removes only such an error, do
  // not report the number as rounded.
  const isRounded = Math.abs(rounded - number) > 1e-6
  const isUnusual = typeof cell === 'string' && (/k\s*$/i.test(cell) || hasDecimalComma(cell))
  return { raw: rounded, ...(isRounded || isUnusual ? { note: readAs(cell, rounded.toFixed(digits)) } : {}) }
}

/** Matches a word with a day after it, such as `Delivered 11/21`. */
const WORD_WITH_DAY = /^(\D+?)[\s,:(-]+(?:on )?(\d[^()]*)\)?$/

function understandWord(
  cell: Cell,
  { words, cleans = (text) => text }: ImportColumn,
  { today }: Pick<Reading, 'today'>,
): ParsedCell {
  // Excel converts a fuel level of 1/2 to a date and TRUE to a boolean. Convert such cells back to text.
  const text = isDate(cell) ? `${Number(cell.date.slice(5, 7))}/${Number(cell.date.slice(8))}` : cellText(cell)
  const cleaned = cleans(cleanText(text).replace(/\s+/g, ' ').trim())
  const listed = (text: string) => words?.find((option) => wordKey(option) === wordKey(text))
  const word = listed(cleaned)
  const [, first = '', day = ''] = word ? [] : (WORD_WITH_DAY.exec(cleaned.slice(0, MAX_SHOWN_LENGTH)) ?? [])
  const beforeDay = readDate(day, { today }) ? listed(first) : undefined
  if (beforeDay) return { raw: beforeDay, note: readAs(cell, beforeDay), day }
  return { raw: word ?? (cleaned === '' ? null : cleaned) }
}

/** Matches an error that a spreadsheet shows in a cell. `####` stands for a number that is wider than its column. */
export const FORMULA_ERROR = /^#(?:(?:REF|VALUE|NAME|DIV\/0|NULL|NUM|SPILL|CALC)[!?]|#{2,})$/i

export const faultyCell = (error: string) => `the cell shows ${error}; correct it in the spreadsheet`

export const YES = /^(?:yes|y|x|true|[✓✔☑])$/i
export const NO = /^(?:no|n|false|[☐✗✘])$/i

/** Matches an answer with a remark, such as `Yes - in binder`. */
const ANSWER_WITH_REMARK = /^(yes|y|no|n)\s*[-–—,;:(]/i

function understandFlag(cell: Cell, { cleans }: ImportColumn): ParsedCell {
  const raw = typeof cell === 'string' ? cleanText(cell).trim() : isDate(cell) ? cell.date : cell
  const [, answer] = typeof raw === 'string' ? (ANSWER_WITH_REMARK.exec(raw) ?? []) : []
  if (answer) return { raw: answer, note: readAs(cell, YES.test(answer) ? 'Yes' : 'No') }
  const cleaned = cleans && typeof raw === 'string' ? cleans(raw) : raw
  return { raw: cleaned, ...(cleaned === raw ? {} : { note: readAs(cell, String(cleaned)) }) }
}

const PHONE_LENGTH = 20
const PHONE = /(?<!\d)(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?:\s?x\s?\d{1,5})?(?!\d)/g

function onlyPhoneIn(text: string): string | null {
  const phones = text.slice(0, MAX_SHOWN_LENGTH).match(PHONE) ?? []
  return phones.length === 1 ? (phones[0] as string).trim() : null
}

function understandText(cell: Cell, { identifier }: ImportColumn): ParsedCell {
  const text = cellText(cell).trim()
  if (typeof cell === 'string' && FORMULA_ERROR.test(text)) return { raw: null, error: faultyCell(text) }
  const damage = identifier ? damagedIdentifier(cell) : null
  if (damage) return { raw: null, error: damage }
  if (identifier === 'number' && NO.test(text)) return { raw: null, note: readAs(cell, 'blank') }
  if (identifier === 'number' && YES.test(text))
    return { raw: null, error: `Must be a number, not "${shownText(cell)}"; choose another field for the column` }
  if (identifier === 'plate' && (isOtherValue(text) || isNoPlate(text)))
    return { raw: null, error: `Must be a plate, not "${shownText(cell)}"` }
  if (identifier === 'phone' && text.length > PHONE_LENGTH) {
    const phone = onlyPhoneIn(text)
    if (phone) return { raw: phone, note: readAs(cell, phone) }
  }
  if (cell === null) return { raw: null }
  // A spreadsheet program can write a whole number as `1234567.0`.
  const whole = identifier ? /^(\d+)\.0+$/.exec(text)?.[1] : undefined
  if (whole) return { raw: whole, note: readAs(cell, whole) }
  const doubt = identifier && text ? doubtOf(text, identifier) : null
  const note = isDate(cell) ? `the cell holds a date; it was stored as ${text}` : doubt && `${shownText(cell)} ${doubt}`
  return {
    raw: typeof cell === 'string' ? cleanText(cell) : text,
    ...(note ? { note } : {}),
  }
}

/** Converts a cell to the kind of its column. The column's rule validates the value afterwards. */
export function understand(column: ImportColumn, cell: Cell, reading: Reading): ParsedCell {
  switch (column.kind) {
    case 'unit':
      return understandUnit(cell, reading)
    case 'date':
      return understandDate(cell, column, reading)
    case 'count':
      return understandNumber(cell, 0, reading)
    case 'money':
      return understandNumber(cell, 2, reading)
    case 'word':
      return understandWord(cell, column, reading)
    case 'flag':
      return understandFlag(cell, column)
    default:
      return understandText(cell, column)
  }
}
