import { isShortExcelDate } from '../../reading/months'
import { isRegion } from '../../reading/regions'
import { inWords } from '../../records/warnings'
import type { ImportColumn } from '../kind'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'

/**
 * Limit for exact numbers, because spreadsheets store only 15 digits. A larger number, shown as `1E+21` for example,
 * may have lost digits.
 */
const LARGEST_EXACT = 1e15

export function damagedIdentifier(cell: Cell): string | null {
  if (isDate(cell))
    return `The cell holds the date ${inWords(cell.date)}; format the cell as text and type the value again`
  const text = cellText(cell).trim()
  if (isShortExcelDate(text))
    return (
      `${text} looks like a date that Excel made from another value. If the value is correct, type it ` +
      `without the dash`
    )
  const lostDigits = typeof cell === 'number' ? Math.abs(cell) >= LARGEST_EXACT : /^\d(\.\d+)?E\+\d+$/i.test(text)
  return lostDigits
    ? 'The file contains only a rounded form of this number; format the cell as text and type it again'
    : null
}

/** Matches a date or an amount, which is never an identifier. */
const OTHER_VALUE = /^(?:\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{4}-\d\d-\d\d(?:[ T].*)?|\$.*\d)$/
export const isOtherValue = (text: string): boolean => OTHER_VALUE.test(text)

export const isNoPlate = (text: string): boolean =>
  /^(?:x|y|n|yes|no)$/i.test(text) || (text.length === 2 && isRegion(text.toUpperCase()))

const PLATE_REMARK = new RegExp(
  '\\d\\s*[-–(,]\\s*(?:lost|stolen|exp|expired|returned|missing|surrendered|destroyed|damaged)\\b|' +
    '\\d\\s+(?:lost|stolen|expired|returned|missing|surrendered|destroyed|damaged)$',
  'i',
)

/** Returns the end of a note about a doubtful identifier. Example: `has no phone number`. */
export function doubtOf(text: string, identifier: NonNullable<ImportColumn['identifier']>): string | null {
  if (identifier === 'number') return isOtherValue(text) ? 'looks like a date or an amount' : null
  if (identifier === 'phone') return /\d{3}/.test(text) ? null : 'has no phone number'
  if (/^(?=.*\s|.{6})\D+$/.test(text)) return 'has no digit; check whether it is a plate'
  if (PLATE_REMARK.test(text)) return 'has a remark beside the plate'
  if (/^(?:true|false)$/i.test(text)) return 'looks like a Yes/No value, not a plate'
  return /[^\p{L}\p{N}\s.-]/u.test(text) ? 'has characters that plates do not have' : null
}
