import { z } from 'zod'
import type { AppContext } from '../../platform/context'
import { optionalText, yesNo } from '../../platform/fields'
import { readTable } from '../../platform/imports/parse/run-worker'
import type { SheetTable } from '../../platform/imports/parse/worker-messages'
import { HEADING_LIMIT } from '../../platform/imports/spreadsheet/match-headings'
import { unitsOfVins } from '../../platform/records/units-of-vins'
import { type Warning, warning } from '../../platform/records/warnings'
import { Refused } from '../../platform/refusals'
import { LINES_LIMIT } from './rules'
import type { Invoice } from './sheet-rows'
import { linesOfTable, vinsIn } from './sheet-table'

/**
 * Upload limit for invoice files, in bytes. An invoice has one or two pages, so a larger file is probably not an
 * invoice.
 */
const BYTES_LIMIT = 1024 * 1024
/** Limits of a sheet. The server reads it in its main thread, so a very wide sheet would delay other users. */
const LIMITS = { rows: LINES_LIMIT, columns: 60, bytes: 8 * 1024 * 1024, text: 100 }
/** Maximum number of sheets to read from one invoice file. Each sheet requires reading the file again. */
const SHEETS_LIMIT = 12

const refuse = (message: string) => Refused.field('file', message)

/**
 * Sheets and columns that the user chose. `sheet` can contain several names, separated by commas.
 * Without a choice, the program uses the sheet and the columns whose headings match best.
 */
export const sheetChoice = z.object({
  sheet: optionalText(400),
  unit_column: optionalText(HEADING_LIMIT),
  amount_column: optionalText(HEADING_LIMIT),
  /** If true, invalid rows are left out with a warning. Otherwise, one invalid row rejects the whole file. */
  skip_invalid: yesNo(false),
})
type SheetChoice = z.output<typeof sheetChoice>

const LISTED_PROBLEMS = 20

type SheetLines = {
  lines: Record<string, unknown>[]
  /**
   * Warnings about rows and sheets that were left out. Also contains warnings about hidden rows, because hidden rows
   * are read.
   */
  warnings: Warning[]
}

/** `account` is the username of the user who sent the file. */
type Place = Pick<AppContext, 'db' | 'clock' | 'log'> & { account?: string | null }

/**
 * Reads invoice lines from the chosen sheets. If none is chosen, reads the sheet with the most known headings. The
 * lines have the same fields as lines that users enter. Skips rows of totals, and rows that have neither an amount nor
 * a unit number. Charges without a unit number, such as a tax, are left out with a warning.
 * @throws Refused when the file is unreadable or too large, or when a sheet or a required column is missing
 * @throws Refused when no row is valid, or when a row is invalid and `skip_invalid` is not set
 */
export async function linesOfSheet(
  { db, clock, log, account = null }: Place,
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
  const units = await unitsOfVins(db, tables.flatMap(vinsIn))
  const invoice = { sheet: headings, writing, today: clock.today(), units }
  const results: Awaited<ReturnType<typeof linesOfTable>>[] = []
  for (const table of tables) results.push(await linesOfTable(table, invoice, choice))
  const rows = results.flatMap(({ leftOut }, at) =>
    leftOut.map(({ text, isExtra = false }) => ({
      text: tables.length > 1 ? `Sheet "${tables[at]?.sheet}", ${text}` : text,
      isExtra,
    })),
  )
  const lines = results.flatMap((result) => result.lines)
  const refused = rows.filter(({ isExtra }) => lines.length === 0 || (!isExtra && !choice.skip_invalid))
  const listTexts = (some: typeof rows) => some.slice(0, LISTED_PROBLEMS).map(({ text }) => text)
  if (refused.length > 0) throw refuse(listTexts(refused).join('; '))
  const listed = listTexts(rows)
  const rest = rows.length - listed.length
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

function chosenSheets(choice: string, { sheets }: SheetTable): string[] {
  const names = sheets.map(({ name }) => name)
  const chosen = names.includes(choice) ? [choice] : choice.split(',').map((name) => name.trim())
  const unknown = chosen.find((name) => !names.includes(name))
  if (chosen.length > SHEETS_LIMIT) throw Refused.field('sheet', `At most ${SHEETS_LIMIT} sheets`)
  if (unknown === undefined) return [...new Set(chosen)]
  throw Refused.field('sheet', `No such sheet. The file has ${names.map((name) => `"${name}"`).join(', ')}.`)
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
