import { readPlain, readUnit } from '../imports/spreadsheet/cells'
import type { Line } from '../imports/spreadsheet/lines'
import { readSheet } from '../imports/spreadsheet/read-sheet'
import { Refused } from '../refusals'
import { invoiceLine } from './rules'

/** An invoice is a page or two; whatever is larger is not one. */
const BYTES_LIMIT = 1024 * 1024

const refuse = (message: string) => Refused.field('file', message)

/** How vendors head their columns. The first that fits is taken; `amount` last, for a rate may be called one too. */
const HEADS = {
  unit_number: /\b(unit|vehicle|stock|truck|asset)\b/i,
  days: /\bdays?\b(?!.*rate)/i,
  daily_rate: /\brate\b|\bper day\b|\bdaily\b/i,
  amount: /\b(amount|total|charges?|due|fee|sum)\b/i,
}
type Field = keyof typeof HEADS

/** Which column is which, by the names in the header. */
function columnsOf(names: string[]): Map<Field, number> {
  const columns = new Map<Field, number>()
  for (const [field, pattern] of Object.entries(HEADS) as [Field, RegExp][]) {
    const taken = new Set(columns.values())
    const at = names.findIndex((name, at) => !taken.has(at) && pattern.test(name.replaceAll('_', ' ')))
    if (at >= 0) columns.set(field, at)
  }
  return columns
}

/**
 * The lines of a vendor's invoice in a spreadsheet, as if they had been typed; titles above the header and sums below
 * the lines are left out.
 * @throws Refused when it cannot be read, or has no columns for unit and amount
 */
export async function linesOfSheet(file: Blob): Promise<Record<string, unknown>[]> {
  const name = file instanceof File ? file.name : ''
  if (/\.xls$/i.test(name)) throw refuse('Save it as .xlsx or .csv first')
  if (file.size > BYTES_LIMIT) throw refuse('The file is larger than 1 MB; is it an invoice?')
  let names: string[] = []
  const rows: Line[] = []
  await readSheet(new Uint8Array(await file.arrayBuffer()), name, null, {
    likeness: (cells) => columnsOf(cells).size,
    header: (header) => {
      names = header.names
    },
    rows: (more) => rows.push(...more),
  })
  const columns = columnsOf(names)
  const cellOf = ({ cells }: Line, field: Field) => cells[columns.get(field) ?? -1] ?? null
  if (!columns.has('unit_number') || !columns.has('amount'))
    throw refuse('The file needs a column for the unit and one for the amount')
  return rows
    .map((row) => ({ row, unit: readUnit(cellOf(row, 'unit_number')) }))
    .filter(({ unit }) => /\d/.test(String(unit ?? '')))
    .map(({ row, unit }) => {
      const line = {
        unit_number: String(unit).padStart(6, '0'),
        amount: readPlain(cellOf(row, 'amount')),
        days: readPlain(cellOf(row, 'days')),
        daily_rate: readPlain(cellOf(row, 'daily_rate')),
      }
      const [problem] = invoiceLine.safeParse(line).error?.issues ?? []
      if (problem) throw refuse(`Row ${row.row}: ${problem.message}`)
      return line
    })
}
