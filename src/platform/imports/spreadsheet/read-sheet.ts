import { type Encoding, NO_HEADINGS } from '../../../../db/vocabulary'
import { Refused } from '../../refusals'
import { type Cell, cellText } from './cells'
import { decodeText, readCsv } from './csv'
import { COLUMN_LIMIT, HEADER_SEARCH_LINES, OWN_COLUMNS, type Piece, ROW_LIMIT, type SheetLine } from './lines'
import { sniff } from './sniff'
import { readXls } from './xls'
import { readXlsx } from './xlsx'

/**
 * Chooses a sheet of a workbook. Receives the first lines of all nonempty sheets and returns the index of the chosen
 * sheet.
 */
export type SheetChoice = (sheets: { name: string; isHidden: boolean; lines: SheetLine[] }[]) => number

/**
 * Properties of a spreadsheet file. `date1904` is true if the file counts dates from 1904 instead of 1900. `hiddenRows`
 * is complete only after all rows are read.
 */
export type SheetFacts = {
  hiddenRows: number[]
  /** Positions of cells with comments, such as `B3`. */
  commented: string[]
  hiddenColumns: Set<number>
  date1904: boolean
  isText: boolean
  /** True if semicolons separate the cells of a CSV file. */
  hasSemicolons: boolean
  encoding: Encoding | null
  /** Number of bytes in a CSV file that are invalid UTF-8. */
  foreign: number
  sheets: { name: string; is_hidden: boolean }[]
  sheet: string | null
}

export type SheetChoices = { row: number | null; sheet?: string | null; encoding?: Encoding | null }

/** Callbacks that receive the content of a spreadsheet. `header` is called once, then `rows` for each piece. */
export type SheetReader = {
  /** Returns the number of known headings in a line. The line with the most known headings is probably the header. */
  likeness(cells: string[]): number
  /** Receives the header and the first lines below the header. `rows` receives these lines again. */
  header(header: SheetHeader, facts: SheetFacts, firstLines: SheetLine[]): void
  /** Receives the next rows. `read` is the share of the file that has been read, from 0 to 1. */
  rows(rows: SheetLine[], read: number): void
}

/** Limits of a sheet: rows, columns and unpacked bytes. Text longer than `text` characters is cut. */
export type SheetLimits = { rows?: number; columns?: number; bytes?: number; text?: number }

export type SheetHeader = { row: number; names: string[]; first_rows: { row: number; cells: string[] }[] }

const refuse = (message: string) => Refused.field('file', message)

const isBlank = (cell: Cell) => cell === null || (typeof cell === 'string' && cell.trim() === '')

/** Removes NUL and replaces lone surrogates. Postgres cannot store them. */
const storable = (cell: Cell) =>
  typeof cell === 'string' && (cell.includes('\0') || !cell.isWellFormed())
    ? cell.replaceAll('\0', '').toWellFormed()
    : cell

/**
 * Joins headings that take two lines. `Pickup` above `Location` and `Date` gives `Pickup Location` and `Pickup Date`.
 * An upper heading also applies to the blank cells on its right. A heading that is the same in both lines, as in a
 * merged cell, is not repeated. Returns null if one of the lines cannot be a header.
 * @param width number of columns to which the last upper heading applies. `all` means all remaining columns. `previous`
 * means as many columns as for the upper heading before it. With `one`, every upper heading applies to one column.
 */
function joinHeadings(
  upper: SheetLine | undefined,
  lower: SheetLine,
  width: 'all' | 'previous' | 'one',
): SheetLine | null {
  const isText = ({ cells }: SheetLine) => cells.every((cell) => cell === null || typeof cell === 'string')
  if (!upper || lower.row !== upper.row + 1 || !isText(upper) || !isText(lower)) return null
  const [above, below] = [upper, lower].map(({ cells }) => cells.map((cell) => cellText(cell).trim())) as [
    string[],
    string[],
  ]
  if (!isHeading(above) || !isHeading(below)) return null
  const groups = [...above.keys()].filter((at) => above[at])
  const groupAt = (at: number) => {
    if (width === 'one') return above[at] ?? ''
    const index = groups.findLastIndex((start) => start <= at)
    const start = groups[index] ?? 0
    const lastWidth = start - (groups[index - 1] ?? start - 1)
    const end = index === groups.length - 1 && width === 'previous' ? start + lastWidth : Number.POSITIVE_INFINITY
    return index >= 0 && at < end ? (above[start] ?? '') : ''
  }
  const cells = Array.from({ length: Math.max(above.length, below.length) }, (_, at) => {
    const group = above[at] || below[at] ? groupAt(at) : ''
    return below[at] === above[at] ? group : `${group} ${below[at] ?? ''}`.trim()
  })
  return { row: lower.row, cells }
}

const SHOWN_CELLS = 8
const SHOWN_LENGTH = 40

