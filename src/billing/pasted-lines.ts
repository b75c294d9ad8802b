import type { z } from 'zod'
import { type Cell, readDate, readPlain } from '../imports/spreadsheet/cells'
import { Refused } from '../refusals'

/** How the lines of an invoice are written in plain text: by the number of their figures after the unit. */
export type Writing = {
  line: z.ZodObject
  /** The fields of a line's figures, by how many it has. */
  figures: Record<number, string[]>
  /** What to say to a line that has another number of them. */
  help: string
}

/** A day as people write it, `3/2/2026`; any other figure as it is. */
export const readFigure = (field: string, cell: Cell) =>
  field === 'move_date' ? readDate(cell, false) : readPlain(cell)

/**
 * Lines as they are pasted from a spreadsheet or typed: the unit and its figures, the amount last, parted by tabs,
 * semicolons, commas with a blank, or blanks; a line without a figure is a heading.
 * @throws Refused naming the first line that cannot be read
 */
export function pastedLines(text: string, { line: rule, figures, help }: Writing): unknown[] {
  const rows = text
    .split(/\r?\n/)
    .map((line, at) => ({
      at: at + 1,
      cells: line
        .trim()
        .split(/\t|;|,\s+|\s+/)
        .filter(Boolean),
    }))
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
