import { undefused } from '../../reading/text'
import type { ColumnKind } from '../kind'
import { type Cell, cellText } from '../spreadsheet/cells'

/**
 * Matches the part of an amount before the thousands comma. Examples are `$1` and `USD 12`. The groups are currency and
 * digits.
 */
const THOUSANDS = /^'?(\$|usd|us\$)?\s?(\d{1,3})$/i
/** Matches the part of an amount after the thousands comma. Examples are `250.00` and `250 USD`. */
const REST = /^\d{3}(?:\.\d{2})?\s?(-|usd|cr)?$/i

/**
 * Finds an amount that an unquoted comma has probably split. For example, the two cells `$1` and `250` are probably
 * `$1,250`. Counting the cells of the row is not enough, because some programs leave out empty cells at the end of a
 * row.
 * @param kinds kind of each column of the file; undefined for an ignored column
 * @returns an error for the row, or a note if the two cells can also be two separate values
 */
export function unquotedComma(
  cells: Cell[],
  kinds: (ColumnKind | undefined)[],
): { error: string } | { note: string } | null {
  const columnCount = kinds.length
  const textAt = (at: number) => cellText(cells[at] ?? null).trim()
  if (cells.slice(columnCount).some((_, at) => textAt(columnCount + at) !== ''))
    return {
      error: 'The row has more cells than the header row. If a value contains a comma, put quotation marks around it.',
    }
  for (const at of cells.keys()) {
    const [first, second] = [textAt(at), textAt(at + 1)]
    const [thousands, rest] = [THOUSANDS.exec(first), REST.exec(second)]
    if (!thousands || !rest) continue
    const hasDollar = Boolean(thousands[1] || rest[1])
    const isAmount = kinds[at + 1] === 'money'
    // Costs below 100 dollars are rare, so the cells `45` and `250` are probably one amount, `45,250`.
    const isProbable = kinds[at] === 'money' && (thousands[2]!.length < 3 || second.startsWith('0'))
    if (hasDollar && !isAmount && (isProbable || cells.length < columnCount))
      return {
        error: 'An amount probably contains a comma but has no quotation marks. Put quotation marks around the amount.',
      }
    if (isProbable && hasDollar === isAmount)
      return {
        note:
          `${first} and ${second} are two cells. If ${first},${second} is one amount, put quotation ` +
          `marks around it`,
      }
  }
  return null
}

/**
 * Removes marks that make spreadsheet programs treat a cell as text. Our CSV exports put an apostrophe before text that
 * looks like a formula, so that spreadsheet programs do not run it. Other programs write `="100851"` or `'100851`.
 */
export function withoutTextMarks(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  return undefused(/^="(.*)"$/.exec(cell)?.[1] ?? /^'(\d+)$/.exec(cell)?.[1] ?? cell)
}