/**
 * Finds the header line of a spreadsheet. Uses the first of these that exists:
 * - the line that the user chose
 * - the line, or pair of joined lines, with the most known headings
 * - the line with the most cells, if each of them looks like a heading
 * Titles above a table have few cells, so they are not mistaken for the header. If no line can be a header, the file
 * has no header, and its first line is a record.
 */
function findHeader(lines: SheetLine[], headerRow: number | null, likeness: SheetReader['likeness']): SheetLine {
  const blank = () => ({
    row: NO_HEADINGS,
    cells: Array<Cell>(Math.max(...lines.map(({ cells }) => cells.length))).fill(''),
  })
  if (headerRow === NO_HEADINGS) return blank()
  const likenessOf = ({ cells }: SheetLine) => likeness(cells.map(cellText))
  const candidates = lines.map((line, at) => {
    const widths = ['previous', 'all', 'one'] as const
    const joined = widths.flatMap((width) => joinHeadings(lines[at - 1], line, width) ?? [])
    return joined.reduce((best, other) => (likenessOf(other) > likenessOf(best) ? other : best), line)
  })
  const chosenLine = headerRow === null ? undefined : candidates.find(({ row }) => row === headerRow)
  if (chosenLine) return chosenLine
  const byScore = (score: (cells: string[]) => number) => {
    const scores = candidates.map(({ cells }) => score(cells.map(cellText)))
    const best = Math.max(...scores)
    return best > 0 ? candidates[scores.indexOf(best)] : undefined
  }
  return byScore(likeness) ?? byScore((cells) => (isHeading(cells) ? cells.filter(Boolean).length : 0)) ?? blank()
}

export function isHeading(cells: string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter(Boolean)
  return texts.length > 1 && texts.every((text) => /\p{L}/u.test(text) && !/\d{3}/.test(text))
}

/**
 * Minimum share (0 to 1) of known headings in the chosen sheet. The importer chooses the first sheet with at least this
 * share of the highest number of known headings in any sheet. For example, if the best sheet has 10 known headings, the
 * first sheet with at least 6 is chosen.
 */
const MIN_LIKENESS_SHARE = 0.6

/**
 * Returns the index of the first sheet with enough known headings. A hidden sheet is chosen only if no visible sheet
 * has known headings. If no sheet has known headings, the first visible sheet is chosen.
 */
function findLikeliestSheet(sheets: Parameters<SheetChoice>[0], likeness: SheetReader['likeness']): number {
  const scores = sheets.map(({ isHidden, lines }) => {
    const counts = lines.map(({ cells }) => likeness(cells.slice(0, COLUMN_LIMIT).map(cellText)))
    const best = Math.max(0, ...counts)
    // The score of a sheet is its number of known headings. Reduce it for hidden sheets and for sheets without rows.
    // Such a sheet is then chosen only if no other sheet has a known heading.
    return isHidden || counts.indexOf(best) === lines.length - 1 ? best / 100 : best
  })
  const best = Math.max(...scores)
  if (best > 0) return scores.findIndex((score) => score >= MIN_LIKENESS_SHARE * best)
  return Math.max(
    0,
    sheets.findIndex(({ isHidden }) => !isHidden),
  )
}

/**
 * Reads one sheet of a spreadsheet file. This is the sheet that the user chose or, without a choice, the first sheet
 * with enough known headings. Skips blank lines and lines above the header.
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
    hasSemicolons: false,
    encoding: null,
    foreign: 0,
    sheets: [],
    sheet: null,
    hiddenRows: [],
    hiddenColumns: new Set(),
    commented: [],
  }

  const begin = (lines: SheetLine[]): SheetLine[] => {
    first = null
    // One cell more than the limit is enough to find out that a line is too wide. A line of a text file can have
    // hundreds of thousands of cells, and comparing them with headings would take seconds.
    const narrowLines = lines.map((line) => ({ ...line, cells: line.cells.slice(0, COLUMN_LIMIT + 1) }))
    const header = findHeader(narrowLines, choices.row, reader.likeness)
    const widest = header.row === NO_HEADINGS ? lines : [header]
    if (widest.some(({ cells }) => cells.some((cell, at) => at >= COLUMN_LIMIT && !isBlank(cell))))
      throw refuse(`The file has more than ${COLUMN_LIMIT - OWN_COLUMNS} columns`)
    const shown = (cells: Cell[]) =>
      cells.slice(0, SHOWN_CELLS).map((cell) => cellText(cell).slice(0, SHOWN_LENGTH).toWellFormed())
    const first_rows = lines.map(({ row, cells }) => ({ row, cells: shown(cells) }))
    const below = lines.filter(({ row }) => row > header.row)
    const names = header.cells.slice(0, COLUMN_LIMIT).map(cellText)
    reader.header({ row: header.row, names, first_rows }, facts, below)
    return below
  }
  const take = ({ lines, read, date1904, hasSemicolons = false, hiddenColumns = new Set(), commented = [] }: Piece) => {
    Object.assign(facts, { date1904, hasSemicolons, hiddenColumns, commented })
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
