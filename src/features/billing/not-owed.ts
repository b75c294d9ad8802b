import { type Cell, cellText } from '../../platform/imports/spreadsheet/cells'

/** Matches a cell of a line that is not valid any more, unlike `Cancelled trip fee`. */
const VOID = /^(?:void(?:ed)?|cancell?ed)\b(?!.*\b(?:fee|charge|trip|move)\b)/i

/** Matches a cell of a line that is a credit or already paid, unlike `Credit card fee`. */
const CREDIT = new RegExp(
  '^(?:credit(?:ed)?|payments?|pmt|refund(?:ed)?|revers(?:al|ed)|paid|do not pay|duplicate(?: of\\b|$))\\b' +
    '(?!.*\\b(?:card|check|processing|terms|due|method)\\b)',
  'i',
)

/** Matches the heading of a column that tells charges from credits. */
const SIGN_HEADING = /^\s*(?:\+\s*\/?\s*[-−]|dr\s*\/?\s*cr|debit\s*\/\s*credit|sign|type)\s*$/i
const CREDIT_SIGN = /^(?:[-−–]|cr)$/i

const WAIVED_HEADING = /\bwaived?\b/i
const NOT_WAIVED = /^(?:\$?\s*0*(?:\.0*)?|n|no|none|-+|—|n\/a)$/i

/** Returns how a row says that its amount is not owed, such as `Void` or `Credit memo`. Returns null for other rows. */
export function notOwed(header: string[], cells: Cell[]): string | null {
  for (const [at, cell] of cells.entries()) {
    const text = cellText(cell).trim()
    if (text === '') continue
    const heading = header[at] ?? ''
    const isMarked = VOID.test(text) || CREDIT.test(text) || (SIGN_HEADING.test(heading) && CREDIT_SIGN.test(text))
    if (isMarked) return text
    if (WAIVED_HEADING.test(heading) && !NOT_WAIVED.test(text)) return `${heading.trim()} ${text}`
  }
  return null
}
