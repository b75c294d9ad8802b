import { z } from 'zod'
import { FILE_FORMATS, INVOICE_DECISIONS } from '../../../db/vocabulary'
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
} from '../../platform/fields'
import { Refused } from '../../platform/refusals'

export const LINES_LIMIT = 2000

/** Maximum number of invoice lines for one unit. */
const UNIT_LINES_LIMIT = 100

/**
 * Days and daily rate are optional. If they are given, the check can report which of the two differs from our records.
 */
export const storageLine = z.object({
  unit_number: unitNumber,
  amount: requiredMoney('Amount is required'),
  days: optionalCount(36_500),
  daily_rate: optionalMoney,
})
export type StorageLine = z.output<typeof storageLine>

/** `move_date` identifies the transport if the unit was moved several times. */
export const moveLine = z.object({
  unit_number: unitNumber,
  amount: requiredMoney('Amount is required'),
  move_date: optionalDate,
})
export type MoveLine = z.output<typeof moveLine>

export const invoiceHead = z.object({
  number: requiredText('Invoice number is required', 50),
  start_date: requiredDate('First day billed is required'),
  end_date: requiredDate('Last day billed is required'),
})

const invoiceOf = <Line extends z.ZodObject>(line: Line) =>
  invoiceHead.extend({
    lines: z
      .array(line, { error: 'Must be a list of invoice lines' })
      .min(1, 'Add at least one line')
      .max(LINES_LIMIT, `At most ${LINES_LIMIT} lines`),
  })
export const storageInvoice = invoiceOf(storageLine)
export const moveInvoice = invoiceOf(moveLine)
export type NewInvoice<Line> = Omit<z.output<typeof storageInvoice>, 'lines'> & { lines: Line[] }

export const lineDecision = z.object({
  decision: z.preprocess(
    (value) => (value === '' ? null : value),
    choice(INVOICE_DECISIONS, 'Accept or dispute the line').nullable(),
  ),
  note: optionalText(1000).optional(),
  version,
})

export const acceptance = z.object({ at: z.iso.datetime().transform((at) => new Date(at)) })

export const statementQuery = z.object({
  start_date: optionalDate,
  end_date: optionalDate,
  format: choiceOr(['json', ...FILE_FORMATS], 'json'),
})

const { id } = idParams.shape
export const invoiceParams = z.object({ id, invoice: id })
export const lineParams = invoiceParams.extend({ line: id })

export function checkPeriod({ start_date, end_date }: { start_date: string; end_date: string }) {
  if (end_date < start_date) throw Refused.field('end_date', 'The end date is before the start date')
}

export function checkLineCounts(lines: { unit_number: string }[]) {
  const byUnit = Map.groupBy(lines, ({ unit_number }) => unit_number)
  const [unit] = [...byUnit].find(([, { length }]) => length > UNIT_LINES_LIMIT) ?? []
  if (unit) throw Refused.field('lines', `Unit ${unit} has more than ${UNIT_LINES_LIMIT} lines`)
}
