import { dottedDate, hasUnits, isEuropeanAmount, orderInHeading } from '../../platform/imports/parse/guess-by-values'
import { isOtherMeasure } from '../../platform/imports/parse/guess-columns'
import { isVinHeading } from '../../platform/imports/parse/place-columns'
import { understandNumber, vinOf } from '../../platform/imports/parse/understand-cell'
import { unquotedComma } from '../../platform/imports/parse/unquoted-commas'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText, isDate } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { matchHeadings, matchingHeadings } from '../../platform/imports/spreadsheet/match-headings'
import { type DateOrder, isNearMonthFirst, possibleOrders } from '../../platform/reading/dates'
import { readUnitDigits } from '../../platform/reading/numbers'
import { isTotal } from '../../platform/reading/text'
import { Refused } from '../../platform/refusals'
import { problemText, readFigure, type Writing } from './pasted-lines'

/** Functions that read invoice lines from one table of a spreadsheet. */

/** Maximum length of a unit number cell, in characters. Longer text is cut off, because it cannot be a unit number. */
const UNIT_LIMIT = 40
/** Fields of amounts. They are read like the amounts of File Upload. */
const AMOUNTS = ['amount', 'daily_rate']
/** Maximum length of an amount in a message, in characters. */
const SHOWN_AMOUNT = 40

/**
 * Patterns for column headings, by field name, best pattern first. The order of the fields matters, because two fields
 * cannot use the same column and earlier fields take precedence.
 */
export type SheetColumns = Record<string, RegExp[]>

/** Headings of the columns that the user chose. For an omitted heading, the best match is used. */
type ColumnChoice = { unit_column?: string | null; amount_column?: string | null }

const isSameHeading = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * Returns the position of each field's column.
 * @throws Refused when a chosen heading is not in the sheet
 */
function columnsOf(
  names: string[],
  heads: SheetColumns,
  { unit_column, amount_column }: ColumnChoice = {},
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
  // Amounts in another currency or in thousands are not read.
  const readable = names.map((name) => (isOtherMeasure(name, { name: 'amount', kind: 'money' }) ? '' : name))
  const open = Object.entries(heads).filter(([field]) => !columns.has(field))
  const positions = matchHeadings(
    readable,
    open.map(([, pattern]) => pattern),
    [...columns.values()],
  )
  for (const [at, [field]] of open.entries()) {
    const position = positions[at] ?? -1
    if (position >= 0) columns.set(field, position)
  }
  return columns
}

/**
 * Replaces the column of the date if it contains no dates, as `Pickup` does if it contains locations. Chooses another
 * column whose heading matches and that contains dates, or none.
 */
function chooseDates(columns: Map<string, number>, patterns: RegExp[], header: string[], rows: SheetLine[]) {
  const hasDay = (at: number) => rows.some(({ cells }) => isDay(cells[at] ?? null))
  const current = columns.get('move_date')
  if (current === undefined || hasDay(current)) return
  const used = [...columns.values()]
  const other = patterns
    .flatMap((pattern) => [...matchingHeadings(header, pattern)])
    .find((at) => !used.includes(at) && hasDay(at))
  if (other !== undefined) columns.set('move_date', other)
  else if (!rows.some(({ cells }) => /\d/.test(cellText(cells[current] ?? null)))) columns.delete('move_date')
}

/**
 * Replaces the column of the units by another one whose heading matches, if only that one has unit numbers, as
 * `Vehicle #` does beside the `Truck #` of the hauler.
 */
function chooseUnits(columns: Map<string, number>, patterns: RegExp[], header: string[], rows: SheetLine[]) {
  const hasNumbers = (at: number) => hasUnits(rows.map(({ cells }) => cells[at] ?? null))
  const current = columns.get('unit_number')
  if (current === undefined || hasNumbers(current)) return
  const used = [...columns.values()]
  const candidates = patterns.flatMap((pattern) => matchingHeadings(header, pattern))
  const other = candidates.find((at) => !used.includes(at) && hasNumbers(at))
  if (other !== undefined) columns.set('unit_number', other)
}

/** Largest difference in dollars between a sum and a total of the file, because of rounding. */
const ROUNDING = 0.005

/** Minimum number of rows in which the total repeats. In two rows, each total can also be the sum of two fees. */
const LEAST_ROWS = 3

/**
 * Replaces the column of the amount if it repeats the total of the invoice in each row, or is a running balance of
 * another column with amounts.
 */
