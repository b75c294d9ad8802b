import { nextRound } from '../../platform/event-loop'
import { dottedDate, isEuropeanAmount, orderInHeading } from '../../platform/imports/parse/guess-by-values'
import { isVinHeading } from '../../platform/imports/parse/place-columns'
import { understandNumber, vinOf } from '../../platform/imports/parse/understand-cell'
import { unquotedComma } from '../../platform/imports/parse/unquoted-commas'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { matchingHeadings } from '../../platform/imports/spreadsheet/match-headings'
import { type DateOrder, nearOrder, possibleOrders } from '../../platform/reading/dates'
import { readNumber, readUnitDigits } from '../../platform/reading/numbers'
import { isTotal } from '../../platform/reading/text'
import { notOwed } from './not-owed'
import { problemText, readFigure, type Writing } from './pasted-lines'
import { type ColumnChoice, columnsOf, type SheetColumns, UNIT_LIMIT } from './sheet-columns'

/** Functions that read invoice lines from one table of a spreadsheet. */

/** Fields of amounts. They are read like the amounts of File Upload. */
const AMOUNTS = ['amount', 'daily_rate']
/** Number of rows that are read before other requests are served. They take about 10 ms. */
const ROWS_AT_ONCE = 100
/** Maximum length of an amount in a message, in characters. */
const SHOWN_AMOUNT = 40

/** Message about a row that is not read. `isExtra` is true for a charge without a unit number, such as a tax. */
type LeftOut = { text: string; isExtra?: boolean }

/** `units` contains the unit numbers of the VINs in the file. */
export type Invoice = { sheet: SheetColumns; writing: Writing; today: string; units: Map<string, string> }

/** Returns the VINs in the cells of a table. */
export const vinsIn = ({ header, lines }: SheetTable): string[] => {
  const vinAt = header.findIndex(isVinHeading)
  return lines.flatMap(({ cells }) => vinOf(cellText(cells[vinAt] ?? null)) ?? [])
}

/**
 * Reads the lines of a table. Also returns the rows that are left out, and notes about the file.
 * @throws Refused when the table has no column for the unit or the amount
 */
