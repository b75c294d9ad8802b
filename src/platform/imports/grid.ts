import Papa from 'papaparse'
import type { DataType } from '../../../db/vocabulary'
import { Refusal, Refused } from '../refusals'
import { cellName, GRID_ROWS, leaveName } from './cell-names'
import { fieldsOf } from './kinds'

const CELL_LIMIT = 5000

export type GridRow = { row: number; cells: Record<string, string>; message?: string | null; isLeftOut?: boolean }

/** @throws Refusal when the form has more than `GRID_ROWS` rows */
export function gridRows(form: Record<string, unknown>, dataType: DataType): GridRow[] {
  const fieldNames = new Set(fieldsOf(dataType))
  const rows = new Map<number, GridRow>()
  for (const [name, value] of Object.entries(form)) {
    const [, number = '', field = ''] = /^cell\.(\d{1,7})\.(\w+)$/.exec(name) ?? []
    if (!fieldNames.has(field) || typeof value !== 'string') continue
    const row = Number(number)
    const gridRow = rows.get(row) ?? { row, cells: {}, isLeftOut: form[leaveName(row)] !== undefined }
    gridRow.cells[field] = value
    rows.set(row, gridRow)
  }
  if (rows.size > GRID_ROWS) throw new Refusal(422, `At most ${GRID_ROWS} rows at once; upload the others as a file`)
  return [...rows.values()].sort((a, b) => a.row - b.row)
}

const isBlank = ({ cells }: GridRow) => Object.values(cells).every((cell) => cell.trim() === '')

/**
 * Builds a CSV file from the rows that a user typed.
 * Inserts empty lines for missing rows, so that each row keeps its number.
 * @throws Refusal when all rows are blank or left out, Refused when a cell is too long
 */
export function gridFile(dataType: DataType, name: string, rows: GridRow[]): File {
  const filledRows = rows.filter((row) => !row.isLeftOut && !isBlank(row))
  const [first] = filledRows
  if (!first) throw new Refusal(422, 'Please fill in at least one row')
  const long = filledRows
    .flatMap(({ row, cells }) => Object.entries(cells).map(([field, cell]) => ({ field: cellName(row, field), cell })))
    .find(({ cell }) => cell.length > CELL_LIMIT)
  if (long) throw Refused.field(long.field, `At most ${CELL_LIMIT} characters fit in a cell`)
  const fields = fieldsOf(dataType).filter((field) => filledRows.some(({ cells }) => cells[field] !== undefined))
  const lines = [fields]
  for (const { row, cells } of filledRows) {
    while (lines.length < row - 1) lines.push([])
    lines.push(fields.map((field) => (cells[field] ?? '').trim()))
  }
  return new File([Papa.unparse(lines)], name, { type: 'text/csv' })
}
