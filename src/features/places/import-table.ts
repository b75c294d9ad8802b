import Papa from 'papaparse'
import type { AppContext } from '../../platform/context'
import { fieldLabel } from '../../platform/field-label'
import { remarksOnFile } from '../../platform/imports/parse/file-remarks'
import { readTable } from '../../platform/imports/parse/run-worker'
import { understandNumber } from '../../platform/imports/parse/understand-cell'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import { COLUMN_LIMIT } from '../../platform/imports/spreadsheet/lines'
import { pastedCells } from '../../platform/pasted-cells'
import { isPlaceholder } from '../../platform/reading/text'
import { Refused } from '../../platform/refusals'
import { type ImportLine, ROWS_LIMIT } from './import-rows'

export type MasterImportColumn = {
  field: string
  /** Format of the column for users, such as `an e-mail address`. */
  about: string
  isRequired?: boolean
  /** Accepted headings in addition to the field name. */
  also?: string[]
  /** If omitted, the text of the cell is the value. */
  read?: (text: string) => unknown
  /**
   * Returns true if the converted value is valid. If not, the error message is `Must be` followed by the start of
   * `about`, up to the first semicolon.
   */
  isRead?: (value: unknown) => boolean
  /** True for a column of amounts. The importer's rules for numbers apply to these columns. */
  isAmount?: true
  /**
   * Value of a blank cell in a column that contains only ticks. A tick is a text such as `x`. For example, such a blank
   * cell can mean false.
   */
  unticked?: unknown
  sample: [string, string]
}

type Row = { row: number; cells: string[] }
/** Rows to import, with their headings. `remarks` lists parts of the file that were not read, such as other sheets. */
export type Table = { header: string[]; lines: Row[]; remarks?: string[] }

const BYTES_LIMIT = 1024 * 1024
/** Maximum size of a workbook's sheets after unpacking, in bytes. */
const UNPACKED_LIMIT = 8 * 1024 * 1024
type Source = 'file' | 'rows'
const refuse = (source: Source, message: string) => Refused.field(source, message)

/**
 * Normalizes a heading, so that different spellings are equal. `Phone (main) *` becomes `phone`, and `Branch #` becomes
 * `branchnumber`.
 */
