import Papa from 'papaparse'
import { fieldLabel } from '../../platform/field-label'
import { cellText } from '../../platform/imports/spreadsheet/cells'
import { Refused } from '../../platform/refusals'
import { type ImportLine, ROWS_LIMIT } from './import-rows'

/** Rows of a spreadsheet or the clipboard, and which column is which. */

export type ImportColumn = {
  field: string
  /** For whoever prepares the rows. */
  about: string
  isRequired?: boolean
  /** What people head it with, beside its own name. */
  also?: string[]
  /** What a cell says, where it is not the text itself. */
  read?: (text: string) => unknown
  /** Was it understood? Else the row is told what belongs there. */
  isRead?: (value: unknown) => boolean
  /** In the sample, a value for each of its two rows. */
  sample: [string, string]
}

type Row = { row: number; cells: string[] }
export type Table = { header: string[]; lines: Row[] }

const BYTES_LIMIT = 1024 * 1024
type Source = 'file' | 'rows'
const refuse = (source: Source, message: string) => Refused.field(source, message)

const headingKey = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9]/g, '')
const isFilled = (cell: string) => cell.trim() !== ''

/** The column that each heading names; null for one that names none, or another one's again. */
function placed(header: string[], columns: ImportColumn[]): (ImportColumn | null)[] {
  const taken = new Set<ImportColumn>()
  return header.map((heading) => {
    const key = headingKey(heading)
    const found = columns.find(({ field, also = [] }) => key !== '' && [field, ...also].map(headingKey).includes(key))
    if (!found || taken.has(found)) return null
    taken.add(found)
    return found
  })
}

/** Is this the line of headings? One that has a column's own name is, and one with two of the names that people use. */
function isHeader(cells: string[], columns: ImportColumn[]): boolean {
  const own = new Set(columns.map(({ field }) => headingKey(field)))
  return cells.some((cell) => own.has(headingKey(cell))) || placed(cells, columns).filter(Boolean).length > 1
}

function checked(lines: Row[], source: Source): Row[] {
  if (lines.length === 0) throw refuse(source, 'There are no rows')
  if (lines.length > ROWS_LIMIT) throw refuse(source, `At most ${ROWS_LIMIT.toLocaleString('en-US')} rows at once`)
  return lines
}

/** The cells of each line: parted by tabs, or by commas or semicolons where the first line has such. @throws Refused */
function cellsOf(text: string): string[][] {
  const plain = text.replaceAll('\r\n', '\n').replaceAll('\0', '')
  const first = plain.trimStart().split('\n', 1)[0] as string
  const isTabbed = plain.includes('\t') || !/[,;]/.test(first)
  const { data, errors } = Papa.parse<string[]>(plain, { delimiter: isTabbed ? '\t' : '' })
  const broken = errors.find(({ type }) => type === 'Quotes')
  if (!broken) return data
  // Between tabs a quote is mostly an inch, or part of a name.
  if (isTabbed) return plain.split('\n').map((line) => line.split('\t'))
  throw refuse('rows', `Line ${(broken.row ?? 0) + 1}: a quotation mark is not closed`)
}

/** Rows as they are pasted; without headings the columns are those of the sample, in its order. @throws Refused */
export function tableOfText(text: string, columns: ImportColumn[]): Table {
  const lines = cellsOf(text)
    .map((cells, at) => ({ row: at + 1, cells }))
    .filter(({ cells }) => cells.some(isFilled))
  const [first] = checked(lines.slice(0, 1), 'rows') as [Row]
  if (isHeader(first.cells, columns)) return { header: first.cells, lines: checked(lines.slice(1), 'rows') }
  return { header: columns.map(({ field }) => field), lines: checked(lines, 'rows') }
}

