import type { z } from 'zod'
import { type Cell, cellText, isDate } from '../../platform/imports/spreadsheet/cells'
import { readDate, readDateSerial } from '../../platform/reading/dates'
import { Refused } from '../../platform/refusals'

/** How the lines of an invoice are written in plain text: by the number of their figures after the unit. */
export type Writing = {
  line: z.ZodObject
  /** The fields of a line's figures, by how many it has. */
  figures: Record<number, string[]>
  /** What to say to a line that has another number of them. */
  help: string
}

/** A day as people write it, `3/2/2026`; any other figure as it is. */
export function readFigure(field: string, cell: Cell): unknown {
  if (isDate(cell)) return cell.date
  if (field !== 'move_date' || cell === null) return cell
  const serial = typeof cell === 'number' ? readDateSerial(cell, false) : null
  return serial ?? readDate(cellText(cell))?.date ?? cellText(cell)
}

/** Tabs or semicolons part cells that have blanks in them; else blanks do, and commas that are not of thousands. */
function cellsOf(line: string): string[] {
  if (/[\t;]/.test(line))
    return line
      .split(/[\t;]/)
      .map((cell) => cell.trim().replace(/^\$\s+/, '$'))
      .filter(Boolean)
  // A unit has no thousands, so a comma behind it parts.
  const parted = line.replace(/^(#?\w+),/, '$1 ').replace(/\$\s+/g, '$')
  return parted.split(/,\s+|\s+/).filter(Boolean)
}

/**
 * Lines as they are pasted from a spreadsheet or typed: the unit and its figures, the amount last, parted by tabs,
 * semicolons, commas or blanks; a line without a figure is a heading.
 * @throws Refused naming the first line that cannot be read
 */
export function pastedLines(text: string, { line: rule, figures, help }: Writing): unknown[] {
  const rows = text
    .split(/\r?\n/)
    .map((line, at) => ({ at: at + 1, cells: cellsOf(line.trim()) }))
    // A line without a figure is a heading; one that sums up is no unit. Anything else is to be read, or refused.
    .filter(({ cells }) => cells.some((cell) => /\d/.test(cell)) && !/^(sub)?total|^sum/i.test(cells[0] as string))
  if (rows.length === 0) throw Refused.field('lines', 'Paste a unit number and an amount in each line')
  return rows.map(({ at, cells: [unit = '', ...rest] }) => {
    const fields = figures[rest.length]
    if (!fields) throw Refused.field('lines', `Line ${at}: ${help}`)
    const line = {
      unit_number: unit.replace(/^#/, '').padStart(6, '0'),
      ...Object.fromEntries(fields.map((field, at) => [field, readFigure(field, rest[at] as string)])),
    }
    const problem = rule.safeParse(line).error?.issues[0]
    if (problem) throw Refused.field('lines', `Line ${at}: ${problem.message}`)
    return line
  })
}
