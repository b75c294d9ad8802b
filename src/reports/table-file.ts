import * as XLSX from 'xlsx'
import { type Cell, csvLines, defused } from './csv'
import type { ReportColumn, ReportRow } from './types'

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const FORMATS: Partial<Record<ReportColumn['kind'], string>> = { money: '#,##0.00', count: '#,##0', decimal: '#,##0.0', percent: '0.0', date: 'mm/dd/yyyy' }

const cellText = (column: ReportColumn, value: ReportRow[string]): Cell => (column.kind === 'money' && typeof value === 'number' ? value.toFixed(2) : value)

/** The day count that a spreadsheet stores for a date. */
const serial = (date: string) => Math.round((Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000)

function xlsxCell(column: ReportColumn, value: ReportRow[string]): XLSX.CellObject {
  const z = FORMATS[column.kind]
  if (value === null) return { t: 'z' }
  if (typeof value === 'number') return { t: 'n', v: value, ...(z ? { z } : {}) }
  if (column.kind === 'date') return { t: 'n', v: serial(value), z: FORMATS.date as string }
  return { t: 's', v: String(defused(value)) }
}

/** A table as a file: real numbers and dates, a frozen header with filters, and columns as wide as they need. */
function xlsxFile(columns: ReportColumn[], rows: ReportRow[]): Uint8Array<ArrayBuffer> {
  const sheet: XLSX.WorkSheet = {}
  const put = (row: number, column: number, cell: XLSX.CellObject) => {
    sheet[XLSX.utils.encode_cell({ r: row, c: column })] = cell
  }
  for (const [at, column] of columns.entries()) put(0, at, { t: 's', v: column.label })
  for (const [at, row] of rows.entries()) for (const [place, column] of columns.entries()) put(at + 1, place, xlsxCell(column, row[column.key] ?? null))
  const range = XLSX.utils.encode_range({ s: { r: 0, c: 0 }, e: { r: rows.length, c: Math.max(0, columns.length - 1) } })
  sheet['!ref'] = range
  sheet['!autofilter'] = { ref: range }
  sheet['!freeze'] = { xSplit: 0, ySplit: 1 }
  sheet['!cols'] = columns.map(({ key, label }) => ({
    wch: Math.min(60, Math.max(label.length, ...rows.slice(0, 200).map((row) => String(row[key] ?? '').length)) + 2),
  }))
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, sheet, 'Yardmaster')
  return new Uint8Array(XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer)
}

/** A table as the bytes of a file. */
export function fileBytes(format: 'csv' | 'xlsx', columns: ReportColumn[], rows: ReportRow[]): Uint8Array<ArrayBuffer> {
  if (format === 'xlsx') return xlsxFile(columns, rows)
  const text = csvLines([columns.map((column) => column.label), ...rows.map((row) => columns.map((column) => cellText(column, row[column.key] ?? null)))])
  return new TextEncoder().encode(text)
}

/** Bytes as a download under a name with its ending. */
export function download(name: string, bytes: Uint8Array): Response {
  const type = name.endsWith('.xlsx') ? XLSX_TYPE : 'text/csv; charset=utf-8'
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` } })
}

/** A table as a download; `name` is without its ending. */
export const tableFile = (format: 'csv' | 'xlsx', name: string, columns: ReportColumn[], rows: ReportRow[]) =>
  download(`${name}.${format}`, fileBytes(format, columns, rows))
