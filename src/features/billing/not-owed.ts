import { type Cell, cellText } from '../../platform/imports/spreadsheet/cells'

/** Matches a cell that marks a line as void or cancelled. Does not match a charge such as `Cancelled trip fee`. */
const VOID = /^(?:void(?:ed)?|cancell?ed)\b(?!.*\b(?:fee|charge|trip|move)\b)/i

/** Matches headings of columns that describe the charge. Examples: `Type` and `Remarks`. */
const ABOUT_LINE = /\b(?:type|kind|transaction|description|desc|service|item|status|remarks?|notes?|comments?|memo)\b/i
/** Matches text that marks a credit or a settled line. Matches `Credit memo`, but not `Credit card fee`. */
const CREDIT = new RegExp(
  '^(?:credit(?:ed)?(?: memo| note)?|payments?(?: received)?|pmt|revers(?:al|ed)|paid|do not pay|duplicate)' +
    '\\s*(?:$|[-–:(#\\d]|of\\b)|^refund(?:ed)?\\b',
  'i',
)

/** Matches headings of columns that mark credits. Examples: `DR/CR` and `+/-`. */
const SIGN_HEADING = /^\s*(?:\+\s*\/?\s*[-−]|dr\s*\/?\s*cr|debit\s*\/\s*credit|sign)\s*$/i
const CREDIT_SIGN = /^(?:[-−–]|cr)$/i

const WAIVED_HEADING = /^\s*(?:fees? )?waived\??\s*$/i
const NOT_WAIVED = /^(?:\$?\s*0*(?:\.0*)?|n|no|none|not waived|false|n\/a|[$\s–—-]+)$/i

/**
 * Returns the text that marks a row as not owed. Examples: `Void` and `Credit memo`. Returns null for all other rows.
 * `isCertain` is false for a waiver with an amount, because the waiver may cover only a part of the charge.
 */
export function notOwed(header: string[], cells: Cell[]): { mark: string; isCertain: boolean } | null {
  for (const [at, cell] of cells.entries()) {
    const text = cellText(cell).trim()
    if (text === '') continue
    const heading = header[at] ?? ''
    const isCredit = ABOUT_LINE.test(heading) && CREDIT.test(text)
    if (VOID.test(text) || isCredit || (SIGN_HEADING.test(heading) && CREDIT_SIGN.test(text)))
      return { mark: text, isCertain: true }
    if (WAIVED_HEADING.test(heading) && !NOT_WAIVED.test(text))
      return { mark: `${heading.trim()} ${text}`, isCertain: !/\d/.test(text) }
  }
  return null
}
