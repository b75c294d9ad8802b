import Papa from 'papaparse'
import { defused } from '../../reading/text'

export type Cell = string | number | boolean | null

/**
 * Lines of a CSV file (RFC 4180), each ended by CRLF. No byte order mark: programs read these files, and many take the
 * mark for a part of the first column's name. For Excel there is the workbook.
 */
export function csvLines(cells: Cell[][]): string {
  return `${Papa.unparse(
    cells.map((line) => line.map((cell) => (typeof cell === 'string' ? defused(cell) : cell))),
    { newline: '\r\n' },
  )}\r\n`
}
