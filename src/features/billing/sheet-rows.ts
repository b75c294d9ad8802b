import { dottedDate, isEuropeanAmount, orderInHeading } from '../../platform/imports/parse/guess-by-values'
import { isVinHeading } from '../../platform/imports/parse/place-columns'
import { understandNumber, vinOf } from '../../platform/imports/parse/understand-cell'
import { unquotedComma } from '../../platform/imports/parse/unquoted-commas'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { type DateOrder, nearOrder, possibleOrders } from '../../platform/reading/dates'
import { readNumber, readUnitDigits } from '../../platform/reading/numbers'
import { isTotal } from '../../platform/reading/text'
import { notOwed } from './not-owed'
import { problemText, readFigure, type Writing } from './pasted-lines'
import { type SheetColumns, UNIT_LIMIT } from './sheet-columns'

/** Amounts are read by the same rules as in imports. */
const AMOUNTS = ['amount', 'daily_rate']
/** Maximum length of a quoted cell in a message, in characters. */
const SHOWN_AMOUNT = 40

/** Rules and context for reading an invoice. `units` maps the VINs in the file to unit numbers. */
export type Invoice = { sheet: SheetColumns; writing: Writing; today: string; units: Map<string, string> }

/**
 * A row that is left out of the invoice, with the reason. `isExtra` is true if the row does not bill a unit, such as a
 * tax without a unit number or a void row. A row with `isExtra` is left out even if `skip_invalid` is not set.
 */
export type LeftOut = { text: string; isExtra?: boolean | undefined }

/** Result of reading a row. Null for rows without a charge, such as totals. */
type Reading = { line: Record<string, unknown>; note?: string } | { leftOut: LeftOut } | null

/**
 * Unit and amount of a row. `vin` is set if the row has a VIN instead of a unit number.
 * `beside` is the unit number that belongs to the VIN in the VIN column, or undefined if this VIN is missing or
 * unknown.
 */
type Billed = { unit: string; vin: string | null; beside: string | undefined; amount: string }

const shown = (text: string) => text.trim().slice(0, SHOWN_AMOUNT).toWellFormed()

export class RowReader {
  readonly #figures: string[]
  readonly #kinds: ('money' | undefined)[]
  readonly #hasDecimalCommas: boolean
  readonly #order: DateOrder
  readonly #vinAt: number

  /** @param columns position of each field's column in the table */
  constructor(
    readonly table: Pick<SheetTable, 'header' | 'lines' | 'isText'>,
    readonly invoice: Invoice,
    readonly columns: Map<string, number>,
  ) {
    const { header, lines } = table
    this.#figures = Object.keys(invoice.sheet).filter((field) => field !== 'unit_number')
    this.#kinds = header.map((_, at) =>
      this.#figures.some((field) => columns.get(field) === at) ? 'money' : undefined,
    )
    this.#hasDecimalCommas = lines.some(({ cells }) => cells.some(isEuropeanAmount))
    this.#vinAt = header.findIndex(isVinHeading)
    const days = lines.map((row) => this.#cellOf(row, 'move_date'))
    const stated = orderInHeading(header[columns.get('move_date') ?? -1] ?? '')
    this.#order = stated ?? orderOf(days, { today: invoice.today, hasDecimalCommas: this.#hasDecimalCommas })
  }

