import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { Line } from '../../platform/imports/spreadsheet/lines'
import { readUnitDigits } from '../../platform/reading/numbers'
import { Refused } from '../../platform/refusals'
import { readFigure, type Writing } from './pasted-lines'

/** An invoice is a page or two; whatever is larger is not one. */
const BYTES_LIMIT = 1024 * 1024
const LIMITS = { rows: 2000, bytes: 8 * 1024 * 1024 }
/** In characters: a longer cell is no unit. */
const UNIT_LIMIT = 40

const refuse = (message: string) => Refused.field('file', message)

/** How people head the column of each field of a line, the field that is told first before the others. */
export type SheetColumns = Record<string, RegExp>

/** Which column is which, by the names in the header. */
/** In characters: a longer heading names no column, and matching it takes long. */
const HEADING_LIMIT = 100

function columnsOf(names: string[], heads: SheetColumns): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [field, pattern] of Object.entries(heads)) {
    const taken = new Set(columns.values())
    const at = names.findIndex(
      (name, at) => !taken.has(at) && pattern.test(name.slice(0, HEADING_LIMIT).replaceAll('_', ' ')),
    )
    if (at >= 0) columns.set(field, at)
  }
  return columns
}

/**
 * The lines of an invoice in a spreadsheet, as if they had been typed; titles above the header and sums below
 * the lines are left out.
 * @throws Refused when it cannot be read, or has no columns for unit and amount
 */
export async function linesOfSheet(
  file: Blob,
  { sheet, writing }: { sheet: SheetColumns; writing: Writing },
): Promise<Record<string, unknown>[]> {
  const name = file instanceof File ? file.name : ''
  if (/\.xls$/i.test(name)) throw refuse('Save it as .xlsx or .csv first')
  if (file.size > BYTES_LIMIT) throw refuse('The file is larger than 1 MB; is it an invoice?')
  // What reads workbooks is large, and most starts never need it.
  const { readSheet } = await import('../../platform/imports/spreadsheet/read-sheet')
  let names: string[] = []
  const rows: Line[] = []
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
  const cellOf = ({ cells }: Line, field: string) => cells[columns.get(field) ?? -1] ?? null
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
