import { z } from 'zod'
import type { AppContext } from '../../platform/context'
import { optionalText, yesNo } from '../../platform/fields'
import { readTable } from '../../platform/imports/parse/run-worker'
import { unquotedComma } from '../../platform/imports/parse/unquoted-commas'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { HEADING_LIMIT, matchHeadings, matchingHeadings } from '../../platform/imports/spreadsheet/match-headings'
import { type DateOrder, possibleOrders } from '../../platform/reading/dates'
import { readUnitDigits } from '../../platform/reading/numbers'
import { isTotal } from '../../platform/reading/text'
import { type Warning, warning } from '../../platform/records/warnings'
import { Refused } from '../../platform/refusals'
import { problemText, readFigure, type Writing } from './pasted-lines'
import { LINES_LIMIT } from './rules'

/**
 * Upload limit for invoice files, in bytes. An invoice has one or two pages, so a larger file is probably not an
 * invoice.
 */
const BYTES_LIMIT = 1024 * 1024
const LIMITS = { rows: LINES_LIMIT, bytes: 8 * 1024 * 1024 }
/** Maximum number of sheets to read from one invoice file. Each sheet requires reading the file again. */
const SHEETS_LIMIT = 12
/** Maximum length of a unit number cell, in characters. Longer text is cut off, because it cannot be a unit number. */
const UNIT_LIMIT = 40
/** Maximum length of an amount in a message, in characters. */
const SHOWN_AMOUNT = 40

const refuse = (message: string) => Refused.field('file', message)

/**
 * Patterns for column headings, by field name, best pattern first. The order of the fields matters, because two fields
 * cannot use the same column and earlier fields take precedence.
 */
export type SheetColumns = Record<string, RegExp[]>

/**
 * Sheets and columns that the user chose. For an omitted value, the best match is used. `sheet` can contain several
 * sheet names, separated by commas.
 */
