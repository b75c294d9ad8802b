import type { DataType } from '../../../../db/vocabulary'
import { type DateOrder, readDate } from '../../reading/dates'
import type { ColumnKind } from '../kind'
import { importKind } from '../kinds'
import { type Cell, cellText, isDate } from '../spreadsheet/cells'
import { cellReader } from './read-field'
import type { Reading } from './understand-cell'

/** Kinds of columns that can be recognized by their values. Almost any text is a valid note or plate number. */
const RECOGNIZABLE: ColumnKind[] = ['unit', 'date', 'word', 'location', 'company']

/** Returns the order of day and month in a heading such as `Move Date (dd/mm/yyyy)`, or null if it has none. */
export function orderInHeading(heading: string): DateOrder | null {
  const [, first] = /\b(d{1,2}|m{1,2})[-/. ](?:m{1,2}|d{1,2})\b/i.exec(heading.slice(0, 200)) ?? []
  return first ? (/d/i.test(first) ? 'day' : 'month') : null
}

/** Returns true if more than half of a column's first values are dates. */
export function hasDates(cells: Cell[], today: string): boolean {
  const filled = cells.filter((cell) => cellText(cell).trim() !== '')
  const dates = filled.filter(
    (cell) => isDate(cell) || (typeof cell === 'string' && readDate(cell, { today }) !== null),
  )
  return dates.length > filled.length / 2
}

/**
 * Suggests a column of the file for each required field without one, by the column's first values. More than half of
 * them must be valid for the field.
 * @param unused positions of the columns whose heading is not known, and their first values
 * @returns the suggested field of each column position
 */
export function guessByValues(
  dataType: DataType,
  missing: string[],
  unused: { at: number; samples: string[] }[],
  reading: Reading,
): Map<number, string> {
  const guesses = new Map<number, string>()
  for (const column of importKind(dataType).columns) {
    if (!missing.includes(column.name) || !RECOGNIZABLE.includes(column.kind)) continue
    const read = cellReader(column, reading)
    const isValid = (sample: string) => {
      const { value, error } = read(sample)
      return value !== null && !error
    }
    const fits = (samples: string[]) => samples.filter(isValid).length > samples.length / 2
    const match = unused.find(({ at, samples }) => !guesses.has(at) && fits(samples))
    if (match) guesses.set(match.at, column.name)
  }
  return guesses
}
