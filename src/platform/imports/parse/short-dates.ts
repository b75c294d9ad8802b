import { lacksYear, type YearRule } from '../../reading/dates'
import type { ImportColumn, ImportKind } from '../kind'
import type { Cell } from '../spreadsheet/cells'
import { cellReader, type ReadResult } from './read-field'
import type { Reading } from './understand-cell'

export type RowColumn = { column: ImportColumn; label: string; read: (cell: Cell) => ReadResult }

/**
 * Reads the dates of a row that have no year. Another date of the row determines their year. Without such a date, those
 * of a finished record, such as a delivered transport, are in the past. Dates of expiry are left to their own rule.
 * @param cells the row's cells, in the order of `columns`
 * @returns the results by the position of the column
 */
export function readShortDates(
  { isOpen }: ImportKind,
  columns: RowColumn[],
  cells: Cell[],
  reading: Reading,
): Map<number, ReadResult> {
  const results = new Map<number, ReadResult>()
  const dates = columns.flatMap(({ column, ...more }, at) =>
    column.kind === 'date' && column.year !== 'ahead' ? [{ ...more, column, at, cell: cells[at] ?? null }] : [],
  )
  const isShort = ({ cell }: { cell: Cell }) => typeof cell === 'string' && lacksYear(cell)
  if (!dates.some(isShort)) return results
  const anchor = dates
    .filter((date) => !isShort(date))
    .map(({ read, cell }) => read(cell).value)
    .find((value) => value !== null)
  const words = columns.flatMap(({ column, read }, at) =>
    column.kind === 'word' ? [[column.name, read(cells[at] ?? null).value] as const] : [],
  )
  const isFinished = isOpen?.(Object.fromEntries(words)) === false && words.some(([, value]) => value !== null)
  for (const { column, label, at, cell } of dates.filter(isShort)) {
    const readWith = (year: YearRule, today: string) =>
      cellReader({ ...column, year }, { ...reading, today }, label)(cell)
    const near = anchor ? readWith('nearest', anchor) : null
    if (near?.value && (column.year !== 'past' || near.value <= reading.today)) results.set(at, near)
    else if (column.year === 'nearest' && isFinished) results.set(at, readWith('past', reading.today))
  }
  return results
}
