import { type Encoding, NO_HEADINGS } from '../../../../db/vocabulary'
import { Refused } from '../../refusals'
import { type Cell, cellText } from './cells'
import { decodeText, readCsv } from './csv'
import { COLUMN_LIMIT, type Line, OWN_COLUMNS, type Piece, ROW_LIMIT } from './lines'
import { sniff } from './sniff'
import { readXls } from './xls'
import { readXlsx } from './xlsx'

/** The first lines of each sheet of a workbook that holds something. */
export type SheetChoice = (sheets: { name: string; isHidden: boolean; lines: Line[] }[]) => number
/** What is only known once a sheet was read. */
export type SheetNotes = { hiddenRows: number[] }

/**
 * What holds for a whole file: which day its serial numbers count from, whether it is mere text and in which encoding,
 * and its sheets. `hiddenRows` is filled when all rows were read.
 */
export type SheetFacts = SheetNotes & {
  date1904: boolean
  isText: boolean
  encoding: Encoding | null
  /** Bytes of another encoding within the text. */
  foreign: number
  sheets: { name: string; is_hidden: boolean }[]
  sheet: string | null
}

/** What a user has chosen for a file. */
export type SheetChoices = { row: number | null; sheet?: string | null; encoding?: Encoding | null }

/** What a reader of a file is told, in this order: the header once, then the rows below it, some at a time. */
export type SheetReader = {
  /** How much a line looks like the header: the number of columns whose names are known. */
  likeness(cells: string[]): number
  header(header: SheetHeader, facts: SheetFacts): void
  /** `read` is how much of the file has been read, from 0 to 1. */
  rows(rows: Line[], read: number): void
}

/** The most rows, and the most bytes that a workbook's sheets may unpack to. */
export type SheetLimits = { rows?: number; bytes?: number }

/** The row that names the columns, and the first rows of the file, for whoever would choose another. */
export type SheetHeader = { row: number; names: string[]; first_rows: { row: number; cells: string[] }[] }

const refuse = (message: string) => Refused.field('file', message)

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '')

/** No database stores NUL or half of a surrogate pair, so they are gone before anything looks at a cell. */
const storable = (cell: Cell) =>
  typeof cell === 'string' && (cell.includes('\0') || !cell.isWellFormed())
    ? cell.replaceAll('\0', '').toWellFormed()
    : cell

/** People put titles, dates and logos above their tables, but no more than this. */
const SEARCHED = 20
const SHOWN_CELLS = 8
const SHOWN_LENGTH = 40

/**
 * The line that names the columns: the one that was chosen, else the one with most known names, else the one with most
 * words, because titles above a table have few cells.
 */
function headerAmong(lines: Line[], chosen: number | null, likeness: SheetReader['likeness']): Line | undefined {
  if (chosen === NO_HEADINGS && lines.length)
    return { row: NO_HEADINGS, cells: Array<Cell>(Math.max(...lines.map(({ cells }) => cells.length))).fill('') }
  const wanted = chosen === null ? undefined : lines.find(({ row }) => row === chosen)
  if (wanted) return wanted
  const byScore = (score: (cells: string[]) => number) => {
    const scores = lines.map(({ cells }) => score(cells.map(cellText)))
    const best = Math.max(...scores)
    return best > 0 ? lines[scores.indexOf(best)] : undefined
  }
  return byScore(likeness) ?? byScore((cells) => (isHeading(cells) ? cells.filter(Boolean).length : 0)) ?? lines[0]
}

/** Can a line name columns? Its cells are words, and more than one. */
export function isHeading(cells: string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter(Boolean)
  return texts.length > 1 && texts.every((text) => /\p{L}/u.test(text) && !/\d{3}/.test(text))
}

/** The share of the best likeness that an earlier sheet needs to be taken instead. */
const ALIKE = 0.6