export async function linesOfTable(
  { header, lines: rows, isText }: SheetTable,
  { sheet, writing, today, units }: Invoice,
  choice: ColumnChoice,
) {
  const columns = await columnsOf({ header, lines: rows }, sheet, choice)
  const vinAt = header.findIndex(isVinHeading)
  const cellOf = ({ cells }: SheetLine, field: string) => cells[columns.get(field) ?? -1] ?? null
  const figures = Object.keys(sheet).filter((field) => field !== 'unit_number')
  const kinds = header.map((_, at) => (figures.some((field) => columns.get(field) === at) ? 'money' : undefined))
  const hasDecimalCommas = rows.some(({ cells }) => cells.some(isEuropeanAmount))
  const days = rows.map((row) => cellOf(row, 'move_date'))
  const stated = orderInHeading(header[columns.get('move_date') ?? -1] ?? '')
  const order = stated ?? orderOf(days, { today, hasDecimalCommas })
  const leftOut: LeftOut[] = []
  const notes: string[] = []
  const lines: Record<string, unknown>[] = []
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await nextRound()
    const unitText = cellText(cellOf(row, 'unit_number')).trim() || cellText(row.cells[vinAt] ?? null).trim()
    const vin = vinOf(unitText)
    const unit = units.get(vin ?? '') ?? readUnitDigits(unitText.slice(0, UNIT_LIMIT))
    const beside = units.get(vinOf(cellText(row.cells[vinAt] ?? null)) ?? '')
    const amount = cellText(cellOf(row, 'amount')).trim().slice(0, SHOWN_AMOUNT).toWellFormed()
    // A row without a unit and an amount, such as a tax of 0.00, bills nothing.
    if (isTotalRow(row, unit) || isPageNumber(row) || (!/^\d{1,6}$/.test(unit) && !/[1-9]/.test(amount))) continue
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
    const description = descriptionOf(row.cells)
    const isExtra = !/\d/.test(unit) && EXTRA_CHARGE.test(description ?? '')
    const unowed = isExtra ? null : notOwed(header, row.cells)
    if (unowed)
      leftOut.push({
        text: `Row ${row.row}: ${unit} is marked as ${unowed.mark.slice(0, SHOWN_AMOUNT).toWellFormed()}`,
        isExtra: unowed.isCertain,
      })
    else if (row.isStruck) leftOut.push({ text: `Row ${row.row}: ${unit} is struck through`, isExtra: true })
    else if (row.merged?.includes(columns.get('amount') ?? -1))
      leftOut.push({
        text: `Row ${row.row}: ${unit} repeats the amount of a merged cell. Divide the amount among its rows`,
      })
    else if (beside && beside !== unit) leftOut.push({ text: `Row ${row.row}: ${unit} has the VIN of unit ${beside}` })
    else if (/\d/.test(unit) && isNotCharged(amount))
      leftOut.push({ text: `Row ${row.row}: ${unit} with the amount ${amount} is not charged`, isExtra: true })
    else if (vin && !units.has(vin)) leftOut.push({ text: `Row ${row.row}: No vehicle has the VIN ${vin}` })
    else if (!/\d/.test(unit)) {
      const text = `Row ${row.row}: ${[description, amount].filter(Boolean).join(' ')} has no unit number`
      leftOut.push({ text, isExtra })
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
  await nextRound()
  const others = [
    ...(sheet.amount ?? []).flatMap((pattern) => matchingHeadings(header, pattern)),
    ...matchingHeadings(header, SURCHARGE),
    ...header.keys().filter((at) => hasAmounts(rows.map(({ cells }) => cells[at] ?? null))),
  ].filter((at) => ![...columns.values()].includes(at))
  const heading = (at: number) => `"${header[at]?.trim().slice(0, UNIT_LIMIT).toWellFormed()}"`
  const amounts =
    others.length > 0 && !choice.amount_column
      ? [`Amounts were read from the column ${heading(amountAt)}, not ${[...new Set(others.map(heading))].join(', ')}.`]
      : []
  return { lines, leftOut, notes, amounts }
}

/** Returns true for a row with only a page number, such as `Page 1 of 2`. */
const isPageNumber = ({ cells }: SheetLine): boolean => {
  const texts = cells.map((cell) => cellText(cell).trim()).filter(Boolean)
  return texts.length === 1 && /^page \d+(?: of \d+)?$/i.test(texts[0] as string)
}

/** Matches the text of an amount that is not charged. */
const NO_CHARGE = /^(?:n\/?c|no charge|free|waived|incl(?:uded|\.)?|comp(?:ed)?)$/i

/** Returns true for the amount of a line that charges nothing, or that is a credit. */
const isNotCharged = (amount: string) => NO_CHARGE.test(amount) || (readNumber(amount) ?? 0) < 0

/** Matches the description of a charge that belongs to no unit, such as `Sales Tax`. */
const EXTRA_CHARGE = new RegExp(
  '\\b(?:tax(?:es)?|fees?|surcharges?|charges?|credits?|discounts?|adjustments?|detention|wait(?:ing)?|tolls?|' +
    'payments?|balance|remit(?:tance|ted)?)\\b',
  'i',
)

/** Matches the heading of a column with charges beside the amount of a line. */
const SURCHARGE = /\b(?:surcharges?|fsc|fuel|tolls?|accessorials?|detention)\b/i

/** Matches a cell that only names a total, unlike `Total loss - storage`. */
const TOTAL_LABEL = /^(?:(?:grand|sub|unit)[- ]?)?totals?:?$|^sum:?$/i

/** Returns true for a row with a total. The row of a unit is one only if a cell contains nothing else. */
const isTotalRow = ({ cells }: SheetLine, unit: string): boolean =>
  cells.some((cell) => {
    const text = cellText(cell).trim()
    // The subtotals of Excel, such as `101418 Total`
    if (/^\d{1,6} (?:sub-?)?total:?$/i.test(text)) return true
    return /^\d{6}$/.test(unit) ? TOTAL_LABEL.test(text) : isTotal(text)
  })

/**
 * Returns the order of day and month in a column. The day is first if no date must have the month first, and enough
 * dates must have the day first: more than are near today only with the month first.
 */
function orderOf(
  cells: SheetLine['cells'],
  { today, hasDecimalCommas }: { today: string; hasDecimalCommas: boolean },
): DateOrder {
  const texts = cells.filter((cell) => typeof cell === 'string')
  // Files with decimal commas come from countries that write the day first.
  if (hasDecimalCommas && dottedDate(texts)) return 'day'
  const orders = texts.map((text) => possibleOrders(text).join())
  const nearMonthFirst = texts.filter((text) => nearOrder(text, today) === 'month').length
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
