import Papa from 'papaparse'
import * as XLSX from 'xlsx'
import { Refused } from '../refusals'
import type { Cell } from './cells'
import { type FileKind, sniff } from './sniff'

/** A table as a spreadsheet shows it: the header, and each row that is not blank with its number. */
export type Sheet = { header: string[]; rows: { row: number; cells: Cell[] }[]; date1904: boolean }

/** Rows and columns beyond these are refused rather than silently left out. */
export const ROW_LIMIT = 200_000
const COLUMN_LIMIT = 200

const refuse = (message: string) => Refused.field('file', message)

/** Reads a file's first filled sheet. @throws Refused with what is wrong with the file */
export function readSheet(bytes: Uint8Array, fileName: string): Sheet {
  const kind = sniff(bytes, fileName)
  const { lines, date1904 } = kind === 'csv' ? { lines: readCsv(bytes), date1904: false } : readWorkbook(bytes, kind)
  const isBlank = (cells: Cell[]) => cells.every((cell) => cell === null || (typeof cell === 'string' && cell.trim() === ''))
  const at = lines.findIndex((cells) => !isBlank(cells))
  const header = lines[at]
  if (!header) throw refuse('The file has no header row')
  const rows = lines.flatMap((cells, index) => (index > at && !isBlank(cells) ? [{ row: index + 1, cells }] : []))
  if (rows.length > ROW_LIMIT) throw refuse(`The file has more than ${ROW_LIMIT.toLocaleString('en-US')} rows; split it`)
  return { header: header.slice(0, COLUMN_LIMIT).map((cell) => (cell === null ? '' : String(typeof cell === 'object' ? cell.date : cell))), rows, date1904 }
}

/** The text of a CSV file, in whichever encoding an office saved it. */
export function decodeText(bytes: Uint8Array): string {
  const marked = (label: string, ...mark: number[]) => (mark.every((byte, at) => bytes[at] === byte) ? label : null)
  const encoding = marked('utf-8', 0xef, 0xbb, 0xbf) ?? marked('utf-16le', 0xff, 0xfe) ?? marked('utf-16be', 0xfe, 0xff) ?? unmarkedUtf16(bytes)
  if (encoding) return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Text in UTF-16 without its mark has a zero in every other byte. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 200)
  const zeros = (from: number) => sample.filter((byte, at) => at % 2 === from && byte === 0).length
  if (zeros(1) > sample.length / 4) return 'utf-16le'
  return zeros(0) > sample.length / 4 ? 'utf-16be' : null
}

function readCsv(bytes: Uint8Array): Cell[][] {
  const text = decodeText(bytes)
  if (text.includes('\0')) throw refuse('The file is not text: it cannot be read as CSV')
  const { data, errors } = Papa.parse<string[]>(text, { delimitersToGuess: [',', ';', '\t', '|'] })
  const broken = errors.find((error) => error.type === 'Quotes')
  if (broken) throw refuse(`The file is damaged near row ${(broken.row ?? 0) + 1}: a quote is not closed`)
  return data
}

function readWorkbook(bytes: Uint8Array, kind: FileKind): { lines: Cell[][]; date1904: boolean } {
  let book: XLSX.WorkBook
  try {
    book = XLSX.read(bytes, { type: 'array', dense: true, cellNF: true, cellHTML: false, cellFormula: false, cellStyles: false, sheetRows: ROW_LIMIT + 2 })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw refuse('The workbook is protected with a password')
    throw refuse(`The file could not be read as .${kind}`)
  }
  const date1904 = Boolean(book.Workbook?.WBProps?.date1904)
  for (const name of book.SheetNames) {
    const data = (book.Sheets[name] as { '!data'?: XLSX.CellObject[][] } | undefined)?.['!data']
    if (!data?.some((line) => line?.some((cell) => cell?.v !== undefined && cell.v !== ''))) continue
    const lines = Array.from(data, (line) => Array.from((line ?? []).slice(0, COLUMN_LIMIT), (cell) => cellOf(cell, date1904)))
    return { lines, date1904 }
  }
  throw refuse('The workbook is empty')
}

function cellOf(cell: XLSX.CellObject | undefined, date1904: boolean): Cell {
  if (!cell || cell.v === undefined || cell.v === null || cell.t === 'z') return null
  // An error cell such as #REF! says so, so that its row is refused with the reason in sight.
  if (cell.t === 'e') return cell.w ?? '#ERROR!'
  if (cell.t === 'n' && typeof cell.v === 'number' && cell.z && XLSX.SSF.is_date(String(cell.z))) {
    const day = XLSX.SSF.parse_date_code(cell.v, { date1904 })
    if (day && day.y >= 1900) return { date: `${day.y}-${String(day.m).padStart(2, '0')}-${String(day.d).padStart(2, '0')}` }
  }
  return cell.v instanceof Date ? { date: cell.v.toISOString().slice(0, 10) } : cell.v
}
