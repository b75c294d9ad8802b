import { nextRound } from '../../platform/event-loop'
import { isVinHeading } from '../../platform/imports/parse/place-columns'
import { vinOf } from '../../platform/imports/parse/understand-cell'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import type { SheetLine } from '../../platform/imports/spreadsheet/lines'
import { matchingHeadings } from '../../platform/imports/spreadsheet/match-headings'
import { type ColumnChoice, columnsOf, UNIT_LIMIT } from './sheet-columns'
import { type Invoice, type LeftOut, RowReader } from './sheet-rows'

/** Number of rows to read before other requests get a turn. Reading them takes about 10 ms. */
const ROWS_AT_ONCE = 100

export const vinsIn = ({ header, lines }: SheetTable): string[] => {
  const vinAt = header.findIndex(isVinHeading)
  return lines.flatMap(({ cells }) => vinOf(cellText(cells[vinAt] ?? null)) ?? [])
}

/**
 * Reads the invoice lines of a table.
 * Also returns the rows that are left out, and notes about amounts that an unquoted comma may have split. `amounts` is
 * a message about columns that also contain amounts but were not read.
 * @throws Refused when the table has no column for the unit or the amount
 */
export async function linesOfTable(table: SheetTable, invoice: Invoice, choice: ColumnChoice) {
  const { header, lines: rows } = table
  const columns = await columnsOf(table, invoice.sheet, choice)
  const reader = new RowReader(table, invoice, columns)
  const leftOut: LeftOut[] = []
  const notes: string[] = []
  const lines: Record<string, unknown>[] = []
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === 0) await nextRound()
    const reading = reader.read(row)
    if (!reading) continue
    if ('leftOut' in reading) leftOut.push(reading.leftOut)
    else {
      lines.push(reading.line)
      if (reading.note) notes.push(reading.note)
    }
  }
  const amountAt = columns.get('amount') ?? -1
  await nextRound()
  const others = [
    ...(invoice.sheet.amount ?? []).flatMap((pattern) => matchingHeadings(header, pattern)),
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

/** Matches headings of additional charges, such as `Fuel surcharge`. */
const SURCHARGE = /\b(?:surcharges?|fsc|fuel|tolls?|accessorials?|detention)\b/i

/** True if most filled cells have cents or a dollar sign. */
function hasAmounts(cells: SheetLine['cells']): boolean {
  const filled = cells.map((cell) => cellText(cell).trim()).filter(Boolean)
  return (
    filled.filter((text) => /^[(-]?(?:\$ ?[\d,]+(?:\.\d\d)?|[\d,]+\.\d\d)\)?$/.test(text)).length > filled.length / 2
  )
}