function chooseAmounts(columns: Map<string, number>, header: string[], rows: SheetLine[]) {
  const current = columns.get('amount')
  const amountsOf = (at: number) => rows.map(({ cells }) => Number(understandNumber(cells[at] ?? null, 2).raw ?? NaN))
  if (current === undefined || rows.length < 2) return
  const totals = amountsOf(current)
  const other = [...header.keys()].find((at) => {
    if ([...columns.values()].includes(at)) return false
    const amounts = amountsOf(at)
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    let balance = 0
    const balances = amounts.map((amount) => (balance += amount))
    const equals = (expected: number[]) =>
      totals.every((total, row) => Math.abs(total - (expected[row] ?? NaN)) <= ROUNDING)
    return (rows.length >= LEAST_ROWS && equals(totals.map(() => sum))) || equals(balances)
  })
  if (other !== undefined) columns.set('amount', other)
}

const isDay = (cell: SheetLine['cells'][number]) =>
  isDate(cell) || (typeof cell === 'string' && possibleOrders(cell).length > 0)

/** Maximum number of headings that an error message lists. */
const LISTED_HEADINGS = 20

const headingsIn = (names: string[]) =>
  `The columns of the file are ${names
    .filter((name) => name.trim())
    .slice(0, LISTED_HEADINGS)
    .map((name) => `"${name.trim().slice(0, 40).toWellFormed()}"`)
    .join(', ')}.`

/** Message about a row that is not read. `isExtra` is true for a charge without a unit number, such as a tax. */
type LeftOut = { text: string; isExtra?: boolean }

/** `units` contains the unit numbers of the VINs in the file. */
export type Invoice = { sheet: SheetColumns; writing: Writing; today: string; units: Map<string, string> }

/** Returns the VINs in the cells of a table. */
export const vinsIn = ({ header, lines }: SheetTable): string[] => {
  const positions = [...header.keys()].filter((at) => isVinHeading(header[at] ?? ''))
  return lines.flatMap(({ cells }) => positions.flatMap((at) => vinOf(cellText(cells[at] ?? null)) ?? []))
}

/**
 * Reads the lines of a table. Also returns the rows that are left out, and notes about the file.
 * @throws Refused when the table has no column for the unit or the amount
 */
