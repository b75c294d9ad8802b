/** A formula whose result the program that wrote the file did not store. */
type Uncomputed = { formula: true }
/** A cell that shows an error such as #REF! or #VALUE!. */
type Faulty = { error: string }

/**
 * A cell as a file holds it: text, a number, a yes or no, a date that the spreadsheet itself knew, a bare formula
 * or an error.
 */
export type Cell = string | number | boolean | { date: string } | Uncomputed | Faulty | null

export const isUncomputed = (cell: Cell): cell is Uncomputed =>
  typeof cell === 'object' && cell !== null && 'formula' in cell
export const isFaulty = (cell: Cell): cell is Faulty => typeof cell === 'object' && cell !== null && 'error' in cell
export const isDate = (cell: Cell): cell is { date: string } =>
  typeof cell === 'object' && cell !== null && 'date' in cell

/** A cell as the file shows it. */
export function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (isUncomputed(cell)) return '(formula without a result)'
  if (isFaulty(cell)) return cell.error
  return isDate(cell) ? cell.date : String(cell)
}
