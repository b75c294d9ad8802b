import * as XLSX from 'xlsx'
import { Refusal, Refused } from '../../refusals'
import { harmlessRecords } from './biff'
import type { Cell } from './cells'
import { dateOf, shownPart, timeOf } from './date-cell'
import { COLUMN_LIMIT, HEADER_SEARCH_LINES, type Piece, ROW_LIMIT, type SheetLine, sheetLabel } from './lines'
import { FORMAT_LIMIT, showNumber, textAround } from './number-format'
import { OleContainer } from './ole'
import type { SheetChoice } from './read-sheet'

const PIECE_LINES = 5000
const refuse = (message: string) => Refused.field('file', message)

const UNREADABLE = 'The file could not be read as .xls'

type Data = XLSX.CellObject[][]

/**
 * Reads one sheet of an .xls workbook in pieces.
 * @throws Refused when the workbook is empty, protected with a password or unreadable
 */
export function readXls(bytes: Uint8Array, choose: SheetChoice, take: (piece: Piece) => void) {
  const book = open(bytes)
  const date1904 = Boolean(book.Workbook?.WBProps?.date1904)
  type Rows = ({ hidden?: boolean } | undefined)[]
  const linesOf = (data: Data, at: number, end: number, rows: Rows = []) =>
    data.slice(at, end).map(
      (line, n): SheetLine => ({
        row: at + n + 1,
        cells: cellsOf(line, date1904),
        ...(rows[at + n]?.hidden ? { isHidden: true } : {}),
      }),
    )
  const filled = book.SheetNames.flatMap((name, at) => {
    const data = (book.Sheets[name] as { '!data'?: Data } | undefined)?.['!data']
    if (!data?.some((line) => line?.some((cell) => cell?.v !== undefined && cell.v !== ''))) return []
    return [
      {
        key: name,
        name: sheetLabel(name),
        isHidden: Boolean(book.Workbook?.Sheets?.[at]?.Hidden),
        data,
        lines: linesOf(data, 0, HEADER_SEARCH_LINES),
      },
    ]
  })
  const sheet = filled[choose(filled)]
  if (!sheet) throw refuse('The workbook is empty')
  const { data, key } = sheet
  const merges = book.Sheets[key]?.['!merges'] ?? []
  for (const { s, e } of merges)
    for (let row = s.r + 1; row <= Math.min(e.r, data.length - 1); row++) {
      const line = data[row]
      const value = data[s.r]?.[s.c]
      if (line && value && (line[s.c]?.v ?? '') === '') line[s.c] = value
    }
  const rows = (book.Sheets[key]?.['!rows'] ?? []) as Rows
  const columns = (book.Sheets[key]?.['!cols'] ?? []) as Rows
  const hiddenColumns = new Set([...columns.keys()].filter((at) => columns[at]?.hidden))
  for (let at = 0; at < data.length; at += PIECE_LINES) {
    // Release lines as they are read, because a large workbook needs a lot of memory.
    const lines = linesOf(data, at, at + PIECE_LINES, rows)
    data.fill([], at, at + PIECE_LINES)
    take({ lines, read: Math.min(1, (at + PIECE_LINES) / data.length), date1904, hiddenColumns })
  }
}

/** Type of the first record of a workbook stream, without its version. */
const BEGIN_OF_FILE = 0x09
/** Versions of the first record: those of Excel 2, 3, 4, and 5 or later. */
const VERSIONS = [0x00, 0x02, 0x04, 0x08]

const PROTECTED = 'The workbook is protected with a password'

/**
 * Extracts the workbook stream from an .xls container file. A stream in another format is refused. Otherwise, the
 * library would unpack a zip archive in the stream without a limit.
 */
function workbookStream(bytes: Uint8Array): Uint8Array {
  const container = new OleContainer(bytes)
  if (container.has('EncryptedPackage')) throw refuse(PROTECTED)
  const stream = container.read('Workbook') ?? container.read('Book')
  if (stream?.[0] !== BEGIN_OF_FILE || !VERSIONS.includes(stream[1] as number)) throw refuse(UNREADABLE)
  return stream
}

function open(bytes: Uint8Array): XLSX.WorkBook {
  try {
    return XLSX.read(harmlessRecords(workbookStream(bytes)), {
      type: 'array',
      dense: true,
      cellNF: true,
      cellHTML: false,
      cellFormula: false,
      // Without this option, each cell would contain its formatted text, which can be as long as its format.
      cellText: false,
      // With this option, the library also reads which columns are hidden.
      cellStyles: true,
      sheetRows: ROW_LIMIT + 2,
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw refuse(error instanceof Error && /password|encrypt/i.test(error.message) ? PROTECTED : UNREADABLE)
  }
}

const cellsOf = (line: (XLSX.CellObject | undefined)[] | undefined, date1904: boolean): Cell[] =>
  Array.from((line ?? []).slice(0, COLUMN_LIMIT + 1), (cell) => cellOf(cell, date1904))

/** Texts of error cells, by the number that the file stores. */
const ERRORS: Record<number, string> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
}

function cellOf(cell: XLSX.CellObject | undefined, date1904: boolean): Cell {
  if (!cell || cell.v === undefined || cell.t === 'z') return null
  if (cell.t === 'e') return { error: ERRORS[cell.v as number] ?? '#ERROR!' }
  if (cell.t !== 'n' || typeof cell.v !== 'number') return cell.v as Cell
  const format = String(cell.z ?? '')
  // Reading a format can take quadratic time.
  if (format === '' || format.length > FORMAT_LIMIT) return cell.v
  if (XLSX.SSF.is_date(format)) return dateOf(cell.v, date1904, shownPart(format)) ?? timeOf(cell.v)
  const text = textAround(format)
  // A cell's value is never a `Date`, because the library's option `cellDates` is off.
  return text ? showNumber(cell.v, text) : cell.v
}
