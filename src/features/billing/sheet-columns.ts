import { nextRound } from '../../platform/event-loop'
import { hasUnits } from '../../platform/imports/parse/guess-by-values'
import { isOtherMeasure } from '../../platform/imports/parse/measures'
import { isVinHeading } from '../../platform/imports/parse/place-columns'
import { understandNumber } from '../../platform/imports/parse/understand-cell'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText, isDate } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { matchHeadings, matchingHeadings } from '../../platform/imports/spreadsheet/match-headings'
import { possibleOrders } from '../../platform/reading/dates'
import { readUnitDigits } from '../../platform/reading/numbers'
import { Refused } from '../../platform/refusals'

/**
 * Patterns for column headings, by field name, best pattern first. The order of the fields matters, because two fields
 * cannot use the same column and earlier fields take precedence.
 */
export type SheetColumns = Record<string, RegExp[]>

/** Headings of the unit and amount columns that the user chose. The program finds other columns by their headings. */
export type ColumnChoice = { unit_column?: string | null; amount_column?: string | null }

const isSameHeading = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

/**
 * Finds each field's column by the headings and the user's choice.
 * @returns the position of each field's column
 * @throws Refused when a chosen heading is not in the sheet
 */
function matchColumns(
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
  // Never choose a column of amounts in another currency or in thousands, such as `Amount (EUR)`.
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
 * Searches for unit numbers examine only this many leading characters. The rest of a longer cell text is ignored.
 * Messages cut headings and cell texts to the same length.
 */
export const UNIT_LIMIT = 40

const SAMPLE_ROWS = 200

const unitText = ({ cells }: SheetLine, at: number) => cellText(cells[at] ?? null).slice(0, UNIT_LIMIT)

/** A field that may need another column. `patterns` match possible headings. `fits` checks the values of a column. */
type Replacement = { field: string; patterns: RegExp[]; fits: (at: number) => boolean }

/**
 * Replaces a field's column if the column's values do not fit. The heading of the new column must match a pattern of
 * the field, and the values in the new column must fit.
 * @returns false if neither the current nor another column fits
 */
async function replaceColumn(
  columns: Map<string, number>,
  header: string[],
  { field, patterns, fits }: Replacement,
): Promise<boolean> {
  const current = columns.get(field)
  if (current === undefined || fits(current)) return true
  const used = [...columns.values()]
  for (const at of new Set(patterns.flatMap((pattern) => matchingHeadings(header, pattern)))) {
    if (used.includes(at)) continue
    await nextRound()
    if (!fits(at)) continue
    columns.set(field, at)
    return true
  }
  return false
}

/**
 * Chooses another `move_date` column if the current one has no dates. For example, a column `Pickup` can contain
 * locations. If no other column contains dates, keeps the current column if it contains digits. Otherwise, `move_date`
 * gets no column.
 */
async function chooseDates(columns: Map<string, number>, patterns: RegExp[], header: string[], rows: SheetLine[]) {
  const current = columns.get('move_date') ?? -1
  const fits = (at: number) => rows.slice(0, SAMPLE_ROWS).some(({ cells }) => isDay(cells[at] ?? null))
  const isFound = await replaceColumn(columns, header, { field: 'move_date', patterns, fits })
  if (!isFound && !rows.some(({ cells }) => /\d/.test(cellText(cells[current] ?? null)))) columns.delete('move_date')
}

/**
 * Replaces the `unit_number` column if it contains no unit numbers. For example, the column `Truck #` can contain the
 * hauler's own numbers.
 * If no other column contains unit numbers, the column stays. Exception: a column `Units` with small numbers is a
 * quantity, so `unit_number` gets no column.
 */
async function chooseUnits(columns: Map<string, number>, patterns: RegExp[], header: string[], rows: SheetLine[]) {
  const textsAt = (at: number) => rows.slice(0, SAMPLE_ROWS).map((row) => unitText(row, at))
  const fits = (at: number) => hasUnits(textsAt(at))
  if (await replaceColumn(columns, header, { field: 'unit_number', patterns, fits })) return
  const current = columns.get('unit_number') ?? -1
  const isQuantity =
    /^\s*units\s*$/i.test(header[current] ?? '') && textsAt(current).every((text) => !/\d{4}/.test(text))
  if (isQuantity) columns.delete('unit_number')
}

/** Tolerance, in dollars, when a sum is compared with a total. */
const ROUNDING = 0.005

/**
 * Minimum number of rows to detect a column of invoice totals. Such a column repeats the invoice total in each row.
 * With two rows, this can be a coincidence. For example, both rows have a tow fee of $50 and an amount of $100. The tow
 * fees add up to the amount in each row, but the amounts are not the invoice total.
 */
const LEAST_ROWS = 3

/**
 * Chooses another amount column if the current one contains totals. A total is the invoice total in each row, or a
 * running balance. The new amount column is the column whose values add up to these totals.
 */
async function chooseAmounts(columns: Map<string, number>, header: string[], rows: SheetLine[]) {
  const current = columns.get('amount')
  const amountsOf = (at: number) => rows.map(({ cells }) => Number(understandNumber(cells[at] ?? null, 2).raw ?? NaN))
  if (current === undefined || rows.length < 2) return
  const totals = amountsOf(current)
  const used = [...columns.values()]
  for (const at of header.keys()) {
    if (used.includes(at)) continue
    await nextRound()
    const amounts = amountsOf(at)
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    let balance = 0
    const balances = amounts.map((amount) => (balance += amount))
    const equals = (expected: number[]) =>
      totals.every((total, row) => Math.abs(total - (expected[row] ?? NaN)) <= ROUNDING)
    const isTotal = rows.length >= LEAST_ROWS && equals(totals.map(() => sum))
    if (isTotal || equals(balances)) {
      columns.set('amount', at)
      return
    }
  }
}

const isDay = (cell: SheetLine['cells'][number]) =>
  isDate(cell) || (typeof cell === 'string' && possibleOrders(cell).length > 0)

const LISTED_HEADINGS = 20

function headingsIn(names: string[]): string {
  const listed = names
    .filter((name) => name.trim())
    .slice(0, LISTED_HEADINGS)
    .map((name) => `"${name.trim().slice(0, 40).toWellFormed()}"`)
  return listed.length > 0 ? `The columns of the file are ${listed.join(', ')}.` : 'The file has no headings.'
}

/**
 * Finds each field's column by the user's choice, headings and values.
 * @returns the position of each field's column
 * @throws Refused when the table has no column for the unit or the amount
 * @throws Refused when the table does not have a heading that the user chose
 */
export async function columnsOf(
  { header, lines: rows }: Pick<SheetTable, 'header' | 'lines'>,
  sheet: SheetColumns,
  choice: ColumnChoice,
): Promise<Map<string, number>> {
  const columns = matchColumns(header, sheet, choice)
  const vinAt = header.findIndex(isVinHeading)
  if (!columns.has('unit_number') && vinAt >= 0) columns.set('unit_number', vinAt)
  if (!choice.unit_column) await chooseUnits(columns, sheet.unit_number ?? [], header, rows)
  if (!columns.has('unit_number') || !columns.has('amount'))
    throw Refused.field(
      'file',
      `The file needs a column for the unit and a column for the amount. ${headingsIn(header)}`,
    )
  if (sheet.move_date) await chooseDates(columns, sheet.move_date, header, rows)
  const isRecord = (row: SheetLine) => /^\d{1,6}$/.test(readUnitDigits(unitText(row, columns.get('unit_number') ?? -1)))
  if (!choice.amount_column) await chooseAmounts(columns, header, rows.filter(isRecord))
  return columns
}
