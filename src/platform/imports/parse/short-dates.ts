import { addDays } from '../../clock'
import { lacksYear, type YearRule } from '../../reading/dates'
import type { ImportColumn, ImportKind } from '../kind'
import type { Cell } from '../spreadsheet/cells'
import { SHORTEST_VALIDITY } from './guess-by-values'
import { cellReader, type ReadResult } from './read-field'
import type { Reading } from './reading'

export type RowColumn = { column: ImportColumn; label: string; read: (cell: Cell) => ReadResult }

const YEARS_BACK = 20
const YEARS_AHEAD = 1

/** False if the year is probably a typing error, such as 2062. */
function isPlausible(date: string, today: string): boolean {
  const years = Number(date.slice(0, 4)) - Number(today.slice(0, 4))
  return years >= -YEARS_BACK && years <= YEARS_AHEAD
}

/**
 * Limit, in days, for dates in the future. It applies to dates without a year in a record that has begun, such as a
 * delivered transport. A later date gets an earlier year. For example, on December 1, `12/31` means December 31 of the
 * previous year.
 */
const EARLY_DAYS = 14

/**
 * Reads the dates without a year in a row, such as `11/27`.
 * - If another date of the row has a year, the year is chosen so that the two dates are as close as possible.
 * - If no date of the row has a year, but the name of the sheet has one, the required date gets this year. The years
 *   of the other dates are chosen so that these dates are as close to the required date as possible.
 * - If there is no such year either, a record that has begun, such as a delivered transport, gets dates in the past. A
 *   date can also be at most `EARLY_DAYS` days in the future.
 * - An expiry date gets the first year in which it is not in the past. If another date of the row has a year, the
 *   expiry date must also be at least 60 days after that date.
 * @param cells the row's cells, in the order of `columns`
 * @returns the results by column position; dates that are not in the map are read as usual
 */
export function readShortDates(
  { hasBegun }: ImportKind,
  columns: RowColumn[],
  cells: Cell[],
  reading: Reading,
): Map<number, ReadResult> {
  const results = new Map<number, ReadResult>()
  const dates = columns.flatMap(({ column, ...more }, at) =>
    column.kind === 'date' ? [{ ...more, column, at, cell: cells[at] ?? null }] : [],
  )
  const isShort = ({ cell }: { cell: Cell }) => typeof cell === 'string' && lacksYear(cell)
  if (!dates.some(isShort)) return results
  let anchor = dates
    .filter((date) => !isShort(date) && date.column.year !== 'ahead')
    .map(({ read, cell }) => read(cell).value)
    .find((value) => value !== null && isPlausible(value, reading.today))
  const first = dates.find((date) => isShort(date) && date.column.isRequired && date.column.year !== 'ahead')
  if (!anchor && first && reading.sheetYear !== undefined) anchor = first.read(first.cell).value ?? undefined
  const words = columns.flatMap(({ column, read }, at) =>
    column.kind === 'word' ? [[column.name, read(cells[at] ?? null).value] as const] : [],
  )
  const isPast = hasBegun?.(Object.fromEntries(words)) ?? false
  for (const { column, label, read, at, cell } of dates.filter(isShort)) {
    const readWith = (year: YearRule, today: string) =>
      cellReader({ ...column, year }, { ...reading, today, sheetYear: undefined }, label)(cell)
    if (column.year === 'ahead') {
      const earliest = anchor && addDays(anchor, SHORTEST_VALIDITY)
      if (earliest && earliest > reading.today && !reading.monthYears?.has(column.name))
        results.set(at, readWith('ahead', earliest))
      continue
    }
    const near = anchor ? readWith('nearest', anchor) : null
    if (near?.value && (column.year !== 'past' || near.value <= reading.today)) results.set(at, near)
    else if (!anchor && isPast && column.year === 'nearest') {
      const nearest = read(cell)
      const isEarly = nearest.value !== null && nearest.value <= addDays(reading.today, EARLY_DAYS)
      const result = isEarly ? nearest : readWith('past', reading.today)
      results.set(at, result)
      anchor = result.value ?? undefined
    }
  }
  return results
}
