import type { DataType } from '../../../../db/vocabulary'
import { type Cell, cellText } from '../spreadsheet/cells'
import { fieldOfHeading } from './place-columns'
import { isBlankCell } from './read-field'

type Sheet = { fields: (string | null)[]; header: string[]; dataType: DataType }

/**
 * A column that is assigned to a field.
 * `heading` is put before the column's texts. It is empty if the column's heading means the field.
 */
export type Part = { at: number; heading: string }

/** Returns the columns of a file that are assigned to a field. Some fields, such as the notes, can have several. */
export function partsOf({ fields, header, dataType }: Sheet, name: string): Part[] {
  return fields.flatMap((field, at) => {
    if (field !== name) return []
    const heading = header[at]?.trim() ?? ''
    return [{ at, heading: fieldOfHeading(heading, dataType) === name ? '' : heading }]
  })
}

/** Joins the cells of several columns, one per line. Example: `Call first` and `Vendor: Bob's Towing`. */
export function joinCells(cells: Cell[], parts: Part[]): string {
  if (parts.length === 1) return cellText(cells[parts[0]?.at ?? -1] ?? null)
  const texts = parts.flatMap(({ at, heading }) => {
    const text = cellText(cells[at] ?? null).trim()
    return isBlankCell(text) ? [] : [heading ? `${heading}: ${text}` : text]
  })
  return texts.join('\n')
}
