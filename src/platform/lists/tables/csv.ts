import Papa from 'papaparse'

export type Cell = string | number | boolean | null

const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/

/** A cell that a spreadsheet would take for a formula gets a quote before it, unless it is a plain number. */
export function defused(cell: Cell): Cell {
  if (typeof cell !== 'string' || !/^[=+\-@\t\r]/.test(cell) || PLAIN_NUMBER.test(cell)) return cell
  return `'${cell}`
}

/**
 * Lines of a CSV file (RFC 4180), each ended by CRLF. No byte order mark: programs read these files, and many take the
 * mark for a part of the first column's name. For Excel there is the workbook.
 */
export function csvLines(cells: Cell[][]): string {
  return `${Papa.unparse(
    cells.map((line) => line.map(defused)),
    { newline: '\r\n' },
  )}\r\n`
}
