import type { DataType } from '../../../../db/vocabulary'
import { fieldLabel } from '../../field-label'
import { fieldsOf, importKind } from '../kinds'
import { guessColumn } from './guess-columns'

/** Headers match whatever their case, spaces, `_` and `-`. */
export const headerKey = (header: string) => header.replace(/[\s_\-\uFEFF]/g, '').toLowerCase()

/** A column's name as a message shows it; a pair of surrogates that the cut parts is not left in halves. */
const shortened = (text: string) => text.trim().slice(0, 100).toWellFormed()

/** The columns that a workbook of failed rows adds; they come back with the mended rows and mean nothing. */
export const FAILED_COLUMNS = { row: 'Row', reason: 'Reason' } as const
const isOwnColumn = (header: string) => Object.values<string>(FAILED_COLUMNS).includes(header.trim())

const requiredOf = (dataType: DataType) =>
  importKind(dataType).columns.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))

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
  /** Somebody sees how the columns are read before anything is written, so other usual names are understood too. */
  guesses?: boolean
}

/** Which field each column of a file fills: by its own name, by what a user said, or by what its name usually means. */
export function placeColumns(
  header: string[],
  dataType: DataType,
  { remembered, chosen, guesses = false }: Known = {},
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
    const field = guesses && !chosen && !isOwnColumn(text) ? guessColumn(text, dataType) : null
    if (!field || filled.has(field) || taken.has(field)) return null
    warnings.push(`Column "${shortened(text)}" was read as ${fieldLabel(field)}`)
    return field
  }
  const fields = header.map((text, at) => {
    const field = named[at] ?? guess(text)
    if (!field) {
      if (text.trim() && !isOwnColumn(text) && !chosen)
        warnings.push(`Column "${shortened(text)}" is not known and was ignored`)
      return null
    }
    if (taken.has(field)) {
      warnings.push(`Column "${shortened(text)}" appears twice; the first one was used`)
      return null
    }
    taken.add(field)
    return field
  })
  const missing = requiredOf(dataType).filter((name) => !taken.has(name))
  return { fields, missing, warnings }
}

/** What to say of a file that lacks required columns. */
export function missingColumns(dataType: DataType, { fields, missing }: Pick<Placed, 'fields' | 'missing'>): string {
  const required = requiredOf(dataType)
  return fields.some(Boolean)
    ? `Missing required columns: ${missing.join(', ')}`
    : `The file has no header row: expected ${required.join(', ')}`
}