export const sheetChoice = z.object({
  sheet: optionalText(400),
  unit_column: optionalText(HEADING_LIMIT),
  amount_column: optionalText(HEADING_LIMIT),
  /** If true, invalid rows are left out with a warning. Otherwise, one invalid row rejects the whole file. */
  skip_invalid: yesNo(false),
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

/** Maximum number of rows that an error message or warning lists. */
const LISTED_PROBLEMS = 20

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
  /** Warnings about rows that were left out, sheets that were not read, and hidden rows that were read. */
  warnings: Warning[]
}

type Invoice = { sheet: SheetColumns; writing: Writing; today: string }
/** Context for reading a file. `account` is the username of the user who sent the file. */
type Place = Pick<AppContext, 'clock' | 'log'> & { account?: string | null }

/**
 * Reads invoice lines from the chosen sheets. If none is chosen, reads the sheet with the most known headings. The
 * lines have the same fields as lines that users enter. Skips rows of totals, and rows that have neither an amount nor
 * a unit number.
 * @throws Refused when the file is unreadable or too large, when a sheet or a required column is missing, when no row
 * is valid, or when a row is invalid and `skip_invalid` is not set
 */
export async function linesOfSheet(
  { clock, log, account = null }: Place,
  { sheet: headings, writing }: Pick<Invoice, 'sheet' | 'writing'>,
  file: Blob,
  choice: Partial<SheetChoice> = {},
): Promise<SheetLines> {
  if (file.size > BYTES_LIMIT)
    throw refuse(
      'The file is larger than 1 MB, which is the limit for an invoice. Check that you chose the right file.',
    )
  const bytes = new Uint8Array(await file.arrayBuffer())
  const fileName = file instanceof File ? file.name : ''
  const read = (sheet: string | null) =>
    readTable({ bytes, fileName, headings: Object.values(headings), sheet, limits: LIMITS }, account, (reason) =>
      log('warn', 'an invoice file could not be read', { reason }),
    )
  const first = await read(null)
  const tables: SheetTable[] = []
  let rowCount = 0
  for (const name of choice.sheet ? chosenSheets(choice.sheet, first) : [first.sheet]) {
    const table = name === first.sheet ? first : await read(name)
    rowCount += table.lines.length
    if (rowCount > LINES_LIMIT) throw refuse(`The sheets have more than ${LINES_LIMIT} rows`)
    tables.push(table)
  }
  const invoice = { sheet: headings, writing, today: clock.today() }
  const results = tables.map((table) => linesOfTable(table, invoice, choice))
  const problems = results.flatMap(({ problems }, at) =>
    problems.map((problem) => (tables.length > 1 ? `Sheet "${tables[at]?.sheet}", ${problem}` : problem)),
  )
  const lines = results.flatMap((result) => result.lines)
  const listed = problems.slice(0, LISTED_PROBLEMS)
  const rest = problems.length - listed.length
  if (problems.length > 0 && (lines.length === 0 || !choice.skip_invalid)) throw refuse(listed.join('; '))
  const leftOut = [...listed, ...(rest > 0 ? [`${rest} more rows`] : [])]
  return {
    lines,
    warnings: [
      ...leftOut.map((problem) => warning('left_out_row', 'file', `Not included in the totals: ${problem}`)),
      ...results
        .flatMap(({ notes }) => notes)
        .slice(0, LISTED_PROBLEMS)
        .map((note) => warning('unquoted_comma', 'file', note)),
      ...results.flatMap(({ amounts }) => amounts).map((text) => warning('amount_column', 'amount_column', text)),
      ...warningsOf(tables),
    ],
  }
}

/** @throws Refused when a chosen sheet is not in the workbook, or when too many sheets are chosen */
function chosenSheets(choice: string, { sheets }: SheetTable): string[] {
  const names = sheets.map(({ name }) => name)
  const chosen = names.includes(choice) ? [choice] : choice.split(',').map((name) => name.trim())
  const unknown = chosen.find((name) => !names.includes(name))
  if (chosen.length > SHEETS_LIMIT) throw Refused.field('sheet', `At most ${SHEETS_LIMIT} sheets`)
  if (unknown === undefined) return [...new Set(chosen)]
  throw Refused.field('sheet', `No such sheet. The file has ${names.map((name) => `"${name}"`).join(', ')}.`)
}

function linesOfTable(
  { header, lines: rows, isText }: SheetTable,
  { sheet, writing, today }: Invoice,
  choice: Partial<SheetChoice>,
) {
  const columns = columnsOf(header, sheet, choice)
  if (!columns.has('unit_number') || !columns.has('amount'))
    throw refuse(`The file needs a column for the unit and a column for the amount. ${headingsIn(header)}`)
  const cellOf = ({ cells }: SheetLine, field: string) => cells[columns.get(field) ?? -1] ?? null
  const figures = Object.keys(sheet).filter((field) => field !== 'unit_number')
  const kinds = header.map((_, at) => (figures.some((field) => columns.get(field) === at) ? 'money' : undefined))
  const order = orderOf(rows.map((row) => cellOf(row, 'move_date')))
  const problems: string[] = []
  const notes: string[] = []
  const lines: Record<string, unknown>[] = []
  for (const row of rows) {
    const unitText = cellText(cellOf(row, 'unit_number')).trim().slice(0, UNIT_LIMIT)
    const unit = readUnitDigits(unitText)
    const amount = cellText(cellOf(row, 'amount')).trim().slice(0, SHOWN_AMOUNT).toWellFormed()
    // A row without a unit and an amount, such as a tax of 0.00, bills nothing.
    if (isTotalRow(row, unit) || (!/^\d{1,6}$/.test(unit) && !/[1-9]/.test(amount))) continue
    const line = {
      unit_number: unit.padStart(6, '0'),
      ...Object.fromEntries(figures.map((field) => [field, readFigure(field, cellOf(row, field), today, order)])),
    }
    const issue = writing.line.safeParse(line).error?.issues[0]
    const comma = isText ? unquotedComma(row.cells, kinds) : null
    if (!/\d/.test(unit))
      problems.push(
        `Row ${row.row}: ${[descriptionOf(row.cells), amount].filter(Boolean).join(' ')} has no unit number`,
      )
    else if (comma && 'error' in comma) problems.push(`Row ${row.row}: ${comma.error}`)
    else if (issue) problems.push(`Row ${row.row}: ${problemText(issue)}`)
    else {
      lines.push(line)
      if (comma && 'note' in comma) notes.push(`Row ${row.row}: ${comma.note}`)
    }
  }
  const amountAt = columns.get('amount') ?? -1
  const others = [
    ...(sheet.amount ?? []).flatMap((pattern) => matchingHeadings(header, pattern)),
    ...header.keys().filter((at) => hasAmounts(rows.map(({ cells }) => cells[at] ?? null))),
  ].filter((at) => ![...columns.values()].includes(at))
  const heading = (at: number) => `"${header[at]?.trim().slice(0, UNIT_LIMIT).toWellFormed()}"`
  const amounts =
    others.length > 0 && !choice.amount_column
      ? [`Amounts were read from the column ${heading(amountAt)}, not ${[...new Set(others)].map(heading).join(', ')}.`]
      : []
  return { lines, problems, notes, amounts }
}

/** Matches a cell that only names a total, unlike `Total loss - storage`. */
const TOTAL_LABEL = /^(?:(?:grand|sub|unit)[- ]?)?totals?:?$|^sum:?$/i

/** Returns true for a row with a total. The row of a unit is one only if a cell contains nothing else. */
const isTotalRow = ({ cells }: SheetLine, unit: string): boolean =>
  cells.some((cell) => {
    const text = cellText(cell).trim()
    return /^\d{6}$/.test(unit) ? TOTAL_LABEL.test(text) : isTotal(text)
  })

/** Returns the order of day and month in a column. The day is first only if one of the dates has no other order. */
function orderOf(cells: SheetLine['cells']): DateOrder {
  const orders = cells.map((cell) => (typeof cell === 'string' ? possibleOrders(cell).join() : ''))
  return orders.includes('day') && !orders.includes('month') ? 'day' : 'month'
}

/** Returns true if most of the filled cells of a column are amounts with cents or a dollar sign. */
function hasAmounts(cells: SheetLine['cells']): boolean {
  const filled = cells.map((cell) => cellText(cell).trim()).filter(Boolean)
  return (
    filled.filter((text) => /^[(-]?(?:\$ ?[\d,]+(?:\.\d\d)?|[\d,]+\.\d\d)\)?$/.test(text)).length > filled.length / 2
  )
}

/**
 * Returns the first text of a row that is not a number, such as `Fuel surcharge`. Error messages use it to describe a
 * row without a unit number.
 */
function descriptionOf(cells: SheetLine['cells']): string | undefined {
  const texts = cells.map((cell) => cellText(cell).trim())
  const description = texts.find((text) => /[a-z]{3}/i.test(text))
  return description && `"${description.slice(0, UNIT_LIMIT).toWellFormed()}"`
}

function warningsOf(tables: SheetTable[]): Warning[] {
  const read = tables.map(({ sheet }) => sheet)
  const unread = (tables[0]?.sheets ?? []).map(({ name }) => name).filter((name) => !read.includes(name))
  const quoted = (names: (string | null)[]) => names.map((name) => `"${name}"`).join(', ')
  const subject = read.length > 1 ? `the sheets ${quoted(read)} were` : `the sheet ${quoted(read)} was`
  const hidden = tables.flatMap(({ hiddenRows }) => hiddenRows).slice(0, LISTED_PROBLEMS)
  return [
    ...(unread.length > 0 ? [warning('unread_sheet', 'sheet', `Only ${subject} read, not ${quoted(unread)}.`)] : []),
    ...(hidden.length > 0 ? [warning('hidden_rows', 'file', `Hidden rows were read too: ${hidden.join(', ')}.`)] : []),
  ]
}
