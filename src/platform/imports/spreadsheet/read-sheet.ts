import { type Encoding, NO_HEADINGS } from '../../../../db/vocabulary'
import { Refused } from '../../refusals'
import { type Cell, cellText } from './cells'
import { decodeText, readCsv } from './csv'
import { COLUMN_LIMIT, OWN_COLUMNS, type Piece, ROW_LIMIT, type SheetLine } from './lines'
import { sniff } from './sniff'
import { readXls } from './xls'
import { readXlsx } from './xlsx'

/**
 * Function that chooses a sheet. It receives the first lines of all nonempty sheets and returns the index of the chosen
 * sheet.
 */
export type SheetChoice = (sheets: { name: string; isHidden: boolean; lines: SheetLine[] }[]) => number

/**
 * Properties of a whole file. `date1904` is true if the file counts dates from 1904 instead of 1900. `hiddenRows` is
 * complete only after all rows are read.
 */
export type SheetFacts = {
  hiddenRows: number[]
  date1904: boolean
  isText: boolean
  encoding: Encoding | null
  /** Number of bytes that are not in the encoding of the rest of the file. */
  foreign: number
  sheets: { name: string; is_hidden: boolean }[]
  sheet: string | null
}

export type SheetChoices = { row: number | null; sheet?: string | null; encoding?: Encoding | null }

/** Callbacks for a file's content: `header` once, then `rows` in pieces. */
export type SheetReader = {
  /** Returns how much a line resembles a header, measured by the number of known headings. */
  likeness(cells: string[]): number
  header(header: SheetHeader, facts: SheetFacts): void
  /** `read` is the share of the file read so far (0–1). */
  rows(rows: SheetLine[], read: number): void
}

export type SheetLimits = { rows?: number; bytes?: number }

export type SheetHeader = { row: number; names: string[]; first_rows: { row: number; cells: string[] }[] }

const refuse = (message: string) => Refused.field('file', message)

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '')

/** Removes NUL and replaces lone surrogates, because no database stores them. */
const storable = (cell: Cell) =>
  typeof cell === 'string' && (cell.includes('\0') || !cell.isWellFormed())
    ? cell.replaceAll('\0', '').toWellFormed()
    : cell

/**
 * Number of lines that are searched for the headings. Titles can precede the headings, so searching only the first line
 * is not enough.
 */
const HEADER_SEARCH_LINES = 20
const SHOWN_CELLS = 8
const SHOWN_LENGTH = 40

/**
 * Finds the header. Uses the line that the user chose, otherwise the line with the most known headings, otherwise the
 * line with the most cells of text. Titles above a table are not mistaken for the header, because they have few cells.
 */
function findHeader(
  lines: SheetLine[],
  headerRow: number | null,
  likeness: SheetReader['likeness'],
): SheetLine | undefined {
  if (headerRow === NO_HEADINGS && lines.length)
    return { row: NO_HEADINGS, cells: Array<Cell>(Math.max(...lines.map(({ cells }) => cells.length))).fill('') }
  const chosenLine = headerRow === null ? undefined : lines.find(({ row }) => row === headerRow)
  if (chosenLine) return chosenLine
  const byScore = (score: (cells: string[]) => number) => {
    const scores = lines.map(({ cells }) => score(cells.map(cellText)))
    const best = Math.max(...scores)
    return best > 0 ? lines[scores.indexOf(best)] : undefined
  }
  return byScore(likeness) ?? byScore((cells) => (isHeading(cells) ? cells.filter(Boolean).length : 0)) ?? lines[0]
}

/** Returns true when a line can be a header: several cells, all of them words. */
export function isHeading(cells: string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter(Boolean)
  return texts.length > 1 && texts.every((text) => /\p{L}/u.test(text) && !/\d{3}/.test(text))
}

/**
 * Minimum likeness of a chosen sheet, as a share of the highest likeness of any sheet. The first sheet that reaches
 * this share is chosen.
 */
const MIN_LIKENESS_SHARE = 0.6

/**
 * Returns the index of the first sheet that resembles a known table. A hidden sheet is chosen only if no visible sheet
 * resembles one. If no sheet does, returns the first visible sheet.
 */
function findLikeliestSheet(sheets: Parameters<SheetChoice>[0], likeness: SheetReader['likeness']): number {
  const scores = sheets.map(({ isHidden, lines }) => {
    const best = Math.max(0, ...lines.map(({ cells }) => likeness(cells.slice(0, COLUMN_LIMIT).map(cellText))))
    // Reduce the score of a hidden sheet, so that it is chosen only when no visible sheet has a known heading.
    return isHidden ? best / 100 : best
  })
  const best = Math.max(...scores)
  if (best > 0) return scores.findIndex((score) => score >= MIN_LIKENESS_SHARE * best)
  return Math.max(
    0,
    sheets.findIndex(({ isHidden }) => !isHidden),
  )
}

/**
 * Reads the sheet that the user chose. Without a choice, reads the sheet that most resembles a known table. Skips blank
 * lines and lines above the header.
 * @throws Refused when the file cannot be read
 */
export async function readSheet(
  bytes: Uint8Array,
  fileName: string,
  choices: SheetChoices,
  reader: SheetReader,
  { rows: rowLimit = ROW_LIMIT, bytes: byteLimit }: SheetLimits = {},
): Promise<SheetFacts> {
  const kind = sniff(bytes, fileName)
  let first: SheetLine[] | null = []
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

  const begin = (lines: SheetLine[]): SheetLine[] => {
    first = null
    const header = findHeader(lines, choices.row, reader.likeness)
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
      first.push(...filled.splice(0, HEADER_SEARCH_LINES - first.length))
      if (first.length < HEADER_SEARCH_LINES) return
      filled = [...begin(first), ...filled]
    }
    hand(filled, read)
  }
  const hand = (rows: SheetLine[], read: number) => {
    count += rows.length
    for (const { row, isHidden } of rows) if (isHidden) facts.hiddenRows.push(row)
    if (count > rowLimit) throw refuse(`The file has more than ${rowLimit.toLocaleString('en-US')} rows; split it`)
    reader.rows(rows, read)
  }
  const choose: SheetChoice = (sheets) => {
    facts.sheets = sheets.map(({ name, isHidden }) => ({ name, is_hidden: isHidden }))
    const chosenIndex = sheets.findIndex(({ name }) => name === choices.sheet)
    const at = chosenIndex >= 0 ? chosenIndex : findLikeliestSheet(sheets, reader.likeness)
    facts.sheet = sheets[at]?.name ?? null
    return at
  }
  if (kind === 'csv') {
    const text = decodeText(bytes, choices.encoding)
    Object.assign(facts, { encoding: text.encoding, foreign: text.foreign })
    readCsv(text, take)
  } else await (kind === 'xls' ? readXls(bytes, choose, take) : readXlsx(bytes, choose, take, byteLimit))
  const short = first as SheetLine[] | null
  if (short?.length === 0) throw refuse('The file has no header row')
  if (short) hand(begin(short), 1)
  return facts
}
