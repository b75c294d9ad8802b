import type { ImportColumn } from '../kind'
import type { SheetLine } from '../spreadsheet/lines'
import { vinOf } from './understand-cell'

/** Error for a cell whose text was converted to a number. Spreadsheet programs convert a plate such as `123E8`. */
const MADE_SCIENTIFIC = 'the cell is in scientific notation; format the cell as text and type the value again'

/**
 * Returns errors about an identifier, such as a plate. `at` is the position of the identifier's column, and `unitAt` is
 * the position of the unit number. `values` contains the row's values up to this column. The first value is the unit
 * number, and the last value is the identifier.
 */
export function identifierErrors(
  { merged, scientific }: SheetLine,
  { column, label, at, unitAt }: { column: ImportColumn; label: string; at: number; unitAt: number },
  values: (string | null)[],
): string[] {
  const value = values.at(-1) ?? null
  if (!column.identifier || value === null) return []
  const isPlate = column.identifier === 'plate'
  const hasOwnUnit = !merged?.includes(unitAt)
  return [
    // Two vehicles never have the same plate, so a merged cell or ditto mark must not repeat the plate for another
    // unit.
    ...(isPlate && merged?.includes(at) && hasOwnUnit
      ? [`${label}: repeats the cell of an earlier row; enter the plate of this unit`]
      : []),
    ...(isPlate && (value === values[0] || vinOf(value))
      ? [`${label}: Must be a plate, not the unit number or VIN`]
      : []),
    ...(scientific?.includes(at) ? [`${label}: ${MADE_SCIENTIFIC}`] : []),
  ]
}
