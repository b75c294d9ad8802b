import type { ColumnKind } from './table'
import { zipStream } from './zip'

/** A column of an .xlsx sheet. `width` is in characters. */
export type SheetColumn = { label: string; kind: ColumnKind; width: number }
export type SheetValue = string | number | null

/** Maximum number of characters in a cell. Excel has the same limit. */
const TEXT_LIMIT = 32_767
/** Index of the cell style for each column kind. The styles are in `STYLES`. */
const STYLE: Record<ColumnKind, number> = { text: 0, date: 1, count: 2, money: 3, decimal: 4, percent: 5 }
const HEADING = 6
const SCHEMA = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const NUMBER_FORMATS = ['mm/dd/yyyy', '#,##0', '#,##0.00', '#,##0.0', '0.0'].map(
  (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`,
)
const NUMBER_STYLES = NUMBER_FORMATS.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)
const STYLES = `${XML}<styleSheet xmlns="${SCHEMA}"><numFmts
  count="${NUMBER_FORMATS.length}">${NUMBER_FORMATS.join('')}</numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name
val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="7"><xf/>${NUMBER_STYLES.join('')}<xf fontId="1" applyFont="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
/**
 * Characters to remove from cells of a workbook. These are control characters that XML forbids, and two noncharacters.
 */
const UNWRITABLE = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu
const escaped = (text: string) =>
  text
    .slice(0, TEXT_LIMIT)
    .toWellFormed()
    .replace(UNWRITABLE, '')
    // Escape text such as `_x000D_`, which the .xlsx format would decode as a character.
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>\r]/g, (char) => ESCAPES[char] as string)

/** Letters of a sheet column. Index 0 gives `A`, and index 27 gives `AB`. */
function letters(column: number): string {
  const before = Math.floor(column / 26)
  return `${before > 0 ? letters(before - 1) : ''}${String.fromCharCode(65 + (column % 26))}`
}

/**
 * Returns the serial number of a date in a spreadsheet. This is the number of days since December 30, 1899.
 * Before March 1, 1900, the serial number is one less. Spreadsheets count February 29, 1900, although it did not exist.
 */
function serial(date: string): number {
  const days = Math.round((Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000)
  return days > 60 ? days : days - 1
}

const textCell = (at: string, text: string, style: number) =>
  `<c r="${at}" t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/**
 * Returns the XML of a cell in an .xlsx sheet. Text is written as an inline string, so that it is never read as a
 * formula. Every cell has its address, because some programs do not derive the address from the order of the cells.
 */
function cell(at: string, kind: ColumnKind, value: SheetValue | undefined): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'number') return `<c r="${at}" s="${STYLE[kind]}"><v>${value}</v></c>`
  return kind === 'date' ? `<c r="${at}" s="${STYLE.date}"><v>${serial(value)}</v></c>` : textCell(at, value, 0)
}

function sheetHead(columns: SheetColumn[]): string {
  const widths = columns
    .map(({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const heading = columns.map(({ label }, at) => textCell(`${letters(at)}1`, label, HEADING)).join('')
  return (
    `${XML}<worksheet xmlns="${SCHEMA}"><sheetViews><sheetView workbookViewId="0" ` +
    `tabSelected="1">${pane}</sheetView></sheetViews><cols>${widths}</cols><sheetData><row r="1">${heading}</row>`
  )
}

/** Length in characters at which a piece of the sheet is written. Rows with long text delay other requests less. */
const PIECE = 256 * 1024

/** Last column and last row of an .xlsx sheet. `row` increases while the sheet is written. */
type Extent = { column: string; row: number }

async function* sheetXml(
  columns: SheetColumn[],
  batches: AsyncIterable<SheetValue[][]>,
  extent: Extent,
): AsyncGenerator<string> {
  yield sheetHead(columns)
  const columnCells = columns.map(({ kind }, at) => ({ kind, letter: letters(at) }))
  for await (const batch of batches) {
    let xml = ''
    for (const row of batch) {
      const number = ++extent.row
      const cells = columnCells.map(({ kind, letter }, at) => cell(`${letter}${number}`, kind, row[at]))
      xml += `<row r="${number}">${cells.join('')}</row>`
      if (xml.length < PIECE) continue
      yield xml
      xml = ''
    }
    yield xml
  }
  yield `</sheetData><autoFilter ref="A1:${extent.column}${extent.row}"/></worksheet>`
}

const relationships = (entries: [id: string, kind: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${entries
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const FIXED_PARTS: [name: string, text: string][] = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
      `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override ` +
      `PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override ` +
      `PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/><Override ` +
      `PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/></Types>`,
  ],
  ['_rels/.rels', relationships([['r1', 'officeDocument', 'xl/workbook.xml']])],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'styles', 'styles.xml'],
    ]),
  ],
  ['xl/styles.xml', STYLES],
]

/**
 * Returns the XML of a workbook with one sheet. The workbook defines a name for the range of cells that has filters,
 * because LibreOffice shows the filters only if the range has a name.
 */
const workbookXml = ({ column, row }: Extent) =>
  `${XML}<workbook xmlns="${SCHEMA}" xmlns:r="${OFFICE}"><sheets><sheet name="Yardmaster" sheetId="1" ` +
  `r:id="r1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" ` +
  `hidden="1">Yardmaster!$A$1:$${column}$${row}</definedName></definedNames></workbook>`

/** Streams an .xlsx workbook with one sheet. Only one batch of rows is in memory at a time. */
export async function* xlsxStream(
  columns: SheetColumn[],
  batches: AsyncIterable<SheetValue[][]>,
): AsyncGenerator<Uint8Array> {
  const extent = { column: letters(Math.max(0, columns.length - 1)), row: 1 }
  yield* zipStream(async (add) => {
    for (const [name, text] of FIXED_PARTS) await add(name, [text])
    await add('xl/worksheets/sheet1.xml', sheetXml(columns, batches, extent))
    await add('xl/workbook.xml', [workbookXml(extent)])
  })
}
