import Papa from 'papaparse'
import { cellText } from '../imports/spreadsheet/cells'
import { Refused } from '../refusals'
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
  /** In the sample, a value for each of its two rows. */
  sample: [string, string]
}

export type Table = { header: string[]; lines: { row: number; cells: string[] }[] }

const BYTES_LIMIT = 1024 * 1024
const refuse = (field: 'file' | 'rows', message: string) => Refused.field(field, message)

const headingKey = (heading: string) => heading.toLowerCase().replace(/[^a-z0-9]/g, '')

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

const limited = (lines: Table['lines'], field: 'file' | 'rows') => {
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (filled.length === 0) throw refuse(field, 'There are no rows')
  if (filled.length > ROWS_LIMIT) throw refuse(field, `At most ${ROWS_LIMIT.toLocaleString('en-US')} rows at once`)
  return filled
}

/** Rows as they are pasted; without headings the columns are those of the sample, in its order. @throws Refused */
export function tableOfText(text: string, columns: ImportColumn[]): Table {
  const { data } = Papa.parse<string[]>(text.replaceAll('\r\n', '\n'), { delimiter: text.includes('\t') ? '\t' : '' })
  const lines = data.map((cells, at) => ({ row: at + 1, cells }))
  const [first, ...rest] = limited(lines, 'rows')
  const known = placed((first as Table['lines'][number]).cells, columns).filter(Boolean)
  // A name of its own is no heading, however like one it looks; two are.
  if (known.length >= Math.min(2, (first as Table['lines'][number]).cells.length))
    return { header: (first as Table['lines'][number]).cells, lines: limited(rest, 'rows') }
  return { header: columns.map(({ field }) => field), lines: limited(lines, 'rows') }
}

/** The first sheet of a workbook, or a CSV file. @throws Refused */
export async function tableOfFile(file: Blob, columns: ImportColumn[]): Promise<Table> {
  const name = file instanceof File ? file.name : ''
  if (/\.xls$/i.test(name)) throw refuse('file', 'Save it as .xlsx or .csv first')
  if (file.size > BYTES_LIMIT) throw refuse('file', 'The file is larger than 1 MB')
  // What reads workbooks is large, and most starts never need it.
  const { readSheet } = await import('../imports/spreadsheet/read-sheet')
  const table: Table = { header: [], lines: [] }
  await readSheet(new Uint8Array(await file.arrayBuffer()), name, null, {
    likeness: (cells) => placed(cells, columns).filter(Boolean).length,
    header: ({ names }) => {
      table.header = names
    },
    rows: (rows) => {
      table.lines.push(...rows.map(({ row, cells }) => ({ row, cells: cells.map(cellText) })))
      if (table.lines.length > ROWS_LIMIT) limited(table.lines, 'file')
    },
  })
  if (placed(table.header, columns).every((column) => column === null))
    throw refuse('file', `The file has no header row: expected ${columns.map(({ field }) => field).join(', ')}`)
  return { ...table, lines: limited(table.lines, 'file') }
}

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
  return lines.map(({ row, cells }) => ({ row, values: valuesIn(cells) }))
}

/** The headings that no column has, which are left out. */
export const unknownHeadings = ({ header }: Table, columns: ImportColumn[]): string[] => {
  const fields = placed(header, columns)
  return header.filter((heading, at) => heading.trim() !== '' && fields[at] === null)
}

/** A table as it is pasted. */
export const textOf = ({ header, lines }: Table): string =>
  Papa.unparse([header, ...lines.map(({ cells }) => cells)], { delimiter: '\t', newline: '\n' })
