type Uncomputed = { formula: true }
type Faulty = { error: string }

/**
 * A cell that the spreadsheet formats as a date. `shows` is `month` if the format shows only a month and a year, such
 * as `Nov-27`. The date is then the first day of the month. `shows` is `day` if the format shows no year, such as
 * `27-Nov`.
 */
export type DateCell = { date: string; shows?: 'month' | 'day' }
/** Value of a cell. `formula` marks a formula without a stored result. `error` is an error such as `#REF!`. */
export type Cell = string | number | boolean | DateCell | Uncomputed | Faulty | null

export const isUncomputed = (cell: Cell): cell is Uncomputed =>
  typeof cell === 'object' && cell !== null && 'formula' in cell
export const isFaulty = (cell: Cell): cell is Faulty => typeof cell === 'object' && cell !== null && 'error' in cell
export const isDate = (cell: Cell): cell is DateCell => typeof cell === 'object' && cell !== null && 'date' in cell

export function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE'
  if (isUncomputed(cell)) return '(formula without a result)'
  if (isFaulty(cell)) return cell.error
  return isDate(cell) ? cell.date : String(cell)
}
