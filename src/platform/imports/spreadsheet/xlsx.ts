import type { Entry } from 'yauzl'
import { Refused } from '../../refusals'
import { CELL_LIMIT, TextCollector, tooLong, unescapeExcel } from './cell-text'
import type { Cell } from './cells'
import { dateOf, timeOf } from './date-cell'
import { COLUMN_LIMIT, HEADER_SEARCH_LINES, LINE_LIMIT, type Piece, type SheetLine } from './lines'
import { fillMerged, type Merges, mergesIn, NO_MERGES } from './merges'
import { showNumber } from './number-format'
import type { SheetChoice } from './read-sheet'
import { commentedCells, openWorkbook, type Sheet, type Workbook } from './workbook'
import { type Attributes, type XmlEvents, XmlScanner } from './xml'
import { unpack } from './zip'

const SHEET_BYTES_LIMIT = 300 * 1024 * 1024
/**
 * Approximate size of a piece of a sheet, in unpacked bytes. Pieces are not measured in lines, because the lines of a
 * malicious file can be very long.
 */
const PIECE_BYTES = 256 * 1024

const refuse = (message: string) => Refused.field('file', message)

/**
 * Reads one sheet of an .xlsx workbook while unpacking it. `choose` receives the first lines of each nonempty sheet.
 * @throws Refused when the workbook is empty, protected, damaged or too large
 */
export async function readXlsx(
  bytes: Uint8Array,
  choose: SheetChoice,
  take: (piece: Piece) => void,
  limit = SHEET_BYTES_LIMIT,
): Promise<void> {
  const book = await openWorkbook(bytes)
  // Number of bytes that may still be unpacked while the first lines of all sheets are read.
  let remainingBytes = limit
  const filled: { sheet: Sheet; lines: SheetLine[] }[] = []
  for (const sheet of book.sheets) {
    const lines: SheetLine[] = []
    const collectSample = (piece: Piece) => {
      lines.push(...piece.lines.slice(0, HEADER_SEARCH_LINES - lines.length))
      return lines.length < HEADER_SEARCH_LINES
    }
    remainingBytes -= await readSheetPart(book, sheet.entry, collectSample, remainingBytes, NO_MERGES)
    if (lines.length > 0) filled.push({ sheet, lines })
  }
  const at = choose(filled.map(({ sheet: { name, isHidden }, lines }) => ({ name, isHidden, lines })))
  const sheet = filled[at]?.sheet
  if (!sheet) throw refuse('The workbook is empty')
  const merges = await mergesIn(book.file, sheet.entry, limit)
  const commented = await commentedCells(book, sheet)
  await readSheetPart(
    book,
    sheet.entry,
    (piece) => {
      take({ ...piece, commented })
      return true
    },
    limit,
    merges,
  )
}

/**
 * Returns the zero-based column of a cell reference. For example, it is 27 for `AB12`. Returns -1 if the reference has
 * no letters.
 */
function columnOf(reference: string): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column - 1
}

class SheetEvents implements XmlEvents {
  lines: SheetLine[] = []
  readonly hiddenColumns = new Set<number>()
  #row = 0
  #cells: Cell[] = []
  #column = -1
  #type: string | undefined
  #style = 0
  #value = ''
  #isValue = false
  #isFormula = false
  #isCell = false
  readonly #text = new TextCollector()
  #isHidden = false
  #filledCount = 0
  #struckCount = 0
  #scientific: number[] = []

  constructor(
    readonly book: Workbook,
    readonly merges: Merges,
  ) {}

