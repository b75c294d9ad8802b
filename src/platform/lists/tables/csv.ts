import Papa from 'papaparse'
import { defused } from '../../reading/text'

export type CsvValue = string | number | boolean | null

/**
 * Formats rows as lines of a CSV file (RFC 4180). Each line ends with CRLF.
 * The file has no byte order mark, because many programs read the mark as part of the first column's name. Excel users
 * can export a workbook instead.
 */
export function csvLines(cells: CsvValue[][]): string {
  return `${Papa.unparse(
    cells.map((line) => line.map((cell) => (typeof cell === 'string' ? defused(cell) : cell))),
    // Quote cells with semicolons. In many countries, Excel separates columns by semicolons, so the text after a
    // semicolon could become a formula.
    { newline: '\r\n', quotes: (cell) => typeof cell === 'string' && cell.includes(';') },
  )}\r\n`
}