  read(row: SheetLine): Reading {
    const billed = this.#billedIn(row)
    const { unit, amount } = billed
    // A row bills nothing if it has neither a unit number nor an amount above zero, such as a tax of 0.00.
    if (isTotalRow(row, unit) || isPageNumber(row) || (!/^\d{1,6}$/.test(unit) && !/[1-9]/.test(amount))) return null
    const comma = this.table.isText ? unquotedComma(row.cells, this.#kinds) : null
    const line = this.#lineOf(row, unit)
    const problem = this.#whyNotBilled(row, billed) ?? this.#mistakeIn(row, line, comma)
    if (problem) return { leftOut: { ...problem, text: `Row ${row.row}: ${problem.text}` } }
    return comma && 'note' in comma ? { line, note: `Row ${row.row}: ${comma.note}` } : { line }
  }

  #cellOf = ({ cells }: SheetLine, field: string) => cells[this.columns.get(field) ?? -1] ?? null

  #billedIn(row: SheetLine): Billed {
    const vinText = cellText(row.cells[this.#vinAt] ?? null).trim()
    const unitText = cellText(this.#cellOf(row, 'unit_number')).trim() || vinText
    const vin = vinOf(unitText)
    return {
      unit: this.invoice.units.get(vin ?? '') ?? readUnitDigits(unitText.slice(0, UNIT_LIMIT)),
      vin,
      beside: this.invoice.units.get(vinOf(vinText) ?? ''),
      amount: shown(cellText(this.#cellOf(row, 'amount'))),
    }
  }

  #lineOf(row: SheetLine, unit: string): Record<string, unknown> {
    const { today } = this.invoice
    const figures = this.#figures.map((field) => [
      field,
      readFigure(field, this.#cellOf(row, field), today, this.#order),
    ])
    return { unit_number: unit.padStart(6, '0'), ...Object.fromEntries(figures) }
  }

  #whyNotBilled(row: SheetLine, { unit, vin, beside, amount }: Billed): LeftOut | null {
    const description = descriptionOf(row.cells)
    const hasUnit = /\d/.test(unit)
    const isExtra = !hasUnit && EXTRA_CHARGE.test(description ?? '')
    const unowed = isExtra ? null : notOwed(this.table.header, row.cells)
    if (unowed) return { text: `${unit} is marked as ${shown(unowed.mark)}`, isExtra: unowed.isCertain }
    if (row.isStruck) return { text: `${unit} is struck through`, isExtra: true }
    if (row.merged?.includes(this.columns.get('amount') ?? -1))
      return { text: `${unit} repeats the amount of a merged cell. Divide the amount among its rows` }
    if (beside && beside !== unit) return { text: `${unit} has the VIN of unit ${beside}` }
    if (hasUnit && isNotCharged(amount))
      return { text: `${unit} with the amount ${amount} is not charged`, isExtra: true }
    if (vin && !this.invoice.units.has(vin)) return { text: `No vehicle has the VIN ${vin}` }
    if (hasUnit) return null
    return { text: `${[description, amount].filter(Boolean).join(' ')} has no unit number`, isExtra }
  }

  #mistakeIn(row: SheetLine, line: Record<string, unknown>, comma: ReturnType<typeof unquotedComma>): LeftOut | null {
    if (comma && 'error' in comma) return { text: comma.error }
    const unclear = AMOUNTS.flatMap((field) => {
      const at = this.columns.get(field)
      if (at === undefined) return []
      const { error } = understandNumber(row.cells[at] ?? null, 2, { hasDecimalCommas: this.#hasDecimalCommas })
      return error ? [`${this.table.header[at]?.trim()}: ${error}`] : []
    })
    if (unclear.length > 0) return { text: unclear.join(', ') }
    const issue = this.invoice.writing.line.safeParse(line).error?.issues[0]
    if (!issue) return null
    const cell = shown(cellText(this.#cellOf(row, String(issue.path[0]))))
    return { text: `${problemText(issue)}${cell && `, not "${cell}"`}` }
  }
}

const isPageNumber = ({ cells }: SheetLine): boolean => {
  const texts = cells.map((cell) => cellText(cell).trim()).filter(Boolean)
  return texts.length === 1 && /^page \d+(?: of \d+)?$/i.test(texts[0] as string)
}

const NO_CHARGE = /^(?:n\/?c|no charge|free|waived|incl(?:uded|\.)?|comp(?:ed)?)$/i

const isNotCharged = (amount: string) => NO_CHARGE.test(amount) || (readNumber(amount) ?? 0) < 0

/** Matches descriptions of charges without a unit, such as `Sales Tax`. */
const EXTRA_CHARGE = new RegExp(
  '\\b(?:tax(?:es)?|fees?|surcharges?|charges?|credits?|discounts?|adjustments?|detention|wait(?:ing)?|tolls?|' +
    'payments?|balance|remit(?:tance|ted)?)\\b',
  'i',
)

/** Matches a cell that contains only the label of a total. Does not match `Total loss - storage`. */
const TOTAL_LABEL = /^(?:(?:grand|sub|unit)[- ]?)?totals?:?$|^sum:?$/i

/**
 * True if a row contains a total.
 * In a row with a unit number, only a cell that is nothing but a label, such as `Total`, indicates a total. A longer
 * text, such as `Total loss`, can describe the unit.
 */
const isTotalRow = ({ cells }: SheetLine, unit: string): boolean =>
  cells.some((cell) => {
    const text = cellText(cell).trim()
    // Subtotal row that Excel creates, such as `101418 Total`.
    if (/^\d{1,6} (?:sub-?)?total:?$/i.test(text)) return true
    return /^\d{6}$/.test(unit) ? TOTAL_LABEL.test(text) : isTotal(text)
  })

/**
 * Returns the first cell with a word, in quotes. Example: `"Fuel surcharge"`. In messages, this text identifies a row
 * without a unit number. The text also shows whether the row is an additional charge.
 */
function descriptionOf(cells: SheetLine['cells']): string | undefined {
  const texts = cells.map((cell) => cellText(cell).trim())
  const description = texts.find((text) => /[a-z]{3}/i.test(text))
  return description && `"${description.slice(0, UNIT_LIMIT).toWellFormed()}"`
}

/**
 * Returns the order of day and month in a column. In a file with decimal commas, the day usually comes first in dates
 * with dots. In all other cases, the day comes first only if both of these conditions are true:
 * - No date, such as 2/13, requires the month first.
 * - The dates that require the day first, such as 13/2, outnumber the ambiguous dates that suggest the month first. An
 *   ambiguous date, such as 3/2, suggests the month first if only that order gives a date near today.
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