  open(name: string, attributes: Attributes) {
    if (name === 'c') {
      const reference = attributes.r
      const column = reference ? columnOf(reference) : -1
      this.#column = column >= 0 ? column : this.#column + 1
      this.#type = attributes.t
      this.#style = Number(attributes.s ?? 0)
      this.#value = ''
      this.#isFormula = false
      this.#isCell = true
    } else if (name === 'v') this.#isValue = true
    else if (name === 'f') this.#isFormula = true
    else if (name === 'row') {
      const number = Number(attributes.r)
      this.#row = Number.isInteger(number) && number > this.#row ? number : this.#row + 1
      if (this.#row > LINE_LIMIT) throw refuse('The sheet has more rows than Excel supports')
      this.#cells = []
      this.#column = -1
      this.#filledCount = 0
      this.#struckCount = 0
      this.#scientific = []
      this.#isHidden = attributes.hidden === '1' || attributes.hidden === 'true'
    } else if (name === 'col') this.#hide(attributes)
    else if (this.#isCell) this.#text.open(name)
  }

  /** Stores a range of hidden columns. The file counts columns from 1. */
  #hide({ hidden, min, max }: Attributes) {
    if (hidden !== '1' && hidden !== 'true') return
    const first = Math.max(1, Math.trunc(Number(min)))
    const last = Math.min(Number(max), COLUMN_LIMIT)
    for (let at = first; at <= last; at++) this.hiddenColumns.add(at - 1)
  }

  close(name: string) {
    if (name === 'v') this.#isValue = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') {
      if (this.#cells.length > 0) {
        const merged = fillMerged(this.merges, this.#row, this.#cells)
        this.lines.push({
          row: this.#row,
          cells: this.#cells,
          ...(this.#isHidden ? { isHidden: true } : {}),
          ...(this.#struckCount > 0 && this.#struckCount === this.#filledCount ? { isStruck: true } : {}),
          ...(merged.length > 0 ? { merged } : {}),
          ...(this.#scientific.length > 0 ? { scientific: this.#scientific } : {}),
        })
      }
      this.#cells = []
    } else if (this.#isCell) this.#text.close(name)
  }

  text(piece: string) {
    if (this.#isValue) {
      this.#value += piece
      if (this.#value.length > CELL_LIMIT) throw tooLong()
    } else if (this.#isCell) this.#text.add(piece)
  }

  #closeCell() {
    this.#isCell = false
    const inline = this.#text.take()
    const cell = this.#read(inline)
    // Keep one column beyond the limit, so that a file with a heading in this column is refused instead of truncated.
    if (cell === null || cell === '' || this.#column > COLUMN_LIMIT) return
    this.#filledCount++
    if (this.book.isStruckStyle[this.#style]) this.#struckCount++
    if (typeof cell === 'number' && this.book.isScientificStyle[this.#style]) this.#scientific.push(this.#column)
    while (this.#cells.length < this.#column) this.#cells.push(null)
    this.#cells[this.#column] = cell
  }

  #read(inline: string): Cell {
    const value = this.#value
    if (this.#type === 'inlineStr') return inline
    if (value === '') return inline || (this.#isFormula && this.#type !== 'str' ? { formula: true } : null)
    if (this.#type === 's') return this.book.texts[Number(value)] ?? null
    if (this.#type === 'str') return unescapeExcel(value)
    if (this.#type === 'b') return value === '1' || value === 'true'
    if (this.#type === 'e') return { error: value }
    if (this.#type === 'd') return /^\d{4}-\d\d-\d\d/.test(value) ? { date: value.slice(0, 10) } : value
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    if (this.book.isDateStyle[this.#style])
      return dateOf(number, this.book.date1904, this.book.shownPartOfStyle[this.#style]) ?? timeOf(number)
    const text = this.book.textOfStyle[this.#style]
    if (text) return showNumber(number, text)
    const digits = this.book.digitsOfStyle[this.#style] ?? 0
    return digits && Number.isInteger(number) && number >= 0 ? String(number).padStart(digits, '0') : number
  }
}

/**
 * Reads a sheet of an .xlsx workbook. Stops early if `take` returns false.
 * @returns the number of unpacked bytes
 */
async function readSheetPart(
  book: Workbook,
  sheet: Entry,
  take: (piece: Piece) => boolean,
  limit: number,
  merges: Merges,
): Promise<number> {
  const events = new SheetEvents(book, merges)
  const scanner = new XmlScanner(events)
  const decoder = new TextDecoder()
  let unpackedBytes = 0
  let passedBytes = 0
  const hand = () => {
    const { lines, hiddenColumns } = events
    events.lines = []
    passedBytes = unpackedBytes
    const read = unpackedBytes / Math.max(1, sheet.uncompressedSize)
    return take({ lines, read, date1904: book.date1904, hiddenColumns })
  }
  for await (const bytes of unpack(book.file, sheet, limit)) {
    scanner.push(decoder.decode(bytes, { stream: true }))
    unpackedBytes += bytes.length
    if (unpackedBytes - passedBytes >= PIECE_BYTES && !hand()) return unpackedBytes
  }
  hand()
  return unpackedBytes
}