/** The first sheet with a line that is like a header, hidden ones last; else the first that is seen. */
function likeliest(sheets: Parameters<SheetChoice>[0], likeness: SheetReader['likeness']): number {
  const scores = sheets.map(({ isHidden, lines }) => {
    const best = Math.max(0, ...lines.map(({ cells }) => likeness(cells.slice(0, COLUMN_LIMIT).map(cellText))))
    // A hidden sheet is taken only where no other has a heading that is known.
    return isHidden ? best / 100 : best
  })
  const best = Math.max(...scores)
  if (best > 0) return scores.findIndex((score) => score >= ALIKE * best)
  return Math.max(
    0,
    sheets.findIndex(({ isHidden }) => !isHidden),
  )
}

/**
 * Reads the sheet of a file that was chosen or looks most like a table of ours; blank lines, and what stands above the header, are left out.
 * @throws Refused with what is wrong with the file
 */
export async function readSheet(
  bytes: Uint8Array,
  fileName: string,
  chosen: SheetChoices,
  reader: SheetReader,
  { rows: rowLimit = ROW_LIMIT, bytes: byteLimit }: SheetLimits = {},
): Promise<SheetFacts> {
  const kind = sniff(bytes, fileName)
  let first: Line[] | null = []
  let count = 0
  const facts: SheetFacts = {
    date1904: false,
    isText: kind === 'csv',
    encoding: null,
    foreign: 0,
    sheets: [],
    sheet: null,
    hiddenRows: [],
  }

  const begin = (lines: Line[]): Line[] => {
    first = null
    const header = headerAmong(lines, chosen.row, reader.likeness)
    if (!header) return lines
    if (header.cells.some((cell, at) => at >= COLUMN_LIMIT && !isBlank(cell)))
      throw refuse(`The file has more than ${COLUMN_LIMIT - OWN_COLUMNS} columns`)
    const shown = (cells: Cell[]) =>
      cells.slice(0, SHOWN_CELLS).map((cell) => cellText(cell).slice(0, SHOWN_LENGTH).toWellFormed())
    const first_rows = lines.map(({ row, cells }) => ({ row, cells: shown(cells) }))
    reader.header({ row: header.row, names: header.cells.slice(0, COLUMN_LIMIT).map(cellText), first_rows }, facts)
    return lines.slice(lines.indexOf(header) + 1)
  }
  const take = ({ lines, read, date1904 }: Piece) => {
    facts.date1904 = date1904
    let filled = lines.filter(({ cells }) => !cells.every(isBlank))
    for (const line of filled) line.cells = line.cells.map(storable)
    if (first) {
      first.push(...filled.splice(0, SEARCHED - first.length))
      if (first.length < SEARCHED) return
      filled = [...begin(first), ...filled]
    }
    hand(filled, read)
  }
  const hand = (rows: Line[], read: number) => {
    count += rows.length
    if (count > rowLimit) throw refuse(`The file has more than ${rowLimit.toLocaleString('en-US')} rows; split it`)
    reader.rows(rows, read)
  }
  const choose: SheetChoice = (sheets) => {
    facts.sheets = sheets.map(({ name, isHidden }) => ({ name, is_hidden: isHidden }))
    const wanted = sheets.findIndex(({ name }) => name === chosen.sheet)
    const at = wanted >= 0 ? wanted : likeliest(sheets, reader.likeness)
    facts.sheet = sheets[at]?.name ?? null
    return at
  }
  if (kind === 'csv') {
    const text = decodeText(bytes, chosen.encoding)
    Object.assign(facts, { encoding: text.encoding, foreign: text.foreign })
    readCsv(text, take)
  } else
    Object.assign(facts, kind === 'xls' ? readXls(bytes, choose, take) : await readXlsx(bytes, choose, take, byteLimit))
  const short = first as Line[] | null
  if (short?.length === 0) throw refuse('The file has no header row')
  if (short) hand(begin(short), 1)
  return facts
}
