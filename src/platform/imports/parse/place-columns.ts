import type { DataType } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { narrow } from '../../reading/text'
import { fieldsOf, importKind } from '../kinds'
import { isHeading } from '../spreadsheet/read-sheet'
import { guessColumn, suggestColumn } from './guess-columns'

/** Headers match whatever their case, blanks and marks, and without what stands in brackets: `Move Date (m/d/y) *`. */
export const headerKey = (header: string) =>
  narrow(header.slice(0, 200))
    .replace(/\([^()]*\)/g, '')
    .replace(/[^\p{L}\p{N}#%]/gu, '')
    .toLowerCase()

/** The headings of a sheet as one text; sheets with the same text have the same columns. At most 200 characters. */
export const shapeOf = (header: string[]): string => header.map(headerKey).filter(Boolean).join(' ').slice(0, 200)

/** A column's name as a message shows it; a pair of surrogates that the cut parts is not left in halves. */
const shortened = (text: string) => text.trim().slice(0, 100).toWellFormed()

/** The columns that a workbook of failed rows adds; they come back with the mended rows and mean nothing. */
export const FAILED_COLUMNS = { row: 'Row', reason: 'Reason' } as const
const isOwnColumn = (header: string) => Object.values<string>(FAILED_COLUMNS).includes(header.trim())

const requiredOf = (dataType: DataType) =>
  importKind(dataType).columns.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))

/** Is any of these texts a field's own name? */
export function namesOwnColumns(header: string[], dataType: DataType): boolean {
  const own = new Set(fieldsOf(dataType).map(headerKey))
  return header.some((text) => own.has(headerKey(text)))
}

export type Placed = {
  /** The field that each column of the file fills; `null` leaves it out. */
  fields: (string | null)[]
  /** Required fields that no column fills. */
  missing: string[]
  warnings: string[]
}

type Known = {
  /** Fields by what a user said of a column's name before, as `headerKey` writes it. */
  remembered?: Map<string, string>
  /** What a user said of this very file. */
  chosen?: (string | null)[] | null
  /** Fields that have one value in all rows. */
  defaults?: Record<string, string>
}

/** Which field each column of a file fills: by its own name, by what a user said, or by what its name usually means. */
export function placeColumns(
  header: string[],
  dataType: DataType,
  { remembered, chosen, defaults = {} }: Known = {},
): Placed {
  const own = new Map(fieldsOf(dataType).map((field) => [headerKey(field), field]))
  const warnings: string[] = []
  const taken = new Set<string>()
  const named = header.map((text, at) => {
    if (chosen) return chosen[at] ?? null
    const key = headerKey(text)
    return own.get(key) ?? remembered?.get(key) ?? null
  })
  const filled = new Set(named)
  const guess = (text: string): string | null => {
    const field = !chosen && !isOwnColumn(text) ? guessColumn(text, dataType) : null
    if (!field || filled.has(field) || taken.has(field)) return null
    warnings.push(`Column "${shortened(text)}" was read as ${fieldLabel(field)}`)
    return field
  }
  const fields = header.map((text, at) => {
    const field = named[at] ?? guess(text)
    if (!field) {
      if (text.trim() && !isOwnColumn(text) && !chosen)
        warnings.push(
          `Column "${shortened(text)}" is not known and was ignored${questionFor(text, dataType, (other) => filled.has(other) || taken.has(other))}`,
        )
      return null
    }
    if (taken.has(field)) {
      warnings.push(`Column "${shortened(text)}" appears twice; the first one was used`)
      return null
    }
    taken.add(field)
    return field
  })
  const missing = requiredOf(dataType).filter((name) => !taken.has(name) && !defaults[name])
  return { fields, missing, warnings }
}

/** Asks whether a heading that is not known means a field that has no column. */
function questionFor(heading: string, dataType: DataType, isFilled: (field: string) => boolean): string {
  const field = suggestColumn(heading, dataType)
  return field && !isFilled(field) ? `; is it ${fieldLabel(field)}?` : ''
}

/** The complaint about a file that lacks required columns. */
export function missingColumns(
  dataType: DataType,
  { fields, missing, header }: Pick<Placed, 'fields' | 'missing'> & { header: string[] },
): string {
  return fields.some(Boolean) || isHeading(header)
    ? `Missing required columns: ${missing.join(', ')}`
    : `The file has no header row: expected ${requiredOf(dataType).join(', ')}`
}
