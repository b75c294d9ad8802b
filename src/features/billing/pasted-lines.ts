import type { z } from 'zod'
import { fieldLabel } from '../../platform/field-label'
import { understandNumber } from '../../platform/imports/parse/understand-cell'
import { type Cell, cellText, isDate } from '../../platform/imports/spreadsheet/cells'
import { type DateOrder, readDate, readDateSerial } from '../../platform/reading/dates'
import { readNumber } from '../../platform/reading/numbers'
import { isTotal } from '../../platform/reading/text'
import { Refused } from '../../platform/refusals'
import { LINES_LIMIT } from './rules'

/** Maximum number of pasted lines, including blank lines, headings and totals. */
const WRITTEN_LIMIT = 2 * LINES_LIMIT

/** Text format of the invoice lines that a user types or pastes. */
export type Writing = {
  line: z.ZodObject
  /**
   * Fields of a line after the unit number. The key is the number of values that the line has after the unit number.
   * For example, `2: ['move_date', 'amount']` reads the line `101418 3/2 250` as a move date and an amount.
   */
  figures: Record<number, string[]>
  /** Error message for a line with the wrong number of values. It describes the expected format. */
  help: string
}

/**
 * Converts one value of an invoice line.
 * Dates such as `3/2` or `Mar 2, 2026` become ISO dates, `24 days` becomes `24`, and amounts are rounded to cents. A
 * value that cannot be converted is returned as it is, so that validation reports it.
 * @param order order of day and month in numeric dates
 */
export function readFigure(field: string, cell: Cell, today: string, order: DateOrder = 'month'): unknown {
  if (isDate(cell)) return cell.date
  if (field === 'days' && typeof cell === 'string')
    return cell
      .trim()
      .replace(/days?$/i, '')
      .trim()
  if (field === 'amount' || field === 'daily_rate') {
    const { raw } = understandNumber(cell, 2)
    const number = typeof cell === 'string' ? readNumber(cell) : cell
    return typeof raw === 'number' && raw !== number ? raw : cell
  }
  if (field !== 'move_date' || cell === null) return cell
  const serial = typeof cell === 'number' ? readDateSerial(cell, false) : null
  return serial ?? readDate(cellText(cell), { today, order, year: 'past' })?.date ?? cellText(cell)
}

/**
 * Formats a validation error for the user. The messages about the unit number and the number of days do not name their
 * field, so its label is added.
 */
export const problemText = ({ path: [field], message }: z.core.$ZodIssue) =>
  field === 'days' || field === 'unit_number' ? `${fieldLabel(field)}: ${message}` : message

/**
 * Splits a line of pasted text into cells.
 * A line with tabs or semicolons is split only at these, so that a cell can contain spaces. Any other line is split at
 * spaces, and at commas before a space. In `101418, 1,234`, for example, `1,234` stays one cell.
 */
function cellsOf(line: string): string[] {
  if (/[\t;]/.test(line))
    return line
      .split(/[\t;]/)
      .map((cell) => cell.trim().replace(/^\$\s+/, '$'))
      .filter(Boolean)
  // Split at the comma after the unit number even if no space follows, because a unit number has no thousands
  // separator.
  const separated = line.replace(/^(#?\w+),/, '$1 ').replace(/\$\s+/g, '$')
  return separated.split(/,\s+|\s+/).filter(Boolean)
}

/** Maximum number of unreadable lines that the error message describes. */
const PROBLEMS_SHOWN = 3

/**
 * Parses invoice lines that a user typed or pasted. Each line starts with the unit number and ends with the amount.
 * @throws Refused with a message about the first unreadable lines
 */
export function pastedLines(text: string, { line: rule, figures, help }: Writing, today: string): unknown[] {
  const written = text.split(/\r?\n/)
  if (written.length > WRITTEN_LIMIT) throw Refused.field('lines', `At most ${LINES_LIMIT} lines`)
  const lines = written.map((line, at) => ({ at: at + 1, cells: cellsOf(line.trim()) }))
  const hasDigit = ({ cells }: { cells: string[] }) => cells.some((cell) => /\d/.test(cell))
  const first = lines.findIndex(hasDigit)
  // Skip blank lines, totals, and the headings above the first line with a digit. All other lines must be readable.
  const rows = (first < 0 ? [] : lines.slice(first)).filter(({ cells: [unit] }) => unit !== undefined && !isTotal(unit))
  if (rows.length === 0) throw Refused.field('lines', 'Enter at least one line with a unit number and an amount')
  const problems: string[] = []
  const read = rows.map(({ at, cells: [unit = '', ...rest] }) => {
    const fields = figures[rest.length] ?? []
    const line = {
      unit_number: unit.replace(/^#/, '').padStart(6, '0'),
      ...Object.fromEntries(fields.map((field, at) => [field, readFigure(field, rest[at] as string, today)])),
    }
    const unclear = fields.flatMap((field, at) =>
      field === 'amount' || field === 'daily_rate' ? (understandNumber(rest[at] as string, 2).error ?? []) : [],
    )
    const issue = rule.safeParse(line).error?.issues[0]
    const problem = fields.length === 0 ? help : (unclear[0] ?? (issue && problemText(issue)))
    if (problem) problems.push(`Line ${at}: ${problem}`)
    return line
  })
  if (problems.length > 0) {
    const more = problems.length - PROBLEMS_SHOWN
    throw Refused.field(
      'lines',
      [...problems.slice(0, PROBLEMS_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join('; '),
    )
  }
  return read
}
