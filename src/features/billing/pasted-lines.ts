import type { z } from 'zod'
import { type Cell, cellText, isDate } from '../../platform/imports/spreadsheet/cells'
import { readDate, readDateSerial } from '../../platform/reading/dates'
import { isTotal } from '../../platform/reading/text'
import { Refused } from '../../platform/refusals'

/** Text format of invoice lines. */
export type Writing = {
  line: z.ZodObject
  /** Names of the values that follow the unit number, keyed by how many values the line has. */
  figures: Record<number, string[]>
  /** Error message for a line with any other number of values. */
  help: string
}

/** Converts a date such as `3/2` or `Mar 2, 2026`, or days such as `24 days`. Returns all other values unchanged. */
export function readFigure(field: string, cell: Cell, today: string): unknown {
  if (isDate(cell)) return cell.date
  if (field === 'days' && typeof cell === 'string') return cell.replace(/\s*days?\s*$/i, '')
  if (field !== 'move_date' || cell === null) return cell
  const serial = typeof cell === 'number' ? readDateSerial(cell, false) : null
  return serial ?? readDate(cellText(cell), { today, year: 'past' })?.date ?? cellText(cell)
}

/** Returns the message of a line's first problem. Only messages about `days` begin with the field name. */
export const problemText = ({ path, message }: z.core.$ZodIssue) => (path[0] === 'days' ? `Days: ${message}` : message)

/**
 * Splits a line into cells. Splits at tabs or semicolons if the line has any, and otherwise at spaces and commas. Cells
 * can contain spaces only if the line has tabs or semicolons. A comma splits only before a space, so that `1,234` stays
 * whole.
 */
function cellsOf(line: string): string[] {
  if (/[\t;]/.test(line))
    return line
      .split(/[\t;]/)
      .map((cell) => cell.trim().replace(/^\$\s+/, '$'))
      .filter(Boolean)
  // Split at a comma directly after the unit number, because unit numbers have no thousands separator.
  const separated = line.replace(/^(#?\w+),/, '$1 ').replace(/\$\s+/g, '$')
  return separated.split(/,\s+|\s+/).filter(Boolean)
}

/**
 * Parses pasted or typed lines. Each line starts with the unit number and ends with the amount.
 * @throws Refused when a line cannot be read; the message names the first such line
 */
export function pastedLines(text: string, { line: rule, figures, help }: Writing, today: string): unknown[] {
  const rows = text
    .split(/\r?\n/)
    .map((line, at) => ({ at: at + 1, cells: cellsOf(line.trim()) }))
    // Skip totals and lines without a digit, such as headings. Every other line must be readable.
    .filter(({ cells }) => cells.some((cell) => /\d/.test(cell)) && !isTotal(cells[0] as string))
  if (rows.length === 0) throw Refused.field('lines', 'Enter at least one line with a unit number and an amount')
  return rows.map(({ at, cells: [unit = '', ...rest] }) => {
    const fields = figures[rest.length]
    if (!fields) throw Refused.field('lines', `Line ${at}: ${help}`)
    const line = {
      unit_number: unit.replace(/^#/, '').padStart(6, '0'),
      ...Object.fromEntries(fields.map((field, at) => [field, readFigure(field, rest[at] as string, today)])),
    }
    const problem = rule.safeParse(line).error?.issues[0]
    if (problem) throw Refused.field('lines', `Line ${at}: ${problemText(problem)}`)
    return line
  })
}
