import { Refused } from '../../refusals'
import { type Cell, cellText } from './cells'
import { readCsv } from './csv'
import { COLUMN_LIMIT, type Line, OWN_COLUMNS, type Piece, ROW_LIMIT } from './lines'
import { sniff } from './sniff'
import { readXls } from './xls'
import { readXlsx } from './xlsx'

/** What holds for a whole file: which day its serial numbers count from, and whether it is mere text. */
export type SheetFacts = { date1904: boolean; isText: boolean }

/** What a reader of a file is told, in this order: the header once, then the rows below it, some at a time. */
export type SheetReader = {
  header(names: string[], facts: SheetFacts): void
  /** `read` is how much of the file has been read, from 0 to 1. */
  rows(rows: Line[], read: number): void
}

const refuse = (message: string) => Refused.field('file', message)

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '')

/** No database stores NUL or half of a surrogate pair, so they are gone before anything looks at a cell. */
const storable = (cell: Cell) => (typeof cell === 'string' && (cell.includes('\0') || !cell.isWellFormed()) ? cell.replaceAll('\0', '').toWellFormed() : cell)

/** Reads a file's first filled sheet; blank lines are left out. @throws Refused with what is wrong with the file */
export async function readSheet(bytes: Uint8Array, fileName: string, reader: SheetReader): Promise<void> {
  const kind = sniff(bytes, fileName)
  let hasHeader = false
  let count = 0
  const take = ({ lines, read, date1904 }: Piece) => {
    const filled = lines.filter(({ cells }) => !cells.every(isBlank))
    for (const line of filled) line.cells = line.cells.map(storable)
    const header = hasHeader ? undefined : filled.shift()
    if (header) {
      hasHeader = true
      if (header.cells.some((cell, at) => at >= COLUMN_LIMIT && !isBlank(cell))) throw refuse(`The file has more than ${COLUMN_LIMIT - OWN_COLUMNS} columns`)
      reader.header(header.cells.slice(0, COLUMN_LIMIT).map(cellText), { date1904, isText: kind === 'csv' })
    }
    count += filled.length
    if (count > ROW_LIMIT) throw refuse(`The file has more than ${ROW_LIMIT.toLocaleString('en-US')} rows; split it`)
    if (hasHeader) reader.rows(filled, read)
  }
  if (kind === 'csv') readCsv(bytes, take)
  else if (kind === 'xls') readXls(bytes, take)
  else await readXlsx(bytes, take)
  if (!hasHeader) throw refuse('The file has no header row')
}
