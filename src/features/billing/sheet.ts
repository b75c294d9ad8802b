import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { readUnitDigits } from '../../platform/reading/numbers'
import { Refused } from '../../platform/refusals'
import { readFigure, type Writing } from './pasted-lines'

/** Upload limit in bytes. An invoice has a page or two, so a larger file is probably not an invoice. */
const BYTES_LIMIT = 1024 * 1024
const LIMITS = { rows: 2000, bytes: 8 * 1024 * 1024 }
/** Maximum length of a unit cell in characters. Longer text is cut off, because it cannot be a unit number. */
const UNIT_LIMIT = 40

const refuse = (message: string) => Refused.field('file', message)

/** Heading pattern of each field. Fields are matched to columns in this order. */
export type SheetColumns = Record<string, RegExp>

/** Number of characters of a heading that are matched, because matching longer text is slow. */
const HEADING_LIMIT = 100

function columnsOf(names: string[], heads: SheetColumns): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [field, pattern] of Object.entries(heads)) {
    const usedColumns = new Set(columns.values())
    const at = names.findIndex(
      (name, at) => !usedColumns.has(at) && pattern.test(name.slice(0, HEADING_LIMIT).replaceAll('_', ' ')),
    )
    if (at >= 0) columns.set(field, at)
  }
  return columns
}

/**
 * Reads invoice lines from a spreadsheet, in the format of typed lines.
 * Skips rows without a digit in the unit column, such as totals.
 * @throws Refused when the file or a row cannot be read, or when the unit or amount column is missing
 */
export async function linesOfSheet(
  file: Blob,
  { sheet, writing }: { sheet: SheetColumns; writing: Writing },
): Promise<Record<string, unknown>[]> {
  const name = file instanceof File ? file.name : ''
  if (/\.xls$/i.test(name)) throw refuse('.xls files are not supported here. Save the file as .xlsx or .csv.')
  if (file.size > BYTES_LIMIT) throw refuse('The file is larger than 1 MB. Check that it is the invoice.')
  // Loaded on demand, because the workbook reader is large and rarely needed.
  const { readSheet } = await import('../../platform/imports/spreadsheet/read-sheet')
  let names: string[] = []
  const rows: SheetLine[] = []
  await readSheet(
    new Uint8Array(await file.arrayBuffer()),
    name,
    { row: null },
    {
      likeness: (cells) => columnsOf(cells, sheet).size,
      header: (header) => {
        names = header.names
      },
      rows: (more) => rows.push(...more),
    },
    LIMITS,
  )
  const columns = columnsOf(names, sheet)
  const cellOf = ({ cells }: SheetLine, field: string) => cells[columns.get(field) ?? -1] ?? null
  if (!columns.has('unit_number') || !columns.has('amount'))
    throw refuse('The file needs a column for the unit and one for the amount')
  return rows
    .map((row) => ({ row, unit: readUnitDigits(cellText(cellOf(row, 'unit_number')).slice(0, UNIT_LIMIT)) }))
    .filter(({ unit }) => /\d/.test(unit))
    .map(({ row, unit }) => {
      const figures = Object.keys(sheet).filter((field) => field !== 'unit_number')
      const line = {
        unit_number: unit.padStart(6, '0'),
        ...Object.fromEntries(figures.map((field) => [field, readFigure(field, cellOf(row, field))])),
      }
      const [problem] = writing.line.safeParse(line).error?.issues ?? []
      if (problem) throw refuse(`Row ${row.row}: ${problem.message}`)
      return line
    })
}
