import type { DataType } from '../../../../db/vocabulary'
import { nameKey } from '../../reading/text'
import type { NameLookup } from '../names'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { placeColumns } from './place-columns'

/** Functions for files in which a row with only a location is the title of the rows below it. */

/** Heading of the column that is added for the location in the title rows. */
export const SECTION_HEADING = 'Location'

/** Returns the location in a title row. Returns null for other rows. */
function titleOf({ cells }: SheetLine, { locations }: Pick<NameLookup, 'locations'>): string | null {
  const filled = cells.map((cell) => cellText(cell).trim()).filter(Boolean)
  const [only = ''] = filled
  const name = only.replace(/\s*:$/, '')
  return filled.length === 1 && locations.get(nameKey(name))?.id ? name : null
}

/** Returns the row number of the first title row, or null. */
export const firstSection = (lines: SheetLine[], names: Pick<NameLookup, 'locations'>): number | null =>
  lines.find((line) => titleOf(line, names) !== null)?.row ?? null

/**
 * Returns the position of a column that is added for the locations in title rows, or -1 if the file has a column for
 * locations. The fields that a user has chosen do not change the result, as in `columnToSplit`.
 */
export function locationColumn(
  header: string[],
  dataType: DataType,
  { remembered, choices }: { remembered: Map<string, string>; choices?: (string | null)[] | null },
): number {
  const isAdded = choices
    ? choices.length === header.length + 1
    : !placeColumns(header, dataType, { remembered }).fields.includes('location')
  return isAdded ? header.length : -1
}

/**
 * Returns a function that enters the location of the last title row into the rows below it. The function returns null
 * for a title row, which is not a record. The lines must be passed in the order of the file.
 * @param at position of the location column
 * @param isAdded true if the file has no such column, so that a cell is inserted into each line
 */
export function sectionReader(
  { at, isAdded }: { at: number; isAdded: boolean },
  names: Pick<NameLookup, 'locations'>,
): (line: SheetLine) => SheetLine | null {
  let section: string | null = null
  return (line) => {
    const title = titleOf(line, names)
    section = title ?? section
    if (title !== null) return null
    const isBlank = isAdded || cellText(line.cells[at] ?? null).trim() === ''
    if (section === null || !isBlank) return line
    const cells: Cell[] = Array.from(
      { length: Math.max(at, line.cells.length) },
      (_, index) => line.cells[index] ?? null,
    )
    return { ...line, cells: cells.toSpliced(at, isAdded ? 0 : 1, section) }
  }
}
