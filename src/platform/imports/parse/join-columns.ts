import type { DataType } from '../../../../db/vocabulary'
import { importKind } from '../kinds'
import { cellText } from '../spreadsheet/cells'
import type { SheetLine } from '../spreadsheet/lines'
import { fieldNamed } from './guess-columns'
import { plainWords } from './heading-words'

/**
 * Positions of the month and the year of an expiry date.
 * The headings of the two columns are `Exp Month` and `Exp Year`, for example. `heading` is the heading of the joined
 * column: `Exp Month and year`.
 */
export type MonthAndYear = { month: number; year: number; heading: string }

const MONTH = /^(.*) (?:month|mo)$/
const YEAR = /^(.*) (?:year|yr)$/

/** Finds the two columns that together contain an expiry date. Returns null if one column contains the whole date. */
export function monthAndYearColumns(header: string[], dataType: DataType): MonthAndYear | null {
  const expiry = importKind(dataType).columns.find(({ kind, year }) => kind === 'date' && year === 'ahead')
  if (!expiry || header.some((heading) => fieldNamed(heading, dataType) === expiry.name)) return null
  const at = (pattern: RegExp) =>
    header.findIndex((heading) => fieldNamed(pattern.exec(plainWords(heading))?.[1] ?? '', dataType) === expiry.name)
  const [month, year] = [at(MONTH), at(YEAR)]
  if (month < 0 || year < 0) return null
  return { month, year, heading: `${header[month]?.trim()} and year` }
}

export const joinHeadings = (header: string[], { month, year, heading }: MonthAndYear): string[] =>
  header.map((other, at) => (at === month ? heading : at === year ? '' : other))

/**
 * Appends a row's year to its month cell. Clears the year cell.
 * The month cell then contains `11/2027` or `Nov 2027`, for example. Leaves the row unchanged if the month is blank, or
 * if the year does not have two or four digits.
 */
export function joinLine(line: SheetLine, { month, year }: MonthAndYear): SheetLine {
  const [monthText = '', yearText = ''] = [month, year].map((at) => cellText(line.cells[at] ?? null).trim())
  if (!monthText || !/^(?:\d{2}|\d{4})$/.test(yearText)) return line
  const wholeYear = yearText.length === 2 ? `20${yearText}` : yearText
  const joined = `${monthText}${/^\d+$/.test(monthText) ? '/' : ' '}${wholeYear}`
  return { ...line, cells: line.cells.map((cell, at) => (at === month ? joined : at === year ? null : cell)) }
}
