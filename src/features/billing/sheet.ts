import { z } from 'zod'
import type { AppContext } from '../../platform/context'
import { optionalText } from '../../platform/fields'
import { readTable } from '../../platform/imports/parse/run-worker'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { HEADING_LIMIT, matchHeadings } from '../../platform/imports/spreadsheet/match-headings'
import { readUnitDigits } from '../../platform/reading/numbers'
import { isTotal } from '../../platform/reading/text'
import { Refused } from '../../platform/refusals'
import { problemText, readFigure, type Writing } from './pasted-lines'

/**
 * Upload limit for invoice files, in bytes. An invoice has one or two pages, so a larger file is probably something
 * else.
 */
const BYTES_LIMIT = 1024 * 1024
const LIMITS = { rows: 2000, bytes: 8 * 1024 * 1024 }
/** Maximum length of a unit number cell, in characters. Longer text is cut off, because it cannot be a unit number. */
const UNIT_LIMIT = 40

const refuse = (message: string) => Refused.field('file', message)

/** Heading patterns by field name. The order matters: the first field chooses its column first. */
export type SheetColumns = Record<string, RegExp>

/** The user's choice of sheet and columns. Each of them defaults to what fits best. */
export const sheetChoice = z.object({
  sheet: optionalText(200),
  unit_column: optionalText(HEADING_LIMIT),
  amount_column: optionalText(HEADING_LIMIT),
})
type SheetChoice = z.output<typeof sheetChoice>

const isSameHeading = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * Returns the position of each field's column.
 * @throws Refused when a chosen heading is not in the sheet
 */
function columnsOf(
  names: string[],
  heads: SheetColumns,
  { unit_column, amount_column }: Partial<SheetChoice> = {},
): Map<string, number> {
  const columns = new Map<string, number>()
  for (const [field, heading] of [
    ['unit_number', unit_column],
    ['amount', amount_column],
  ] as const) {
    if (!heading) continue
    const at = names.findIndex((name) => isSameHeading(name, heading))
    if (at < 0)
      throw Refused.field(field === 'amount' ? 'amount_column' : 'unit_column', `No such column. ${headingsIn(names)}`)
    columns.set(field, at)
  }
  const open = Object.entries(heads).filter(([field]) => !columns.has(field))
  const positions = matchHeadings(
    names,
    open.map(([, pattern]) => pattern),
    [...columns.values()],
  )
  for (const [at, [field]] of open.entries()) {
    const position = positions[at] ?? -1
    if (position >= 0) columns.set(field, position)
  }
  return columns
}

const LISTED_PROBLEMS = 5

/** Maximum number of headings that an error message lists. */
const LISTED_HEADINGS = 20

const headingsIn = (names: string[]) =>
  `The columns of the file are ${names
    .filter((name) => name.trim())
    .slice(0, LISTED_HEADINGS)
    .map((name) => `"${name.trim().slice(0, 40).toWellFormed()}"`)
    .join(', ')}.`

type SheetLines = {
  lines: Record<string, unknown>[]
  /** Notes for the user about the file: which sheets were not read, and which hidden rows were read. */
  notes: string[]
}

/**
 * Reads invoice lines from a spreadsheet. The lines have the same fields as typed lines. Skips rows of totals. Also
 * skips rows that have neither an amount nor a unit number.
 * @throws Refused when the file is unreadable, the unit or amount column is missing, or a row is invalid
 */
export async function linesOfSheet(
  { clock, log }: Pick<AppContext, 'clock' | 'log'>,
  { sheet, writing }: { sheet: SheetColumns; writing: Writing },
  file: Blob,
  choice: Partial<SheetChoice> = {},
): Promise<SheetLines> {
  if (file.size > BYTES_LIMIT) throw refuse('The file is larger than 1 MB. Check that you chose the invoice.')
  const facts = await readTable(
    {
      bytes: new Uint8Array(await file.arrayBuffer()),
      fileName: file instanceof File ? file.name : '',
      headings: Object.values(sheet),
      sheet: choice.sheet ?? null,
      limits: LIMITS,
    },
    (reason) => log('warn', 'an invoice file could not be read', { reason }),
  )
  const { header: names, lines: rows } = facts
  const today = clock.today()
  if (choice.sheet && facts.sheet !== choice.sheet)
    throw Refused.field(
      'sheet',
      `No such sheet. The file has ${facts.sheets.map(({ name }) => `"${name}"`).join(', ')}.`,
    )
  const columns = columnsOf(names, sheet, choice)
  if (!columns.has('unit_number') || !columns.has('amount'))
    throw refuse(`The file needs a column for the unit and a column for the amount. ${headingsIn(names)}`)
  const cellOf = ({ cells }: SheetLine, field: string) => cells[columns.get(field) ?? -1] ?? null
  const figures = Object.keys(sheet).filter((field) => field !== 'unit_number')
  const problems: string[] = []
  const lines: Record<string, unknown>[] = []
  for (const row of rows) {
    const unitText = cellText(cellOf(row, 'unit_number')).trim().slice(0, UNIT_LIMIT)
    const unit = readUnitDigits(unitText)
    const amount = cellText(cellOf(row, 'amount')).trim()
    if (row.cells.some((cell) => isTotal(cellText(cell))) || (!/^\d{1,6}$/.test(unit) && !/\d/.test(amount))) continue
    const line = {
      unit_number: unit.padStart(6, '0'),
      ...Object.fromEntries(figures.map((field) => [field, readFigure(field, cellOf(row, field), today)])),
    }
    const issue = writing.line.safeParse(line).error?.issues[0]
    if (!/\d/.test(unit))
      problems.push(`Row ${row.row}: ${amount} has no unit number. Enter the unit or delete the row.`)
    else if (issue) problems.push(`Row ${row.row}: ${problemText(issue)}`)
    else lines.push(line)
  }
  if (problems.length > 0) throw refuse(problems.slice(0, LISTED_PROBLEMS).join(' '))
  return { lines, notes: notesOf(facts) }
}

function notesOf({ sheets, sheet, hiddenRows }: SheetTable): string[] {
  const others = sheets.filter(({ name }) => name !== sheet)
  return [
    ...(others.length > 0
      ? [`Only the sheet "${sheet}" was read, not ${others.map(({ name }) => `"${name}"`).join(', ')}.`]
      : []),
    ...(hiddenRows.length > 0
      ? [`Hidden rows were read too: ${hiddenRows.slice(0, LISTED_PROBLEMS).join(', ')}.`]
      : []),
  ]
}