const headingKey = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/\([^()]*\)/g, '')
    .replace(/#/g, 'number')
    .replace(/[^a-z0-9]/g, '')
const isFilled = (cell: string) => cell.trim() !== ''

/** Returns null for each unknown or repeated heading. */
function placeColumns(header: string[], columns: MasterImportColumn[]): (MasterImportColumn | null)[] {
  const usedColumns = new Set<MasterImportColumn>()
  return header.map((heading) => {
    const key = headingKey(heading)
    const match = columns.find(({ field, also = [] }) => key !== '' && [field, ...also].map(headingKey).includes(key))
    if (!match || usedColumns.has(match)) return null
    usedColumns.add(match)
    return match
  })
}

/**
 * True for a header row. In a header row, at least one cell is the name of a field, or at least two cells are accepted
 * headings of different columns.
 */
function isHeader(cells: string[], columns: MasterImportColumn[]): boolean {
  const own = new Set(columns.map(({ field }) => headingKey(field)))
  return cells.some((cell) => own.has(headingKey(cell))) || placeColumns(cells, columns).filter(Boolean).length > 1
}

function checked(lines: Row[], source: Source): Row[] {
  if (lines.length === 0) throw refuse(source, 'There are no rows')
  if (lines.length > ROWS_LIMIT) throw refuse(source, `At most ${ROWS_LIMIT.toLocaleString('en-US')} rows at once`)
  return lines
}

/**
 * Parses pasted rows. Without a header row, the cells must be in the order of `columns`.
 * @throws Refused when there are no rows or too many
 */
export function tableOfText(text: string, columns: MasterImportColumn[]): Table {
  const lines = pastedCells(text)
    .map((cells, at) => ({ row: at + 1, cells }))
    .filter(({ cells }) => cells.some(isFilled))
  const [first] = checked(lines.slice(0, 1), 'rows') as [Row]
  if (first.cells.length > COLUMN_LIMIT) throw refuse('rows', `The table has more than ${COLUMN_LIMIT} columns`)
  if (isHeader(first.cells, columns)) return { header: first.cells, lines: checked(lines.slice(1), 'rows') }
  return { header: columns.map(({ field }) => field), lines: checked(lines, 'rows') }
}

/**
 * Reads rows from a CSV file or a workbook. If a workbook has several sheets, reads the sheet with the most known
 * headings.
 * @throws Refused when the file is too large, unreadable or empty
 */
export async function tableOfFile(
  { log, account }: Pick<AppContext, 'log'> & { account: string | null },
  file: Blob,
  columns: MasterImportColumn[],
): Promise<Table> {
  if (file.size > BYTES_LIMIT) throw refuse('file', 'The file is larger than 1 MB')
  const read = await readTable(
    {
      bytes: new Uint8Array(await file.arrayBuffer()),
      fileName: file instanceof File ? file.name : '',
      headings: columns.map(({ field, also = [] }) => [headingPattern([field, ...also])]),
      sheet: null,
      limits: { rows: ROWS_LIMIT, bytes: UNPACKED_LIMIT },
    },
    account,
    (reason) => log('warn', 'a file of master data could not be read', { reason }),
  )
  // Replace the headings with field names. The page shows the rows as text, which the user can correct and submit. A
  // field name in the first line ensures that the line is then recognized as the header row.
  const fields = placeColumns(read.header, columns)
  const header = read.header.map((heading, at) => fields[at]?.field ?? heading)
  if (fields.every((column) => column === null))
    throw refuse('file', `The file has no header row: expected ${columns.map(({ field }) => field).join(', ')}`)
  const lines = read.lines.map(({ row, cells }) => ({ row, cells: cells.map(cellText) }))
  return { header, lines: checked(lines, 'file'), remarks: remarksOnFile(read, false) }
}

/**
 * Returns a pattern that matches names in any spelling. Two spellings are the same if `headingKey` returns the same
 * key.
 */
function headingPattern(names: string[]): RegExp {
  const between = '[^a-z0-9#]*'
  const loose = names.map((name) =>
    headingKey(name)
      .split('number')
      .map((part) => [...part].join(between))
      .join(`${between}(?:number|#)${between}`),
  )
  return new RegExp(`^[^a-z0-9#]*(?:${loose.join('|')})[^a-z0-9#]*(?:\\([^()]*\\)[^a-z0-9#]*)?$`, 'i')
}

/**
 * Matches a cell without a usable value.
 * These are spreadsheet errors such as `#REF!` or `####`, numbers that lost digits (`1.2E+9`), and formulas without a
 * result.
 */
const FORMULA_ERROR =
  /^(#(REF|VALUE|NAME|DIV\/0|NULL|NUM|N\/A|SPILL|CALC)[!?]?|#{3,}|\d(\.\d+)?E\+\d+|\(formula without a result\))$/

/**
 * Pattern for the label of a row of totals. It must match the whole cell, because longer text can be a name, such as
 * Total Logistics.
 */
const TOTAL = /^(?:(?:grand|sub)[- ]?)?totals?:?$/i

const TICK = /^[x✓✔]$/i

const valueIn = ({ read, isAmount }: MasterImportColumn, text: string): unknown =>
  isAmount ? understandNumber(text, 2).raw : (read?.(text) ?? text)

/** Converts rows to field values, and finds cells with errors. */
export function linesOf({ header, lines }: Table, columns: MasterImportColumn[]): ImportLine[] {
  const fields = placeColumns(header, columns)
  const isTicked = fields.map((column, at) => {
    const filled = lines.map(({ cells }) => (cells[at] ?? '').trim()).filter(Boolean)
    return column?.unticked !== undefined && filled.length > 0 && filled.every((text) => TICK.test(text))
  })
  const valuesIn = (cells: string[]) =>
    Object.fromEntries(
      fields.flatMap((column, at) => {
        const text = (cells[at] ?? '').trim()
        return column && text && !isPlaceholder(text) ? [[column.field, valueIn(column, text)]] : []
      }),
    )
  const untickedIn = (cells: string[]) =>
    Object.fromEntries(
      fields.flatMap((column, at) =>
        column && isTicked[at] && !(cells[at] ?? '').trim() ? [[column.field, column.unticked]] : [],
      ),
    )
  const problemOf = (cells: string[]) => {
    const errorCell = cells.find((cell, at) => fields[at] && FORMULA_ERROR.test(cell.trim()))
    if (errorCell) return `A cell contains ${errorCell}. Correct it in the spreadsheet.`
    const unreadColumn = fields.find((column, at) => {
      const text = (cells[at] ?? '').trim()
      return column?.isRead && text && !column.isRead(column.read?.(text) ?? text)
    })
    for (const [at, column] of fields.entries()) {
      const error = column?.isAmount ? understandNumber((cells[at] ?? '').trim(), 2).error : undefined
      if (column && error) return `${fieldLabel(column.field)}: ${error}`
    }
    if (unreadColumn) return `${fieldLabel(unreadColumn.field)}: Must be ${unreadColumn.about.split(';')[0]}`
    const total = cells.find(isFilled)?.trim() ?? ''
    if (TOTAL.test(total)) return `This row is a total, not a record: "${total}"`
    if (cells.slice(header.length).some(isFilled))
      return 'The row has more cells than the header row. If a value contains a comma, put quotation marks around it.'
    return undefined
  }
  /**
   * Error message for rows of a second table in the sheet. The second table has different columns. The message is set
   * when the header row of the second table is read.
   */
  let otherTable: string | undefined
  const headingProblem = (row: number, cells: string[]) => {
    const named = placeColumns(cells, columns)
    const filled = cells.flatMap((cell, at) => (isFilled(cell) ? [at] : []))
    const repeats = (at: number) => headingKey(cells[at] ?? '') === headingKey(header[at] ?? '')
    if (filled.length < 2 || filled.some((at) => !named[at] && !repeats(at))) return otherTable
    const isSame = filled.every((at) => repeats(at) || named[at] === fields[at])
    otherTable = isSame
      ? undefined
      : `Row ${row} begins a second table with different columns. Import its rows from a separate file`
    return otherTable ?? 'This row repeats the headings'
  }
  return lines.map(({ row, cells }) => {
    const problem = headingProblem(row, cells) ?? problemOf(cells)
    return { row, values: valuesIn(cells), unticked: untickedIn(cells), ...(problem ? { problem } : {}) }
  })
}

export type UnknownHeading = { at: number; heading: string }

export function unplacedColumns(
  { header }: Table,
  columns: MasterImportColumn[],
): { ignored: UnknownHeading[]; open: string[] } {
  const fields = placeColumns(header, columns)
  return {
    ignored: header.flatMap((heading, at) => (isFilled(heading) && fields[at] === null ? [{ at, heading }] : [])),
    open: columns.filter((column) => !fields.includes(column)).map(({ field }) => field),
  }
}

/** Replaces unknown headings with the fields that the user chose for them. */
export function withChosen(table: Table, columns: MasterImportColumn[], choiceOf: (at: number) => unknown): Table {
  const { ignored, open } = unplacedColumns(table, columns)
  const header = [...table.header]
  for (const { at } of ignored) header[at] = open.find((field) => field === choiceOf(at)) ?? (header[at] as string)
  return { ...table, header }
}

export const textOf = ({ header, lines }: Table): string =>
  Papa.unparse([header, ...lines.map(({ cells }) => cells)], { delimiter: '\t', newline: '\n' })
