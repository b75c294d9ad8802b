import { fieldLabel } from '../../field-label'
import { cellText } from '../spreadsheet/cells'
import { COLUMN_LIMIT, type SheetLine } from '../spreadsheet/lines'
import { headerKey } from './heading-keys'

/**
 * Returns the name of a field for messages about a file. Usually, this is the heading of the field's column in the
 * file, because users know that heading. If there is no heading, or if the heading is the field's name, returns the
 * label that forms show.
 */
export function headingOf({ fields, header }: { fields: (string | null)[]; header: string[] }, field: string): string {
  const heading = header[fields.indexOf(field)]?.trim() ?? ''
  return heading === '' || headerKey(heading) === headerKey(field)
    ? fieldLabel(field)
    : heading.slice(0, 60).toWellFormed()
}

/** Adds blank headings for filled columns after the last heading. The user can then choose fields for these columns. */
export function withTrailingColumns(names: string[], lines: SheetLine[]): string[] {
  const widthOf = ({ cells }: SheetLine) => cells.findLastIndex((cell) => cellText(cell).trim() !== '') + 1
  const width = Math.min(COLUMN_LIMIT, Math.max(names.length, ...lines.map(widthOf)))
  return [...names, ...Array<string>(width - names.length).fill('')]
}
