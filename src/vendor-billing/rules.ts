import { z } from 'zod'
import { FILE_FORMATS, INVOICE_DECISIONS } from '../../db/vocabulary'
import {
  choice,
  choiceOr,
  idParams,
  optionalCount,
  optionalDate,
  optionalMoney,
  optionalText,
  requiredDate,
  requiredMoney,
  requiredText,
  unitNumber,
  version,
} from '../fields'
import { Refused } from '../refusals'

const LINES_LIMIT = 2000

/** A unit as a vendor billed it; with days and rate it can be said in which of them we differ. */
export const invoiceLine = z.object({
  unit_number: unitNumber,
  amount: requiredMoney('Amount is required'),
  days: optionalCount(36_500),
  daily_rate: optionalMoney,
})
export type BilledLine = z.output<typeof invoiceLine>

export const invoice = z.object({
  number: requiredText('Invoice number is required', 50),
  start_date: requiredDate('The first day is required'),
  end_date: requiredDate('The last day is required'),
  lines: z
    .array(invoiceLine, { error: 'Must be a list of lines' })
    .min(1, 'There is no line')
    .max(LINES_LIMIT, `At most ${LINES_LIMIT} lines`),
})
export type NewInvoice = z.output<typeof invoice>

export const lineDecision = z.object({
  decision: z.preprocess(
    (value) => (value === '' ? null : value),
    choice(INVOICE_DECISIONS, 'Accept or dispute it').nullable(),
  ),
  note: optionalText(1000).optional(),
  version,
})

export const statementQuery = z.object({
  start_date: optionalDate,
  end_date: optionalDate,
  format: choiceOr(['json', ...FILE_FORMATS], 'json'),
})

const { id } = idParams.shape
export const invoiceParams = z.object({ id, invoice: id })
export const lineParams = invoiceParams.extend({ line: id })

/** @throws Refused when the last day is before the first */
export function checkPeriod({ start_date, end_date }: { start_date: string; end_date: string }) {
  if (end_date < start_date) throw Refused.field('end_date', 'The end date is before the start date')
}

/**
 * Lines as they are pasted from a spreadsheet or typed: unit and amount, or unit, days, rate and amount, parted by tabs,
 * semicolons, commas with a blank, or blanks; a line without a figure is a heading.
 * @throws Refused naming the first line that cannot be read
 */
export function pastedLines(text: string): unknown[] {
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
  return rows.map(({ at, cells }) => {
    const [unit = '', ...figures] = cells
    const [days, daily_rate, amount] = figures.length === 3 ? figures : [null, null, figures[0]]
    const line = { unit_number: unit.replace(/^#/, '').padStart(6, '0'), days, daily_rate, amount }
    const problem = figures.length === 1 || figures.length === 3 ? invoiceLine.safeParse(line).error?.issues[0] : null
    if (problem || (figures.length !== 1 && figures.length !== 3))
      throw Refused.field(
        'lines',
        `Line ${at}: ${problem?.message ?? 'write unit and amount, or unit, days, rate and amount'}`,
      )
    return line
  })
}