export function linesOfTable(
  { header, lines: rows, isText }: SheetTable,
  { sheet, writing, today, units }: Invoice,
  choice: ColumnChoice,
) {
  const columns = columnsOf(header, sheet, choice)
  const vinAt = header.findIndex(isVinHeading)
  if (!columns.has('unit_number') && vinAt >= 0) columns.set('unit_number', vinAt)
  if (!columns.has('unit_number') || !columns.has('amount'))
    throw Refused.field(
      'file',
      `The file needs a column for the unit and a column for the amount. ${headingsIn(header)}`,
    )
  const cellOf = ({ cells }: SheetLine, field: string) => cells[columns.get(field) ?? -1] ?? null
  const figures = Object.keys(sheet).filter((field) => field !== 'unit_number')
  if (sheet.move_date) chooseDates(columns, sheet.move_date, header, rows)
  const isRecord = (row: SheetLine) => /^\d{1,6}$/.test(readUnitDigits(cellText(cellOf(row, 'unit_number'))))
  if (!choice.amount_column) chooseAmounts(columns, header, rows.filter(isRecord))
  const kinds = header.map((_, at) => (figures.some((field) => columns.get(field) === at) ? 'money' : undefined))
  if (!choice.unit_column) chooseUnits(columns, sheet.unit_number ?? [], header, rows)
  const hasDecimalCommas = rows.some(({ cells }) => cells.some(isEuropeanAmount))
  const days = rows.map((row) => cellOf(row, 'move_date'))
  const stated = orderInHeading(header[columns.get('move_date') ?? -1] ?? '')
  const order = stated ?? orderOf(days, { today, hasDecimalCommas })
  const leftOut: LeftOut[] = []
  const notes: string[] = []
  const lines: Record<string, unknown>[] = []
  for (const row of rows) {
    const unitText = cellText(cellOf(row, 'unit_number')).trim() || cellText(row.cells[vinAt] ?? null).trim()
    const vin = vinOf(unitText)
    const unit = units.get(vin ?? '') ?? readUnitDigits(unitText.slice(0, UNIT_LIMIT))
    const amount = cellText(cellOf(row, 'amount')).trim().slice(0, SHOWN_AMOUNT).toWellFormed()
    // A row without a unit and an amount, such as a tax of 0.00, bills nothing.
    if (isTotalRow(row, unit) || (!/^\d{1,6}$/.test(unit) && !/[1-9]/.test(amount))) continue
    const line = {
      unit_number: unit.padStart(6, '0'),
      ...Object.fromEntries(figures.map((field) => [field, readFigure(field, cellOf(row, field), today, order)])),
    }
    const issue = writing.line.safeParse(line).error?.issues[0]
    const unclear = AMOUNTS.flatMap((field) => {
      const error = columns.has(field) ? understandNumber(cellOf(row, field), 2, { hasDecimalCommas }).error : undefined
      return error ? [`${header[columns.get(field) ?? 0]?.trim()}: ${error}`] : []
    })
    const comma = isText ? unquotedComma(row.cells, kinds) : null
    const voided = row.cells.find((cell) => VOID.test(cellText(cell).trim()))
    if (voided !== undefined)
      leftOut.push({
        text: `Row ${row.row}: ${unit} is marked as ${cellText(voided).trim().slice(0, SHOWN_AMOUNT)}`,
        isExtra: true,
      })
    else if (vin && !units.has(vin)) leftOut.push({ text: `Row ${row.row}: No vehicle has the VIN ${vin}` })
    else if (!/\d/.test(unit)) {
      const description = descriptionOf(row.cells)
      const text = `Row ${row.row}: ${[description, amount].filter(Boolean).join(' ')} has no unit number`
      leftOut.push({ text, isExtra: EXTRA_CHARGE.test(description ?? '') })
    } else if (comma && 'error' in comma) leftOut.push({ text: `Row ${row.row}: ${comma.error}` })
    else if (unclear.length > 0) leftOut.push({ text: `Row ${row.row}: ${unclear.join(', ')}` })
    else if (issue) {
      const cell = cellText(cellOf(row, String(issue.path[0])))
        .trim()
        .slice(0, SHOWN_AMOUNT)
        .toWellFormed()
      leftOut.push({ text: `Row ${row.row}: ${problemText(issue)}${cell && `, not "${cell}"`}` })
    } else {
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
  return { lines, leftOut, notes, amounts }
}

/** Matches a cell of a line that is not valid any more, unlike `Cancelled trip fee`. */
const VOID = /^(?:void(?:ed)?|cancell?ed)\b(?!.*\b(?:fee|charge|trip|move)\b)/i

/** Matches the description of a charge that belongs to no unit, such as `Sales Tax`. */
const EXTRA_CHARGE =
  /\b(?:tax(?:es)?|fees?|surcharges?|charges?|credits?|discounts?|adjustments?|detention|wait(?:ing)?|tolls?)\b/i

/** Matches a cell that only names a total, unlike `Total loss - storage`. */
const TOTAL_LABEL = /^(?:(?:grand|sub|unit)[- ]?)?totals?:?$|^sum:?$/i

/** Returns true for a row with a total. The row of a unit is one only if a cell contains nothing else. */
const isTotalRow = ({ cells }: SheetLine, unit: string): boolean =>
  cells.some((cell) => {
    const text = cellText(cell).trim()
    // The subtotals of Excel, such as `101418 Total`
    if (/^\d{1,6} total$/i.test(text)) return true
    return /^\d{6}$/.test(unit) ? TOTAL_LABEL.test(text) : isTotal(text)
  })

/**
 * Returns the order of day and month in a column. The day is first only if no date has only the other order, and if
 * more dates have no other order than are near today only with the month first. One such date may be a typing error.
 */
function orderOf(
  cells: SheetLine['cells'],
  { today, hasDecimalCommas }: { today: string; hasDecimalCommas: boolean },
): DateOrder {
  const texts = cells.filter((cell) => typeof cell === 'string')
  // Files with decimal commas come from countries that write the day first.
  if (hasDecimalCommas && dottedDate(texts)) return 'day'
  const orders = texts.map((text) => possibleOrders(text).join())
  const nearMonthFirst = texts.filter((text) => isNearMonthFirst(text, today)).length
  const isDayFirst = orders.filter((order) => order === 'day').length > nearMonthFirst
  return isDayFirst && !orders.includes('month') ? 'day' : 'month'
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
