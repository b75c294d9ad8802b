import { undefused } from '../../reading/text'
import { type Cell, cellText } from '../spreadsheet/cells'

/** Special cases of text formats such as CSV: commas in unquoted cells, and marks that keep a cell as text. */

/** Returns an error if a row of a text file probably has an unquoted comma, or null. */
export function unquotedComma(cells: Cell[], columnCount: number): string | null {
  if (cells.slice(columnCount).some((cell) => cellText(cell).trim() !== ''))
    return 'The row has more cells than the header. Check for an unquoted comma.'
  // An unquoted `$1,250` is split into two cells. If the last cell of the row is also missing, the row has no extra
  // cells.
  const isSplit = (cell: Cell, at: number) =>
    /^\s*\$\s?\d{1,3}$/.test(cellText(cell)) && /^\d{3}(?:\.\d{2})?\s*$/.test(cellText(cells[at + 1] ?? null))
  return cells.length < columnCount && cells.some(isSplit)
    ? 'An amount may have an unquoted comma. Put quotation marks around it.'
    : null
}

/**
 * Removes marks that make spreadsheet programs treat a cell as text. Our CSV exports put an apostrophe before text that
 * looks like a formula, so that spreadsheet programs do not run it. Other programs write `="100851"` or `'100851`.
 */
export function withoutTextMarks(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  return undefused(/^="(.*)"$/.exec(cell)?.[1] ?? /^'(\d+)$/.exec(cell)?.[1] ?? cell)
}