/** The first sheet of a workbook, or a CSV file. @throws Refused */
export async function tableOfFile(file: Blob, columns: ImportColumn[]): Promise<Table> {
  const name = file instanceof File ? file.name : ''
  if (/\.xls$/i.test(name)) throw refuse('file', 'Save it as .xlsx or .csv first')
  if (file.size > BYTES_LIMIT) throw refuse('file', 'The file is larger than 1 MB')
  // What reads workbooks is large, and most starts never need it.
  const { readSheet } = await import('../../platform/imports/spreadsheet/read-sheet')
  const table: Table = { header: [], lines: [] }
  await readSheet(
    new Uint8Array(await file.arrayBuffer()),
    name,
    { row: null },
    {
      likeness: (cells) => placed(cells, columns).filter(Boolean).length,
      header: ({ names }) => {
        // Under their own names, so that they are known again as the headings when the rows come back mended.
        const fields = placed(names, columns)
        table.header = names.map((heading, at) => fields[at]?.field ?? heading)
      },
      rows: (rows) => {
        table.lines.push(...rows.map(({ row, cells }) => ({ row, cells: cells.map(cellText) })))
        if (table.lines.length > ROWS_LIMIT) checked(table.lines, 'file')
      },
    },
  )
  if (placed(table.header, columns).every((column) => column === null))
    throw refuse('file', `The file has no header row: expected ${columns.map(({ field }) => field).join(', ')}`)
  checked(table.lines, 'file')
  return table
}

/** What a spreadsheet shows where there is no value. */
const FAULTY = /^(#(REF|VALUE|NAME|DIV\/0|NULL|NUM|N\/A|SPILL|CALC)[!?]?|\(formula without a result\))$/

/** The rows by field, for the rules. */
export function linesOf({ header, lines }: Table, columns: ImportColumn[]): ImportLine[] {
  const fields = placed(header, columns)
  const valuesIn = (cells: string[]) =>
    Object.fromEntries(
      fields.flatMap((column, at) => {
        const text = (cells[at] ?? '').trim()
        return column && text ? [[column.field, column.read?.(text) ?? text]] : []
      }),
    )
  const problemOf = (cells: string[]) => {
    const faulty = cells.find((cell, at) => fields[at] && FAULTY.test(cell.trim()))
    if (faulty) return `A cell shows ${faulty}; mend it in the spreadsheet`
    const odd = fields.find((column, at) => {
      const text = (cells[at] ?? '').trim()
      return column?.isRead && text && !column.isRead(column.read?.(text) ?? text)
    })
    if (odd) return `${fieldLabel(odd.field)}: Must be ${odd.about.split(';')[0]}`
    if (cells.slice(header.length).some(isFilled))
      return 'The row has more cells than the header; is a comma not quoted?'
    return undefined
  }
  return lines.map(({ row, cells }) => {
    const problem = problemOf(cells)
    return { row, values: valuesIn(cells), ...(problem ? { problem } : {}) }
  })
}

/** A heading that no column has, by its place in the line of headings. */
export type UnknownHeading = { at: number; heading: string }

/** The headings that no column has, which are left out, and the fields that no heading fills. */
export function unplaced({ header }: Table, columns: ImportColumn[]): { ignored: UnknownHeading[]; open: string[] } {
  const fields = placed(header, columns)
  return {
    ignored: header.flatMap((heading, at) => (isFilled(heading) && fields[at] === null ? [{ at, heading }] : [])),
    open: columns.filter((column) => !fields.includes(column)).map(({ field }) => field),
  }
}

/** The table with the fields that somebody chose in place of headings that no column has. */
export function withChosen(table: Table, columns: ImportColumn[], choiceOf: (at: number) => unknown): Table {
  const { ignored, open } = unplaced(table, columns)
  const header = [...table.header]
  for (const { at } of ignored) header[at] = open.find((field) => field === choiceOf(at)) ?? (header[at] as string)
  return { ...table, header }
}

/** A table as it is pasted. */
export const textOf = ({ header, lines }: Table): string =>
  Papa.unparse([header, ...lines.map(({ cells }) => cells)], { delimiter: '\t', newline: '\n' })
