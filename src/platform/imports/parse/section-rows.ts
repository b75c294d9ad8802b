import type { DataType } from '../../../../db/vocabulary'
import { isTotal, nameKey } from '../../reading/text'
import type { NameLookup } from '../names'
import { type Cell, cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { placeColumns } from './place-columns'

/** Functions for files in which a row with only a location is the title of the rows below it. */

/** Heading of the column that is added for the location in the title rows. */
export const SECTION_HEADING = 'Location'

/** Maximum length of a title. A longer text is a note. */
const TITLE_LENGTH = 60

/** Matches what follows the name in a title: a colon, or a number of vehicles, as in `Phoenix (3 units)`. */
const AFTER_NAME = /\s*(?::|[-–(]\s*\d+\s*(?:units?|vehicles?|cars?|trucks?|rows?)?\)?\s*:?)$/i

/** Title row of a section: its row number, the name in it, and the column that contains the name. */
export type Title = { row: number; name: string; column: number }

/**
 * Returns the name in a title row, which may be unknown. Returns null for other rows, such as records, totals and long
 * notes.
 */
function titleOf({ row, cells }: SheetLine): Title | null {
  const texts = cells.map((cell) => cellText(cell).trim())
  const column = texts.findIndex(Boolean)
  const only = texts[column] ?? ''
  const name = only.replace(AFTER_NAME, '')
  const isName = name.length <= TITLE_LENGTH && /\p{L}{2}/u.test(name) && !/\d{4}/.test(name)
  return isName && texts.filter(Boolean).length === 1 && !isTotal(only) ? { row, name, column } : null
}

/**
 * Returns the first title row with a known location. Returns null if there is none, because the file then has no
 * sections.
 */
export const firstSection = (lines: SheetLine[], { locations }: Pick<NameLookup, 'locations'>): Title | null =>
  lines.flatMap((line) => titleOf(line) ?? []).find(({ name }) => locations.get(nameKey(name))?.id) ?? null

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
 * Returns a function that enters the name in the last title row into the rows below it. The function returns null for a
 * title row, which is not a record. An unknown name is entered too, so that the user is asked what it stands for. The
 * lines must be passed in the order of the file.
 * @param at position of the location column
 * @param isAdded true if the file has no such column, so that a cell is inserted into each line
 * @param titlesAt position of the column that contains the titles
 */
export function sectionReader({
  at,
  isAdded,
  titlesAt,
}: {
  at: number
  isAdded: boolean
  titlesAt: number
}): (line: SheetLine) => SheetLine | null {
  let section: string | null = null
  return (line) => {
    const title = titleOf(line)
    if (title?.column === titlesAt) {
      section = title.name
      return null
    }
    const isBlank = isAdded || cellText(line.cells[at] ?? null).trim() === ''
    if (section === null || !isBlank) return line
    const cells: Cell[] = Array.from(
      { length: Math.max(at, line.cells.length) },
      (_, index) => line.cells[index] ?? null,
    )
    return { ...line, cells: cells.toSpliced(at, isAdded ? 0 : 1, section) }
  }
}
