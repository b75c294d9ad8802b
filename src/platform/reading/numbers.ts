import { cleanText, narrow } from './text'

/** Maximum length of a number in characters. Longer text is rejected before matching, which can take quadratic time. */
export const NUMBER_LENGTH = 60
/** Maximum length of text that is read as a unit number, VIN or license plate. Longer text is returned unchanged. */
const IDENTIFIER_LENGTH = 100

/**
 * Matches a number with a decimal comma. It matches `1.250,50` and `350,00`, but not `1,250` with a thousands comma.
 */
const DECIMAL_COMMA = /^\(?-?\s*[$€]?\s*(?:\d{1,3}(?:[.\s]\d{3})+|\d+),\d{1,2}\s*€?\)?$/

export const hasDecimalComma = (text: string): boolean =>
  text.length <= NUMBER_LENGTH && DECIMAL_COMMA.test(text.trim())

/**
 * Reads a number as people write it. Returns null for other text.
 * Examples are `1,250.50`, `1.250,50`, `$ 1,250.50`, `(12.00)`, `USD 5`, `$35/day`, `45,210 mi` and `60k`.
 */
export function readNumber(text: string): number | null {
  if (text.length > NUMBER_LENGTH && text.trim().length > NUMBER_LENGTH) return null
  const written = hasDecimalComma(text) ? text.replace(/[.\s€]/g, '').replace(',', '.') : text
  const bare = narrow(written.trim())
    .replace(/^(?:usd|us)?\s*\$\s*|^usd\s*|\s*usd$/i, '')
    .replace(/(?<=\d)\s*(?:(?:\/|per\s|a\s)\s*(?:day|d|night)|\sdaily|\s(?:ea|each))$/i, '')
    .replace(/\s*(?:mi|miles|mi\.)$/i, '')
    .trim()
  // A group of thousands never begins with 0, so `0,035` can mean 0.035 or 35.
  if (/^\D*0+[,\s]\d/.test(bare)) return null
  const thousands = /^(\d+(?:\.\d+)?)k$/i.exec(bare)
  if (thousands) return Math.round(Number(thousands[1]) * 1000)
  const inBrackets = /^\(\s*\$?\s*([\d,.]+)\s*\)$/.exec(bare)
  const sign = inBrackets ? -1 : 1
  const digits = (inBrackets?.[1] ?? bare).replace(/[,\s](?=\d{3}(?:\D|$))/g, '').replace(/^-\s*\$\s*/, '-')
  return /^-?\d+(?:\.\d*)?$|^-?\.\d+$/.test(digits) ? sign * Number(digits) : null
}

/** Matches a word or letter before a unit number. Examples are `Unit no.`, `Trk`, `U-` and `V`. */
const UNIT_WORD = /^(?:unit|vehicle|veh|truck|trk|asset|[utv](?=[\s-]?\d{6}))?\s*(?:number|no|num|nr)?\s*[.:#]*\s*/i

/**
 * Maximum length of a unit number with a remark. Longer text is not searched for a remark, because the search can take
 * quadratic time.
 */
const REMARK_LENGTH = 60

/** Removes a remark in parentheses after a unit number, such as `(spare)`. */
const withoutRemark = (text: string): string =>
  text.length > REMARK_LENGTH ? text : text.replace(/\s*\([^()]*\)$/, '')

/**
 * Returns the digits of a unit number, for any common spelling.
 * For example, `102 370`, `#102370`, `Unit 102370`, `102370.0` and `1.0237E5` all become `102370`. The result is not
 * validated.
 */
export function readUnitDigits(text: string): string {
  if (text.length > IDENTIFIER_LENGTH) return text
  const bare = narrow(text).trim()
  if (/^\d{6}$/.test(bare)) return bare
  if (/^\d(?:\.\d{1,5})?e\+?0?5$/i.test(bare)) return String(Math.round(Number(bare)))
  return withoutRemark(bare.replace(/^\((\d+)\)$/, '$1'))
    .replace(/^\*(.*)\*$/, '$1')
    .replace(/(?<=\d)[*.]$/, '')
    .replace(/^'(?=\d)/, '')
    .replace(UNIT_WORD, '')
    .replace(/\.0+$/, '')
    .replace(/^(\d{3}),(\d{3})$/, '$1$2')
    .replace(/[\s#-]/g, '')
    .replace(/^0{1,4}(?=\d{6}$)/, '')
}

/**
 * Reads a VIN or unit number from a Code 39 scanner.
 * The scanner can add `*` around the number, or `I` before a VIN.
 */
export function readIdentifier(text: string): string {
  if (text.length > IDENTIFIER_LENGTH) return text
  const bare = narrow(text)
    .toUpperCase()
    .replace(/[\s*#-]/g, '')
  return bare.length === 18 && bare.startsWith('I') ? bare.slice(1) : bare
}

/**
 * Cleans search text. Removes spaces, dashes, `*` and `#` from text that looks like a number or a scanned code.
 * Other text is only trimmed and normalized.
 */
export function readSearch(input: string): string {
  const text = cleanText(input).trim()
  const bare = readIdentifier(text)
  const isMarked = /^[*#]/.test(text) || /^[\d\s-]+$/.test(text)
  const isVin = /^[A-HJ-NPR-Z\d]{17}$/.test(bare) && bare !== text.toUpperCase()
  return (isMarked || isVin) && bare !== '' ? bare : text
}

/** Returns a key for comparing license plates. It ignores case, spaces, dashes and dots. */
export const plateKey = (plate: string): string =>
  plate.length > IDENTIFIER_LENGTH
    ? plate
    : narrow(plate)
        .toLowerCase()
        .replace(/[\s.-]+/g, '')

/**
 * Returns SQL that computes the same key as `plateKey`. It does not normalize Unicode characters. `plate` is SQL for
 * the license plate.
 */
export const plateKeySql = (plate: string): string => `regexp_replace(lower(${plate}), '[\\s.-]+', '', 'g')`
